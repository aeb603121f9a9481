//! `make soak`: a mixed load with random kills on a real Chromium; fails when a zero is not zero.

use ghostlight_tests::binaries::{CONNECTOR, EDGE, SERVICE};
use ghostlight_tests::chromium::Chromium;
use ghostlight_tests::cut::Cut;
use ghostlight_tests::demo::chance::Chance;
use ghostlight_tests::home::Home;
use ghostlight_tests::site::Site;
use ghostlight_tests::soak::account::{Account, descriptors};
use ghostlight_tests::soak::load::{Load, Runner};
use ghostlight_tests::status::{ghostlight, status};
use ghostlight_tests::wait::{LONG, within_time};
use serde_json::json;
use std::collections::HashMap;
use std::io::Write as _;
use std::process::ExitCode;
use std::time::{Duration, Instant};

const PAGE: &str = "<title>Soak</title><h1>A page</h1><p>With some text to read.</p>\
    <button onclick=\"say('click', location.search)\">Press</button><div style=\"height: 3000px\"></div>";
const CLIENTS: usize = 3;
/// Between two cuts at most: what was cut is back long before.
const CALM: Duration = Duration::from_secs(6);
/// Opened with the first record, and kept open.
const AUDIT_FILES: i64 = 2;
/// Workspaces of killed edges end within the run.
const LOWER: &str = "workspace_idle=5000";

fn main() -> ExitCode {
    let seconds = std::env::var("SECONDS_TO_RUN").ok().and_then(|text| text.parse().ok());
    let time = Duration::from_secs(seconds.unwrap_or(600));
    let home = Home::new().with("GHOSTLIGHT_LOWER", LOWER);
    let site = Site::of(PAGE);
    let mut chromium = Chromium::start(&home);
    let (mut account, begun) = (Account::default(), Instant::now());
    let at_rest = descriptors_of_the_service(&home);
    let loads: Vec<Load> = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|name| {
                let runner = Runner::new(&home, &site, name);
                scope.spawn(move || runner.run(begun + time))
            })
            .collect();
        harass(&home, &site, &mut chromium, (begun, time), &mut account);
        clients
            .into_iter()
            .map(|client| client.join().expect("a client works to its end"))
            .collect()
    });
    settle(&home, &mut chromium, &mut account);
    account.leaked_descriptors = (descriptors_of_the_service(&home) - at_rest - AUDIT_FILES).max(0);
    drop(chromium);
    leftovers(&home, &mut account);
    judge(&site, loads, &mut account);
    let _ = std::io::stdout().write_all(account.table(begun.elapsed()).as_bytes());
    if account.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// 0 where they cannot be seen.
fn descriptors_of_the_service(home: &Home) -> i64 {
    home.running(SERVICE).first().and_then(|pid| descriptors(*pid)).unwrap_or(0)
}

/// Cuts the line at random. The service lives through the second half: its memory shows only there.
fn harass(
    home: &Home,
    site: &Site,
    chromium: &mut Chromium,
    (begun, time): (Instant, Duration),
    account: &mut Account,
) {
    let mut chance = Chance::new(1);
    while begun.elapsed() < time {
        let second_half = begun.elapsed() > time / 2;
        // Edges are killed by their clients.
        let spared = if second_half { &[Cut::Edge, Cut::Service][..] } else { &[Cut::Edge][..] };
        let cuts: Vec<_> = Cut::ALL.into_iter().filter(|cut| !spared.contains(cut)).collect();
        let cut = cuts[chance.below(cuts.len())];
        let after = Duration::from_micros(chance.below(CALM.as_micros() as usize) as u64);
        if cut.make(after, home, chromium, None) {
            *account.cuts.entry(format!("{cut:?}")).or_default() += 1;
        }
        if second_half {
            for program in [SERVICE, EDGE, CONNECTOR] {
                account.memory.look(begun.elapsed(), program, &home.running(program));
            }
        }
        close_stale_pages(site, chromium);
    }
}

/// Pages that their client has left behind with a lost workspace, as a person would close them.
fn close_stale_pages(site: &Site, chromium: &mut Chromium) {
    let start = site.url("/?who=");
    let mut newest: HashMap<String, u64> = HashMap::new();
    let mut pages = Vec::new();
    for target in chromium.judge.targets() {
        let url = target["url"].as_str().unwrap_or_default().to_owned();
        let Some((who, round)) = url.strip_prefix(&start).and_then(|rest| rest.split_once('-'))
        else {
            continue;
        };
        let round: u64 = round.parse().unwrap_or(0);
        let latest = newest.entry(who.to_owned()).or_default();
        *latest = round.max(*latest);
        pages.push((
            target["targetId"].as_str().unwrap_or_default().to_owned(),
            who.to_owned(),
            round,
        ));
    }
    for (id, who, round) in pages {
        if round < newest[&who] {
            // It may have gone meanwhile.
            let _ = chromium.judge.command("", "Target.closeTarget", json!({"targetId": id}));
        }
    }
}

/// All clients have ended: nothing of theirs stays adopted, counted or connected.
fn settle(home: &Home, chromium: &mut Chromium, account: &mut Account) {
    let idle = || {
        let status = status(home)?;
        let tabs = status["browsers"].as_array()?.iter().filter_map(|b| b["tabs"].as_i64()).sum();
        let calls = ["live_edges", "workspaces", "active_works", "settling_works", "waiting"];
        let left: i64 = calls.iter().filter_map(|name| status[name].as_i64()).sum();
        Some((tabs, left))
    };
    let settled = within_time(LONG, || idle().filter(|left| *left == (0, 0)));
    let (tabs, calls) = settled.or_else(idle).unwrap_or((0, 0));
    account.leaked_tabs = tabs.max(chromium.attached_tabs());
    account.leaked_sockets += calls;
    let verified = ghostlight(home, &["audit", "verify"]);
    account.broken_audit = i64::from(verified.status.code().unwrap_or(-1));
}

/// The browser has ended too.
fn leftovers(home: &Home, account: &mut Account) {
    let count = || {
        let services = home.running(SERVICE).len().min(1);
        home.processes().len().saturating_sub(services)
    };
    within_time(LONG, || (count() == 0).then_some(()));
    account.leaked_processes = count() as i64;
    let state = home.state().display().to_string();
    let sockets = std::fs::read_to_string("/proc/net/unix").unwrap_or_default();
    let ours = sockets.lines().filter(|line| line.contains(&state)).count() as i64;
    let listening = if home.running(SERVICE).is_empty() { 0 } else { 2 };
    account.leaked_sockets += (ours - listening).max(0);
}

fn judge(site: &Site, loads: Vec<Load>, account: &mut Account) {
    let mut clicked: HashMap<String, usize> = HashMap::new();
    for page in site.said("click") {
        *clicked.entry(page.as_str().unwrap_or_default().to_owned()).or_default() += 1;
    }
    for load in loads {
        account.calls += load.calls.len() as u64 + load.edges_killed;
        for call in load.calls {
            *account.ends.entry(call).or_default() += 1;
        }
        *account.cuts.entry("Edge".to_owned()).or_default() += load.edges_killed;
        account.unanswered.extend(load.unanswered);
        account.unclear.extend(load.unclear);
        for click in load.clicks {
            let times = clicked.get(&click.page).copied().unwrap_or(0);
            if times > 1 {
                account.duplicates.push(format!("{} was clicked {times} times", click.page));
            }
            if !click.end.agrees(times) {
                let (page, end, words) = (&click.page, click.end, &click.words);
                account.contradictions.push(format!("{page}: {times} clicks, {end:?}: {words}"));
            }
        }
    }
}
