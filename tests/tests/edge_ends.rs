//! Services that are stuck or missing, clients that die, and whole sessions in one write.

use ghostlight_tests::binaries::{EDGE, SERVICE};
use ghostlight_tests::client::{Client, Revision};
use ghostlight_tests::fake_browser::FakeBrowser;
use ghostlight_tests::home::Home;
use ghostlight_tests::process::{Process, send};
use ghostlight_tests::status::{service_pid, status};
use ghostlight_tests::wait::{LONG, until};
use rustix::process::Signal;
use serde_json::json;
use std::fs::{read_dir, remove_file};
use std::io::{Read as _, Write as _};
use std::process::Stdio;
use std::time::{Duration, Instant};

const HELLO: &str = r#"{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"n","version":"1"}}}"#;

/// The best of many: what the program needs, whatever else runs on this machine.
fn best(count: usize, one: impl FnMut(usize) -> Duration) -> Duration {
    (0..count).map(one).min().unwrap_or_default()
}

#[test]
fn a_whole_session_written_at_once_is_answered_and_ends_well() {
    let home = Home::new();
    let mut command = home.command(home.program(EDGE));
    let mut process = Process::start(command.stdin(Stdio::piped()).stdout(Stdio::piped()));
    let session = [
        HELLO,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"explain"}}"#,
        r#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#,
    ];
    // The last line has no end.
    process.take_stdin().write_all(session.join("\n").as_bytes()).expect("the edge reads");
    let mut output = String::new();
    process.take_stdout().read_to_string(&mut output).expect("it is text");
    for id in ["\"hello\"", "1", "2", "3"] {
        let answered = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},");
        assert_eq!(output.matches(&answered).count(), 1, "{id}: {output}");
    }
    assert!(process.ended().success());
}

#[test]
fn an_opening_is_answered_while_no_service_can_run() {
    let home = Home::new();
    remove_file(home.program(SERVICE)).expect("it is ours");
    for revision in [Revision::November2025, Revision::July2026] {
        let spawned = best(5, |_| {
            let begun = Instant::now();
            let mut client = Client::start(&home, revision);
            match revision {
                Revision::November2025 => client.initialize(),
                Revision::July2026 => client.request("server/discover", json!({})),
            };
            begun.elapsed()
        });
        assert!(spawned < Duration::from_millis(100), "{revision:?}: {spawned:?}");
    }
}

#[test]
fn a_frozen_service_holds_up_no_ping_and_its_calls_end_at_their_deadline() {
    let home = Home::new();
    let mut command = home.command(home.program(EDGE));
    command.env("GHOSTLIGHT_EDGE_ANSWER", "1500").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = Process::start(&mut command);
    let mut stdin = process.take_stdin();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(process.take_stdout()));
    let mut ask = |line: &str| {
        writeln!(stdin, "{line}").expect("the edge reads");
        lines.next().expect("the edge answers").expect("in text")
    };
    ask(HELLO);
    let call = |id: u8, tool: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}"}}}}"#
        )
    };
    // The workspace is there before the service freezes.
    ask(&call(1, "tabs_context_mcp"));
    let service = service_pid(&home).expect("the service answers");
    send(service, Signal::STOP);
    let ping = r#"{"jsonrpc":"2.0","id":"p","method":"ping"}"#;
    let first = ask(&format!("{}\n{}\n{ping}", call(2, "explain"), call(3, "tabs_create_mcp")));
    assert!(first.contains("\"id\":\"p\""), "{first}");
    let mut answers = String::new();
    let fastest = best(20, |_| {
        let begun = Instant::now();
        answers += &ask(ping);
        begun.elapsed()
    });
    assert!(fastest < Duration::from_millis(50), "{fastest:?}");
    // On a very slow machine the deadline came among the pings.
    until("the end of both calls", LONG, || {
        answers += &ask(ping);
        (answers.contains("\"id\":2,") && answers.contains("\"id\":3,")).then_some(())
    });
    answers = answers.replace(r#"{"jsonrpc":"2.0","id":"p","result":{}}"#, "");
    assert!(answers.contains("\"id\":2,\"error\":{\"code\":-33001,"), "a reading: {answers}");
    assert!(answers.contains("\"id\":3,\"error\":{\"code\":-33003,"), "an act: {answers}");
    send(service, Signal::CONT);
    let again = ask(r#"{"jsonrpc":"2.0","id":4,"method":"tools/list"}"#);
    assert!(again.contains("\"jsonrpc\""), "{again}");
}

#[test]
fn a_hundred_killed_clients_leave_nothing_behind() {
    let home = Home::new();
    let _browser = FakeBrowser::start(&home);
    let mut witness = Client::connected(&home);
    witness.open_tab();
    let sockets = |home: &Home| read_dir(home.state()).map_or(0, Iterator::count);
    let before = sockets(&home);
    for _ in 0..25 {
        let mut clients: Vec<_> = (0..4).map(|_| Client::connected(&home)).collect();
        for client in &mut clients {
            client.ask_tool("explain", json!({}));
            client.ask_tool("tabs_create_mcp", json!({}));
        }
        clients.iter_mut().for_each(|client| client.process.kill());
    }
    assert_eq!(home.running(EDGE).len(), 1);
    assert_eq!(home.running(SERVICE).len(), 1);
    assert_eq!(sockets(&home), before);
    let told = until("an idle service", LONG, || {
        let told = status(&home)?;
        let idle = ["active_works", "settling_works", "waiting", "queued_bytes"];
        let quiet = idle.iter().all(|name| told[*name] == 0);
        (quiet && told["live_edges"] == 1).then_some(told)
    });
    assert!(told["workspaces"].as_u64().is_some_and(|count| count <= 64), "{told}");
    witness.open_tab();
}
