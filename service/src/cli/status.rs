//! `ghostlight status`: the running service in a few lines, or as JSON.

use super::{control, print};
use ghostlight_transport::bridge::{BrowserStatus, Status};
use ghostlight_transport::instance::Instance;
use ghostlight_transport::stderr::Stderr;
use std::fmt::Write as _;
use std::process::ExitCode;

pub(super) fn run(json: bool, instance: &Instance, stderr: &Stderr) -> ExitCode {
    match control::status(instance) {
        Ok(status) if json => print::out(&serde_json::to_string(&status).unwrap_or_default()),
        Ok(status) => print::out(&text(&status)),
        Err(error) => control::failed(&error, stderr),
    }
}

fn text(status: &Status) -> String {
    let Status { version, bridge: (major, minor), pid, uptime_seconds, .. } = status;
    let mut text = format!(
        "ghostlight {version} (bridge {major}.{minor}), instance {}, process {pid}, up {uptime_seconds} s\n",
        status.instance
    );
    let _ = writeln!(
        text,
        "clients {}, workspaces {}, calls running {}, settling {}, waiting {}",
        status.live_edges,
        status.workspaces,
        status.active_works,
        status.settling_works,
        status.waiting
    );
    if status.protocol_errors + status.audit_errors > 0 {
        let _ = writeln!(
            text,
            "malformed browser messages {}, audit records not written {}",
            status.protocol_errors, status.audit_errors
        );
    }
    if status.browsers.is_empty() {
        text.push_str("browsers: none has been connected");
    }
    let lines: Vec<_> = status.browsers.iter().map(browser).collect();
    text + &lines.join("\n")
}

fn browser(browser: &BrowserStatus) -> String {
    let connected = if browser.connected { "connected" } else { "away" };
    format!(
        "browser {}: {}, version {}, extension {}, {connected}, {}, tabs {}, requests {}",
        browser.slot,
        browser.label,
        browser.version,
        browser.extension,
        browser.latch,
        browser.tabs,
        browser.requests
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_browser_has_a_line_and_errors_show_only_when_there_are_some() {
        let mut status = Status { version: "1".into(), ..Status::default() };
        assert!(text(&status).ends_with("none has been connected"));
        assert!(!text(&status).contains("malformed"));
        status.protocol_errors = 2;
        let browser = |slot| BrowserStatus { slot, ..BrowserStatus::default() };
        status.browsers = vec![browser(1), browser(2)];
        let text = text(&status);
        assert!(text.contains("malformed browser messages 2"));
        assert_eq!(text.lines().filter(|line| line.starts_with("browser ")).count(), 2);
    }
}
