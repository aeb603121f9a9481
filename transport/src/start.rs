//! Reaching the service of this user and instance, starting the program beside ours when none runs.

use crate::admission::Role;
use crate::backoff::{Backoff, Deaths};
use crate::child::Child;
use crate::endpoint::{ConnectError, connect};
use crate::instance::INSTANCE_VARIABLE;
use crate::limits::{REACH, START_POLL_FIRST, START_POLL_LAST};
use crate::link::Link;
use crate::lock::{ServiceLock, try_lock};
use crate::place::{Place, PlaceError};
use crate::user::overflow_uid;
use async_io::Timer;
use futures_lite::future::FutureExt as _;
use rustix::process::setsid;
use std::fmt;
use std::io;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Held while a service is being started, so that of ten callers one starts it.
const START_LOCK: &str = "start.lock";
/// What a started service sees of our environment, beside our own variables.
const ENVIRONMENT: [&str; 9] =
    ["HOME", "PATH", "USER", "LOGNAME", "LANG", "LC_ALL", "TERM", "TMPDIR", "TZ"];
const OUR_VARIABLES: &str = "GHOSTLIGHT_";
/// Set, programs of a named instance start no service: for tests that do it in an order of their own.
const NO_START_VARIABLE: &str = "GHOSTLIGHT_NO_START";
/// What the kernel appends to the name of a program that was replaced while it ran.
const REPLACED: &[u8] = b" (deleted)";

/// For a service that was started by another program: leaves its session, so that no terminal and no
/// signal to the starter's group reaches it.
///
/// # Errors
/// The process leads a group already.
pub fn leave_session() -> io::Result<()> {
    setsid()?;
    Ok(())
}

/// Why no service could be reached or started.
#[derive(Debug)]
pub enum StartError {
    Connect(ConnectError),
    Place(PlaceError),
    /// The program beside ours is missing or could be changed by others.
    Program {
        path: PathBuf,
        why: String,
    },
    /// Services kept dying: starts are suspended.
    Suspended {
        left: Duration,
        last: String,
    },
    /// Nothing answered in time. A service holds the lock or was being started by somebody.
    TooLate(ConnectError),
}

impl From<PlaceError> for StartError {
    fn from(error: PlaceError) -> Self {
        Self::Place(error)
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connect(error) => error.fmt(f),
            Self::Place(error) => error.fmt(f),
            Self::Program { path, why } => {
                write!(f, "{} cannot be started: {why}", path.display())
            }
            Self::Suspended { left, last } => write!(
                f,
                "the service died right after each start ({last}); next start in {} s; run \
                 'ghostlight service' in a terminal to see why",
                left.as_secs() + 1
            ),
            Self::TooLate(error) => write!(
                f,
                "the service did not answer within {} s ({error}); run: ghostlight doctor",
                REACH.as_secs()
            ),
        }
    }
}
impl std::error::Error for StartError {}

/// Connects, and starts the service where needed. Owns the processes it started.
#[derive(Debug)]
pub struct Starter {
    place: Place,
    program: Program,
    deaths: Deaths,
    last_death: String,
    child: Option<Started>,
    starts: bool,
    /// Grow while nothing answers, over all calls of [`Starter::ensure`].
    waits: Backoff,
}

#[derive(Debug)]
enum Program {
    /// In the directory of our own executable.
    Beside(&'static str),
    #[cfg(test)]
    At(PathBuf),
}

#[derive(Debug)]
struct Started {
    process: Child,
    born: Instant,
}

impl Starter {
    /// `program` is the name of the service's executable in the directory of our own.
    #[must_use]
    pub fn new(place: Place, program: &'static str) -> Self {
        Self::of(place, Program::Beside(program))
    }

    fn of(place: Place, program: Program) -> Self {
        let told_not_to = std::env::var_os(NO_START_VARIABLE).is_some_and(|set| !set.is_empty());
        let starts = place.instance().is_default() || !told_not_to;
        let (deaths, last_death) = (Deaths::default(), String::new());
        let waits = Backoff::new(START_POLL_FIRST, START_POLL_LAST);
        Self { place, program, deaths, last_death, child: None, starts, waits }
    }

    #[must_use]
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// A link to the service. Cancel-safe: an attempt that is dropped leaves at most a service.
    ///
    /// # Errors
    /// See [`StartError`]; all but a stranger, a newer service and an unsafe place may pass by waiting.
    pub async fn ensure(&mut self, role: Role) -> Result<Link, StartError> {
        if !self.place.still_there() {
            self.place = self.place.reopen()?;
        }
        let give_up = Instant::now() + REACH;
        let (mut turn, mut last) = (None, None);
        loop {
            let too_late = async {
                Timer::at(give_up).await;
                Err(ConnectError::Io(io::ErrorKind::TimedOut.into()))
            };
            let error = match connect(&self.place, role).or(too_late).await {
                Ok(link) => {
                    self.waits.reset();
                    return Ok(link);
                }
                Err(error) if !error.worth_retrying() => return Err(StartError::Connect(error)),
                Err(error) => error,
            };
            if Instant::now() >= give_up {
                return Err(StartError::TooLate(last.unwrap_or(error)));
            }
            if matches!(error, ConnectError::NoService) && self.may_start()? {
                match turn {
                    // Look again first: whoever had the turn before us may have started one.
                    None => {
                        turn = try_lock(&self.place, START_LOCK)?;
                        if turn.is_some() {
                            continue;
                        }
                    }
                    Some(_) if ServiceLock::is_held(&self.place)? => {}
                    Some(_) => self.start()?,
                }
            }
            last = Some(error);
            let wait = self.waits.next_wait();
            let pause = async {
                Timer::after(wait).await;
            };
            pause.or(self.reap()).await;
        }
    }

