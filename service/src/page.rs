//! The page agent's source as it travels to the extension: classic-script parts in order.

pub(crate) mod answers;

use ghostlight_transport::browser_wire::AgentPart;

macro_rules! part {
    ($name:literal) => {
        AgentPart { name: $name, source: include_str!(concat!("../page/", $name, ".js")) }
    };
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
    fn the_agent_is_named_by_its_whole_script() {
        let joined: Vec<_> = PARTS.iter().map(|part| part.source).collect();
        let whole = hmac_sha256::Hash::hash(joined.join("\n").as_bytes());
        let text: String = whole.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hash(), text);
        assert_eq!(text.len(), 64);
    }
}
