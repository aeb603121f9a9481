//! The visible name of a client: presentation, made safe to show.

use crate::json;
use ghostlight_transport::bridge::Client;
use ghostlight_transport::limits::CLIENT_NAME_CHARS;
use serde_json::value::RawValue;

/// `clientInfo` as it may be shown; `None` when it is malformed.
pub(crate) fn read(info: &RawValue) -> Option<Client> {
    let [name, version] = json::members(info.get(), &["name", "version"])?.values;
    let name = json::text(name?)?;
    let version = version.and_then(json::text).unwrap_or_default();
    Some(Client { name: printable(&name), version: printable(&version) })
}

/// At most 64 characters, none of which controls a terminal or turns the writing direction.
pub(crate) fn printable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() && !invisible(*c)).take(CLIENT_NAME_CHARS).collect()
}

fn invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_cut_and_cannot_control_what_shows_it() {
        for (info, name, version) in [
            (r#"{"name":"lantern","version":"1"}"#, "lantern", "1"),
            (r#"{"version":"1","name":"a\u0007\u001b[31m\u202eb\n"}"#, "a[31mb", "1"),
            (r#"{"name":"é\u2028","title":7}"#, "é", ""),
        ] {
            let client = read(serde_json::from_str(info).unwrap()).unwrap();
            assert_eq!((client.name.as_str(), client.version.as_str()), (name, version), "{info}");
        }
        let long = format!(r#"{{"name":"{}"}}"#, "ä".repeat(100));
        let client = read(serde_json::from_str(&long).unwrap()).unwrap();
        assert_eq!(client.name, "ä".repeat(64));
    }

    #[test]
    fn a_malformed_identity_is_none_at_all() {
        for info in ["[]", "{}", r#"{"name":7}"#, "null", r#"{"version":"1"}"#] {
            assert_eq!(read(serde_json::from_str(info).unwrap()), None, "{info}");
        }
    }
}