    /// Waits for the end of a service we started and takes its status; forever when there is none.
    /// Cancel-safe.
    pub async fn reap(&mut self) {
        match &self.child {
            Some(child) if child.process.ended().await.is_ok() => self.take_dead(),
            _ => std::future::pending().await,
        }
    }

    fn take_dead(&mut self) {
        let Some(child) = &mut self.child else { return };
        match child.process.status() {
            Ok(None) => return,
            Ok(Some(status)) => self.last_death = status.to_string(),
            Err(error) => self.last_death = error.to_string(),
        }
        self.deaths.died(child.born, Instant::now());
        self.child = None;
    }

    /// Whether a service should be started by whoever has the turn.
    fn may_start(&mut self) -> Result<bool, StartError> {
        self.take_dead();
        match self.deaths.pause_left(Instant::now()) {
            Some(left) => Err(StartError::Suspended { left, last: self.last_death.clone() }),
            None => Ok(self.starts && self.child.is_none()),
        }
    }

    fn start(&mut self) -> Result<(), StartError> {
        let path = match &self.program {
            Program::Beside(name) => sibling(name)?,
            #[cfg(test)]
            Program::At(path) => path.clone(),
        };
        let failed =
            |error: io::Error| StartError::Program { path: path.clone(), why: error.to_string() };
        let process = Child::spawn(&mut command(&path, &self.place)).map_err(failed)?;
        self.child = Some(Started { process, born: Instant::now() });
        self.waits.reset();
        Ok(())
    }
}

fn command(path: &Path, place: &Place) -> Command {
    let mut command = Command::new(path);
    command
        .args(["service", "--started"])
        .env_clear()
        .envs(std::env::vars_os().filter(|(name, _)| passes(name.as_bytes())))
        .env(INSTANCE_VARIABLE, place.instance().as_str())
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

fn passes(variable: &[u8]) -> bool {
    variable.starts_with(OUR_VARIABLES.as_bytes())
        || ENVIRONMENT.iter().any(|name| name.as_bytes() == variable)
}

/// The directory of our own executable, also after an upgrade.
#[must_use]
pub fn own_directory() -> Option<PathBuf> {
    directory_of(&std::fs::read_link("/proc/self/exe").ok()?)
}

/// A program of ours: from our own directory, never from `PATH`, and only if nobody but us or root
/// could have put it there.
///
/// # Errors
/// It is missing, or others could have changed it.
pub fn sibling(program: &str) -> Result<PathBuf, StartError> {
    let unsafe_program =
        |path: &Path, why: String| Err(StartError::Program { path: path.to_owned(), why });
    let Some(directory) = own_directory() else {
        return unsafe_program(Path::new("/proc/self/exe"), "cannot be read; mount /proc".into());
    };
    let path = directory.join(program);
    let path = match path.canonicalize() {
        Ok(real) => real,
        Err(error) => {
            return unsafe_program(&path, format!("{error}; install all programs together"));
        }
    };
    let uid = rustix::process::geteuid().as_raw();
    // Both where we looked and where a link led us: who can change a directory can change the program.
    let above = path.ancestors().skip(2).chain(directory.ancestors().skip(1));
    let direct = [&directory, path.parent().unwrap_or(&path), &path];
    let direct = direct.into_iter().map(|part| (part, distrust as Judge));
    for (part, judge) in direct.chain(above.map(|part| (part, distrust_above as Judge))) {
        match std::fs::metadata(part) {
            Ok(meta) => {
                if let Some(why) = judge(meta.uid(), meta.mode(), uid) {
                    return unsafe_program(part, why);
                }
            }
            Err(error) => return unsafe_program(part, error.to_string()),
        }
    }
    Ok(path)
}

/// The directory of a running program, also after its file was replaced.
fn directory_of(exe: &Path) -> Option<PathBuf> {
    let bytes = exe.as_os_str().as_bytes();
    let name = bytes.strip_suffix(REPLACED).unwrap_or(bytes);
    let exe = PathBuf::from(std::ffi::OsString::from_vec(name.to_vec()));
    exe.parent().map(Path::to_owned)
}

/// Owner and mode of a part of a path, our own uid, and what is wrong with it.
type Judge = fn(u32, u32, u32) -> Option<String>;

fn distrust(owner: u32, mode: u32, uid: u32) -> Option<String> {
    if owner != uid && owner != 0 {
        let unmapped = if overflow_uid() == owner {
            ", or this user namespace does not map its owner"
        } else {
            ""
        };
        let text = format!("it belongs to uid {owner}, neither to this user nor to root{unmapped}");
        return Some(text);
    }
    (mode & 0o022 != 0)
        .then(|| format!("others may write it (mode {:04o}); run: chmod go-w", mode & 0o7777))
}

/// Higher up nobody may rename what leads to the program. A sticky directory lets only owners do so,
/// and one whose owner the namespace does not map is the system's as far as we can see.
fn distrust_above(owner: u32, mode: u32, uid: u32) -> Option<String> {
    const STICKY: u32 = 0o1000;
    if owner != uid && owner != 0 && owner != overflow_uid() {
        return Some(format!("it belongs to uid {owner}, who may replace what is in it"));
    }
    (mode & 0o002 != 0 && mode & STICKY == 0)
        .then(|| format!("others may write it (mode {:04o}); run: chmod o-w", mode & 0o7777))
}

#[cfg(test)]
mod tests;
