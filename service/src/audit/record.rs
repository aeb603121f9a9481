//! The shape of one record and its line.

use ghostlight_transport::bridge::Disposition;
use serde::Serialize;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Event {
    /// An effect is about to be sent.
    Intent,
    /// How a call ended; one per call.
    Terminal,
    /// A page opened a tab, and it became its workspace's.
    Adopted,
    /// The person paused, resumed, stopped or restarted.
    Control,
}

/// The order of the fields is the order in the file.
#[derive(Debug, Serialize)]
pub(crate) struct Record<'a> {
    pub(crate) event: Event,
    pub(crate) id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) client: Option<&'a str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) tool: &'a str,
    /// Numbers the workspaces of one service life; gives no right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) workspace: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) browser: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) host: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) outcome: Option<Disposition>,
    /// What the caller was told before the call had ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) answered: Option<Disposition>,
    /// Why a call was refused, or what the person did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) duration_ms: Option<u64>,
}

impl<'a> Record<'a> {
    pub(crate) fn new(event: Event, id: &'a str) -> Self {
        Self {
            event,
            id,
            client: None,
            tool: "",
            workspace: None,
            browser: None,
            host: None,
            outcome: None,
            answered: None,
            reason: None,
            duration_ms: None,
        }
    }

    pub(super) fn line(&self, ts: &str) -> String {
        #[derive(Serialize)]
        struct Line<'a> {
            ts: &'a str,
            #[serde(flatten)]
            record: &'a Record<'a>,
        }
        serde_json::to_string(&Line { ts, record: self }).unwrap_or_default()
    }
}

/// RFC 3339 in UTC with milliseconds. A clock before 1970 reads as 1970.
pub(super) fn stamp(now: SystemTime) -> String {
    let since = now.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    let (seconds, millis) = (since.as_secs(), since.subsec_millis());
    let (days, time) = (seconds / 86_400, seconds % 86_400);
    // Years that begin in March, so that the leap day is a year's last; 400 of them are an era.
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march + 2) / 5 + 1;
    let month = if march < 10 { march + 3 } else { march - 9 };
    let year = year + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (time / 3_600, time % 3_600 / 60, time % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}
