//! The MCP edge: a client's stdio on one side, the Ghostlight service on the other.

#![cfg_attr(test, allow(non_snake_case))]

pub mod line;

mod client;
mod json;
mod params;
mod rpc;
mod schema;
