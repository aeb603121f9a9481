//! What changed between two readings of one tab, line by line in document order.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// A printed line: the element it stands for, if it has a reference, and its text without indent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Printed {
    pub(crate) number: Option<u64>,
    pub(crate) text: String,
}

/// Lines that came (`+`), went (`-`) or say something else about the same element (`~`).
pub(crate) fn changes(before: &[Printed], after: &[Printed]) -> Vec<String> {
    let old: HashMap<u64, &str> =
        before.iter().filter_map(|line| Some((line.number?, line.text.as_str()))).collect();
    let kept: HashSet<u64> = after.iter().filter_map(|line| line.number).collect();
    let (mut loose_before, mut loose_after) = (counts(before), counts(after));
    let mut out = Vec::new();
    for line in before {
        let went = match line.number {
            Some(number) => !kept.contains(&number),
            None => !take(&mut loose_after, &line.text),
        };
        if went {
            out.push(format!("- {}", line.text));
        }
    }
    for line in after {
        match line.number.map(|number| old.get(&number)) {
            Some(Some(text)) if **text == line.text => {}
            Some(Some(_)) => out.push(format!("~ {}", line.text)),
            Some(None) => out.push(format!("+ {}", line.text)),
            None if take(&mut loose_before, &line.text) => {}
            None => out.push(format!("+ {}", line.text)),
        }
    }
    out
}

fn digest(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// How often each line without a reference occurs.
fn counts(lines: &[Printed]) -> HashMap<u64, usize> {
    let mut counts = HashMap::new();
    for line in lines.iter().filter(|line| line.number.is_none()) {
        *counts.entry(digest(&line.text)).or_insert(0) += 1;
    }
    counts
}

fn take(counts: &mut HashMap<u64, usize>, text: &str) -> bool {
    match counts.get_mut(&digest(text)) {
        Some(left) if *left > 0 => {
            *left -= 1;
            true
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(texts: &[(u64, &str)]) -> Vec<Printed> {
        texts
            .iter()
            .map(|(number, text)| Printed {
                number: (*number > 0).then_some(*number),
                text: (*text).into(),
            })
            .collect()
    }

    #[test]
    fn came_went_and_changed_are_told_apart() {
        let before = lines(&[
            (1, "button a"),
            (2, "button b"),
            (0, "\"text\""),
            (0, "\"text\""),
            (3, "link c"),
        ]);
        let after = lines(&[
            (1, "button a"),
            (2, "button b disabled"),
            (0, "\"text\""),
            (0, "\"new\""),
            (4, "link d"),
        ]);
        assert_eq!(
            changes(&before, &after),
            ["- \"text\"", "- link c", "~ button b disabled", "+ \"new\"", "+ link d",]
        );
        assert!(changes(&before, &before).is_empty());
    }

    #[test]
    fn text_that_looks_like_an_element_is_only_text() {
        let before = lines(&[(1, "button a")]);
        let after = lines(&[(1, "button a"), (0, "button a")]);
        assert_eq!(changes(&before, &after), ["+ button a"]);
    }
}
