//! Users of this machine that exist for one test each: what root needs to see how strangers are treated.

use crate::process::send;
use crate::wait::{LONG, within_time};
use rustix::process::Signal;
use std::fs::{read_dir, read_to_string};
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// Far from the users that a system makes, and inside what a container maps.
const FIRST: u32 = 20_000;
const SPAN: u32 = 40_000;
/// Users that one process may make before two processes could share one.
const PER_PROCESS: u32 = 64;

/// A uid without name, group or password entry. Dropped, all its processes end.
#[derive(Debug)]
pub struct User {
    pub uid: u32,
}

/// Whether users can be had at all. Says aloud when not: a test that needs them then shows nothing.
///
/// # Panics
/// In CI, where nothing may be skipped.
#[must_use]
pub fn available(test: &str) -> bool {
    if rustix::process::geteuid().is_root() {
        return true;
    }
    assert!(std::env::var_os("CI").is_none(), "{test} needs root, and CI skips nothing");
    // Not eprintln!, which a passing test's harness keeps to itself.
    let line = format!("\nSKIPPED, needs root and a second user: {test}\n");
    let _ = std::io::stderr().write_all(line.as_bytes());
    false
}

impl User {
    #[must_use]
    pub fn fresh() -> Self {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let own = std::process::id().wrapping_mul(PER_PROCESS);
        let number = own.wrapping_add(MADE.fetch_add(1, Ordering::Relaxed));
        Self { uid: FIRST + number % SPAN }
    }

    /// The program as this user, in no group but its own.
    #[must_use]
    pub fn command(&self, program: impl AsRef<Path>) -> Command {
        let uid = self.uid.to_string();
        let mut command = Command::new("setpriv");
        command.args(["--reuid", &uid, "--regid", &uid, "--clear-groups", "--"]);
        command.arg(program.as_ref());
        command
    }

    /// A shell line as this user; gives what it printed.
    ///
    /// # Panics
    /// When the shell does not start.
    #[allow(clippy::must_use_candidate)]
    pub fn shell(&self, line: &str) -> String {
        let output = self.command("/bin/sh").args(["-c", line]).current_dir("/").output();
        let output = output.expect("a shell starts");
        [output.stdout, output.stderr]
            .map(|text| String::from_utf8_lossy(&text).into_owned())
            .concat()
    }

    /// Gives a file or folder to this user.
    ///
    /// # Panics
    /// When that is refused.
    pub fn own(&self, path: &Path) {
        let owned = std::os::unix::fs::chown(path, Some(self.uid), Some(self.uid));
        owned.unwrap_or_else(|fault| panic!("{} cannot be given away: {fault}", path.display()));
    }

    #[must_use]
    pub fn processes(&self) -> Vec<u32> {
        let numbers = read_dir("/proc").into_iter().flatten().flatten();
        let numbers = numbers.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        numbers.filter(|pid| uid_of(*pid) == Some(self.uid)).collect()
    }
}

fn uid_of(pid: u32) -> Option<u32> {
    let status = read_to_string(format!("/proc/{pid}/status")).ok()?;
    let dead = status.lines().any(|line| line.starts_with("State:\tZ"));
    let line = status.lines().find_map(|line| line.strip_prefix("Uid:"))?;
    if dead { None } else { line.split_whitespace().next()?.parse().ok() }
}

impl Drop for User {
    fn drop(&mut self) {
        within_time(LONG, || {
            let left = self.processes();
            left.iter().for_each(|pid| send(*pid, Signal::KILL));
            left.is_empty().then_some(())
        });
    }
}
