//! Page strings on one line: what could end a line, close a quote or reorder a text is spelled out.

use std::fmt::Write as _;

/// At most `limit` characters, with a mark where something was cut.
pub(crate) fn cut(text: &str, limit: usize) -> &str {
    match text.char_indices().nth(limit) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

/// Between quotes, cut to `limit` characters.
pub(crate) fn quoted(text: &str, limit: usize) -> String {
    let shown = cut(text, limit);
    let mut out = String::with_capacity(shown.len() + 8);
    out.push('"');
    for c in shown.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c => push(&mut out, c),
        }
    }
    if shown.len() < text.len() {
        out.push('…');
    }
    out.push('"');
    out
}

/// Without quotes: for a role, a type or an address, which hold no blanks; cut to `limit` characters.
pub(crate) fn flat(text: &str, limit: usize) -> String {
    let mut out = String::new();
    for c in cut(text, limit).chars() {
        match c {
            ' ' | '"' | '[' | ']' => {}
            c => push(&mut out, c),
        }
    }
    out
}

fn push(out: &mut String, c: char) {
    match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c if is_unseen(c) => {
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        }
        c => out.push(c),
    }
}

/// Characters that end lines, reorder text or hide words: controls, separators, bidi, tags, marks of no width.
pub(crate) fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_the_line_or_the_quote() {
        let cases = [
            ("plain", "\"plain\""),
            ("a\"b\\c", "\"a\\\"b\\\\c\""),
            ("a\nb\r\tc", "\"a\\nb\\r\\tc\""),
            ("a\u{202e}b\u{2028}c\u{85}d", "\"a\\u{202e}b\\u{2028}c\\u{85}d\""),
            ("\u{e0041}\u{200b}", "\"\\u{e0041}\\u{200b}\""),
            ("日本👨‍👩‍👧", "\"日本👨‍👩‍👧\""),
        ];
        for (given, expected) in cases {
            assert_eq!(quoted(given, 50), expected);
        }
    }

    #[test]
    fn cuts_fall_on_character_borders_and_show() {
        assert_eq!(quoted("äöü", 2), "\"äö…\"");
        assert_eq!(quoted("äöü", 3), "\"äöü\"");
        assert_eq!(flat("tex t\"][\n", 20), "text\\n");
    }
}
