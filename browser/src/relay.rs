//! Frames in from either side, frames out to the other, over as many service lives as there are.
//!
//! ```text
//! Chromium stdin ═▶ browser ─▶ feed ─▶ [to service] ═▶ pump ═▶ socket
//! Chromium stdout ◀═ pump ◀═ [to browser] ◀─ fetch ◀─ socket
//! ```
//! The browser is read as long as it lives, service or not: its end must be seen, and a worker that
//! posts to a host which does not read would pile up memory in Chromium.

use async_io::Timer;
use futures_lite::future::FutureExt as _;
use ghostlight_transport::admission::Role;
use ghostlight_transport::backoff::Backoff;
use ghostlight_transport::endpoint::ConnectError;
use ghostlight_transport::limits::{
    FRAME_BYTES, NATIVE_DRAIN, NATIVE_FRAMES, NATIVE_STUCK, NATIVE_TO_BROWSER_BYTES, OUTBOX_BYTES,
    OUTBOX_FRAMES, RECONNECT_FIRST, RECONNECT_GOOD, RECONNECT_LAST,
};
use ghostlight_transport::link::{FrameReader, FrameWriter, Link};
use ghostlight_transport::outbox::{NotPushed, Outbox, pump};
use ghostlight_transport::start::{StartError, Starter};
use ghostlight_transport::stderr::Stderr;
use ghostlight_transport::stdio::{Stdin, Stdout};
use ghostlight_transport::stop::{Reason, Stop};
use std::error::Error;
use std::io;
use std::time::Instant;

type Outcome = Result<(), Box<dyn Error>>;

/// Until the browser or a signal ends it.
pub(crate) async fn run(starter: Starter, stop: &mut Stop, stderr: &Stderr) -> Outcome {
    // One reader for the life of the process: bytes it has read ahead belong to no service.
    let (input, output) = (Stdin::open()?, Stdout::open()?);
    let (to_browser, frames) = Outbox::new(OUTBOX_FRAMES, OUTBOX_BYTES);
    let relay = Relay {
        starter,
        browser: FrameReader::new(input, FRAME_BYTES),
        to_browser,
        stderr,
        unheard: 0,
    };
    let stopped = async {
        if let Reason::Signal(name) = stop.wait().await {
            stderr.log(format_args!("ended by signal {name}"));
        }
        Ok(())
    };
    // A closed stdout is the browser's end as well.
    let writing = async {
        let _ = pump(frames, FrameWriter::new(output)).await;
        Ok(())
    };
    stopped.or(writing).or(relay.run()).await
}

struct Relay<'a> {
    starter: Starter,
    browser: FrameReader,
    to_browser: Outbox,
    stderr: &'a Stderr,
    /// Frames that came while no service listened.
    unheard: u64,
}

/// Why one link's life is over.
enum End {
    /// The browser has closed our input.
    Input,
    /// The browser sends what is no frame.
    BadInput(io::Error),
    Link(String),
}

impl Relay<'_> {
    async fn run(mut self) -> Outcome {
        let mut waits = Backoff::new(RECONNECT_FIRST, RECONNECT_LAST);
        while let Some(link) = self.find_service(&mut waits).await? {
            if self.unheard > 0 {
                let lost = std::mem::take(&mut self.unheard);
                self.stderr.log(format_args!("{lost} messages came while no service ran"));
            }
            let begun = Instant::now();
            match self.serve(link).await {
                End::Input => break,
                End::BadInput(error) => return Err(error.into()),
                End::Link(why) => {
                    self.stderr.log(format_args!("the service is gone ({why}); reconnecting"));
                }
            }
            if begun.elapsed() >= RECONNECT_GOOD {
                waits.reset();
            }
            if !self.pause(&mut waits).await? {
                break;
            }
        }
        Ok(())
    }

    /// `None` when the browser ends first.
    async fn find_service(&mut self, waits: &mut Backoff) -> Result<Option<Link>, Box<dyn Error>> {
        let mut told = None;
        loop {
            let found = self.starter.ensure(Role::Browser);
            let error = match beside(&mut self.browser, &mut self.unheard, found).await? {
                None => return Ok(None),
                Some(Ok(link)) => return Ok(Some(link)),
                Some(Err(error)) => error,
            };
            // The extension calls again, and Chromium then starts the installed version of us.
            if matches!(error, StartError::Connect(ConnectError::NewerService)) {
                return Err(error.into());
            }
            let kind = std::mem::discriminant(&error);
            if told.replace(kind) != Some(kind) {
                self.stderr.log(error);
            }
            if !self.pause(waits).await? {
                return Ok(None);
            }
        }
    }

    /// Whether the browser is still there after the wait.
    async fn pause(&mut self, waits: &mut Backoff) -> io::Result<bool> {
        let wait = Timer::after(waits.next_wait());
        Ok(beside(&mut self.browser, &mut self.unheard, wait).await?.is_some())
    }

    /// One link from its admission to its end.
    async fn serve(&mut self, mut link: Link) -> End {
        link.reader.set_limit(NATIVE_TO_BROWSER_BYTES);
        let (to_service, frames) = Outbox::new(NATIVE_FRAMES, OUTBOX_BYTES);
        let send = async {
            match pump(frames, link.writer).await {
                Ok(()) => End::Input,
                Err(error) => End::Link(error.to_string()),
            }
        };
        let reap = async {
            loop {
                self.starter.reap().await;
            }
        };
        let feed = feed(&mut self.browser, to_service);
        let fetch = fetch(&mut link.reader, &self.to_browser);
        feed.or(send).or(fetch).or(reap).await
    }
}

/// Does `work` while dropping, counted, what the browser sends: after each admission the service
/// asks the extension for all it needs. `None` when the browser ends first.
async fn beside<T>(
    browser: &mut FrameReader,
    unheard: &mut u64,
    work: impl Future<Output = T>,
) -> io::Result<Option<T>> {
    let listen = async {
        while browser.next().await?.is_some() {
            *unheard += 1;
            // A browser that never stops talking must not keep the work from its turn.
            futures_lite::future::yield_now().await;
        }
        Ok(None)
    };
    async { Ok(Some(work.await)) }.or(listen).await
}

/// From the browser to the service. At the end of the input what was read has a moment to leave.
async fn feed(browser: &mut FrameReader, to_service: Outbox) -> End {
    loop {
        let mut frame = match browser.next().await {
            Ok(Some(frame)) => frame,
            Ok(None) => break,
            Err(error) => return End::BadInput(error),
        };
        while let Err(NotPushed::Full(back)) = to_service.try_push(frame) {
            frame = back;
            let room = async {
                to_service.room().await;
                true
            };
            let late = async {
                Timer::after(NATIVE_STUCK).await;
                false
            };
            if !room.or(late).await {
                return End::Link("it takes no messages".into());
            }
        }
    }
    drop(to_service);
    Timer::after(NATIVE_DRAIN).await;
    End::Input
}

/// From the service to the browser, no faster than the browser reads.
async fn fetch(service: &mut FrameReader, to_browser: &Outbox) -> End {
    loop {
        to_browser.room().await;
        match service.next().await {
            // A full outbox cannot be, after the wait; a closed one ends the program elsewhere.
            Ok(Some(frame)) => drop(to_browser.try_push(frame)),
            Ok(None) => return End::Link("it closed the connection".into()),
            Err(error) => return End::Link(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests;
