//! The numbers by which a model names elements of one tab: each for one element of one document, never reused.

use ghostlight_transport::limits::REFERENCES_PER_TAB;
use std::collections::{BTreeMap, HashMap};

/// Where an element is: in which document of which frame, and the page agent's key for it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Node {
    pub(crate) frame: String,
    pub(crate) loader: String,
    pub(crate) key: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Refs {
    last: u64,
    /// Counts printings, so that the least recently printed reference goes first.
    printings: u64,
    nodes: HashMap<u64, Held>,
    numbers: HashMap<Node, u64>,
    order: BTreeMap<u64, u64>,
}

#[derive(Debug)]
struct Held {
    node: Node,
    printed: u64,
}

/// Why a text names no element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoRef {
    /// Not of the form `ref_12`.
    Malformed,
    /// This tab never had it.
    Unknown,
    /// So many came after it that it is no longer kept.
    Forgotten,
}

impl Refs {
    /// The number of an element that is about to be printed.
    pub(crate) fn number(&mut self, frame: &str, loader: &str, key: u64) -> u64 {
        let node = Node { frame: frame.into(), loader: loader.into(), key };
        let number = match self.numbers.get(&node) {
            Some(number) => *number,
            None => {
                self.last += 1;
                self.last
            }
        };
        self.printings += 1;
        self.numbers.insert(node.clone(), number);
        if let Some(held) = self.nodes.insert(number, Held { node, printed: self.printings }) {
            self.order.remove(&held.printed);
        }
        self.order.insert(self.printings, number);
        self.make_room();
        number
    }

    fn make_room(&mut self) {
        while self.nodes.len() > REFERENCES_PER_TAB
            && let Some((_, number)) = self.order.pop_first()
        {
            if let Some(held) = self.nodes.remove(&number) {
                self.numbers.remove(&held.node);
            }
        }
    }

    pub(crate) fn find(&self, text: &str) -> Result<&Node, NoRef> {
        let number = parse(text).ok_or(NoRef::Malformed)?;
        match self.nodes.get(&number) {
            Some(held) => Ok(&held.node),
            None if number == 0 || number > self.last => Err(NoRef::Unknown),
            None => Err(NoRef::Forgotten),
        }
    }
}

/// `ref_12`, as printed or without its brackets.
pub(crate) fn parse(text: &str) -> Option<u64> {
    let digits = text.trim().trim_start_matches('[').trim_end_matches(']').strip_prefix("ref_")?;
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_element_keeps_its_number_and_a_number_its_element() {
        let mut refs = Refs::default();
        assert_eq!(
            (refs.number("F", "A", 1), refs.number("F", "A", 2), refs.number("F", "A", 1)),
            (1, 2, 1)
        );
        assert_eq!(refs.number("F", "B", 1), 3, "the same key in another document");
        assert_eq!(refs.number("G", "A", 1), 4, "and in another frame");
        assert_eq!(refs.find("ref_3"), Ok(&Node { frame: "F".into(), loader: "B".into(), key: 1 }));
        assert_eq!(refs.find("[ref_1]").map(|node| node.loader.as_str()), Ok("A"));
    }

    #[test]
    fn what_names_nothing_is_told_apart() {
        let mut refs = Refs::default();
        refs.number("F", "A", 1);
        let cases = [
            ("ref_2", NoRef::Unknown),
            ("ref_0", NoRef::Unknown),
            ("1", NoRef::Malformed),
            ("ref_", NoRef::Malformed),
            ("ref_1x", NoRef::Malformed),
            ("", NoRef::Malformed),
            ("ref_99999999999999999999", NoRef::Malformed),
        ];
        for (text, expected) in cases {
            assert_eq!(refs.find(text), Err(expected), "{text}");
        }
    }

    #[test]
    fn the_least_recently_printed_goes_first_and_its_number_is_not_used_again() {
        let mut refs = Refs::default();
        for key in 1..=REFERENCES_PER_TAB as u64 {
            refs.number("F", "A", key);
        }
        refs.number("F", "A", 1);
        let next = refs.number("F", "A", 999_999);
        assert_eq!(next, REFERENCES_PER_TAB as u64 + 1);
        assert!(refs.find("ref_1").is_ok());
        assert_eq!(refs.find("ref_2"), Err(NoRef::Forgotten));
        assert_eq!(refs.number("F", "A", 2), next + 1);
    }
}
