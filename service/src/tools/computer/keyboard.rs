//! A US keyboard: characters and key names as the events that a real one would make. Pure.

use serde_json::{Value, json};

pub(crate) const ALT: u32 = 1;
pub(crate) const CTRL: u32 = 2;
pub(crate) const META: u32 = 4;
pub(crate) const SHIFT: u32 = 8;

/// One key, with what it writes when it writes something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Key {
    key: String,
    code: String,
    number: u32,
    text: Option<String>,
    location: u32,
    shift: bool,
}

/// Keys held together: `modifiers` and one other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Chord {
    modifiers: u32,
    key: Key,
}

/// Name as lower case, `key`, `code`, key number, text, location.
type Named = (&'static str, &'static str, &'static str, u32, Option<&'static str>, u32);

const NAMED: &[Named] = &[
    ("enter", "Enter", "Enter", 13, Some("\r"), 0),
    ("return", "Enter", "Enter", 13, Some("\r"), 0),
    ("tab", "Tab", "Tab", 9, None, 0),
    ("escape", "Escape", "Escape", 27, None, 0),
    ("esc", "Escape", "Escape", 27, None, 0),
    ("backspace", "Backspace", "Backspace", 8, None, 0),
    ("delete", "Delete", "Delete", 46, None, 0),
    ("del", "Delete", "Delete", 46, None, 0),
    ("insert", "Insert", "Insert", 45, None, 0),
    ("space", " ", "Space", 32, Some(" "), 0),
    ("home", "Home", "Home", 36, None, 0),
    ("end", "End", "End", 35, None, 0),
    ("pageup", "PageUp", "PageUp", 33, None, 0),
    ("page_up", "PageUp", "PageUp", 33, None, 0),
    ("pagedown", "PageDown", "PageDown", 34, None, 0),
    ("page_down", "PageDown", "PageDown", 34, None, 0),
    ("arrowup", "ArrowUp", "ArrowUp", 38, None, 0),
    ("up", "ArrowUp", "ArrowUp", 38, None, 0),
    ("arrowdown", "ArrowDown", "ArrowDown", 40, None, 0),
    ("down", "ArrowDown", "ArrowDown", 40, None, 0),
    ("arrowleft", "ArrowLeft", "ArrowLeft", 37, None, 0),
    ("left", "ArrowLeft", "ArrowLeft", 37, None, 0),
    ("arrowright", "ArrowRight", "ArrowRight", 39, None, 0),
    ("right", "ArrowRight", "ArrowRight", 39, None, 0),
    ("capslock", "CapsLock", "CapsLock", 20, None, 0),
    ("contextmenu", "ContextMenu", "ContextMenu", 93, None, 0),
    ("menu", "ContextMenu", "ContextMenu", 93, None, 0),
    ("printscreen", "PrintScreen", "PrintScreen", 44, None, 0),
    ("plus", "+", "Equal", 187, Some("+"), 0),
    ("minus", "-", "Minus", 189, Some("-"), 0),
];

const MODIFIERS: &[(&str, u32)] = &[
    ("alt", ALT),
    ("option", ALT),
    ("ctrl", CTRL),
    ("control", CTRL),
    ("cmd", META),
    ("command", META),
    ("meta", META),
    ("super", META),
    ("win", META),
    ("windows", META),
    ("shift", SHIFT),
];

/// `key`, `code`, key number of a modifier held by itself.
fn modifier_key(bit: u32) -> Key {
    let (key, code, number) = match bit {
        ALT => ("Alt", "AltLeft", 18),
        CTRL => ("Control", "ControlLeft", 17),
        META => ("Meta", "MetaLeft", 91),
        _ => ("Shift", "ShiftLeft", 16),
    };
    Key { key: key.into(), code: code.into(), number, text: None, location: 1, shift: false }
}

/// Punctuation: plain, shifted, `code`, key number.
const MARKS: &[(char, char, &str, u32)] = &[
    ('`', '~', "Backquote", 192),
    ('-', '_', "Minus", 189),
    ('=', '+', "Equal", 187),
    ('[', '{', "BracketLeft", 219),
    (']', '}', "BracketRight", 221),
    ('\\', '|', "Backslash", 220),
    (';', ':', "Semicolon", 186),
    ('\'', '"', "Quote", 222),
    (',', '<', "Comma", 188),
    ('.', '>', "Period", 190),
    ('/', '?', "Slash", 191),
];
const DIGITS_SHIFTED: &str = ")!@#$%^&*(";

