//! What `ghostlight` says of itself from its command line.

use crate::binaries::SERVICE;
use crate::home::Home;
use crate::wait::{LONG, until};
use serde_json::Value;
use std::process::Output;

/// Runs a command of `ghostlight` to its end.
///
/// # Panics
/// When it cannot be started.
#[must_use]
pub fn ghostlight(home: &Home, arguments: &[&str]) -> Output {
    let mut command = home.command(home.program(SERVICE));
    let output = command.args(arguments).stderr(std::process::Stdio::piped()).output();
    output.expect("ghostlight can be started")
}

/// `ghostlight status --json`, when a service answers.
#[must_use]
pub fn status(home: &Home) -> Option<Value> {
    let output = ghostlight(home, &["status", "--json"]);
    let value: Value = serde_json::from_slice(&output.stdout).ok()?;
    output.status.success().then_some(value)
}

/// The browsers that the service has on the line now.
#[must_use]
pub fn connected_browsers(home: &Home) -> Vec<Value> {
    let browsers = status(home).and_then(|mut status| Some(status.get_mut("browsers")?.take()));
    let Some(Value::Array(browsers)) = browsers else { return Vec::new() };
    browsers.into_iter().filter(|browser| browser["connected"] == true).collect()
}

/// Waits until the extension of a browser has said hello to the service.
pub fn await_browser(home: &Home) -> Value {
    until("a connected browser in the service's status", LONG, || {
        connected_browsers(home).into_iter().next()
    })
}

/// The service's process number, by its own word.
#[must_use]
pub fn service_pid(home: &Home) -> Option<u32> {
    u32::try_from(status(home)?["pid"].as_u64()?).ok()
}
