//! The MCP edge: a client's stdio on one side, the Ghostlight service on the other.

#![cfg_attr(test, allow(non_snake_case))]

pub mod line;
pub mod session;

mod client;
mod instructions;
mod json;
mod mcp_2025_11_25;
mod mcp_2026_07_28;
mod params;
mod render;
mod rpc;
mod schema;
