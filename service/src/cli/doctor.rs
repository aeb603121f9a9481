//! `ghostlight doctor`: every part in order, from the directory to the browser, with what to do.

use super::checks::{self, Finding, State};
use super::control::{self, END_BY_FORCE, Unanswered};
use super::print;
use ghostlight_transport::bridge::Status;
use ghostlight_transport::endpoint::ConnectError;
use ghostlight_transport::instance::Instance;
use serde_json::json;
use std::fmt::Write as _;
use std::process::ExitCode;

pub(super) fn run(json: bool, instance: &Instance) -> ExitCode {
    let findings = examine(instance);
    let healthy = findings.iter().all(|finding| finding.state != State::Bad);
    let printed = print::out(&if json { as_json(&findings, healthy) } else { as_text(&findings) });
    if healthy { printed } else { ExitCode::FAILURE }
}

fn examine(instance: &Instance) -> Vec<Finding> {
    let (directory, place) = checks::state_directory(instance);
    let mut findings = vec![directory];
    if let Some(place) = &place {
        findings.extend([checks::lock(place), checks::key(place), checks::audit(place)]);
        findings.extend(checks::files(place));
    }
    let status = control::status(instance);
    findings.push(service(&status));
    findings.push(checks::connector());
    let hosts = checks::native_host(place.as_ref());
    match &status {
        Ok(status) if status.browsers.iter().any(|browser| browser.connected) => {
            // A browser that is connected proves what the files can only promise.
            let told = hosts.into_iter().chain([checks::chromium()]);
            findings.extend(told.filter(|finding| finding.state != State::Bad));
            findings.extend(browsers(status));
        }
        Ok(status) => {
            findings.extend(hosts);
            findings.push(checks::chromium());
            findings.extend(browsers(status));
        }
        Err(_) => {
            findings.extend(hosts);
            findings.push(checks::chromium());
        }
    }
    findings
}

/// A real conversation over the socket: credentials, proof in both directions, one question.
fn service(status: &Result<Status, Unanswered>) -> Finding {
    const NAME: &str = "service";
    match status {
        Ok(status) if status.version != env!("CARGO_PKG_VERSION") => Finding::bad(
            NAME,
            format!("version {} runs, this is {}", status.version, env!("CARGO_PKG_VERSION")),
            "end the old one, the next start takes the installed version: ghostlight stop",
        ),
        Ok(status) if status.audit_failing => Finding::bad(
            NAME,
            format!("{} audit records could not be written", status.audit_errors),
            "make room on the disk of the state directory, or make it writable; what happens meanwhile: ghostlight audit --help",
        ),
        Ok(status) if status.audit_errors > 0 => Finding::note(
            NAME,
            format!(
                "answers; {} audit records were lost, and writing works again",
                status.audit_errors
            ),
        ),
        Ok(status) => {
            let detail = format!(
                "answers; clients {}, workspaces {}, malformed browser messages {}",
                status.live_edges, status.workspaces, status.protocol_errors
            );
            Finding::good(NAME, detail)
        }
        Err(Unanswered::Connect(ConnectError::NoService)) => {
            Finding::note(NAME, "not running; it starts when a client or a browser needs it")
        }
        Err(error) if error.is_silence() => Finding::bad(NAME, error.to_string(), END_BY_FORCE),
        Err(error @ Unanswered::Connect(ConnectError::Stranger(_))) => Finding::bad(
            NAME,
            error.to_string(),
            "remove what is named above, or who listens there",
        ),
        Err(error) => {
            Finding::bad(NAME, error.to_string(), "end it and try again: ghostlight stop")
        }
    }
}

fn browsers(status: &Status) -> Vec<Finding> {
    const NAME: &str = "browser";
    if status.browsers.is_empty() {
        let detail = "none has connected to the running service";
        let remedy =
            "open the browser that has the Ghostlight extension, or run: ghostlight browser";
        return vec![Finding::bad(NAME, detail, remedy)];
    }
    let finding = |browser: &ghostlight_transport::bridge::BrowserStatus| {
        let whose = format!(
            "{} {} with the extension {}",
            browser.name, browser.version, browser.extension
        );
        let what = format!("{whose}: {}", browser.latch);
        match (browser.connected, browser.latch.as_str()) {
            (false, _) => Finding::note(
                NAME,
                format!("{whose}: away; its extension connects by itself once it is open"),
            ),
            (true, "stopped") => {
                Finding::bad(NAME, what, "press Start again in the popup of the extension")
            }
            (true, "paused") => Finding::note(NAME, format!("{what}: the person holds it")),
            (true, _) => Finding::good(NAME, format!("{what}, tabs {}", browser.tabs)),
        }
    };
    status.browsers.iter().map(finding).collect()
}

