//! What a tab said on its console and asked of the network since it was adopted, bounded; the oldest go first.

mod console;
mod log;
mod network;

pub(crate) use console::ConsoleLine;
pub(crate) use log::Log;
pub(crate) use network::{Asked, Awaits, End, Head, Hop, NetworkLine, Seen};

use std::rc::Rc;

#[derive(Debug, Default)]
pub(crate) struct Observed {
    pub(crate) console: Log<ConsoleLine>,
    pub(crate) network: Log<NetworkLine>,
    /// How often the browser was not listened to for a while.
    pub(crate) gaps: u32,
    /// The address of the main document now.
    page: Rc<str>,
    /// The number of the last request.
    last: u64,
}

impl Observed {
    pub(crate) fn arrived(&mut self, url: &str) {
        if *self.page != *url {
            self.page = url.into();
        }
    }

    /// One more line; a repeated one counts up.
    pub(crate) fn said(&mut self, mut line: ConsoleLine) {
        line.page = Rc::clone(&self.page);
        let again = self.console.lines.back_mut().filter(|last| last.says(&line));
        match again {
            Some(last) => last.times += 1,
            None => self.console.push(line),
        }
    }

    /// One event about a request; what belongs to no request that is kept is left out.
    pub(crate) fn noted(&mut self, request: &str, seen: Seen) {
        match seen {
            Seen::Start(asked) => {
                self.last += 1;
                self.network.push(NetworkLine::new(self.last, request, asked));
            }
            seen => self.network.change(|line| line.request == request, |line| line.take(seen)),
        }
    }

    /// The extension had to drop some before they came here.
    pub(crate) fn lost(&mut self, console: u64, requests: u64) {
        self.console.dropped += console;
        self.network.dropped += requests;
    }
}

#[cfg(test)]
mod tests;
