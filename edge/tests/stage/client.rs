//! A client that writes what it is told and keeps every line it gets.

use super::{Home, PATIENCE};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Instant;

pub(crate) struct Client {
    pub(crate) process: Child,
    pub(crate) input: Option<ChildStdin>,
    output: Option<ChildStdout>,
    lines: Option<Receiver<String>>,
}

impl Client {
    /// Nothing is read from the edge before [`Client::read`].
    pub(crate) fn start(home: &Home) -> Self {
        let mut command = Self::command(home);
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (process.stdin.take(), process.stdout.take());
        Self { process, input, output, lines: None }
    }

    pub(crate) fn command(home: &Home) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ghostlight-mcp-connector"));
        command.env("GHOSTLIGHT_STATE_DIR", home.state()).env_remove("GHOSTLIGHT_INSTANCE");
        command.stderr(Stdio::null());
        command
    }

    pub(crate) fn send(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    pub(crate) fn close_output(&mut self) {
        self.output = None;
    }

    /// The next line; `None` at the end.
    pub(crate) fn read(&mut self) -> Option<String> {
        if let Some(output) = self.output.take() {
            let (tell, lines) = channel();
            thread::spawn(move || {
                BufReader::new(output)
                    .lines()
                    .map_while(Result::ok)
                    .try_for_each(|line| tell.send(line))
            });
            self.lines = Some(lines);
        }
        let lines = self.lines.as_ref().unwrap();
        match lines.recv_timeout(PATIENCE) {
            Ok(line) => Some(line),
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => None,
            Err(error) => panic!("no line came: {error}"),
        }
    }

    pub(crate) fn read_all(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.read()).collect()
    }

    #[track_caller]
    pub(crate) fn expect(&mut self, part: &str) -> String {
        let line = self.read().unwrap_or_else(|| panic!("the end came instead of {part}"));
        assert!(line.contains(part), "{line} has no {part}");
        line
    }

    pub(crate) fn signal(&self, name: &str) {
        let id = self.process.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
    }

    pub(crate) fn wait(&mut self) -> ExitStatus {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.process.try_wait().unwrap() {
                return status;
            }
            assert!(begun.elapsed() < PATIENCE, "the edge does not end");
            thread::yield_now();
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
