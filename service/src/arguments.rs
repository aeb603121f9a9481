//! Validation of a call's arguments: the part of JSON Schema that the catalog uses, at full depth.

mod compile;
#[cfg(test)]
mod tests;

pub(crate) use compile::SchemaFault;

use serde_json::{Map, Value};
use std::fmt;

/// A schema ready to check with.
#[derive(Debug, Default)]
pub(crate) struct Schema {
    kind: Option<Kind>,
    properties: Vec<(String, Schema)>,
    required: Vec<String>,
    /// `additionalProperties`: absent, `false`, or a schema.
    others: Others,
    allowed: Vec<Value>,
    any_of: Vec<Schema>,
    range: (Option<f64>, Option<f64>),
    length: (Option<usize>, Option<usize>),
    count: (Option<usize>, Option<usize>),
    items: Option<Box<Schema>>,
}

#[derive(Debug, Default)]
enum Others {
    #[default]
    Free,
    None,
    Like(Box<Schema>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Object,
    Array,
    String,
    Number,
    Integer,
    Boolean,
    Null,
}

impl Kind {
    fn fits(self, value: &Value) -> bool {
        match self {
            Self::Object => value.is_object(),
            Self::Array => value.is_array(),
            Self::String => value.is_string(),
            Self::Number => value.is_number(),
            Self::Integer => integral(value).is_some(),
            Self::Boolean => value.is_boolean(),
            Self::Null => value.is_null(),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Object => "an object",
            Self::Array => "an array",
            Self::String => "a string",
            Self::Number => "a number",
            Self::Integer => "a whole number",
            Self::Boolean => "true or false",
            Self::Null => "null",
        }
    }
}

/// The first thing that is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Violation {
    path: String,
    what: String,
}

impl Violation {
    fn new(path: &Path<'_>, what: impl Into<String>) -> Self {
        Self { path: path.to_string(), what: what.into() }
    }

    /// The arguments as a whole are wrong.
    pub(crate) fn whole(what: &str) -> Self {
        Self { path: String::new(), what: what.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            return write!(f, "the arguments {}", self.what);
        }
        write!(f, "`{}` {}", self.path, self.what)
    }
}

/// Where in the arguments we are, without allocating on the way.
enum Path<'a> {
    Root,
    Member(&'a Path<'a>, &'a str),
    Item(&'a Path<'a>, usize),
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Member(Path::Root, name) => f.write_str(&printable(name)),
            Self::Member(parent, name) => write!(f, "{parent}.{}", printable(name)),
            Self::Item(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}

/// A member's name as one short line.
fn printable(name: &str) -> String {
    name.chars().take(64).flat_map(char::escape_debug).collect()
}

/// Parses a call's raw arguments and checks them.
pub(crate) fn parse(schema: &Schema, raw: &str) -> Result<Map<String, Value>, Violation> {
    let value = serde_json::from_str(raw)
        .map_err(|_| Violation::whole("are not JSON that can be read (depth or a number)"))?;
    schema.check(&value, &Path::Root)?;
    match value {
        Value::Object(members) => Ok(members),
        _ => Err(Violation::whole("must be an object")),
    }
}

/// A whole number in the range that survives a double, whichever way it was written.
pub(crate) fn integral(value: &Value) -> Option<i64> {
    const LARGEST: i64 = 1 << 53;
    let number = match value.as_i64() {
        Some(number) => number,
        None => {
            let number = value.as_f64()?;
            if number.fract() != 0.0 || number.abs() > LARGEST as f64 {
                return None;
            }
            number as i64
        }
    };
    (-LARGEST..=LARGEST).contains(&number).then_some(number)
}

impl Schema {
    fn check(&self, value: &Value, at: &Path<'_>) -> Result<(), Violation> {
        if let Some(kind) = self.kind
            && !kind.fits(value)
        {
            return Err(Violation::new(at, format!("must be {}", kind.name())));
        }
        if !self.allowed.is_empty() && !self.allowed.contains(value) {
            let names: Vec<_> = self.allowed.iter().map(Value::to_string).collect();
            return Err(Violation::new(at, format!("must be one of {}", names.join(", "))));
        }
        if !self.any_of.is_empty() && !self.any_of.iter().any(|one| one.check(value, at).is_ok()) {
            return Err(Violation::new(at, "has none of the allowed shapes"));
        }
        match value {
            Value::Object(members) => self.check_members(members, at),
            Value::Array(items) => self.check_items(items, at),
            Value::String(text) => between(at, self.length, "characters", text.chars().count()),
            Value::Number(number) => self.check_range(number.as_f64().unwrap_or(f64::NAN), at),
            Value::Bool(_) | Value::Null => Ok(()),
        }
    }

    fn check_members(&self, members: &Map<String, Value>, at: &Path<'_>) -> Result<(), Violation> {
        if let Some(name) = self.required.iter().find(|name| !members.contains_key(*name)) {
            return Err(Violation::new(&Path::Member(at, name), "is required"));
        }
        for (name, value) in members {
            let at = Path::Member(at, name);
            match self.properties.iter().find(|(known, _)| known == name) {
                Some((_, schema)) => schema.check(value, &at)?,
                None => match &self.others {
                    Others::Free => {}
                    Others::None => return Err(Violation::new(&at, "is not a known parameter")),
                    Others::Like(schema) => schema.check(value, &at)?,
                },
            }
        }
        Ok(())
    }

    fn check_items(&self, items: &[Value], at: &Path<'_>) -> Result<(), Violation> {
        between(at, self.count, "items", items.len())?;
        let Some(schema) = &self.items else { return Ok(()) };
        let mut items = items.iter().enumerate();
        items.try_for_each(|(index, item)| schema.check(item, &Path::Item(at, index)))
    }

    fn check_range(&self, number: f64, at: &Path<'_>) -> Result<(), Violation> {
        match self.range {
            (Some(least), _) if number < least || number.is_nan() => {
                Err(Violation::new(at, format!("must be at least {least}")))
            }
            (_, Some(most)) if number > most || number.is_nan() => {
                Err(Violation::new(at, format!("must be at most {most}")))
            }
            _ => Ok(()),
        }
    }
}

fn between(
    at: &Path<'_>,
    (least, most): (Option<usize>, Option<usize>),
    unit: &str,
    count: usize,
) -> Result<(), Violation> {
    match (least, most) {
        (Some(least), _) if count < least => {
            Err(Violation::new(at, format!("must have at least {least} {unit}")))
        }
        (_, Some(most)) if count > most => {
            Err(Violation::new(at, format!("must have at most {most} {unit}")))
        }
        _ => Ok(()),
    }
}
