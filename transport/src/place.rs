//! The state directory: where all programs of one user and instance meet. Opened by descriptor, without
//! following links below the home, and refused aloud when anybody else could change it.

use crate::instance::Instance;
use crate::user::{OverflowUser, home, own_uid};
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, fstat, mkdirat, openat, statat};
use rustix::io::Errno;
use std::fmt;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

/// Overrides the state directory; the directory named is the instance's own.
pub const STATE_VARIABLE: &str = "GHOSTLIGHT_STATE_DIR";
const BELOW_HOME: [&str; 2] = [".local", "state"];
const OURS: &str = "ghostlight";

const DIRECTORY: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC).union(OFlags::NOFOLLOW);

#[derive(Debug)]
pub struct Place {
    path: PathBuf,
    directory: OwnedFd,
    instance: Instance,
    uid: u32,
    depth: usize,
}

/// Why there is no safe place to meet. Says path, owner, mode and remedy.
#[derive(Debug)]
pub enum PlaceError {
    Overflow(OverflowUser),
    NoHome(u32),
    Relative(PathBuf),
    Io {
        path: PathBuf,
        error: std::io::Error,
    },
    /// Followed, it would lead where somebody else says.
    NotADirectory {
        path: PathBuf,
        owner: u32,
        mode: u32,
    },
    /// A link, a second name of another file, a pipe: what is written there would land elsewhere.
    NotAFile {
        path: PathBuf,
        owner: u32,
        mode: u32,
    },
    Unsafe {
        path: PathBuf,
        owner: u32,
        mode: u32,
        wanted: Wanted,
    },
}

/// What a directory on our side has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Nobody else may read or write it.
    Private { owner: u32 },
    /// Nobody but the owner, root or a group of theirs may replace what is in it.
    Trusted { owner: u32 },
}

impl PlaceError {
    /// What is wrong, without the way out.
    #[must_use]
    pub fn what(&self) -> String {
        match self {
            Self::Overflow(error) => error.to_string(),
            Self::NoHome(uid) => format!(
                "no home directory: HOME is not an absolute directory of uid {uid} and the password \
                 database names none"
            ),
            Self::Relative(path) => format!("{STATE_VARIABLE}={} is not absolute", path.display()),
            Self::Io { path, error } => format!("{}: {error}", path.display()),
            Self::NotADirectory { path, owner, mode } => format!(
                "{} is a link or no directory: owner uid {owner}, mode {mode:04o}",
                path.display()
            ),
            Self::NotAFile { path, owner, mode } => format!(
                "{} is a link, has a second name or is no regular file: owner uid {owner}, mode \
                 {mode:04o}",
                path.display()
            ),
            Self::Unsafe { path, owner, mode, .. } => {
                format!("{} is not safe: owner uid {owner}, mode {mode:04o}", path.display())
            }
        }
    }

    #[must_use]
    pub fn remedy(&self) -> String {
        match self {
            Self::Overflow(_) => "run as a user that the namespace maps".into(),
            Self::NoHome(_) => format!("set HOME or {STATE_VARIABLE}"),
            Self::Relative(_) => "give a full path".into(),
            Self::Io { .. } => format!("make it usable for this user or set {STATE_VARIABLE}"),
            Self::NotADirectory { .. } => {
                format!("make it a real directory or set {STATE_VARIABLE}")
            }
            Self::NotAFile { .. } => "remove it; no service needs what it holds".into(),
            Self::Unsafe { path, owner, wanted, .. } => match wanted {
                Wanted::Private { owner: uid } | Wanted::Trusted { owner: uid } if owner != uid => {
                    format!("it has to belong to uid {uid}; remove it or chown it")
                }
                Wanted::Private { .. } => format!("run: chmod u=rwX,go= '{}'", path.display()),
                Wanted::Trusted { .. } => format!("run: chmod o-w '{}'", path.display()),
            },
        }
    }
}

impl fmt::Display for PlaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.what(), self.remedy())
    }
}
impl std::error::Error for PlaceError {}

