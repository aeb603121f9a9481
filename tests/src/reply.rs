//! What a tool call came back with, as a client sees it.

use crate::base64;
use serde_json::Value;

#[derive(Debug, Clone)]
pub struct Reply {
    /// All text blocks, joined by newlines.
    pub text: String,
    pub structured: Value,
    pub images: Vec<Picture>,
    /// The JSON-RPC error, when there was no result.
    pub error: Option<Value>,
    pub is_error: bool,
}

#[derive(Debug, Clone)]
pub struct Picture {
    pub mime: String,
    pub base64: String,
    pub bytes: Vec<u8>,
}

/// One element as a listing names it: `role "name" [ref_N] …`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    pub role: String,
    pub name: String,
    pub reference: String,
    pub line: String,
}

impl Reply {
    /// # Panics
    /// When a picture in the response is not base64.
    #[must_use]
    pub fn read(mut response: Value) -> Self {
        let mut result = response["result"].take();
        let error = response.get_mut("error").map(Value::take);
        let structured = result["structuredContent"].take();
        let is_error = result["isError"] == true;
        let mut reply =
            Self { text: String::new(), structured, images: Vec::new(), error, is_error };
        for block in result["content"].as_array().into_iter().flatten() {
            if let Some(text) = block["text"].as_str() {
                let gap = if reply.text.is_empty() { "" } else { "\n" };
                reply.text += &format!("{gap}{text}");
            } else if let Some(data) = block["data"].as_str() {
                let mime = block["mimeType"].as_str().unwrap_or_default().to_owned();
                let bytes = base64::decode(data).expect("a picture is base64");
                reply.images.push(Picture { mime, base64: data.to_owned(), bytes });
            }
        }
        reply
    }

    #[must_use]
    pub fn is_success(&self) -> bool {
        self.error.is_none() && !self.is_error
    }

    /// A result that says `isError`.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        self.error.is_none() && self.is_error
    }

    /// The code of the JSON-RPC error, or 0.
    #[must_use]
    pub fn code(&self) -> i64 {
        self.error.as_ref().and_then(|error| error["code"].as_i64()).unwrap_or(0)
    }

    /// The words that a model would see, of whatever kind this is.
    #[must_use]
    pub fn words(&self) -> &str {
        let message = self.error.as_ref().and_then(|error| error["message"].as_str());
        message.unwrap_or(&self.text)
    }

    /// The tab that the result names.
    ///
    /// # Panics
    /// When it names none.
    #[must_use]
    pub fn tab_id(&self) -> i64 {
        let id = self.structured["tabId"].as_i64();
        id.unwrap_or_else(|| panic!("no tabId in {self:#?}"))
    }

    /// The workspace that the result names.
    ///
    /// # Panics
    /// When it names none.
    #[must_use]
    pub fn workspace(&self) -> String {
        let id = self.structured["workspaceId"].as_str();
        id.unwrap_or_else(|| panic!("no workspaceId in {self:#?}")).to_owned()
    }

    /// The elements listed in the text, in order.
    #[must_use]
    pub fn elements(&self) -> Vec<Element> {
        self.text.lines().filter_map(element).collect()
    }

    /// The reference of the one element that has this role and a name that contains this text.
    ///
    /// # Panics
    /// When there is no such element in the text.
    pub fn reference(&self, role: &str, name: &str) -> String {
        let elements = self.elements();
        let found = elements.iter().find(|e| e.role == role && e.name.contains(name));
        match found {
            Some(element) => element.reference.clone(),
            None => panic!("no {role} {name:?} in\n{}", self.text),
        }
    }
}

fn element(line: &str) -> Option<Element> {
    let at = line.find("[ref_")?;
    let reference = line[at + 1..].split(']').next()?.to_owned();
    let before = line.trim_start_matches(|c: char| c == '[' || c.is_whitespace());
    let role = before.split([' ', '"']).find(|word| !word.starts_with("ref_"))?.to_owned();
    let name = line.find('"').map(|quote| quoted(&line[quote + 1..])).unwrap_or_default();
    Some(Element { role, name, reference, line: line.trim().to_owned() })
}

/// The text up to the closing quote.
fn quoted(text: &str) -> String {
    let (mut out, mut escaped) = (String::new(), false);
    for c in text.chars() {
        match (escaped, c) {
            (false, '"') => break,
            (false, '\\') => escaped = true,
            _ => {
                out.push(c);
                escaped = false;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_read_out_of_a_listing_with_the_reference_at_either_end() {
        let cases = [
            ("  textbox \"Your name\" [ref_12] value=\"\"", "textbox", "Your name", "ref_12"),
            ("[ref_3] button \"Book now\" at (10, 20)", "button", "Book now", "ref_3"),
            (r#"link "Say \"hi\"" [ref_4]"#, "link", "Say \"hi\"", "ref_4"),
        ];
        for (line, role, name, reference) in cases {
            let found = element(line).unwrap();
            assert_eq!((&*found.role, &*found.name, &*found.reference), (role, name, reference));
        }
        assert_eq!(element("plain text"), None);
    }
}
