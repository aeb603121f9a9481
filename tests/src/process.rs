//! A child process that never outlives its owner.

use crate::wait::{LONG, until, within_time};
use rustix::process::{Pid, Signal, kill_process};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus};
use std::time::Duration;

#[derive(Debug)]
pub struct Process {
    name: String,
    child: Child,
}

impl Process {
    /// # Panics
    /// When the program cannot be started.
    pub fn start(command: &mut Command) -> Self {
        let name = command.get_program().to_string_lossy().into_owned();
        match command.spawn() {
            Ok(child) => Self { name, child },
            Err(fault) => panic!("{name} does not start: {fault}"),
        }
    }

    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn take_stdin(&mut self) -> ChildStdin {
        self.child.stdin.take().expect("stdin is piped and was not taken before")
    }

    pub fn take_stdout(&mut self) -> ChildStdout {
        self.child.stdout.take().expect("stdout is piped and was not taken before")
    }

    /// How it ended, if it did within the time.
    pub fn ended_within(&mut self, within: Duration) -> Option<ExitStatus> {
        within_time(within, || self.child.try_wait().expect("our own child can be waited for"))
    }

    /// How it ended.
    pub fn ended(&mut self) -> ExitStatus {
        let (name, child) = (&self.name, &mut self.child);
        until(&format!("the end of {name}"), LONG, || {
            child.try_wait().expect("our own child can be waited for")
        })
    }

    pub fn signal(&self, signal: Signal) {
        send(self.pid(), signal);
    }

    /// Ends it the hard way and waits until it is gone.
    pub fn kill(&mut self) {
        // Already gone is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A signal to a process by its number; one that is gone is no fault.
pub fn send(pid: u32, signal: Signal) {
    if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        let _ = kill_process(pid, signal);
    }
}
