//! What a step acts on: an element as a listing names it, or a patch of colour in a screenshot.

use crate::reply::Element;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// `button "Save"`; `textbox 2` is the second of its role, `*` is any role.
    Named { role: String, name: Option<String>, nth: usize },
    /// `#ff8800 +10,-4`: from the middle of that colour.
    Colour { rgb: [u8; 3], right: i32, down: i32 },
}

impl Target {
    /// The target that a text begins with, and what follows it.
    pub fn read(text: &str) -> Result<(Self, &str), String> {
        let text = text.trim_start();
        let (word, rest) = word(text);
        if let Some(digits) = word.strip_prefix('#') {
            let number = u32::from_str_radix(digits, 16).map_err(|_| format!("colour {word}"))?;
            let [_, r, g, b] = number.to_be_bytes();
            let (right, down, rest) = offset(rest)?;
            return Ok((Self::Colour { rgb: [r, g, b], right, down }, rest));
        }
        let (name, rest) = name(rest)?;
        let (nth, rest) = number(rest);
        Ok((Self::Named { role: word.to_owned(), name, nth }, rest))
    }

    /// What a reader of these lines takes for the target: the same name before one that begins with it before one that has it.
    #[must_use]
    pub fn among<'e>(&self, elements: &'e [Element]) -> Option<&'e Element> {
        (0..3).find_map(|rank| self.ranked(elements, rank))
    }

    /// Only what has the very name.
    #[must_use]
    pub fn exactly<'e>(&self, elements: &'e [Element]) -> Option<&'e Element> {
        self.ranked(elements, 0)
    }

    fn ranked<'e>(&self, elements: &'e [Element], rank: usize) -> Option<&'e Element> {
        let Self::Named { role, name, nth } = self else { return None };
        let wanted = name.as_deref().map(folded);
        let fits = |element: &&Element| {
            let named = folded(&element.name);
            let named_so = wanted.as_deref().is_none_or(|wanted| match rank {
                0 => named == wanted,
                1 => named.starts_with(wanted),
                _ => named.contains(wanted) && named.len() < wanted.len() + 40,
            });
            named_so && (role == "*" || role.split('|').any(|role| role == element.role))
        };
        elements.iter().filter(fits).nth(nth - 1)
    }
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The first word and what follows it.
pub(super) fn word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_once(char::is_whitespace).unwrap_or((text, ""))
}

fn name(text: &str) -> Result<(Option<String>, &str), String> {
    let text = text.trim_start();
    if !text.starts_with('"') {
        return Ok((None, text));
    }
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<String>();
    match values.next() {
        Some(Ok(name)) => Ok((Some(name), &text[values.byte_offset()..])),
        _ => Err(format!("no name in {text}")),
    }
}

fn number(text: &str) -> (usize, &str) {
    let (word, rest) = word(text);
    word.parse().map_or((1, text), |number| (number, rest))
}

fn offset(text: &str) -> Result<(i32, i32, &str), String> {
    let (word, rest) = word(text);
    if !word.starts_with(['+', '-']) {
        return Ok((0, 0, text));
    }
    let pair = word.split_once(',').and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)));
    pair.map(|(x, y)| (x, y, rest)).ok_or_else(|| format!("offset {word}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_read_and_what_follows_is_left() {
        let named = |role: &str, name: Option<&str>, nth| Target::Named {
            role: role.to_owned(),
            name: name.map(str::to_owned),
            nth,
        };
        let cases = [
            ("button \"Save\"", named("button", Some("Save"), 1), ""),
            ("textbox 2 = x", named("textbox", None, 2), "= x"),
            ("* \"Say \\\"hi\\\"\" to y", named("*", Some("Say \"hi\""), 1), " to y"),
            ("#ff8000 +3,-4 to", Target::Colour { rgb: [255, 128, 0], right: 3, down: -4 }, "to"),
        ];
        for (text, target, rest) in cases {
            assert_eq!(Target::read(text), Ok((target, rest)), "{text}");
        }
        assert!(Target::read("#xyz").is_err());
    }

    #[test]
    fn the_same_name_wins_over_a_longer_one() {
        let element = |name: &str| Element {
            role: "option".to_owned(),
            name: name.to_owned(),
            reference: name.to_owned(),
            line: String::new(),
        };
        let listed = [element("Fruit salad"), element("Fruit")];
        let (target, _) = Target::read("option \"fruit\"").unwrap();
        assert_eq!(target.among(&listed).unwrap().name, "Fruit");
        let (second, _) = Target::read("option 2").unwrap();
        assert_eq!(second.among(&listed).unwrap().name, "Fruit");
        let (other, _) = Target::read("button \"Fruit\"").unwrap();
        assert_eq!(other.among(&listed), None);
    }
}