impl Place {
    /// The path alone, without touching it.
    ///
    /// # Errors
    /// There is no home and no override, or the user is the overflow user.
    pub fn locate(instance: &Instance) -> Result<PathBuf, PlaceError> {
        let uid = own_uid().map_err(PlaceError::Overflow)?;
        match std::env::var_os(STATE_VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from)
        {
            Some(path) if path.is_absolute() => Ok(path),
            Some(path) => Err(PlaceError::Relative(path)),
            None => {
                let mut path = home(uid).ok_or(PlaceError::NoHome(uid))?;
                path.extend(BELOW_HOME);
                path.push(OURS);
                path.push(instance.as_str());
                Ok(path)
            }
        }
    }

    /// Opens the directory, making it and its parents where they are missing.
    ///
    /// # Errors
    /// Nowhere to go, or a directory that others could change.
    pub fn open(instance: &Instance) -> Result<Self, PlaceError> {
        let uid = own_uid().map_err(PlaceError::Overflow)?;
        let path = Self::locate(instance)?;
        let overridden = std::env::var_os(STATE_VARIABLE).is_some_and(|value| !value.is_empty());
        Self::open_at(path, instance, uid, if overridden { 1 } else { 4 })
    }

    /// Opens or makes a directory chosen by the caller, as [`Place::open`] does with an override.
    ///
    /// # Errors
    /// As [`Place::open`].
    pub fn open_in(path: &Path, instance: &Instance) -> Result<Self, PlaceError> {
        let uid = own_uid().map_err(PlaceError::Overflow)?;
        Self::open_at(path.to_owned(), instance, uid, 1)
    }

    /// Walks the last `depth` names of `path`. What lies above is opened as the system has it.
    fn open_at(
        path: PathBuf,
        instance: &Instance,
        uid: u32,
        depth: usize,
    ) -> Result<Self, PlaceError> {
        let mut names: Vec<&std::ffi::OsStr> = path.iter().collect();
        let below = names.split_off(names.len().saturating_sub(depth).max(1));
        let mut at: PathBuf = names.iter().collect();
        let top = DIRECTORY.difference(OFlags::NOFOLLOW);
        let mut directory =
            openat(CWD, &at, top, Mode::empty()).map_err(|error| fault(&at, error))?;
        if depth > 1 {
            check(directory.as_fd(), &at, Wanted::Trusted { owner: uid })?;
        }
        for (index, name) in below.iter().enumerate() {
            at.push(name);
            directory = enter(directory.as_fd(), name, &at)?;
            let wanted = if index + 2 < below.len() {
                Wanted::Trusted { owner: uid }
            } else {
                Wanted::Private { owner: uid }
            };
            check(directory.as_fd(), &at, wanted)?;
        }
        Ok(Self { path, directory, instance: instance.clone(), uid, depth })
    }

    /// The same path again, for when it leads elsewhere by now.
    ///
    /// # Errors
    /// As [`Place::open`].
    pub fn reopen(&self) -> Result<Self, PlaceError> {
        Self::open_at(self.path.clone(), &self.instance, self.uid, self.depth)
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    #[must_use]
    pub fn dir(&self) -> BorrowedFd<'_> {
        self.directory.as_fd()
    }

    #[must_use]
    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    /// Whose files and peers are accepted here.
    #[must_use]
    pub fn uid(&self) -> u32 {
        self.uid
    }

    /// Whether the path still leads to the directory that was opened.
    #[must_use]
    pub fn still_there(&self) -> bool {
        let (Ok(held), Ok(found)) =
            (fstat(&self.directory), statat(CWD, &self.path, AtFlags::SYMLINK_NOFOLLOW))
        else {
            return false;
        };
        (held.st_dev, held.st_ino) == (found.st_dev, found.st_ino)
    }

    /// One of our files in here, by descriptor: regular, ours, closed to others.
    ///
    /// # Errors
    /// It is missing, or is not that.
    pub fn open_file(&self, name: &str, flags: OFlags) -> Result<OwnedFd, PlaceError> {
        let path = self.path.join(name);
        let flags = flags | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
        let mode = Mode::RUSR | Mode::WUSR;
        let file = match openat(&self.directory, name, flags, mode) {
            Err(Errno::LOOP | Errno::ISDIR | Errno::NXIO) => return Err(not_a_file(path)),
            opened => opened.map_err(|error| fault(&path, error))?,
        };
        let stat = fstat(&file).map_err(|e| fault(&path, e))?;
        let regular = FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile;
        if !regular || stat.st_nlink > 1 {
            return Err(not_a_file(path));
        }
        self.closed(path, stat.st_uid, stat.st_mode & 0o7777)?;
        Ok(file)
    }

