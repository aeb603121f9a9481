//! Everything outside the streams that ends a program: signals, and the death of the parent.

use async_io::Async;
use async_signal::{Signal, Signals};
use futures_lite::future::FutureExt as _;
use futures_lite::stream::StreamExt as _;
use rustix::process::{PidfdFlags, getppid, pidfd_open};
use std::io;
use std::os::fd::OwnedFd;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    Signal(&'static str),
    ParentDied,
}

/// Holds the handlers of INT, TERM and HUP from its creation on.
#[derive(Debug)]
pub struct Stop {
    signals: Signals,
    parent: Option<Async<OwnedFd>>,
}

impl Stop {
    /// For a program that lives for whoever started it.
    ///
    /// # Errors
    /// The system refuses to tell us of signals.
    pub fn new() -> io::Result<Self> {
        Ok(Self { parent: watch_parent()?, ..Self::signals_only()? })
    }

    /// For a program that outlives its starter.
    ///
    /// # Errors
    /// As [`Stop::new`].
    pub fn signals_only() -> io::Result<Self> {
        let signals = Signals::new([Signal::Int, Signal::Term, Signal::Hup])?;
        Ok(Self { signals, parent: None })
    }

    /// The first reason to end; again for the next one. Cancel-safe.
    pub async fn wait(&mut self) -> Reason {
        let signals = &mut self.signals;
        let signal = async {
            loop {
                match signals.next().await {
                    Some(Ok(Signal::Int)) => return Reason::Signal("INT"),
                    Some(Ok(Signal::Hup)) => return Reason::Signal("HUP"),
                    Some(Ok(_)) => return Reason::Signal("TERM"),
                    Some(Err(_)) => {}
                    None => std::future::pending().await,
                }
            }
        };
        let parent = async {
            match &self.parent {
                Some(parent) if parent.readable().await.is_ok() => Reason::ParentDied,
                _ => std::future::pending().await,
            }
        };
        signal.or(parent).await
    }
}

/// A descriptor that becomes readable when the parent ends; `None` when there is none to watch. A
/// parent that ended before we looked has left us to another one, which we then watch: the end of
/// our input tells the rest.
fn watch_parent() -> io::Result<Option<Async<OwnedFd>>> {
    let Some(parent) = getppid().filter(|pid| !pid.is_init()) else { return Ok(None) };
    match pidfd_open(parent, PidfdFlags::empty()) {
        Ok(fd) => Ok(Some(Async::new_nonblocking(fd)?)),
        Err(_) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::process::{Signal as Kill, getpid, kill_process};

    #[test]
    fn each_signal_is_told_once_and_by_name() {
        let mut stop = Stop::new().unwrap();
        for (signal, name) in [(Kill::TERM, "TERM"), (Kill::INT, "INT"), (Kill::HUP, "HUP")] {
            kill_process(getpid(), signal).unwrap();
            assert_eq!(async_io::block_on(stop.wait()), Reason::Signal(name));
        }
        let silent = async_io::block_on(futures_lite::future::poll_once(stop.wait()));
        assert_eq!(silent, None, "the parent lives");
    }
}
