//! The catalog's rows, in the order of the wire.

use crate::tool::Tool;

pub(crate) const TOOLS: &[Tool] = &[];

/// What the tools remember about one tab, as long as its workspace owns it.
#[derive(Debug, Default)]
pub(crate) struct TabMemory;