/// The key that writes `c`, if the keyboard has one.
pub(crate) fn of_char(c: char) -> Option<Key> {
    let written = |code: String, number: u32, shift: bool| Key {
        key: c.to_string(),
        code,
        number,
        text: Some(c.to_string()),
        location: 0,
        shift,
    };
    match c {
        '\n' | '\r' => named("enter"),
        '\t' => named("tab"),
        ' ' => named("space"),
        'a'..='z' | 'A'..='Z' => {
            let upper = c.to_ascii_uppercase();
            Some(written(format!("Key{upper}"), u32::from(upper), c.is_ascii_uppercase()))
        }
        '0'..='9' => Some(written(format!("Digit{c}"), u32::from(c), false)),
        _ => {
            if let Some(at) = DIGITS_SHIFTED.chars().position(|mark| mark == c) {
                let number = 48 + u32::try_from(at).unwrap_or_default();
                return Some(written(format!("Digit{at}"), number, true));
            }
            let (plain, _, code, number) =
                MARKS.iter().find(|(plain, shifted, ..)| *plain == c || *shifted == c)?;
            Some(written((*code).into(), *number, *plain != c))
        }
    }
}

fn named(name: &str) -> Option<Key> {
    let name = name.to_ascii_lowercase();
    if let Some((_, key, code, number, text, location)) = NAMED.iter().find(|row| row.0 == name) {
        let text = text.map(Into::into);
        return Some(Key {
            key: (*key).into(),
            code: (*code).into(),
            number: *number,
            text,
            location: *location,
            shift: *key == "+",
        });
    }
    let number: u32 =
        name.strip_prefix('f')?.parse().ok().filter(|number| (1..=24).contains(number))?;
    let key = format!("F{number}");
    Some(Key {
        code: key.clone(),
        key,
        number: 111 + number,
        text: None,
        location: 0,
        shift: false,
    })
}

/// `ctrl+shift+a`, `Enter`, `+`; or what in it is no key.
pub(crate) fn chord(text: &str) -> Result<Chord, String> {
    let mut parts: Vec<&str> = text.split('+').collect();
    if text.ends_with('+') {
        // The plus itself: "+" or "ctrl++".
        parts.truncate(parts.len().saturating_sub(2));
        parts.push("+");
    }
    let last = parts.pop().unwrap_or_default();
    let mut modifiers = 0;
    for part in parts {
        modifiers |= modifier(part).ok_or_else(|| part.to_owned())?;
    }
    if let Some(bit) = modifier(last) {
        return Ok(Chord { modifiers, key: modifier_key(bit) });
    }
    let mut letters = last.chars();
    let key = match (letters.next(), letters.next()) {
        // ctrl+A means ctrl+a: the capital is how shortcuts are written.
        (Some(one), None) if modifiers & (CTRL | ALT | META) != 0 => {
            of_char(one.to_ascii_lowercase())
        }
        (Some(one), None) => of_char(one),
        _ => named(last),
    };
    let key = key.ok_or_else(|| last.to_owned())?;
    if key.shift {
        modifiers |= SHIFT;
    }
    Ok(Chord { modifiers, key: key.with(modifiers) })
}

fn modifier(name: &str) -> Option<u32> {
    let name = name.to_ascii_lowercase();
    MODIFIERS.iter().find(|row| row.0 == name).map(|row| row.1)
}

/// `ctrl+shift` as the bits of an input event; or what in it is no modifier.
pub(crate) fn modifiers(text: &str) -> Result<u32, String> {
    let parts = text.split('+').map(str::trim).filter(|part| !part.is_empty());
    parts
        .map(|part| modifier(part).ok_or_else(|| part.to_owned()))
        .try_fold(0, |bits, bit| Ok(bits | bit?))
}

impl Key {
    /// As it comes with modifiers: shift makes capitals, the others write nothing.
    fn with(mut self, modifiers: u32) -> Self {
        if modifiers & (CTRL | ALT | META) != 0 {
            self.text = None;
        } else if modifiers & SHIFT != 0
            && self.key.len() == 1
            && self.key.as_bytes()[0].is_ascii_lowercase()
        {
            self.key = self.key.to_ascii_uppercase();
            self.text = Some(self.key.clone());
        }
        self
    }

    fn event(&self, kind: &str, modifiers: u32) -> Value {
        let mut event = json!({ "type": kind, "key": self.key, "code": self.code, "windowsVirtualKeyCode": self.number,
            "nativeVirtualKeyCode": self.number, "modifiers": modifiers });
        if self.location > 0 {
            event["location"] = self.location.into();
        }
        event
    }

    fn down(&self, modifiers: u32) -> Value {
        match &self.text {
            Some(text) => {
                let mut event = self.event("keyDown", modifiers);
                event["text"] = text.as_str().into();
                event["unmodifiedText"] = text.as_str().into();
                event
            }
            None => self.event("rawKeyDown", modifiers),
        }
    }

