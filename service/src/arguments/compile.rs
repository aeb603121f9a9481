//! From a schema's text to what checks with it. A keyword it does not know is a fault, never ignored.

use super::{Kind, Others, Schema};
use serde_json::{Map, Value};
use std::fmt;

/// Deeper schemas are a mistake in the catalog.
const DEPTH: usize = 12;

/// The catalog holds a schema that nothing could check with.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SchemaFault(String);

impl fmt::Display for SchemaFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Schema {
    /// The root's `tabId` is left to the ownership check, whose answer is the same for every value
    /// that is not an owned tab.
    pub(crate) fn compile(text: &str) -> Result<Self, SchemaFault> {
        let value: Value =
            serde_json::from_str(text).map_err(|fault| SchemaFault(fault.to_string()))?;
        let mut schema = compile(&value, 0)?;
        if schema.kind != Some(Kind::Object) {
            return Err(SchemaFault("the root must be an object".into()));
        }
        for (name, property) in &mut schema.properties {
            if name == "tabId" {
                *property = Schema::default();
            }
        }
        Ok(schema)
    }
}

fn compile(value: &Value, depth: usize) -> Result<Schema, SchemaFault> {
    let members = object(value, "a schema")?;
    if depth > DEPTH {
        return Err(SchemaFault("nested too deeply".into()));
    }
    let mut schema = Schema::default();
    for (keyword, value) in members {
        match keyword.as_str() {
            "title" | "description" | "default" | "examples" => {}
            "type" => schema.kind = Some(kind(value)?),
            "properties" => schema.properties = properties(object(value, keyword)?, depth)?,
            "required" => schema.required = names(value)?,
            "additionalProperties" => {
                schema.others = match value {
                    Value::Bool(true) => Others::Free,
                    Value::Bool(false) => Others::None,
                    other => Others::Like(Box::new(compile(other, depth + 1)?)),
                }
            }
            "enum" => schema.allowed = array(value, keyword)?.clone(),
            "const" => schema.allowed = vec![value.clone()],
            "anyOf" => schema.any_of = all(array(value, keyword)?, depth)?,
            "items" => schema.items = Some(Box::new(compile(value, depth + 1)?)),
            "minimum" => schema.range.0 = Some(number(value, keyword)?),
            "maximum" => schema.range.1 = Some(number(value, keyword)?),
            "minLength" => schema.length.0 = Some(size(value, keyword)?),
            "maxLength" => schema.length.1 = Some(size(value, keyword)?),
            "minItems" => schema.count.0 = Some(size(value, keyword)?),
            "maxItems" => schema.count.1 = Some(size(value, keyword)?),
            other => return Err(SchemaFault(format!("unknown keyword {other}"))),
        }
    }
    Ok(schema)
}

fn properties(
    members: &Map<String, Value>,
    depth: usize,
) -> Result<Vec<(String, Schema)>, SchemaFault> {
    members.iter().map(|(name, value)| Ok((name.clone(), compile(value, depth + 1)?))).collect()
}

fn all(values: &[Value], depth: usize) -> Result<Vec<Schema>, SchemaFault> {
    values.iter().map(|value| compile(value, depth + 1)).collect()
}

fn kind(value: &Value) -> Result<Kind, SchemaFault> {
    Ok(match value.as_str() {
        Some("object") => Kind::Object,
        Some("array") => Kind::Array,
        Some("string") => Kind::String,
        Some("number") => Kind::Number,
        Some("integer") => Kind::Integer,
        Some("boolean") => Kind::Boolean,
        Some("null") => Kind::Null,
        _ => return Err(SchemaFault("`type` must be one type's name".into())),
    })
}

fn names(value: &Value) -> Result<Vec<String>, SchemaFault> {
    let name = |value: &Value| value.as_str().map(String::from);
    let names: Option<_> = value.as_array().and_then(|list| list.iter().map(name).collect());
    names.ok_or_else(|| SchemaFault("`required` must be names".into()))
}

fn object<'a>(value: &'a Value, what: &str) -> Result<&'a Map<String, Value>, SchemaFault> {
    value.as_object().ok_or_else(|| SchemaFault(format!("{what} must be an object")))
}

fn array<'a>(value: &'a Value, what: &str) -> Result<&'a Vec<Value>, SchemaFault> {
    value.as_array().ok_or_else(|| SchemaFault(format!("{what} must be an array")))
}

fn number(value: &Value, what: &str) -> Result<f64, SchemaFault> {
    value.as_f64().ok_or_else(|| SchemaFault(format!("{what} must be a number")))
}

fn size(value: &Value, what: &str) -> Result<usize, SchemaFault> {
    let size = value.as_u64().and_then(|size| usize::try_from(size).ok());
    size.ok_or_else(|| SchemaFault(format!("{what} must be a size")))
}
