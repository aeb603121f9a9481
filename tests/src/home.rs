//! A home of its own for one test: programs, state directory, instance, environment, and the end of all of it.

use crate::binaries::{CONNECTOR, EDGE, SERVICE, path};
use crate::process::send;
use crate::user::User;
use crate::wait::{LONG, within_time};
use rustix::process::Signal;
use std::fs::{
    File, copy, create_dir_all, hard_link, read, read_dir, read_to_string, set_permissions,
};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// The instance of every home: never the person's own.
pub const INSTANCE: &str = "rig";

/// Whatever runs from this home's programs, or with its state directory in the environment, ends when
/// the home is dropped.
#[derive(Debug)]
pub struct Home {
    folder: TempDir,
    user: Option<User>,
    /// More of the environment of everything that starts here.
    environment: Vec<(String, String)>,
}

impl Default for Home {
    fn default() -> Self {
        Self::new()
    }
}

impl Home {
    /// # Panics
    /// When no folder can be made.
    #[must_use]
    pub fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("gl-").tempdir();
        let home = Self {
            folder: folder.expect("the temporary directory is writable"),
            user: None,
            environment: Vec::new(),
        };
        create_dir_all(home.programs()).expect("the home is writable");
        chmod(&home.programs(), 0o755);
        for name in [EDGE, SERVICE, CONNECTOR] {
            let (built, own) = (path(name), home.program(name));
            // Running programs show their path and nothing else of them: it has to lead to this home.
            if hard_link(&built, &own).is_err() {
                copy(&built, &own).expect("the home has room for a program");
            }
            chmod(&own, 0o755);
        }
        home
    }

    /// The home of a user made for it, whom this process has to be root for.
    #[must_use]
    pub fn of_a_user() -> Self {
        let user = User::fresh();
        let mut home = Self::new();
        user.own(home.path());
        chmod(home.path(), 0o755);
        home.user = Some(user);
        home
    }

    /// With one more variable in the environment of everything that starts here.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    #[must_use]
    pub fn user(&self) -> Option<&User> {
        self.user.as_ref()
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    fn programs(&self) -> PathBuf {
        self.path().join("bin")
    }

    /// This home's own copy of one of our programs.
    #[must_use]
    pub fn program(&self, name: &str) -> PathBuf {
        self.programs().join(name)
    }

    /// The instance's lock, key, sockets and audit: what `GHOSTLIGHT_STATE_DIR` says.
    #[must_use]
    pub fn state(&self) -> PathBuf {
        self.path().join("state")
    }

    /// A command that sees this home and nothing of the person's.
    #[must_use]
    pub fn command(&self, program: impl AsRef<Path>) -> Command {
        let program = program.as_ref();
        let mut command = match &self.user {
            Some(user) => user.command(program),
            None => Command::new(program),
        };
        command.env_clear().current_dir(self.path());
        for name in ["PATH", "LANG", "LC_ALL", "USER", "LOGNAME", "TZ"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command
            .env("HOME", self.path())
            .env("GHOSTLIGHT_STATE_DIR", self.state())
            .env("GHOSTLIGHT_INSTANCE", INSTANCE)
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stderr(self.log(program));
        command
    }

    /// A new file for one process's stderr, printed when the test fails.
    fn log(&self, program: &Path) -> File {
        let name = program.file_name().unwrap_or_default().to_string_lossy();
        let named = |n: usize| self.path().join(format!("{name}.{n}.stderr"));
        let free = (1..).map(named).find(|path| !path.exists()).expect("numbers do not end");
        File::create(free).expect("the home is writable")
    }

    /// The processes that run from this home or have its state directory in their environment.
    #[must_use]
    pub fn processes(&self) -> Vec<u32> {
        let mark = format!("GHOSTLIGHT_STATE_DIR={}", self.state().display());
        let numbers = read_dir("/proc").into_iter().flatten().flatten().filter_map(|entry| {
            entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok())
        });
        numbers
            .filter(|pid| *pid != std::process::id())
            .filter(|pid| {
                // Our own programs do not show their environment.
                let environment = read(format!("/proc/{pid}/environ")).unwrap_or_default();
                let marked =
                    environment.split(|byte| *byte == 0).any(|entry| entry == mark.as_bytes());
                marked || started_as(*pid).is_some_and(|program| program.starts_with(self.path()))
            })
            .collect()
    }

    /// Those of [`Self::processes`] that run the program of this name.
    #[must_use]
    pub fn running(&self, program: &str) -> Vec<u32> {
        let runs = |pid: &u32| {
            let started = started_as(*pid).unwrap_or_default();
            let name = started.file_name().unwrap_or_default().to_string_lossy();
            name.split('@').next() == Some(program)
        };
        self.processes().into_iter().filter(runs).collect()
    }

    fn end_everything(&self) -> Option<()> {
        let left = self.processes();
        left.iter().for_each(|pid| send(*pid, Signal::KILL));
        left.is_empty().then_some(())
    }

    fn print_logs(&self) {
        for entry in read_dir(self.path()).into_iter().flatten().flatten() {
            let path = entry.path();
            let text = read_to_string(&path).unwrap_or_default();
            if path.extension().is_some_and(|kind| kind == "stderr") && !text.is_empty() {
                let tail: Vec<_> = text.lines().rev().take(20).collect();
                let tail: Vec<_> = tail.into_iter().rev().collect();
                eprintln!("--- {}\n{}", path.display(), tail.join("\n"));
            }
        }
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        within_time(LONG, || self.end_everything());
        if std::thread::panicking() {
            self.print_logs();
        }
    }
}

/// The path that a process was started by; none for one that has ended.
fn started_as(pid: u32) -> Option<PathBuf> {
    let line = read(format!("/proc/{pid}/cmdline")).ok()?;
    let program = line.split(|byte| *byte == 0).next().filter(|program| !program.is_empty())?;
    Some(PathBuf::from(String::from_utf8_lossy(program).into_owned()))
}

fn chmod(path: &Path, mode: u32) {
    set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("it is ours");
}
