//! A client without threads or parsing, so that its own cost is not measured.

use crate::binaries::EDGE;
use crate::client::Revision;
use crate::home::Home;
use crate::process::Process;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

#[derive(Debug)]
pub struct Pipe {
    pub process: Process,
    pub stdin: ChildStdin,
    pub stdout: BufReader<ChildStdout>,
    pub revision: Revision,
}

impl Pipe {
    pub fn start(home: &Home, revision: Revision) -> Self {
        let mut command = home.command(home.program(EDGE));
        let mut process = Process::start(command.stdin(Stdio::piped()).stdout(Stdio::piped()));
        let stdin = process.take_stdin();
        let stdout = BufReader::with_capacity(1 << 20, process.take_stdout());
        Self { process, stdin, stdout, revision }
    }

    /// An edge that is past its opening.
    pub fn connected(home: &Home, revision: Revision) -> Self {
        let mut pipe = Self::start(home, revision);
        if revision == Revision::November2025 {
            pipe.round_trip(&initialize());
            pipe.write(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        }
        pipe.round_trip(&pipe.request("tools/list", json!({})));
        pipe
    }

    #[must_use]
    pub fn request(&self, method: &str, mut params: Value) -> String {
        if self.revision == Revision::July2026 {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string()
    }

    #[must_use]
    pub fn tool(&self, name: &str, arguments: Value) -> String {
        self.request("tools/call", json!({"name": name, "arguments": arguments}))
    }

    /// # Panics
    /// When the edge is gone.
    pub fn write(&mut self, line: &str) {
        self.stdin.write_all(format!("{line}\n").as_bytes()).expect("the edge reads");
    }

    /// # Panics
    /// When the edge is gone.
    pub fn read(&mut self) -> String {
        let mut line = String::new();
        let read = self.stdout.read_line(&mut line).expect("the edge writes");
        assert!(read > 0, "the edge has ended");
        line
    }

    pub fn round_trip(&mut self, line: &str) -> (Duration, String) {
        let started = Instant::now();
        self.write(line);
        let answer = self.read();
        (started.elapsed(), answer)
    }

    /// The times of many round trips of one line, in milliseconds.
    ///
    /// # Panics
    /// When one of them fails.
    pub fn times(&mut self, line: &str, count: usize) -> Vec<f64> {
        let one = |_| {
            let (time, answer) = self.round_trip(line);
            let failed = answer.contains(r#""error":"#) || answer.contains(r#""isError":true"#);
            assert!(!failed, "{line} failed: {answer}");
            milliseconds(time)
        };
        (0..count).map(one).collect()
    }
}

#[must_use]
pub fn initialize() -> String {
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {},
                        "clientInfo": {"name": "bench", "version": "1"}});
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}).to_string()
}

#[must_use]
pub fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
