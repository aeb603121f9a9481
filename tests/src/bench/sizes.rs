//! What the programs weigh and what they do while nobody asks for anything.

use super::figures::{Budget, Figures};
use super::pipe::Pipe;
use crate::binaries::{CONNECTOR, EDGE, SERVICE, path, sources};
use crate::client::Revision;
use crate::fake_browser::FakeBrowser;
use crate::home::Home;
use crate::status::service_pid;
use serde_json::json;
use std::fs::{read_dir, read_to_string};
use std::time::Duration;

const SETTLING: Duration = Duration::from_secs(2);
/// How long the programs are watched doing nothing; `IDLE_SECONDS` in the environment says otherwise.
const IDLE: Duration = Duration::from_secs(3);
const MEGABYTE: f64 = 1_000_000.0;

pub fn at_rest(figures: &mut Figures) {
    let home = Home::new();
    let browser = FakeBrowser::start(&home);
    let mut pipe = Pipe::connected(&home, Revision::November2025);
    pipe.round_trip(&pipe.tool("tabs_create_mcp", json!({})));
    let service = service_pid(&home).expect("the service answers");
    let pids = [
        ("service", service, 5.0),
        ("edge", pipe.process.pid(), 3.0),
        ("connector", browser.connector.pid(), 3.0),
    ];
    let named = std::env::var("IDLE_SECONDS").ok().and_then(|seconds| seconds.parse().ok());
    let idle = named.map_or(IDLE, Duration::from_secs);
    // The last call settles, and threads for blocking work end.
    std::thread::sleep(SETTLING);
    let before: Vec<_> = pids.iter().map(|(_, pid, _)| wake_ups(*pid)).collect();
    std::thread::sleep(idle);
    for ((name, pid, most), before) in pids.iter().zip(before) {
        let woken = (wake_ups(*pid) - before) / idle.as_secs_f64();
        figures.add(&format!("{name}_wake_ups_per_s"), woken, Budget::AtMost(0.0));
        figures.add(&format!("{name}_resident_mb"), resident(*pid), Budget::AtMost(*most));
    }
}

pub fn on_disk(figures: &mut Figures) {
    let bytes: u64 = [SERVICE, EDGE, CONNECTOR]
        .iter()
        .filter_map(|name| path(name).metadata().ok())
        .map(|data| data.len())
        .sum();
    figures.add("executables_mb", bytes as f64 / MEGABYTE, Budget::AtMost(4.0));
    let lock = read_to_string(sources().join("Cargo.lock")).unwrap_or_default();
    let packages = lock.matches("[[package]]").count() as f64;
    figures.add("packages_in_lock", packages, Budget::AtMost(70.0));
}

/// Times that the kernel put any of the process's threads on a core.
fn wake_ups(pid: u32) -> f64 {
    let threads = read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let statuses = threads.filter_map(|thread| read_to_string(thread.path().join("status")).ok());
    let count = |status: String| -> f64 {
        let switches = status.lines().filter(|line| line.contains("ctxt_switches"));
        switches.filter_map(|line| line.split_whitespace().last()?.parse::<f64>().ok()).sum()
    };
    statuses.map(count).sum()
}

fn resident(pid: u32) -> f64 {
    let status = read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().split(' ').next()?.parse::<f64>().ok());
    kilobytes.map_or(f64::INFINITY, |kilobytes| kilobytes * 1024.0 / MEGABYTE)
}
