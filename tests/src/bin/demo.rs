//! `make demo`: an MCP client books a night train on a page that looks different each time.

use ghostlight_tests::binaries::sources;
use ghostlight_tests::chromium::Chromium;
use ghostlight_tests::client::{Client, Revision};
use ghostlight_tests::demo::agent::{Agent, Journey};
use ghostlight_tests::demo::form::BookingSite;
use ghostlight_tests::demo::report::{Report, write_transcript};
use ghostlight_tests::home::Home;
use ghostlight_tests::reply::Picture;
use std::path::Path;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

fn main() -> ExitCode {
    let mut report = Report::default();
    match run(&mut report) {
        Ok(ticket) => {
            report.say(&format!("booked as asked; the client read ticket {ticket} off the page"));
            ExitCode::SUCCESS
        }
        Err(fault) => {
            report.say(&format!("FAILED: {fault}"));
            ExitCode::FAILURE
        }
    }
}

fn run(report: &mut Report) -> Result<String, String> {
    let seed = seed();
    report.say(&format!("seed {seed} (GHOSTLIGHT_DEMO_SEED={seed} shows the same page again)"));
    let folder = sources().join("target/demo");
    std::fs::create_dir_all(&folder).map_err(|fault| fault.to_string())?;
    let booking = BookingSite::new(seed);
    let home = Home::new();
    let mut chromium = Chromium::start(&home);
    let mut client = Client::start(&home, Revision::November2025);
    let journey =
        Agent::start(&mut client, report).and_then(|agent| agent.book(&booking.site.url("/")));
    let transcript = folder.join("transcript.jsonl");
    write_transcript(&transcript, &client.transcript).map_err(|fault| fault.to_string())?;
    report.say(&format!("wrote {}", transcript.display()));
    let journey = journey?;
    write_png(&mut chromium, &journey.picture, &folder.join("page.png"))?;
    report.say(&format!("wrote {}", folder.join("page.png").display()));
    judge(&booking, &journey)
}

/// The server's word decides, and the text holds what only the last page could tell.
fn judge(booking: &BookingSite, journey: &Journey) -> Result<String, String> {
    let faults = booking.faults();
    if !faults.is_empty() {
        return Err(format!("the server received another booking: {}", faults.join("; ")));
    }
    match journey.text.contains(&booking.ticket) {
        true => Ok(booking.ticket.clone()),
        false => Err(format!("the client did not see its ticket {}", booking.ticket)),
    }
}

/// The picture as PNG; the browser converts what is none.
fn write_png(chromium: &mut Chromium, picture: &Picture, path: &Path) -> Result<(), String> {
    let png = match picture.mime.as_str() {
        "image/png" => picture.bytes.clone(),
        _ => chromium.judge.as_png(&picture.mime, &picture.base64)?,
    };
    std::fs::write(path, png).map_err(|fault| fault.to_string())
}

fn seed() -> u64 {
    let given = std::env::var("GHOSTLIGHT_DEMO_SEED").ok().and_then(|seed| seed.parse().ok());
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_millis());
    given.unwrap_or(now as u64 % 1_000_000)
}
