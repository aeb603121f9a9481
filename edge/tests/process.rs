//! The edge as a process: its pipes, its connection and its end.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod stage;

use stage::{Client, HELLO, Home, META, PATIENCE, Service, call};
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn lines_piped_in_at_once_are_all_answered_before_the_end() {
    let home = Home::new();
    let _service = Service::start(&home);
    let list = |id: &str, meta: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":"{id}","method":"tools/list","params":{{{meta}}}}}"#)
    };
    let discover =
        format!(r#"{{"jsonrpc":"2.0","id":"d","method":"server/discover","params":{{{META}}}}}"#);
    let conversations = [
        vec![HELLO.to_owned(), list("l", ""), call(1, "echo", "{}"), call(2, "look", "{}")],
        vec![discover, list("l", META)],
    ];
    for lines in conversations {
        let mut client = Client::start(&home);
        // The last line has no end.
        client.input.as_mut().unwrap().write_all(lines.join("\n").as_bytes()).unwrap();
        client.close_input();
        let answers = client.read_all();
        assert_eq!(answers.len(), lines.len(), "{answers:#?}");
        assert!(answers.iter().all(|line| line.contains("\"result\":")), "{answers:#?}");
        assert!(client.wait().success());
    }
}

#[test]
fn a_burst_written_before_anything_is_read_is_answered_whole() {
    let home = Home::new();
    let _service = Service::start(&home);
    let mut client = Client::start(&home);
    client.send(HELLO);
    for id in 0..5000 {
        client.send(&call(id, "echo", &format!("{{\"n\":{id}}}")));
    }
    let answers: Vec<_> = (0..5001).map(|_| client.read().unwrap()).collect();
    let ran = answers.iter().filter(|line| line.contains("\"text\":\"{\\\"n\\\":")).count();
    assert_eq!(ran, 5000, "{}", answers[5000]);
}

