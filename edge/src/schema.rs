//! One property more in a tool's schema, every other byte of it as the service declared it.

use crate::json;
use serde_json::value::RawValue;

/// `root` with the property `name`, last among its properties, and required when asked for.
pub(crate) fn with_property(
    root: &RawValue,
    name: &str,
    property: &str,
    required: bool,
) -> Vec<u8> {
    let members = json::entries(root.get()).unwrap_or_default();
    let mut out = Vec::with_capacity(root.get().len() + property.len() + 64);
    let (mut placed, mut listed) = (false, !required);
    out.push(b'{');
    for (key, value) in &members {
        open_member(&mut out, key);
        match key.as_str() {
            "properties" if json::is_object(value) => {
                placed = true;
                push_with_member(&mut out, value.get(), name, property);
            }
            "required" if required && value.get().starts_with('[') => {
                listed = true;
                push_with_item(&mut out, value.get(), name);
            }
            _ => json::push_compact(&mut out, value.get()),
        }
    }
    if !placed {
        open_member(&mut out, "properties");
        push_with_member(&mut out, "{}", name, property);
    }
    if !listed {
        open_member(&mut out, "required");
        push_with_item(&mut out, "[]", name);
    }
    out.push(b'}');
    out
}

fn open_member(out: &mut Vec<u8>, key: &str) {
    separate(out, b'{');
    json::push_text(out, key);
    out.push(b':');
}

fn separate(out: &mut Vec<u8>, opener: u8) {
    if out.last() != Some(&opener) {
        out.push(b',');
    }
}

fn push_with_member(out: &mut Vec<u8>, object: &str, name: &str, value: &str) {
    json::push_compact(out, object);
    out.pop();
    if json::members(object, &[name]).is_none_or(|found| found.values[0].is_none()) {
        open_member(out, name);
        out.extend_from_slice(value.as_bytes());
    }
    out.push(b'}');
}

fn push_with_item(out: &mut Vec<u8>, array: &str, item: &str) {
    json::push_compact(out, array);
    if serde_json::from_str::<Vec<&str>>(array).is_ok_and(|items| items.contains(&item)) {
        return;
    }
    out.pop();
    separate(out, b'[');
    json::push_text(out, item);
    out.push(b']');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(root: &str, required: bool, expected: &str) {
        let root = serde_json::from_str(root).unwrap();
        let out = with_property(root, "w", r#"{"type":"string"}"#, required);
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn a_property_is_added_last_and_nothing_else_moves() {
        check(
            r#"{ "type": "object", "properties": { "b": {"type": "number"}, "a": true }, "required": ["b"] }"#,
            false,
            r#"{"type":"object","properties":{"b":{"type":"number"},"a":true,"w":{"type":"string"}},"required":["b"]}"#,
        );
        check(
            r#"{"type":"object","properties":{"a":{}},"required":["a"]}"#,
            true,
            r#"{"type":"object","properties":{"a":{},"w":{"type":"string"}},"required":["a","w"]}"#,
        );
    }

    #[test]
    fn a_schema_without_properties_gets_them() {
        check(
            r#"{"type":"object","additionalProperties":false}"#,
            true,
            r#"{"type":"object","additionalProperties":false,"properties":{"w":{"type":"string"}},"required":["w"]}"#,
        );
        check(
            r#"{"properties":{},"required":[]}"#,
            true,
            r#"{"properties":{"w":{"type":"string"}},"required":["w"]}"#,
        );
    }

    #[test]
    fn a_property_that_is_there_stays_as_declared() {
        check(r#"{"properties":{"w":{"x":1}}}"#, false, r#"{"properties":{"w":{"x":1}}}"#);
    }
}
