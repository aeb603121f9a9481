//! The trained tools keep their names, parameters, types, enums and order; other schemas keep their rules.

use super::TOOLS;
use serde_json::Value;
use std::collections::BTreeMap;

const GOLDEN: &str = include_str!("frozen.txt");

/// Tool name and its parameter lines, as in the golden file.
fn golden() -> Vec<(&'static str, Vec<&'static str>)> {
    let mut tools: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in GOLDEN.lines() {
        match line.strip_prefix("  ") {
            Some(parameter) => tools.last_mut().unwrap().1.push(parameter),
            None => tools.push((line, Vec::new())),
        }
    }
    tools
}

fn kind(schema: &Value) -> String {
    if let Some(any) = schema.get("anyOf").and_then(Value::as_array) {
        return any.iter().map(kind).collect::<Vec<_>>().join("|");
    }
    let name = schema["type"].as_str().expect("every schema has one type").to_owned();
    if name == "array" { format!("array of {}", kind(&schema["items"])) } else { name }
}

fn parameter(name: &str, schema: &Value, required: bool) -> String {
    let mut line = format!("{name} {}", kind(schema));
    if let Some(members) = schema.get("enum").and_then(Value::as_array) {
        let members: Vec<_> = members.iter().map(|member| member.as_str().unwrap()).collect();
        line.push_str(&format!(" enum={}", members.join(",")));
    }
    if let (Some(least), Some(most)) = (schema.get("minimum"), schema.get("maximum")) {
        line.push_str(&format!(" range={least}..{most}"));
    }
    if let (Some(least), Some(most)) = (schema.get("minItems"), schema.get("maxItems")) {
        line.push_str(&format!(" items={least}..{most}"));
    }
    line + if required { " required" } else { "" }
}

fn parameters(input: &str) -> BTreeMap<String, String> {
    let schema: Value = serde_json::from_str(input).unwrap();
    let required: Vec<_> =
        schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let properties = schema["properties"].as_object().unwrap();
    let line = |(name, schema): (&String, &Value)| {
        (name.clone(), parameter(name, schema, required.contains(&Value::from(name.as_str()))))
    };
    properties.iter().map(line).collect()
}

#[test]
fn the_trained_tools_are_as_they_were_learnt() {
    let golden = golden();
    let order: Vec<_> = TOOLS
        .iter()
        .map(|tool| tool.name)
        .filter(|name| golden.iter().any(|row| row.0 == *name))
        .collect();
    assert_eq!(order, golden.iter().map(|row| row.0).collect::<Vec<_>>());
    for (name, lines) in golden {
        let mut found = parameters(TOOLS.iter().find(|tool| tool.name == name).unwrap().input);
        for line in lines {
            let parameter = line.split(' ').next().unwrap();
            assert_eq!(found.remove(parameter).as_deref(), Some(line), "{name}");
        }
        assert!(
            found.values().all(|line| !line.ends_with(" required")),
            "{name} asks for more: {found:?}"
        );
    }
    assert_eq!(TOOLS.last().map(|tool| tool.name), Some("explain"));
}

/// Each schema inside of `schema`, itself included.
fn each<'s>(schema: &'s Value, found: &mut Vec<&'s Value>) {
    found.push(schema);
    for list in ["properties", "anyOf", "items"] {
        match schema.get(list) {
            Some(Value::Object(members)) if list == "properties" => {
                members.values().for_each(|member| each(member, found))
            }
            Some(Value::Array(members)) => members.iter().for_each(|member| each(member, found)),
            Some(member) => each(member, found),
            None => {}
        }
    }
}

#[test]
fn every_schema_is_plain() {
    for tool in TOOLS {
        for text in [Some(tool.input), tool.output].into_iter().flatten() {
            let schema: Value = serde_json::from_str(text).unwrap();
            assert_eq!(schema["type"], "object", "{}", tool.name);
            for word in ["anyOf", "oneOf", "allOf", "not", "if", "$ref", "$schema", "$defs"] {
                assert!(schema.get(word).is_none(), "{}: {word}", tool.name);
            }
            let mut all = Vec::new();
            each(&schema, &mut all);
            for inner in all {
                let plain = inner.get("type").map(Value::is_string) == Some(true)
                    || inner.get("anyOf").is_some();
                assert!(plain, "{}: {inner}", tool.name);
                assert!(inner.get("$schema").is_none());
            }
        }
        let input: Value = serde_json::from_str(tool.input).unwrap();
        assert_eq!(input["additionalProperties"], false, "{}", tool.name);
        assert!(tool.description.len() <= 500, "{}", tool.name);
    }
}

#[test]
fn the_catalog_is_small() {
    let bytes: usize = TOOLS
        .iter()
        .map(|tool| {
            tool.name.len()
                + tool.title.len()
                + tool.description.len()
                + tool.input.len()
                + tool.output.map_or(0, str::len)
                + 200
        })
        .sum();
    // All 25 have 40 KB.
    assert!(bytes <= TOOLS.len() * 1_600, "{bytes}");
}

#[test]
fn creators_say_how_long_a_workspace_is_kept() {
    use ghostlight_transport::{bridge::WorkspaceUse, limits::WORKSPACE_IDLE};
    let minutes = format!("{} minutes", WORKSPACE_IDLE.as_secs() / 60);
    for tool in TOOLS.iter().filter(|tool| tool.workspace == WorkspaceUse::Creates) {
        assert!(tool.description.contains(&minutes), "{}", tool.name);
    }
}