    /// Down and up, as when typing: shift is in the event, not pressed by itself.
    pub(crate) fn typed(&self) -> [Value; 2] {
        let modifiers = if self.shift { SHIFT } else { 0 };
        [self.down(modifiers), self.event("keyUp", modifiers)]
    }
}

impl Chord {
    /// Each modifier down, the key down and up, the modifiers up again.
    pub(crate) fn events(&self) -> Vec<Value> {
        let held: Vec<u32> =
            [CTRL, ALT, SHIFT, META].into_iter().filter(|bit| self.modifiers & bit != 0).collect();
        let mut events = Vec::new();
        let mut down = 0;
        for bit in &held {
            down |= bit;
            events.push(modifier_key(*bit).event("rawKeyDown", down));
        }
        events.push(self.key.down(down));
        events.push(self.key.event("keyUp", down));
        for bit in held.iter().rev() {
            down &= !bit;
            events.push(modifier_key(*bit).event("keyUp", down));
        }
        events
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(events: &[Value]) -> Vec<String> {
        let show = |event: &Value| {
            let text = event
                .get("text")
                .and_then(Value::as_str)
                .map(|text| format!("={text:?}"))
                .unwrap_or_default();
            format!(
                "{} {}{text} {}",
                event["type"].as_str().unwrap(),
                event["code"].as_str().unwrap(),
                event["modifiers"]
            )
        };
        events.iter().map(show).collect()
    }

    #[test]
    fn every_printable_character_of_ascii_has_its_key() {
        for c in ' '..='~' {
            let key = of_char(c).unwrap_or_else(|| panic!("{c:?}"));
            assert_eq!(key.text.as_deref(), Some(c.to_string().as_str()));
        }
        for c in ['é', '日', '\u{7f}', '\0', '👍'] {
            assert_eq!(of_char(c), None, "{c:?}");
        }
    }

    const CHORDS: &[(&str, &[&str])] = &[
        ("a", &["keyDown KeyA=\"a\" 0", "keyUp KeyA 0"]),
        ("Return", &["keyDown Enter=\"\\r\" 0", "keyUp Enter 0"]),
        (
            "ctrl+a",
            &[
                "rawKeyDown ControlLeft 2",
                "rawKeyDown KeyA 2",
                "keyUp KeyA 2",
                "keyUp ControlLeft 0",
            ],
        ),
        (
            "shift+a",
            &[
                "rawKeyDown ShiftLeft 8",
                "keyDown KeyA=\"A\" 8",
                "keyUp KeyA 8",
                "keyUp ShiftLeft 0",
            ],
        ),
        (
            "Ctrl+Shift+Tab",
            &[
                "rawKeyDown ControlLeft 2",
                "rawKeyDown ShiftLeft 10",
                "rawKeyDown Tab 10",
                "keyUp Tab 10",
                "keyUp ShiftLeft 2",
                "keyUp ControlLeft 0",
            ],
        ),
        (
            "cmd+C",
            &["rawKeyDown MetaLeft 4", "rawKeyDown KeyC 4", "keyUp KeyC 4", "keyUp MetaLeft 0"],
        ),
        (
            "A",
            &[
                "rawKeyDown ShiftLeft 8",
                "keyDown KeyA=\"A\" 8",
                "keyUp KeyA 8",
                "keyUp ShiftLeft 0",
            ],
        ),
        ("F5", &["rawKeyDown F5 0", "keyUp F5 0"]),
        (
            "ctrl++",
            &[
                "rawKeyDown ControlLeft 2",
                "rawKeyDown ShiftLeft 10",
                "rawKeyDown Equal 10",
                "keyUp Equal 10",
                "keyUp ShiftLeft 2",
                "keyUp ControlLeft 0",
            ],
        ),
        ("shift", &["rawKeyDown ShiftLeft 0", "keyUp ShiftLeft 0"]),
    ];
    #[test]
    fn chords_hold_their_modifiers_around_the_key() {
        for (text, expected) in CHORDS {
            assert_eq!(shown(&chord(text).unwrap().events()), *expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_key_is_named() {
        for (text, part) in [
            ("hyper+a", "hyper"),
            ("ctrl+nokey", "nokey"),
            ("F25", "F25"),
            ("", ""),
            ("é", "é"),
            ("f", ""),
        ] {
            match chord(text) {
                Err(named) => assert_eq!(named, part),
                Ok(_) => assert_eq!(text, "f"),
            }
        }
        assert_eq!(modifiers("ctrl+shift"), Ok(CTRL | SHIFT));
        assert_eq!(modifiers(""), Ok(0));
        assert_eq!(modifiers("ctrl+x"), Err("x".into()));
    }
}
