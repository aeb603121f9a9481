//! The catalog's rows, in the order of the wire, and what the tools remember about a tab.

pub(crate) mod address;
mod aim;
pub(crate) mod computer;
mod dialog;
mod explain;
mod file_upload;
mod find;
mod form_input;
mod frame;
mod get_page_text;
mod javascript_tool;
mod navigate;
mod observed;
pub(crate) mod picture;
mod read_console_messages;
mod read_network_requests;
mod read_page;
pub(crate) mod refs;
mod refusals;
mod resize_window;
mod sequence;
mod tab_control;
mod tabs;
mod through;
mod update_plan;
mod wait_for;
mod watching;

#[cfg(test)]
mod frozen;

use crate::tool::{Call, Failure, Target, Tool};
use crate::{tab::OwnedTab, topology::Topology};
use ghostlight_transport::bridge::Hints;
use ghostlight_transport::json;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::time::Duration;

pub(crate) const TOOLS: &[Tool] = &[
    tabs::CONTEXT,
    tabs::CREATE,
    navigate::ROW,
    computer::ROW,
    find::ROW,
    form_input::ROW,
    get_page_text::ROW,
    javascript_tool::ROW,
    read_console_messages::ROW,
    read_network_requests::ROW,
    read_page::ROW,
    resize_window::ROW,
    update_plan::ROW,
    wait_for::ROW,
    dialog::ROW,
    tab_control::ROW,
    file_upload::ROW,
    explain::ROW,
];

/// What the tools remember about one tab, as long as its workspace owns it.
#[derive(Debug, Default)]
pub(crate) struct TabMemory {
    refs: refs::Refs,
    shot: Option<picture::Shot>,
    read: Option<read_page::LastRead>,
    /// Where a page asked for another program.
    program: Option<String>,
}

/// Only reads.
const READS: Hints =
    Hints { read_only: true, destructive: false, idempotent: true, open_world: true };
/// May change anything on the page or behind it.
const ACTS: Hints =
    Hints { read_only: false, destructive: true, idempotent: false, open_world: true };

const fn no_effect(_: &serde_json::Map<String, Value>) -> bool {
    false
}

const fn always_an_effect(_: &serde_json::Map<String, Value>) -> bool {
    true
}

impl Call {
    /// The arguments, which were checked against the tool's schema.
    fn parse<A: DeserializeOwned>(&mut self) -> Result<A, Failure> {
        let arguments = std::mem::take(&mut self.arguments);
        json::shaped(Value::Object(arguments)).map_err(|_| {
            Failure::not_dispatched(
                "The arguments do not fit together. Nothing was sent. Retry: safe, with arguments as the tool's schema says.",
            )
        })
    }

    fn tab(&self) -> Result<OwnedTab, Failure> {
        match &self.target {
            Target::Tab(tab) => Ok(tab.clone()),
            _ => Err(Failure::not_dispatched(
                "This tool works on a tab. Nothing was sent. Retry: safe, with one. Next step: pass a tabId from tabs_context_mcp.",
            )),
        }
    }

    fn topology(self) -> Result<Topology, Failure> {
        match self.target {
            Target::Workspace(topology) => Ok(topology),
            _ => Err(Failure::not_dispatched(
                "This tool works on a workspace. Nothing was sent. Retry: safe, with one. Next step: call tabs_context_mcp.",
            )),
        }
    }
}

/// A time that a call asks for in milliseconds, as long as it may be.
fn at_most(millis: f64, most: Duration) -> Duration {
    most.mul_f64((millis / most.as_secs_f64() / 1_000.0).clamp(0.0, 1.0))
}

/// A missing argument that only some calls need.
fn needed<T>(value: Option<T>, action: &str, name: &str) -> Result<T, Failure> {
    value.ok_or_else(|| {
        Failure::not_dispatched(format!(
            "{action} needs {name}. Nothing was sent. Retry: safe, with {name}."
        ))
    })
}
