//! The MCP edge: a client's stdio on one side, the Ghostlight service on the other.

#![cfg_attr(test, allow(non_snake_case))]

pub mod line;
pub mod session;
#[cfg(any(test, fuzzing))]
pub mod testing;

mod arguments;
mod bridge;
mod client;
mod edge;
mod instructions;
mod json;
mod mcp_2025_11_25;
mod mcp_2026_07_28;
mod params;
mod render;
mod rpc;
mod run;
mod schema;

use arguments::{Arguments, HELP};
use async_executor::LocalExecutor;
use ghostlight_transport::instance::Instance;
use ghostlight_transport::limits::EDGE_ANSWER;
use ghostlight_transport::program::{self, named_instance, print};
use ghostlight_transport::stderr::Stderr;
use ghostlight_transport::stop::Stop;
use session::Session;
use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

/// Milliseconds that a call may take, for tests on a named instance.
const ANSWER_VARIABLE: &str = "GHOSTLIGHT_EDGE_ANSWER";

/// The program `ghostlight-mcp-connector`.
#[must_use]
pub fn main() -> ExitCode {
    program::run("ghostlight-mcp-connector", start)
}

fn start(stderr: &Stderr) -> Result<(), Box<dyn Error>> {
    let given = std::env::args_os().skip(1);
    let arguments = Arguments::read(given, named_instance().as_deref())
        .map_err(|misuse| format!("{misuse}; see: ghostlight-mcp-connector --help"))?;
    match arguments {
        Arguments::Version => {
            print(concat!("ghostlight-mcp-connector ", env!("CARGO_PKG_VERSION"), "\n"))
        }
        Arguments::Help => print(HELP),
        Arguments::Serve(instance) => {
            // Before anything that may start a thread or wait.
            let stop = Stop::new()?;
            let executor = LocalExecutor::new();
            let session = Session::answering_within(answer_bound(&instance));
            let run = run::run(&executor, instance, session, stop, stderr);
            async_io::block_on(executor.run(run))?;
            Ok(())
        }
    }
}

fn answer_bound(instance: &Instance) -> Duration {
    let given = std::env::var(ANSWER_VARIABLE).ok().filter(|_| !instance.is_default());
    let given = given.and_then(|milliseconds| milliseconds.parse().ok());
    given.map_or(EDGE_ANSWER, Duration::from_millis)
}
