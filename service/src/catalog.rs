//! The catalog: the tools in their order, ready to check and to show.

use crate::arguments::{Schema, SchemaFault};
use crate::tool::Tool;
use ghostlight_transport::bridge::{Projection, ToolDeclaration};
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::fmt;

/// Built once per service: without policy there is one view for everyone and it never changes.
#[derive(Debug)]
pub(crate) struct Catalog {
    rows: HashMap<&'static str, Row>,
    projection: Projection,
}

#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) tool: &'static Tool,
    pub(crate) arguments: Schema,
}

/// A row that cannot be shown or checked: a mistake in the program.
#[derive(Debug)]
pub(crate) struct CatalogFault {
    tool: &'static str,
    fault: String,
}

impl fmt::Display for CatalogFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the catalog's row {} is unusable: {}", self.tool, self.fault)
    }
}

impl Catalog {
    pub(crate) fn new(tools: &'static [Tool]) -> Result<Self, CatalogFault> {
        let mut rows = HashMap::new();
        let mut declarations = Vec::new();
        for tool in tools {
            let unusable =
                |fault: SchemaFault| CatalogFault { tool: tool.name, fault: fault.to_string() };
            let arguments = Schema::compile(tool.input).map_err(unusable)?;
            if rows.insert(tool.name, Row { tool, arguments }).is_some() {
                return Err(CatalogFault { tool: tool.name, fault: "named twice".into() });
            }
            declarations.push(declare(tool)?);
        }
        Ok(Self { rows, projection: Projection { generation: 1, tools: declarations } })
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Row> {
        self.rows.get(name)
    }

    pub(crate) fn projection(&self) -> Projection {
        self.projection.clone()
    }
}

fn declare(tool: &'static Tool) -> Result<ToolDeclaration, CatalogFault> {
    let raw = |text: &str| {
        RawValue::from_string(text.into())
            .map_err(|fault| CatalogFault { tool: tool.name, fault: fault.to_string() })
    };
    Ok(ToolDeclaration {
        name: tool.name.into(),
        title: tool.title.into(),
        description: tool.description.into(),
        input: raw(tool.input)?,
        output: tool.output.map(raw).transpose()?,
        hints: tool.hints,
        workspace: tool.workspace,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::TOOLS;

    #[test]
    fn every_tool_can_be_shown_and_checked() {
        let catalog = Catalog::new(TOOLS).unwrap();
        let names: Vec<_> =
            catalog.projection.tools.iter().map(|tool| tool.name.as_str()).collect();
        let order: Vec<_> = TOOLS.iter().map(|tool| tool.name).collect();
        assert_eq!(names, order);
        assert!(order.iter().all(|name| catalog.find(name).is_some()));
        assert!(catalog.find("no_such_tool").is_none());
    }
}
