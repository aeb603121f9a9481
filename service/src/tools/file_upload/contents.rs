//! The files as they came with the call: names without a path, base64 that is some, within the bound.

use crate::render::quoted;
use crate::tab::OwnedTab;
use crate::tool::Failure;
use ghostlight_transport::limits::UPLOAD_BYTES;
use serde::Deserialize;
use serde_json::{Value, json};

const NAME_BYTES: usize = 255;

#[derive(Debug, Deserialize)]
pub(super) struct Given {
    data: String,
    name: String,
    #[serde(rename = "mimeType")]
    kind: Option<String>,
}

/// The name of a screenshot, which is no base64, stands for the picture.
pub(super) fn with_pictures(mut files: Vec<Given>, tab: &OwnedTab) -> Result<Vec<Given>, Failure> {
    for file in files.iter_mut().filter(|file| file.data.starts_with("img_")) {
        let kept = tab.image(&file.data);
        let image =
            kept.ok_or_else(|| refused("There is no such picture, or it is kept no more"))?;
        file.data.clone_from(&image.data);
        file.kind.get_or_insert_with(|| image.mime.clone());
    }
    Ok(files)
}

/// As the page agent takes them.
pub(super) fn checked(files: Vec<Given>) -> Result<Value, Failure> {
    let mut all = 0;
    let mut out = Vec::with_capacity(files.len());
    for file in files {
        let name = quoted(&file.name, 60);
        if !is_name(&file.name) {
            return Err(refused(&format!(
                "{name} is no name of a file: no path, no control characters, 1 to {NAME_BYTES} bytes"
            )));
        }
        let Some(bytes) = decoded_length(&file.data) else {
            return Err(refused(&format!("The data of {name} is not base64")));
        };
        all += bytes;
        if all > UPLOAD_BYTES {
            return Err(refused(&format!(
                "The files have more than {UPLOAD_BYTES} bytes in all, which is the most one call may bring"
            )));
        }
        let kind = match &file.kind {
            Some(kind) if !is_kind(kind) => {
                return Err(refused(&format!("The mimeType of {name} is none, such as image/png")));
            }
            Some(kind) => kind.to_ascii_lowercase(),
            None => usual_kind(&file.name).to_owned(),
        };
        out.push(json!({ "name": file.name, "type": kind, "data": file.data }));
    }
    Ok(Value::Array(out))
}

fn refused(cause: &str) -> Failure {
    Failure::not_dispatched(format!("{cause}. Nothing was sent. Retry: safe, with other files."))
}

fn is_name(name: &str) -> bool {
    let odd = |c: char| c.is_control() || matches!(c, '/' | '\\');
    !name.is_empty()
        && name.len() <= NAME_BYTES
        && name != "."
        && name != ".."
        && !name.contains(odd)
}

fn is_kind(kind: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$&^_.+-".contains(&b))
    };
    kind.len() <= 127
        && kind.split_once('/').is_some_and(|(kind, rest)| is_part(kind) && is_part(rest))
}

/// How many bytes the text stands for; `None` when it is no base64.
fn decoded_length(text: &str) -> Option<usize> {
    let digits = text.strip_suffix("==").or_else(|| text.strip_suffix('=')).unwrap_or(text);
    let padded = text.len() != digits.len();
    let is_digit = |b: u8| b.is_ascii_alphanumeric() || b == b'+' || b == b'/';
    let fits = digits.bytes().all(is_digit)
        && digits.len() % 4 != 1
        && (!padded || text.len().is_multiple_of(4));
    fits.then_some(digits.len() * 3 / 4)
}

/// What browsers make of the ending of a name.
fn usual_kind(name: &str) -> &'static str {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    match ending.as_deref().unwrap_or_default() {
        "txt" | "log" => "text/plain",
        "csv" => "text/csv",
        "md" => "text/markdown",
        "html" | "htm" => "text/html",
        "xml" => "text/xml",
        "json" => "application/json",
        "pdf" => "application/pdf",
        "zip" => "application/zip",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "svg" => "image/svg+xml",
        "mp3" => "audio/mpeg",
        "mp4" => "video/mp4",
        "docx" => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "xlsx" => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(name: &str, data: &str, kind: Option<&str>) -> Given {
        Given { data: data.into(), name: name.into(), kind: kind.map(Into::into) }
    }

    #[test]
    fn files_get_the_kind_that_their_name_says() {
        let files = vec![
            given("A.PNG", "AAAA", None),
            given("b", "", None),
            given("c.txt", "QQ", Some("Text/X")),
        ];
        let out = checked(files).unwrap();
        let kinds: Vec<_> = (0..3).map(|at| out[at]["type"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["image/png", "", "text/x"]);
    }

    #[test]
    fn what_is_no_file_is_refused_by_name() {
        let long = "x".repeat(256);
        for name in ["", ".", "..", "../a", "/etc/passwd", "a\\b", "a\nb", "a\0", &long] {
            assert!(
                checked(vec![given(name, "", None)]).unwrap_err().own.contains("no name"),
                "{name}"
            );
        }
        for data in ["A", "AA=", "A===", "AA=A", "A A=", "Ä===", "AAAAA", "-_-_", "=="] {
            let failure = checked(vec![given("a", data, None)]).unwrap_err();
            assert!(failure.own.contains("not base64"), "{data}");
        }
        for kind in ["", "png", "image/", "image/png; x=1", "a/b/c"] {
            let failure = checked(vec![given("a", "", Some(kind))]).unwrap_err();
            assert!(failure.own.contains("mimeType"), "{kind}");
        }
    }

    #[test]
    fn a_length_is_that_of_the_bytes_and_the_bound_holds_for_all_together() {
        for (text, bytes) in
            [("", 0), ("QQ==", 1), ("QQ", 1), ("QUI=", 2), ("QUJD", 3), ("QUJDRA==", 4)]
        {
            assert_eq!(decoded_length(text), Some(bytes), "{text}");
        }
        let half = || given("a", &"A".repeat(UPLOAD_BYTES / 3 * 2), None);
        assert!(checked(vec![half()]).is_ok());
        assert!(checked(vec![half(), half()]).is_ok());
        assert!(checked(vec![half(), half(), half()]).unwrap_err().own.contains("in all"));
    }
}
