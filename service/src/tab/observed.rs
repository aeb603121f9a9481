//! What a watched tab said on its console and asked of the network, bounded; the oldest go first.

use ghostlight_transport::limits::TAB_LOG;
use std::collections::VecDeque;

#[derive(Debug, Default)]
pub(crate) struct Observed {
    pub(crate) console: VecDeque<ConsoleLine>,
    pub(crate) network: VecDeque<NetworkLine>,
    /// Lines that had to go, of both kinds.
    pub(crate) dropped: u64,
}

/// All of it a page could choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ConsoleLine {
    /// The console method, or `exception`.
    pub(crate) level: String,
    pub(crate) text: String,
}

/// All but the numbers a page could choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NetworkLine {
    pub(crate) request: String,
    /// The browser's resource type, such as `XHR`.
    pub(crate) kind: String,
    pub(crate) method: String,
    pub(crate) url: String,
    pub(crate) end: Option<NetworkEnd>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NetworkEnd {
    /// 0 when the browser did not say.
    Status(u16),
    Failed(String),
}

impl Observed {
    pub(crate) fn said(&mut self, line: ConsoleLine) {
        if self.console.len() == TAB_LOG {
            self.console.pop_front();
            self.dropped += 1;
        }
        self.console.push_back(line);
    }

    pub(crate) fn asked(&mut self, line: NetworkLine) {
        if self.network.len() == TAB_LOG {
            self.network.pop_front();
            self.dropped += 1;
        }
        self.network.push_back(line);
    }

    /// The end of a request whose start may be gone already. A redirect reuses the id: the latest counts.
    pub(crate) fn ended(&mut self, request: &str, end: NetworkEnd) {
        let mut lines = self.network.iter_mut().rev();
        if let Some(line) = lines.find(|line| line.request == request) {
            line.end = Some(end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(request: &str) -> NetworkLine {
        let text = String::new;
        NetworkLine {
            request: request.into(),
            kind: text(),
            method: text(),
            url: text(),
            end: None,
        }
    }

    #[test]
    fn the_oldest_lines_go_and_are_counted_and_an_end_finds_the_latest_start() {
        let mut observed = Observed::default();
        for n in 0..=TAB_LOG {
            observed.asked(line(&n.to_string()));
            observed.said(ConsoleLine { level: "log".into(), text: n.to_string() });
        }
        assert_eq!((observed.network.len(), observed.console.len()), (TAB_LOG, TAB_LOG));
        assert_eq!((observed.dropped, observed.console[0].text.as_str()), (2, "1"));
        observed.ended("0", NetworkEnd::Status(200));
        observed.asked(line("5"));
        observed.ended("5", NetworkEnd::Status(404));
        let ends: Vec<_> = observed.network.iter().filter(|line| line.end.is_some()).collect();
        assert_eq!(
            (ends.len(), &observed.network[TAB_LOG - 1].end),
            (1, &Some(NetworkEnd::Status(404)))
        );
    }
}
