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
mod stdio;

use arguments::{Arguments, HELP};
use ghostlight_transport::hardening::harden;
use ghostlight_transport::instance::INSTANCE_VARIABLE;
use ghostlight_transport::limits::STDERR_FLUSH;
use ghostlight_transport::stderr::Stderr;
use ghostlight_transport::stop::Stop;
use smol::LocalExecutor;
use std::error::Error;
use std::io::Write as _;
use std::process::ExitCode;

/// The program `ghostlight-mcp-connector`.
#[must_use]
pub fn main() -> ExitCode {
    let stderr = Stderr::new("ghostlight-mcp-connector");
    let code = match start(&stderr) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            stderr.log(error);
            ExitCode::FAILURE
        }
    };
    stderr.flush(STDERR_FLUSH);
    code
}

fn start(stderr: &Stderr) -> Result<(), Box<dyn Error>> {
    harden()?;
    let variable = std::env::var(INSTANCE_VARIABLE).ok();
    let given = std::env::args_os().skip(1);
    let arguments = Arguments::read(given, variable.as_deref())
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
            smol::block_on(executor.run(run::run(&executor, instance, stop, stderr)))?;
            Ok(())
        }
    }
}

/// Only where no client is served.
fn print(text: &str) -> Result<(), Box<dyn Error>> {
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(())
}
