//! One line of a page's console.

use super::log::Weighed;
use crate::redact::redacted;
use std::rc::Rc;

/// All of it a page could choose but `source`; secrets are taken out already.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ConsoleLine {
    /// The console method, `exception`, or the browser's level for its own words.
    pub(crate) level: String,
    pub(crate) text: String,
    /// What the browser's own words are about, such as `network`.
    pub(crate) source: String,
    /// The script's address, line and column.
    pub(crate) place: Option<(String, u32, u32)>,
    /// How often it was said, one after the other.
    pub(crate) times: u32,
    /// The address of the main document at that time.
    pub(crate) page: Rc<str>,
}

impl ConsoleLine {
    pub(crate) fn new(level: String, text: &str) -> Self {
        Self { level, text: redacted(text), times: 1, ..Self::default() }
    }

    pub(crate) fn at(mut self, url: &str, line: u32, column: u32) -> Self {
        self.place = (!url.is_empty()).then(|| (redacted(url), line, column));
        self
    }

    pub(crate) fn is_error(&self) -> bool {
        matches!(self.level.as_str(), "error" | "exception" | "assert")
    }

    pub(super) fn says(&self, other: &Self) -> bool {
        self.level == other.level
            && self.text == other.text
            && self.place == other.place
            && self.page == other.page
    }
}

impl Weighed for ConsoleLine {
    fn bytes(&self) -> usize {
        let place = self.place.as_ref().map_or(0, |(url, ..)| url.len());
        // Each may come from an address of its own, by the page's doing.
        128 + self.level.len() + self.text.len() + self.source.len() + place + self.page.len()
    }
}
