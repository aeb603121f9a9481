//! The service: workspaces, tools, scheduling, audit and the routes to the browsers.

mod activity;
mod arguments;
mod audit;
mod authority;
mod bell;
mod bounds;
mod browser;
mod catalog;
mod cli;
mod crew;
mod engine;
mod hold;
mod images;
mod lanes;
mod page;
mod pattern;
mod pipeline;
mod redact;
mod render;
mod scheduler;
mod serve;
mod stream;
mod tab;
#[cfg(any(test, fuzzing))]
pub mod testing;
mod tool;
mod tools;
mod topology;
mod wire;
mod work;
mod workspace;

/// The program `ghostlight`: the service and its command line.
#[must_use]
pub fn main() -> std::process::ExitCode {
    cli::main()
}
