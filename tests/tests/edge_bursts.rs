//! Many requests at once, few readers, and ids in many hands: each is answered once, with its own.

use ghostlight_tests::bench::pipe::Pipe;
use ghostlight_tests::binaries::EDGE;
use ghostlight_tests::client::{Client, Revision};
use ghostlight_tests::fake_browser::FakeBrowser;
use ghostlight_tests::home::Home;
use ghostlight_tests::process::Process;
use ghostlight_tests::wait::{LONG, until};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _, Write as _, pipe};
use std::process::Stdio;
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

fn explain(id: usize) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
           "params": {"name": "explain", "arguments": {}}})
    .to_string()
}

/// The next answer's id, which nobody else had yet.
fn next(client: &mut Client, waiting: &mut BTreeSet<u64>) {
    let answer = client.take_within(LONG, |_| true);
    let answer = answer.unwrap_or_else(|| panic!("{} calls are never answered", waiting.len()));
    let id = answer["id"].as_u64().expect("an answer has our id");
    assert!(waiting.remove(&id), "{id} was not waited for");
    assert!(answer["result"]["content"].is_array(), "{answer}");
}

#[test]
fn a_burst_in_one_write_is_answered_call_by_call() {
    for count in [1_000_usize, 10_000] {
        let home = Home::new();
        let mut client = Client::connected(&home);
        let lines: Vec<_> = (0..count).map(|n| explain(100 + n)).collect();
        client.send_text(&lines.join("\n"));
        let mut waiting: BTreeSet<u64> = (100..100 + count as u64).collect();
        while !waiting.is_empty() {
            next(&mut client, &mut waiting);
        }
        assert!(client.request("ping", json!({}))["result"].is_object());
    }
}

#[test]
fn a_window_of_512_calls_never_stalls() {
    let home = Home::new();
    let mut client = Client::connected(&home);
    let mut waiting = BTreeSet::new();
    for id in 100..3_100 {
        client.send_text(&explain(id));
        waiting.insert(id as u64);
        if waiting.len() == 512 {
            next(&mut client, &mut waiting);
        }
    }
    while !waiting.is_empty() {
        next(&mut client, &mut waiting);
    }
}

#[test]
fn a_client_that_hardly_reads_loses_nothing_and_holds_up_nobody() {
    const CALLS: usize = 3_000;
    let home = Home::new();
    let mut other = Client::connected(&home);
    let mut slow = Pipe::connected(&home, Revision::November2025);
    for id in 0..CALLS {
        slow.write(&explain(id));
    }
    let mut work = |time: Duration| {
        let begun = Instant::now();
        while begun.elapsed() < time {
            other.succeed("explain", json!({}));
        }
    };
    work(Duration::from_secs(5));
    let mut text = vec![0; 3 * 4096];
    for second in text.chunks_mut(4096) {
        slow.stdout.get_mut().read_exact(second).expect("answers wait");
        work(Duration::from_secs(1));
    }
    let mut lines = text.iter().filter(|byte| **byte == b'\n').count();
    while lines < CALLS {
        slow.read();
        lines += 1;
    }
    slow.write(r#"{"jsonrpc":"2.0","id":"after","method":"ping"}"#);
    assert!(slow.read().contains("\"after\""));
}

#[test]
fn a_full_stderr_that_nobody_reads_stops_no_call() {
    let home = Home::new();
    let (reader, writer) = pipe().expect("there are descriptors");
    let (mut filler, filled) =
        (writer.try_clone().expect("there are descriptors"), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        // Writes until nobody can read any more, so that the pipe is never empty.
        scope.spawn(|| {
            while filler.write_all(&[b'.'; 1024]).is_ok() {
                filled.fetch_add(1024, Ordering::Relaxed);
            }
        });
        let mut last = 0;
        until("a full pipe", LONG, || {
            let now = filled.load(Ordering::Relaxed);
            (now > 0 && std::mem::replace(&mut last, now) == now).then_some(())
        });
        let mut command = home.command(home.program(EDGE));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(writer);
        let mut process = Process::start(&mut command);
        drop(command);
        let mut stdin = process.take_stdin();
        let mut lines = BufReader::new(process.take_stdout()).lines();
        let hello = ghostlight_tests::bench::pipe::initialize();
        writeln!(stdin, "{hello}").expect("the edge reads");
        for id in 1..=500 {
            // An answer from the client is a line on stderr.
            let stray = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
            writeln!(stdin, "{stray}\n{}", explain(id)).expect("the edge reads");
        }
        for _ in 0..=500 {
            let line = lines.next().expect("the edge answers").expect("in text");
            assert!(line.contains("\"result\""), "{line}");
        }
        drop(stdin);
        assert!(process.ended_within(LONG).is_some());
        drop(reader);
    });
}

#[test]
fn one_id_in_many_hands_is_answered_to_each_with_its_own_payload() {
    const IDS: [&str; 6] = ["1", "\"1\"", "0", "-1", "9007199254740993", "\"\""];
    const ROUNDS: usize = 8;
    let home = Home::new();
    let _browser = FakeBrowser::start(&home);
    let revisions =
        [Revision::November2025, Revision::November2025, Revision::July2026, Revision::July2026];
    let clients = revisions.map(|revision| Client::with_workspace(&home, revision));
    let barrier = Barrier::new(clients.len());
    std::thread::scope(|scope| {
        for (number, mut client) in clients.into_iter().enumerate() {
            let barrier = &barrier;
            scope.spawn(move || {
                for round in 0..ROUNDS {
                    barrier.wait();
                    // No such parameter, and the refusal of the service names it.
                    let mark = |at: usize| 700_000 + 10_000 * number + 100 * round + at;
                    for (at, id) in IDS.iter().enumerate() {
                        client.send_text(&refused_call(&client, id, mark(at)));
                    }
                    for (at, id) in IDS.iter().enumerate() {
                        let id: Value = serde_json::from_str(id).expect("an id is JSON");
                        let own = client.take_within(LONG, |answer| answer["id"] == id);
                        let own = own.unwrap_or_else(|| panic!("{id} got no answer")).to_string();
                        assert!(own.contains(&format!("`mark_{}`", mark(at))), "{id}: {own}");
                    }
                }
                let more = client.take_within(Duration::ZERO, |_| true);
                assert_eq!(more, None);
            });
        }
    });
}

fn refused_call(client: &Client, id: &str, mark: usize) -> String {
    let mut arguments = json!({"tabId": 1});
    arguments[format!("mark_{mark}")] = json!(1);
    let mut params = json!({"name": "get_page_text"});
    if client.revision == Revision::July2026 {
        arguments["workspaceId"] = json!(client.workspace);
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
    }
    params["arguments"] = arguments;
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#)
}
