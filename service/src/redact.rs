//! Secrets taken out of what a page wrote on its console, asked of the network or got from it. Pure.
//!
//! A secret is told by the name before it: `token=…`, `"password": "…"`, `Authorization: Bearer …`. What
//! is not certain to have ended stays hidden to the end of the text.

const HIDDEN: &str = "[redacted]";
/// A name that ends like this, its dashes left out, names a secret anywhere.
const SECRET: [&str; 24] = [
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "token",
    "apikey",
    "accesskey",
    "privatekey",
    "authorization",
    "cookie",
    "session",
    "sessionid",
    "sid",
    "signature",
    "otp",
    "cvv",
    "cvc",
    "cardnumber",
    "csrf",
    "xsrf",
    "jwt",
    "credential",
    "assertion",
];
/// And these only in the query of an address, where they stand for logins: elsewhere they are plain words.
const SECRET_IN_QUERY: [&str; 6] = ["code", "key", "auth", "state", "sig", "samlresponse"];
/// A value of the query this long that is one run of letters and digits is a key of some kind.
const OPAQUE: usize = 40;

/// `text` with each secret replaced.
pub(crate) fn redacted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut kept = 0;
    let mut at = 0;
    while at < text.len() {
        let Some(word) = word_at(text, at) else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
            continue;
        };
        let found = secret_after(text, at, word).or_else(|| own_secret(text, at, word));
        match found {
            Some((start, end)) => {
                out.push_str(&text[kept..start]);
                out.push_str(HIDDEN);
                (kept, at) = (end, end);
            }
            None => at = word,
        }
    }
    out.push_str(&text[kept..]);
    out
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// The end of the word that begins at `at`.
fn word_at(text: &str, at: usize) -> Option<usize> {
    let length = text.as_bytes()[at..].iter().take_while(|byte| is_word(**byte)).count();
    (length > 0).then_some(at + length)
}

/// The value of a secret named by the word from `at` to `end`.
fn secret_after(text: &str, at: usize, end: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let in_query = at > 0 && matches!(bytes[at - 1], b'?' | b'&' | b'#' | b';');
    let mut behind = end;
    while matches!(bytes.get(behind), Some(b'"' | b'\'' | b'\\' | b']' | b' ')) {
        behind += 1;
    }
    let mark = *bytes.get(behind)?;
    if !matches!(mark, b'=' | b':') {
        return None;
    }
    let named = is_secret(&text[at..end], in_query);
    if !named && !in_query {
        return None;
    }
    if !named {
        return opaque_at(text, behind + 1);
    }
    let (start, stop) = value(text, behind + 1);
    (stop > start).then_some((start, stop))
}

/// Read no further than it may reach: what is not taken out is read again from its next word on.
fn opaque_at(text: &str, start: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let fits = |b: &&u8| is_word(**b) || matches!(**b, b'.' | b'%' | b'~');
    let stop = start + bytes[start..].iter().take_while(fits).count();
    let whole = bytes.get(stop).is_none_or(is_end);
    (whole && is_opaque(&text[start..stop])).then_some((start, stop))
}

fn is_secret(name: &str, in_query: bool) -> bool {
    let bare: String =
        name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    let bare = bare.strip_suffix('s').unwrap_or(&bare);
    SECRET.iter().any(|secret| bare.ends_with(secret))
        || (in_query && SECRET_IN_QUERY.contains(&bare))
}

fn is_opaque(value: &str) -> bool {
    value.len() >= OPAQUE
        && value.bytes().any(|b| b.is_ascii_digit())
        && value.bytes().any(|b| b.is_ascii_alphabetic())
}

/// Of a value without quotes.
fn is_end(byte: &u8) -> bool {
    matches!(byte, b'&' | b';' | b',' | b'"' | b'\'' | b')' | b'}' | b']' | b'#' | b'\\')
        || byte.is_ascii_whitespace()
}

/// Where the value behind a mark begins and ends, its quotes left out.
fn value(text: &str, from: usize) -> (usize, usize) {
    let bytes = text.as_bytes();
    let mut start = from;
    while bytes.get(start) == Some(&b' ') {
        start += 1;
    }
    let slashes = bytes[start..].iter().take_while(|byte| **byte == b'\\').count();
    if let Some(quote @ (b'"' | b'\'')) = bytes.get(start + slashes).copied() {
        let start = start + slashes + 1;
        return (start, quoted_end(bytes, start, quote, slashes));
    }
    let end = |from: usize| from + bytes[from..].iter().take_while(|b| !is_end(b)).count();
    let stop = end(start);
    // A scheme before the key itself: `Bearer …`.
    let is_scheme = matches!(
        text[start..stop].to_ascii_lowercase().as_str(),
        "bearer" | "basic" | "digest" | "token"
    );
    if is_scheme && bytes.get(stop) == Some(&b' ') { (start, end(stop + 1)) } else { (start, stop) }
}

