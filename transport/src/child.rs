//! A process we started: its end is a descriptor that becomes readable, and no signal goes to a stranger.

use async_io::Async;
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use std::io;
use std::os::fd::OwnedFd;
use std::process::{Child as Process, Command, ExitStatus};

#[derive(Debug)]
pub struct Child {
    process: Process,
    end: Async<OwnedFd>,
}

impl Child {
    /// # Errors
    /// It cannot be started, or not be watched; then it is ended.
    pub fn spawn(command: &mut Command) -> io::Result<Self> {
        let mut process = command.spawn()?;
        let watched = Pid::from_raw(process.id().cast_signed())
            .ok_or_else(|| io::Error::other("no process id"))
            .and_then(|pid| Ok(pidfd_open(pid, PidfdFlags::empty())?))
            .and_then(Async::new_nonblocking);
        match watched {
            Ok(end) => Ok(Self { process, end }),
            Err(error) => {
                let _ = process.kill();
                let _ = process.wait();
                Err(error)
            }
        }
    }

    /// Until it has ended; then [`Child::status`] has its status. Cancel-safe.
    ///
    /// # Errors
    /// Those of waiting.
    pub async fn ended(&self) -> io::Result<()> {
        self.end.readable().await
    }

    /// Its status, once it has ended; this frees its place in the process table.
    ///
    /// # Errors
    /// Those of waiting.
    pub fn status(&mut self) -> io::Result<Option<ExitStatus>> {
        self.process.try_wait()
    }

    /// # Errors
    /// It has ended.
    pub fn signal(&self, signal: Signal) -> io::Result<()> {
        Ok(pidfd_send_signal(&self.end, signal)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_seen_with_its_status_and_signals_arrive() {
        async_io::block_on(async {
            let mut child = Child::spawn(Command::new("sh").args(["-c", "exit 3"])).unwrap();
            child.ended().await.unwrap();
            assert_eq!(child.status().unwrap().unwrap().code(), Some(3));
            assert!(child.signal(Signal::TERM).is_err());

            let mut child = Child::spawn(Command::new("sleep").arg("60")).unwrap();
            assert!(child.status().unwrap().is_none());
            child.signal(Signal::TERM).unwrap();
            child.ended().await.unwrap();
            assert!(!child.status().unwrap().unwrap().success());
        });
    }
}
