//! The page agent's source as it travels to the extension: classic-script parts in order.

pub(crate) mod answers;

use ghostlight_transport::browser_wire::AgentPart;

macro_rules! part {
    ($name:literal) => {{
        const WHOLE: &[u8] = include_bytes!(concat!("../page/", $name, ".js"));
        const BARE: [u8; bare_length(WHOLE)] = bare(WHOLE);
        const SOURCE: &str = match std::str::from_utf8(&BARE) {
            Ok(source) => source,
            Err(_) => panic!("scripts are UTF-8"),
        };
        AgentPart { name: $name, source: SOURCE }
    }};
}

/// What of the line from `at` a browser needs, and where the next begins: neither indentation nor a comment.
const fn needed(text: &[u8], at: usize) -> (usize, usize, usize) {
    let mut from = at;
    while from < text.len() && text[from] == b' ' {
        from += 1;
    }
    let mut next = from;
    while next < text.len() && text[next] != b'\n' {
        next += 1;
    }
    let end = if next < text.len() { next + 1 } else { next };
    let is_comment = from + 1 < text.len() && text[from] == b'/' && text[from + 1] == b'/';
    if from == next || is_comment { (end, end, end) } else { (from, end, end) }
}

const fn bare_length(text: &[u8]) -> usize {
    let (mut at, mut length) = (0, 0);
    while at < text.len() {
        let (from, to, next) = needed(text, at);
        length += to - from;
        at = next;
    }
    length
}

const fn bare<const N: usize>(text: &[u8]) -> [u8; N] {
    let mut out = [0; N];
    let (mut at, mut length) = (0, 0);
    while at < text.len() {
        let (mut from, to, next) = needed(text, at);
        while from < to {
            out[length] = text[from];
            length += 1;
            from += 1;
        }
        at = next;
    }
    out
}

/// Later parts use what earlier ones leave behind; joined by newlines they are one script.
pub(crate) const PARTS: &[AgentPart] = &[
    part!("nodes"),
    part!("tree"),
    part!("areas"),
    part!("closed"),
    part!("roles"),
    part!("names"),
    part!("facts"),
    part!("rows"),
    part!("view"),
    part!("snapshot"),
    part!("words"),
    part!("find"),
    part!("target"),
    part!("watch"),
    part!("observe"),
    part!("fill"),
    part!("files"),
    part!("text"),
    part!("scroll"),
    part!("wait"),
];

/// Names this agent: SHA-256 over the joined script, in hex.
pub(crate) fn hash() -> String {
    let mut hash = hmac_sha256::Hash::new();
    for (index, part) in PARTS.iter().enumerate() {
        if index > 0 {
            hash.update(b"\n");
        }
        hash.update(part.source.as_bytes());
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_travels_without_indentation_and_comments() {
        const WHOLE: &[u8] =
            "// Says é.\n{\n  // Why.\n  say('//'); // so\n\n    a // b\n  }".as_bytes();
        const BARE: [u8; bare_length(WHOLE)] = bare(WHOLE);
        assert_eq!(std::str::from_utf8(&BARE), Ok("{\nsay('//'); // so\na // b\n}"));
        for part in PARTS {
            let odd =
                part.source.lines().find(|line| line.is_empty() || line.starts_with([' ', '/']));
            assert_eq!(odd, None, "{}", part.name);
        }
    }

    #[test]
    fn the_agent_is_named_by_its_whole_script() {
        let joined: Vec<_> = PARTS.iter().map(|part| part.source).collect();
        let whole = hmac_sha256::Hash::hash(joined.join("\n").as_bytes());
        let text: String = whole.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hash(), text);
        assert_eq!(text.len(), 64);
    }
}
