//! What no client should write: the edge answers it, answers the next request, and stays small.

use ghostlight_tests::binaries::EDGE;
use ghostlight_tests::home::Home;
use ghostlight_tests::process::Process;
use std::fs::read_to_string;
use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::process::{ChildStdin, ChildStdout, Stdio};

const MIB: usize = 1 << 20;
const HELLO: &str = r#"{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"n","version":"1"}}}"#;

struct Edge {
    process: Process,
    stdin: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
    pings: usize,
    _home: Home,
}

impl Edge {
    fn start() -> Self {
        let home = Home::new();
        let mut command = home.command(home.program(EDGE));
        let mut process = Process::start(command.stdin(Stdio::piped()).stdout(Stdio::piped()));
        let stdin = process.take_stdin();
        let lines = BufReader::new(process.take_stdout()).lines();
        Self { process, stdin, lines, pings: 0, _home: home }
    }

    fn write(&mut self, bytes: &[u8]) {
        self.stdin.write_all(bytes).expect("the edge reads");
    }

    fn line(&mut self) -> String {
        self.lines.next().expect("the edge answers").expect("in UTF-8")
    }

    /// A good request, answered next.
    fn ping(&mut self, after: &str) {
        self.pings += 1;
        let id = self.pings;
        self.write(format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}\n").as_bytes());
        let expected = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#);
        assert_eq!(self.line(), expected, "after {after}");
    }

    /// The most memory it ever had, in KiB.
    fn peak(&self) -> u64 {
        let status = read_to_string(format!("/proc/{}/status", self.process.pid()));
        let status = status.expect("it runs");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let words = line.expect("Linux counts memory").trim();
        words.trim_end_matches(" kB").parse().expect("a number")
    }
}

fn request(id: &str, method: &str) -> Vec<u8> {
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"{method}\"}}\n").into_bytes()
}

#[test]
fn strange_lines_are_answered_and_so_is_the_next_good_one() {
    let mut edge = Edge::start();
    // A mark at the very start, and a line end of another system.
    edge.write(format!("\u{feff}{HELLO}\r\n\r\n\n").as_bytes());
    assert!(edge.line().contains("\"id\":\"hello\",\"result\""));
    let nested = |open: &str, close: &str| {
        let (open, close) = (open.repeat(10_000), close.repeat(10_000));
        format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"none\",\"params\":{{\"x\":{open}1{close}}}}}\n"
        )
    };
    let cases: [(&str, Vec<u8>, &str); 14] = [
        ("deep arrays", nested("[", "]").into_bytes(), "\"error\":{\"code\":-32700"),
        ("deep objects", nested("{\"a\":", "}").into_bytes(), "\"error\":{\"code\":-32700"),
        ("NUL bytes", [vec![0; 4096], b"\n".to_vec()].concat(), "-32700"),
        ("a NUL in a request", b"{\"jsonrpc\":\"2.0\",\0\"id\":1}\n".to_vec(), "-32700"),
        ("a mark in the middle", format!("\u{feff}{HELLO}\n").into_bytes(), "-32700"),
        ("no UTF-8", b"{\"id\":\"\xff\xfe\"}\n".to_vec(), "-32700"),
        (
            "a lone surrogate",
            request("\"\\ud800\"", "ping"),
            "{\"jsonrpc\":\"2.0\",\"id\":\"\\ufffd\",\"result\":{}}",
        ),
        ("U+2028", request("\"a\u{2028}b\"", "ping"), "\"id\":\"a\\u2028b\",\"result\""),
        ("U+2029", request("\"a\u{2029}b\"", "ping"), "\"id\":\"a\\u2029b\",\"result\""),
        ("U+0085", request("\"a\u{85}b\"", "ping"), "\"id\":\"a\\u0085b\",\"result\""),
        ("a float", request("1.5", "ping"), "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600"),
        ("an exponent", request("1e3", "ping"), "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600"),
        (
            "two ids",
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"ping\"}\n".to_vec(),
            "-32600",
        ),
        (
            "a bare line end inside",
            b"{\"jsonrpc\":\"2.0\",\r\"id\":\"r\",\"method\":\"ping\"}\r\n".to_vec(),
            "\"id\":\"r\",\"result\"",
        ),
    ];
    for (what, bytes, answer) in cases {
        edge.write(&bytes);
        let line = edge.line();
        assert!(line.contains(answer), "{what}: {line}");
        edge.ping(what);
    }
    // The end in the middle of a line: what is there is read as one.
    edge.write(b"{\"jsonrpc\":\"2.0\",\"id\":");
    let Edge { stdin, mut lines, mut process, .. } = edge;
    drop(stdin);
    let last = lines.next().expect("the edge answers").expect("in UTF-8");
    assert!(last.contains("-32700"), "{last}");
    assert!(lines.next().is_none());
    assert!(process.ended().success());
}

#[test]
fn endless_lines_cost_little_memory() {
    let mut edge = Edge::start();
    let zeros = "0,".repeat(MIB / 2);
    edge.write(b"[");
    for _ in 0..15 {
        edge.write(zeros.as_bytes());
    }
    edge.write(b"0]\n");
    assert!(edge.line().contains("-32600"));
    edge.ping("many small values");
    edge.write(br#"{"jsonrpc":"2.0","id":1,"method":"none","params":{"x":["#);
    for _ in 0..15 {
        edge.write(zeros.as_bytes());
    }
    edge.write(b"0]}}\n");
    assert!(edge.line().contains("-32601"));
    edge.ping("many small values in a request");
    for count in [17, 100] {
        for _ in 0..count {
            edge.write(zeros.as_bytes());
        }
        edge.write(b"\n");
        assert!(edge.line().contains("-32700"));
        edge.ping("a line without end");
    }
    let peak = edge.peak();
    assert!(peak < 64 * 1024, "{peak} KiB");
}
