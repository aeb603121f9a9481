//! The service: workspaces, tools, scheduling, audit and the routes to the browsers.

// Until every part has its caller.
#![allow(dead_code, unused_imports)]

mod arguments;
mod audit;
mod bell;
mod bounds;
mod browser;
mod catalog;
mod cli;
mod hold;
mod images;
mod lanes;
mod page;
mod render;
mod scheduler;
mod tab;
mod tool;
mod tools;
mod topology;
mod wire;
mod work;
mod workspace;

/// The program `ghostlight`: the service and its command line.
#[must_use]
pub fn main() -> std::process::ExitCode {
    std::process::ExitCode::SUCCESS
}
