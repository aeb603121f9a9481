//! What the lists of console messages and requests have in common: up to now, the latest, within a bound, counted.

use crate::render::flat;
use crate::tab::OwnedTab;
use crate::tool::{Failure, Part, Reply};
use ghostlight_transport::limits::{BROWSER_REQUEST, LOG_SHOWN, READ_CHARS};
use serde_json::{Value, json};

/// Characters of an origin.
const ORIGIN: usize = 200;

/// The lines that are told.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) count: usize,
    text: String,
}

/// An answer comes after the events before it, so all that had happened when it was asked is here then.
pub(crate) async fn catch_up(tab: &OwnedTab) -> Result<(), Failure> {
    tab.read::<Value>("tab.list", json!({}), BROWSER_REQUEST).await?;
    Ok(())
}

impl Shown {
    /// The latest so many of `lines`, as many as fit. `write` also gets the line told before.
    pub(crate) fn latest<L>(
        lines: &[L],
        limit: Option<f64>,
        write: impl Fn(&L, Option<&L>) -> String,
    ) -> Self {
        let most = limit.map_or(LOG_SHOWN, |limit| limit as usize).max(1);
        let mut from = lines.len().saturating_sub(most);
        let mut texts: Vec<String> = Vec::new();
        let mut room = READ_CHARS;
        for index in (from..lines.len()).rev() {
            let before = index.checked_sub(1).filter(|before| *before >= from);
            let text = write(&lines[index], before.map(|before| &lines[before]));
            let Some(left) = room.checked_sub(text.len() + 1) else {
                from = index + 1;
                break;
            };
            room = left;
            texts.push(text);
        }
        // The first that is told follows on nothing.
        if let (Some(text), Some(first)) = (texts.last_mut(), lines.get(from)) {
            *text = write(first, None);
        }
        texts.reverse();
        Self { count: texts.len(), text: texts.join("\n") }
    }

    pub(crate) fn reply(self, own: String, cleared: bool, origin: String) -> Reply {
        let own = if cleared { format!("{own} Forgot them all.") } else { own };
        let mut parts = vec![Part::Own(own)];
        if self.count > 0 {
            parts.push(Part::Page { origin, text: self.text });
        }
        Reply { parts, structured: None }
    }
}

/// Whose words they are: of the one server behind these addresses, or of several.
pub(crate) fn origin<'a>(urls: impl IntoIterator<Item = &'a str>) -> String {
    let mut origins: Vec<_> = urls.into_iter().map(server).collect();
    origins.dedup();
    match &origins[..] {
        [one] => flat(one, ORIGIN),
        _ => "several-origins".into(),
    }
}

/// Scheme, host and port.
fn server(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    let end = url[host..].find(['/', '?', '#']).map_or(url.len(), |at| host + at);
    if host == 0 { "no-origin" } else { &url[..end] }
}

/// How many there are, how many are told, and what is not there.
pub(crate) fn headline(
    shown: &Shown,
    (what, fitting, all): (&str, usize, usize),
    dropped: u64,
    gaps: u32,
) -> String {
    let plural = if fitting == 1 && all == 1 { "" } else { "s" };
    let mut own = match (fitting, all) {
        (_, 0) => {
            format!("No {what}s since the tab was adopted, or since they were last forgotten.")
        }
        (fitting, all) if fitting == all => {
            format!(
                "{all} {what}{plural} since the tab was adopted, or since they were last forgotten."
            )
        }
        (fitting, all) => {
            format!(
                "{fitting} of {all} {what}{plural} since the tab was adopted, or since they were last forgotten fit."
            )
        }
    };
    if shown.count < fitting {
        own.push_str(&format!(" The latest {} are shown; more with a larger limit.", shown.count));
    }
    if dropped > 0 {
        own.push_str(&format!(" {dropped} more, older ones, are no longer kept."));
    }
    if gaps > 0 {
        let times = if gaps == 1 { "1 time".into() } else { format!("{gaps} times") };
        own.push_str(&format!(
            " The browser was not listened to for a moment {times}; what happened then may be missing."
        ));
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_with_the_server_they_came_from() {
        for (urls, expected) in [
            (vec!["https://a.test:8443/x?y"], "https://a.test:8443"),
            (vec!["https://a.test/x", "https://a.test/y", "https://a.test"], "https://a.test"),
            (vec!["https://a.test/x", "https://b.test/x"], "several-origins"),
            (vec!["about:blank"], "no-origin"),
            (vec![], "several-origins"),
        ] {
            assert_eq!(origin(urls.clone()), expected, "{urls:?}");
        }
    }
}