fn state(finding: &Finding) -> &'static str {
    match finding.state {
        State::Good => "good",
        State::Note => "note",
        State::Bad => "bad",
    }
}

fn as_text(findings: &[Finding]) -> String {
    let mut text = String::new();
    for finding in findings {
        let _ = writeln!(text, "{:<5} {}: {}", state(finding), finding.name, finding.detail);
        if let Some(remedy) = &finding.remedy {
            let _ = writeln!(text, "      -> {}", remedy.replace('\n', "\n         "));
        }
    }
    text.trim_end().to_owned()
}

fn as_json(findings: &[Finding], healthy: bool) -> String {
    let list: Vec<_> = findings
        .iter()
        .map(|finding| {
            json!({
                "name": finding.name,
                "state": state(finding),
                "detail": finding.detail,
                "remedy": finding.remedy,
            })
        })
        .collect();
    json!({ "healthy": healthy, "findings": list }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ghostlight_transport::bridge::BrowserStatus;

    fn healthy() -> Status {
        let version = env!("CARGO_PKG_VERSION").into();
        let browser = BrowserStatus {
            slot: 1,
            name: "Chromium".into(),
            connected: true,
            latch: "running".into(),
            ..BrowserStatus::default()
        };
        Status { version, browsers: vec![browser], ..Status::default() }
    }

    fn with(change: impl FnOnce(&mut Status)) -> Vec<Finding> {
        let mut status = healthy();
        change(&mut status);
        let browsers = browsers(&status);
        std::iter::once(service(&Ok(status))).chain(browsers).collect()
    }

    #[test]
    fn a_healthy_service_has_no_bad_finding_and_every_bad_one_has_its_remedy() {
        assert!(with(|_| {}).iter().all(|finding| finding.state == State::Good));
        for (what, findings) in [
            ("another version", with(|status| status.version = "0.0.1".into())),
            ("a full disk", with(|status| status.audit_failing = true)),
            ("no browser", with(|status| status.browsers.clear())),
            ("a stopped browser", with(|status| status.browsers[0].latch = "stopped".into())),
        ] {
            let bad: Vec<_> = findings.iter().filter(|one| one.state == State::Bad).collect();
            assert_eq!(bad.len(), 1, "{what}");
            assert!(bad[0].remedy.is_some(), "{what}");
        }
        for findings in [
            with(|status| status.browsers[0].latch = "paused".into()),
            with(|status| status.browsers[0].connected = false),
            with(|status| status.audit_errors = 1),
        ] {
            assert!(findings.iter().all(|finding| finding.state != State::Bad), "{findings:?}");
        }
    }

    #[test]
    fn no_service_is_no_fault_and_an_impostor_is_one() {
        let state = |error| service(&Err(Unanswered::Connect(error))).state;
        assert_eq!(state(ConnectError::NoService), State::Note);
        assert_eq!(state(ConnectError::Proof), State::Bad);
    }

    #[test]
    fn a_service_that_hangs_is_not_to_be_asked_to_stop() {
        let silence = || std::io::Error::from(std::io::ErrorKind::TimedOut);
        for error in [Unanswered::Io(silence()), Unanswered::Connect(ConnectError::Io(silence()))] {
            let remedy = service(&Err(error)).remedy.unwrap();
            assert!(remedy.contains("pkill") && !remedy.contains("ghostlight stop"), "{remedy}");
        }
    }

    #[test]
    fn a_browser_is_told_with_its_extension_and_one_that_is_away_does_not_run() {
        let browser = |connected| {
            let findings = with(|status| {
                status.browsers[0].connected = connected;
                status.browsers[0].extension = "1.2".into();
            });
            findings.into_iter().find(|finding| finding.name == "browser").unwrap().detail
        };
        assert!(browser(true).contains("extension 1.2: running"), "{}", browser(true));
        assert!(!browser(false).contains("running"), "{}", browser(false));
    }

    #[test]
    fn both_forms_say_the_same() {
        let findings = with(|status| status.browsers.clear());
        let text = as_text(&findings);
        let value: serde_json::Value = serde_json::from_str(&as_json(&findings, false)).unwrap();
        assert_eq!(value["healthy"], false);
        for finding in value["findings"].as_array().unwrap() {
            assert!(text.contains(finding["detail"].as_str().unwrap()));
        }
    }
}