#[test]
fn an_unread_stdout_stops_nothing_for_good() {
    let home = Home::new();
    let _service = Service::start(&home);
    let mut client = Client::start(&home);
    client.send(HELLO);
    // 30 answers of a megabyte: more than the edge keeps for a client that does not read.
    let arguments = format!("{{\"t\":\"{}\"}}", "y".repeat(100));
    for id in 0..30 {
        client.send(&call(id, "long", &arguments));
    }
    client.send(r#"{"jsonrpc":"2.0","id":"p","method":"ping"}"#);
    let lengths: Vec<_> = (0..32).map(|_| client.read().unwrap().len()).collect();
    assert_eq!(lengths.iter().filter(|length| **length > 1_000_000).count(), 30);
}

#[test]
fn ping_and_cancel_need_no_service() {
    let home = Home::new();
    let mut client = Client::start(&home);
    let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    let ping = r#"{"jsonrpc":"2.0","id":"p","method":"ping"}"#;
    client.send(&[HELLO, &call(1, "echo", "{}"), cancel, ping].join("\n"));
    client.expect("\"id\":\"hello\"");
    client.expect(r#"{"jsonrpc":"2.0","id":"p","result":{}}"#);
    client.close_input();
    assert!(client.wait().success());
    assert_eq!(client.read(), None);
}

#[test]
fn a_broken_connection_ends_the_call_and_the_next_one_works() {
    let home = Home::new();
    let service = Service::start(&home);
    let mut client = Client::start(&home);
    client.send(HELLO);
    client.expect("\"id\":\"hello\"");
    client.send(&call(1, "look", "{}"));
    client.expect("\"id\":1,\"result\"");
    client.send(&call(2, "break", "{}"));
    client.expect("\"id\":2,\"error\":{\"code\":-33003");
    client.send(&call(3, "look", "{\"again\":1}"));
    client.expect("again");
    let heard: Vec<_> = service.heard.try_iter().collect();
    assert_eq!(heard, ["open false", "look", "gone", "open true", "look"]);
}

#[test]
fn a_new_service_serves_the_same_process() {
    let home = Home::new();
    let first = Service::start(&home);
    let mut client = Client::start(&home);
    client.send(HELLO);
    client.expect("\"id\":\"hello\"");
    client.send(&call(1, "silent", "{}"));
    client.send(&call(2, "echo", "{}"));
    client.expect("\"id\":2,\"result\"");
    drop(first);
    client.expect("\"id\":1,\"error\":{\"code\":-33003");
    let _second = Service::start(&home);
    client.send(&call(3, "echo", "{}"));
    client.expect("\"id\":3,\"result\"");
}

#[test]
fn the_end_of_the_input_ends_the_process_within_a_second() {
    let home = Home::new();
    let service = Service::start(&home);
    let mut client = Client::start(&home);
    client.send(HELLO);
    client.send(&call(1, "look", "{}"));
    client.send(&call(2, "silent", "{}"));
    client.expect("\"id\":\"hello\"");
    client.expect("\"id\":1,\"result\"");
    let begun = Instant::now();
    client.close_input();
    client.expect("\"id\":2,\"error\":{\"code\":-33003");
    assert!(client.wait().success());
    assert!(begun.elapsed() < Duration::from_millis(1100), "{:?}", begun.elapsed());
    let heard: Vec<_> = (0..5).map(|_| service.heard.recv_timeout(PATIENCE).unwrap()).collect();
    assert_eq!(heard, ["open false", "look", "cancel", "release", "gone"]);
}

#[test]
fn a_signal_ends_the_process_at_once_even_while_nobody_reads() {
    for name in ["INT", "TERM", "HUP"] {
        let home = Home::new();
        let service = Service::start(&home);
        let mut client = Client::start(&home);
        client.send(HELLO);
        let arguments = format!("{{\"t\":\"{}\"}}", "y".repeat(100));
        client.send(&call(0, "look", "{}"));
        for id in 1..20 {
            client.send(&call(id, "long", &arguments));
        }
        assert_eq!(service.heard.recv_timeout(PATIENCE).unwrap(), "open false");
        assert_eq!(service.heard.recv_timeout(PATIENCE).unwrap(), "look");
        let begun = Instant::now();
        client.signal(name);
        assert!(client.wait().success());
        assert!(begun.elapsed() < Duration::from_millis(500), "{name}: {:?}", begun.elapsed());
        assert_eq!(service.heard.recv_timeout(PATIENCE).unwrap(), "release");
    }
}

#[test]
fn a_client_that_closes_its_reading_side_ends_the_process_cleanly() {
    let home = Home::new();
    let service = Service::start(&home);
    let mut client = Client::start(&home);
    client.send(HELLO);
    client.send(&call(1, "look", "{}"));
    let heard: Vec<_> = (0..2).map(|_| service.heard.recv_timeout(PATIENCE).unwrap()).collect();
    client.close_output();
    client.send(r#"{"jsonrpc":"2.0","id":"p","method":"ping"}"#);
    assert!(client.wait().success());
    assert_eq!(heard, ["open false", "look"]);
    assert_eq!(service.heard.recv_timeout(PATIENCE).unwrap(), "release");
}

#[test]
fn a_client_on_a_socket_is_served_like_one_on_pipes() {
    let home = Home::new();
    let _service = Service::start(&home);
    let (mut near, far) = UnixStream::pair().unwrap();
    near.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut process = Client::command(&home)
        .stdin(Stdio::from(OwnedFd::from(far.try_clone().unwrap())))
        .stdout(Stdio::from(OwnedFd::from(far)))
        .spawn()
        .unwrap();
    writeln!(near, "{HELLO}").unwrap();
    let arguments = format!("{{\"t\":\"{}\"}}", "y".repeat(100));
    for id in 0..3 {
        writeln!(near, "{}", call(id, "long", &arguments)).unwrap();
    }
    let mut lines = BufReader::new(near.try_clone().unwrap()).lines();
    let lengths: Vec<_> = (0..4).map(|_| lines.next().unwrap().unwrap().len()).collect();
    assert_eq!(lengths.iter().filter(|length| **length > 1_000_000).count(), 3);
    near.shutdown(Shutdown::Write).unwrap();
    assert!(lines.next().is_none());
    assert!(process.wait().unwrap().success());
}

#[test]
fn a_line_in_pieces_and_one_too_long_are_read_as_lines() {
    let home = Home::new();
    let mut client = Client::start(&home);
    for piece in HELLO.as_bytes().chunks(40) {
        client.input.as_mut().unwrap().write_all(piece).unwrap();
        thread::yield_now();
    }
    client.send("");
    client.expect("\"id\":\"hello\"");
    let long = "z".repeat(1 << 20);
    for _ in 0..17 {
        client.input.as_mut().unwrap().write_all(long.as_bytes()).unwrap();
    }
    client.send("");
    client.expect("-32700");
    client.send(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
    client.expect("\"id\":1,\"result\"");
}