/// The closing quote has as many backslashes before it as the opening one; text may be quoted twice.
fn quoted_end(bytes: &[u8], start: usize, quote: u8, slashes: usize) -> usize {
    let mut run = 0;
    for (at, byte) in bytes.iter().enumerate().skip(start) {
        match *byte {
            b'\\' => run += 1,
            byte if byte == quote && (run <= slashes || (slashes == 0 && run % 2 == 0)) => {
                return at - run.min(slashes);
            }
            _ => run = 0,
        }
    }
    bytes.len()
}

/// A key that is one by its own looks: a signed token, what follows `Bearer`, a name and password before a host.
fn own_secret(text: &str, at: usize, end: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let run = |from: usize, also: &[u8]| {
        from + bytes[from..].iter().take_while(|b| is_word(**b) || also.contains(b)).count()
    };
    let word = &text[at..end];
    if word.starts_with("eyJ") {
        let whole = run(at, b".");
        if whole - at >= 30 && text[at..whole].contains('.') {
            return Some((at, whole));
        }
    }
    if matches!(word.to_ascii_lowercase().as_str(), "bearer" | "basic")
        && bytes.get(end) == Some(&b' ')
    {
        let stop = run(end + 1, b".~+/=");
        return (stop - end > 12).then_some((end + 1, stop));
    }
    if !text[..at].ends_with("://") {
        return None;
    }
    let stop = run(at, b".:%!$&'()*+,;=~");
    let is_login = bytes.get(stop) == Some(&b'@');
    is_login.then_some((at, stop))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_taken_out_and_the_rest_stays() {
        let cases = [
            (
                "https://a.test/x?page=2&token=s3cret&q=a",
                "https://a.test/x?page=2&token=[redacted]&q=a",
            ),
            (
                "/cb?code=s3cret&state=s3cret#access_token=s3cret",
                "/cb?code=[redacted]&state=[redacted]#access_token=[redacted]",
            ),
            ("https://me:s3cret@a.test/", "https://[redacted]@a.test/"),
            ("?t=s3cret0123456789012345678901234567890123", "?t=[redacted]"),
            (
                "?id=550e8400-e29b-41d4-a716-446655440000",
                "?id=550e8400-e29b-41d4-a716-446655440000",
            ),
            (r#"{"password":"s3cret","user":"ada"}"#, r#"{"password":"[redacted]","user":"ada"}"#),
            (r#"{"password":"a\"s3cret","n":1}"#, r#"{"password":"[redacted]","n":1}"#),
            (r#"{"password":"a\\","n":1}"#, r#"{"password":"[redacted]","n":1}"#),
            (
                r#""{\"apiKey\":\"s3\\\"cret\",\"n\":1}""#,
                r#""{\"apiKey\":\"[redacted]\",\"n\":1}""#,
            ),
            (r#"{"token": "s3cret cut off he"#, r#"{"token": "[redacted]"#),
            ("Authorization: Bearer s3cret.x, next", "Authorization: [redacted], next"),
            ("sent Bearer s3cret123456789 to", "sent Bearer [redacted] to"),
            ("jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.s3cret here", "jwt [redacted] here"),
            ("user[password]=s3cret&x=1", "user[password]=[redacted]&x=1"),
            ("Set-Cookie: s3cret; Path=/", "Set-Cookie: [redacted]; Path=/"),
            ("{clientSecret: 's3cret', a: 1}", "{clientSecret: '[redacted]', a: 1}"),
            ("PASSWORD = s3cret", "PASSWORD = [redacted]"),
            ("error code: 500, key: x", "error code: 500, key: x"),
            ("the password is wrong", "the password is wrong"),
            ("passwört=é token=ß;é", "passwört=é token=[redacted];é"),
            ("tokens: 5", "tokens: [redacted]"),
            ("token=", "token="),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(redacted(text), expected, "{text}");
            assert!(!expected.contains("s3cret") || text.is_empty());
        }
    }

    /// With a reading of the rest at each word, one of these would take an hour.
    #[test]
    fn a_text_is_read_once_whatever_a_page_puts_into_it() {
        for part in [
            "a.",
            "?a=",
            "eyJ.",
            "eyJ",
            "token=",
            "token=,",
            "token=\"",
            "token= ",
            "a\"",
            "://a",
            "://a:",
            "bearer ",
            "&a=b.",
            "?a=0123456789abcdef0123456789abcdef?",
            "\\",
            "a]",
        ] {
            let text = part.repeat((1 << 18) / part.len());
            assert!(redacted(&text).len() <= text.len() * 8, "{part}");
        }
    }

    #[test]
    fn any_cut_of_a_text_keeps_its_secret_hidden() {
        let text =
            r#"é https://a:s3cret@b/?token=s3cret "password":"a\"s3cret" Bearer s3cret0123456789"#;
        for (end, _) in text.char_indices() {
            let out = redacted(&text[..end]);
            assert!(
                !out.contains("s3cret@") && !out.contains("=s3cret") && !out.contains("\\\"s3"),
                "{out}"
            );
        }
    }
}
