//! An MCP client over the real edge's stdio, in either revision.

use crate::binaries::EDGE;
use crate::home::Home;
use crate::process::Process;
use crate::reply::Reply;
use crate::wait::LONG;
use serde_json::{Map, Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Revision {
    November2025,
    July2026,
}

/// A line that crossed the pipe, and when, counted from the start of the edge.
#[derive(Debug, Clone)]
pub struct Line {
    pub from_client: bool,
    pub at: Duration,
    pub text: String,
}

#[derive(Debug)]
pub struct Client {
    pub process: Process,
    pub revision: Revision,
    /// Goes into the arguments of each tool call as `workspaceId`.
    pub workspace: Option<String>,
    /// Everything said so far, in order.
    pub transcript: Vec<Line>,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Messages that came before somebody asked for them.
    early: Vec<Value>,
    last_id: u64,
    started: Instant,
}

impl Client {
    /// Starts an edge and says nothing to it yet.
    pub fn start(home: &Home, revision: Revision) -> Self {
        Self::of(&mut home.command(home.program(EDGE)), revision)
    }

    /// An edge by a command of the caller's.
    pub fn of(command: &mut Command, revision: Revision) -> Self {
        let mut process = Process::start(command.stdin(Stdio::piped()).stdout(Stdio::piped()));
        let (stdin, stdout) = (process.take_stdin(), process.take_stdout());
        let (send, lines) = channel();
        // Ends with the pipe, which ends with the process, which ends with its owner.
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        Self {
            process,
            revision,
            workspace: None,
            transcript: Vec::new(),
            stdin: Some(stdin),
            lines,
            early: Vec::new(),
            last_id: 0,
            started: Instant::now(),
        }
    }

    /// An edge of the 2025 revision, past `initialize` and `initialized`.
    pub fn connected(home: &Home) -> Self {
        let mut client = Self::start(home, Revision::November2025);
        client.initialize();
        client
    }

    /// An edge of the 2026 revision, which needs no opening.
    pub fn stateless(home: &Home) -> Self {
        Self::start(home, Revision::July2026)
    }

    /// An edge of either revision, ready to call tools in a workspace of its own.
    pub fn with_workspace(home: &Home, revision: Revision) -> Self {
        let mut client = Self::start(home, revision);
        match revision {
            Revision::November2025 => {
                client.initialize();
            }
            Revision::July2026 => {
                let made = client.succeed("tabs_create_mcp", json!({}));
                client.workspace = Some(made.workspace());
            }
        }
        client
    }

    /// The 2025 opening; gives the result of `initialize`.
    pub fn initialize(&mut self) -> Value {
        let answer = self.request(
            "initialize",
            json!({"protocolVersion": "2025-11-25", "capabilities": {},
                   "clientInfo": {"name": "rig", "version": "1.0.0"}}),
        );
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        answer["result"].clone()
    }

    /// One line, exactly as given.
    ///
    /// # Panics
    /// When the edge no longer reads.
    pub fn send_text(&mut self, text: &str) {
        let stdin = self.stdin.as_mut().expect("stdin is still open");
        stdin.write_all(format!("{text}\n").as_bytes()).expect("the edge reads its stdin");
        self.note(true, text);
    }

    pub fn send(&mut self, message: &Value) {
        self.send_text(&message.to_string());
    }

    /// Sends a request with the revision's envelope and gives its id.
    pub fn ask(&mut self, method: &str, mut params: Value) -> u64 {
        self.last_id += 1;
        if self.revision == Revision::July2026 {
            params["_meta"] = envelope(params["_meta"].take());
        }
        let id = self.last_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// The response to a request, `result` or `error`.
    ///
    /// # Panics
    /// When none came in time.
    pub fn answer(&mut self, id: u64) -> Value {
        let named = |message: &Value| message["id"] == id && message.get("method").is_none();
        match self.take_within(LONG, named) {
            Some(answer) => answer,
            None => panic!("no answer to request {id} within {LONG:?}"),
        }
    }

    /// The next message that fits, whatever else came before it.
    pub fn take_within(
        &mut self,
        within: Duration,
        fits: impl Fn(&Value) -> bool,
    ) -> Option<Value> {
        if let Some(at) = self.early.iter().position(&fits) {
            return Some(self.early.remove(at));
        }
        let deadline = Instant::now() + within;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let text = self.lines.recv_timeout(left).ok()?;
            self.note(false, &text);
            let message = serde_json::from_str(&text);
            let message: Value = message.expect("a line from the edge is JSON");
            if fits(&message) {
                return Some(message);
            }
            self.early.push(message);
        }
    }

    /// Everything that comes until the edge closes its stdout.
    pub fn rest(&mut self) -> Vec<Value> {
        while self.take_within(LONG, |_| false).is_some() {}
        std::mem::take(&mut self.early)
    }

    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        self.answer(id)
    }

    /// Sends `tools/call` and gives its id.
    pub fn ask_tool(&mut self, tool: &str, mut arguments: Value) -> u64 {
        if let Some(workspace) = &self.workspace {
            arguments["workspaceId"] = json!(workspace);
        }
        self.ask("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    pub fn call(&mut self, tool: &str, arguments: Value) -> Reply {
        let id = self.ask_tool(tool, arguments);
        let reply = Reply::read(self.answer(id));
        // Errors of the protocol itself are for who wrote the client.
        let for_the_model = reply.is_refusal() || (-33099..=-33000).contains(&reply.code());
        let advises = !for_the_model || reply.words().contains("Retry: ");
        assert!(advises, "{tool} does not say whether a retry is safe: {reply:#?}");
        reply
    }

    /// [`Self::call`] for a call that must end well.
    pub fn succeed(&mut self, tool: &str, arguments: Value) -> Reply {
        let shown = arguments.to_string();
        let reply = self.call(tool, arguments);
        assert!(reply.is_success(), "{tool} {shown} was refused: {reply:#?}");
        reply
    }

    /// [`Self::call`] for a call that must end as a result with `isError`; gives its text.
    pub fn refused(&mut self, tool: &str, arguments: Value) -> String {
        let shown = arguments.to_string();
        let reply = self.call(tool, arguments);
        assert!(reply.is_refusal(), "{tool} {shown} was not refused: {reply:#?}");
        reply.text
    }

    /// Opens a tab and gives its id.
    pub fn open_tab(&mut self) -> i64 {
        self.succeed("tabs_create_mcp", json!({})).tab_id()
    }

    /// Opens a tab on a page.
    pub fn open_page(&mut self, url: &str) -> i64 {
        let tab = self.open_tab();
        self.succeed("navigate", json!({"tabId": tab, "url": url}));
        tab
    }

    pub fn cancel(&mut self, id: u64) {
        let mut params = json!({"requestId": id});
        if self.revision == Revision::July2026 {
            params["_meta"] = envelope(Value::Null);
        }
        let method = "notifications/cancelled";
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// The end of input.
    pub fn close(&mut self) {
        self.stdin = None;
    }

    fn note(&mut self, from_client: bool, text: &str) {
        let at = self.started.elapsed();
        self.transcript.push(Line { from_client, at, text: text.to_owned() });
    }
}

/// What each request of the 2026 revision carries.
fn envelope(given: Value) -> Value {
    let mut meta = match given {
        Value::Object(meta) => meta,
        _ => Map::new(),
    };
    let named = |name: &str| format!("io.modelcontextprotocol/{name}");
    meta.insert(named("protocolVersion"), json!("2026-07-28"));
    meta.insert(named("clientInfo"), json!({"name": "rig", "version": "1.0.0"}));
    meta.insert(named("clientCapabilities"), json!({}));
    Value::Object(meta)
}
