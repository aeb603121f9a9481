//! How long calls take through a warm edge and service, one by one and many at once.

use super::figures::{Budget, Figures, percentile};
use super::pipe::Pipe;
use crate::client::Revision;
use crate::fake_browser::{FakeBrowser, Twist, picture};
use crate::home::Home;
use serde_json::{Value, json};
use std::io::{BufRead, Write};
use std::time::Instant;

const CALLS: usize = 4000;
const BURST: usize = 1000;
const PIPELINED: usize = 20_000;

pub fn local(figures: &mut Figures) {
    let home = Home::new();
    for (revision, name, most) in
        [(Revision::November2025, "2025", 0.5), (Revision::July2026, "2026", 1.0)]
    {
        let mut pipe = Pipe::connected(&home, revision);
        let list = pipe.request("tools/list", json!({}));
        let mut times = pipe.times(&list, CALLS / 4);
        let median = percentile(&mut times, 0.5);
        figures.add(&format!("tools_list_{name}_ms"), median, Budget::AtMost(most));
        let bytes = pipe.round_trip(&list).1.len() as f64;
        figures.add(&format!("tools_list_{name}_bytes"), bytes, Budget::AtMost(40_000.0));
    }
    let mut pipe = Pipe::connected(&home, Revision::November2025);
    let mut times = pipe.times(&pipe.tool("explain", json!({})), CALLS);
    figures.add("local_call_p50_ms", percentile(&mut times, 0.5), Budget::AtMost(0.15));
    figures.add("local_call_p99_ms", percentile(&mut times, 0.99), Budget::AtMost(1.0));
    burst(figures, &mut pipe);
    pipelined(figures, pipe);
}

/// Everything is written before anything is read.
fn burst(figures: &mut Figures, pipe: &mut Pipe) {
    let calls: String = (0..BURST).map(|id| call(id) + "\n").collect();
    pipe.stdin.write_all(calls.as_bytes()).expect("the edge reads");
    let mut answered = 0;
    for _ in 0..BURST {
        answered += usize::from(pipe.read().contains(r#""result":"#));
    }
    figures.add("burst_answered", answered as f64, Budget::AtLeast(BURST as f64));
}

fn pipelined(figures: &mut Figures, pipe: Pipe) {
    let Pipe { process: _process, mut stdin, stdout, .. } = pipe;
    let started = Instant::now();
    let writer = std::thread::spawn(move || {
        for id in 0..PIPELINED {
            stdin.write_all((call(id) + "\n").as_bytes()).expect("the edge reads");
        }
        stdin
    });
    let answers = stdout.split(b'\n').take(PIPELINED).filter(Result::is_ok).count();
    let rate = answers as f64 / started.elapsed().as_secs_f64();
    drop(writer.join());
    figures.add("pipelined_calls_per_s", rate, Budget::AtLeast(12_000.0));
}

/// A call of the tool that needs no browser.
pub(super) fn call(id: usize) -> String {
    let params = json!({"name": "explain", "arguments": {}});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string()
}

pub fn through_a_browser(figures: &mut Figures) {
    let home = Home::new();
    let browser = FakeBrowser::start(&home);
    let mut pipe = Pipe::connected(&home, Revision::November2025);
    let (_, made) = pipe.round_trip(&pipe.tool("tabs_create_mcp", json!({})));
    let mut times = pipe.times(&pipe.tool("tabs_context_mcp", json!({})), CALLS / 2);
    figures.add("page_round_trip_p50_ms", percentile(&mut times, 0.5), Budget::AtMost(0.30));
    let made: Value = serde_json::from_str(&made).expect("an answer is JSON");
    let tab = &made["result"]["structuredContent"]["tabId"];
    let fake = browser.world().tabs.values().next().cloned().expect("the tab is there");
    // Ready text in one frame: the fake browser's own work is not what is measured.
    browser.always("capture", Twist::Text(picture(&fake, 1_000_000).to_string()));
    let shot = pipe.tool("computer", json!({"tabId": tab, "action": "screenshot"}));
    let mut times = pipe.times(&shot, 40);
    figures.add("megabyte_result_ms", percentile(&mut times, 0.5), Budget::AtMost(10.0));
}
