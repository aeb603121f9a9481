//! A home of its own for one test: state directory, instance, environment, and the end of all of it.

use crate::process::send;
use crate::wait::{LONG, within_time};
use rustix::process::Signal;
use std::fs::{File, read, read_dir, read_to_string};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// The instance of every home: never the person's own.
pub const INSTANCE: &str = "rig";

/// Whatever runs with this home's state directory in its environment ends when the home is dropped.
#[derive(Debug)]
pub struct Home {
    // A socket's path is short, so the folder's must be.
    folder: TempDir,
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
        Self { folder: folder.expect("the temporary directory is writable") }
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// What `GHOSTLIGHT_STATE_DIR` says.
    #[must_use]
    pub fn state_root(&self) -> PathBuf {
        self.path().join("state")
    }

    /// Where the instance keeps its lock, key, sockets and audit.
    #[must_use]
    pub fn state(&self) -> PathBuf {
        self.state_root().join(INSTANCE)
    }

    /// A command that sees this home and nothing of the person's.
    #[must_use]
    pub fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command.env_clear().current_dir(self.path());
        for name in ["PATH", "LANG", "LC_ALL", "USER", "LOGNAME", "TZ"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command
            .env("HOME", self.path())
            .env("GHOSTLIGHT_STATE_DIR", self.state_root())
            .env("GHOSTLIGHT_INSTANCE", INSTANCE)
            .stdin(Stdio::null())
            .stderr(self.log(program.as_ref()));
        command
    }

    /// A new file for one process's stderr, printed when the test fails.
    fn log(&self, program: &Path) -> File {
        let name = program.file_name().unwrap_or_default().to_string_lossy();
        let named = |n: usize| self.path().join(format!("{name}.{n}.stderr"));
        let free = (1..).map(named).find(|path| !path.exists()).expect("numbers do not end");
        File::create(free).expect("the home is writable")
    }

    /// The processes that have this home's state directory in their environment.
    #[must_use]
    pub fn processes(&self) -> Vec<u32> {
        let mark = format!("GHOSTLIGHT_STATE_DIR={}", self.state_root().display());
        let numbers = read_dir("/proc").into_iter().flatten().flatten().filter_map(|entry| {
            entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok())
        });
        numbers
            .filter(|pid| *pid != std::process::id())
            .filter(|pid| {
                let environment = read(format!("/proc/{pid}/environ")).unwrap_or_default();
                environment.split(|byte| *byte == 0).any(|entry| entry == mark.as_bytes())
            })
            .collect()
    }

    /// Those of [`Self::processes`] that run the program of this name.
    #[must_use]
    pub fn running(&self, program: &str) -> Vec<u32> {
        let runs = |pid: &u32| {
            std::fs::read_link(format!("/proc/{pid}/exe"))
                .is_ok_and(|path| path.file_name().is_some_and(|name| name == program))
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
