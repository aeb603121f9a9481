//! The real edge process between a client made of pipes and a service made of tools for tests.

mod client;
mod service;

pub(crate) use client::Client;
pub(crate) use service::Service;

use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;

/// Longer than anything here takes; only a failure waits for it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) const HELLO: &str = r#"{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"pipe","version":"1"}}}"#;
pub(crate) const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

/// A state directory of its own.
pub(crate) struct Home(TempDir);

impl Home {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.0.path().join("state")
    }
}

pub(crate) fn call(id: usize, tool: &str, arguments: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
    )
}