    /// Whether a name in here, if it exists, is as we leave it: a file or socket, ours, closed to others.
    ///
    /// # Errors
    /// It is something else.
    pub fn inspect(&self, name: &str) -> Result<(), PlaceError> {
        let path = self.path.join(name);
        let found = match statat(&self.directory, name, AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => return Ok(()),
            found => found.map_err(|error| fault(&path, error))?,
        };
        let kind = FileType::from_raw_mode(found.st_mode);
        if !matches!(kind, FileType::RegularFile | FileType::Socket) || found.st_nlink > 1 {
            return Err(not_a_file(path));
        }
        self.closed(path, found.st_uid, found.st_mode & 0o7777)
    }

    fn closed(&self, path: PathBuf, owner: u32, mode: u32) -> Result<(), PlaceError> {
        if owner == self.uid && mode & 0o077 == 0 {
            return Ok(());
        }
        Err(PlaceError::Unsafe { path, owner, mode, wanted: Wanted::Private { owner: self.uid } })
    }

    /// Expects peers and files of another user than the one running: a way to see refusals.
    #[cfg(test)]
    pub(crate) fn expecting(mut self, uid: u32) -> Self {
        self.uid = uid;
        self
    }

    #[cfg(test)]
    pub(crate) fn for_test(path: &Path, instance: &str) -> Self {
        let instance = Instance::parse(instance).unwrap();
        Self::open_at(path.to_owned(), &instance, own_uid().unwrap(), 1).unwrap()
    }
}

fn enter(parent: BorrowedFd<'_>, name: &std::ffi::OsStr, at: &Path) -> Result<OwnedFd, PlaceError> {
    let open = || openat(parent, name, DIRECTORY, Mode::empty());
    let opened = match open() {
        Err(Errno::NOENT) => match mkdirat(parent, name, Mode::RWXU) {
            Ok(()) | Err(Errno::EXIST) => open(),
            Err(error) => Err(error),
        },
        other => other,
    };
    opened.map_err(|error| fault(at, error))
}

fn check(directory: BorrowedFd<'_>, at: &Path, wanted: Wanted) -> Result<(), PlaceError> {
    let stat = fstat(directory).map_err(|error| fault(at, error))?;
    let mode = stat.st_mode & 0o7777;
    let safe = match wanted {
        Wanted::Private { owner } => stat.st_uid == owner && mode & 0o077 == 0,
        // A group may share it: what lies below is checked by itself and never followed by name.
        Wanted::Trusted { owner } => {
            (stat.st_uid == owner || stat.st_uid == 0) && mode & 0o002 == 0
        }
    };
    if safe {
        return Ok(());
    }
    Err(PlaceError::Unsafe { path: at.to_owned(), owner: stat.st_uid, mode, wanted })
}

fn fault(path: &Path, error: Errno) -> PlaceError {
    let wanted = Wanted::Private { owner: rustix::process::geteuid().as_raw() };
    match (error, shown(path)) {
        (Errno::LOOP | Errno::NOTDIR, Some((owner, mode))) => {
            PlaceError::NotADirectory { path: path.to_owned(), owner, mode }
        }
        (Errno::ACCESS, Some((owner, mode))) => {
            PlaceError::Unsafe { path: path.to_owned(), owner, mode, wanted }
        }
        (error, _) => PlaceError::Io { path: path.to_owned(), error: error.into() },
    }
}

fn not_a_file(path: PathBuf) -> PlaceError {
    let (owner, mode) = shown(&path).unwrap_or_default();
    PlaceError::NotAFile { path, owner, mode }
}

/// Owner and mode of what is there, for people: nothing is decided by them.
fn shown(path: &Path) -> Option<(u32, u32)> {
    let found = statat(CWD, path, AtFlags::SYMLINK_NOFOLLOW).ok()?;
    Some((found.st_uid, found.st_mode & 0o7777))
}

#[cfg(test)]
mod tests;
