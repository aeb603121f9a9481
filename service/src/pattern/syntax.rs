//! From a pattern's text to its parts.

use std::iter::Peekable;
use std::str::Chars;

#[derive(Debug, Clone)]
pub(super) enum Part {
    One(Set),
    Holds(Place),
    All(Vec<Part>),
    Any(Vec<Part>),
    Repeat(Box<Part>, usize, Option<usize>),
}

type Ranges = Vec<(char, char)>;

/// Characters, as ranges; `not` for all others.
#[derive(Debug, Clone, Default)]
pub(super) struct Set {
    pub(super) not: bool,
    pub(super) ranges: Ranges,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Start,
    End,
    WordEdge,
    NoWordEdge,
}

/// Groups inside of groups.
const DEPTH: usize = 40;

type Parsed = Result<Part, &'static str>;

struct Parser<'t> {
    text: Peekable<Chars<'t>>,
    depth: usize,
}

pub(super) fn parse(text: &str) -> Parsed {
    let text = text.strip_prefix("(?i)").unwrap_or(text);
    let mut parser = Parser { text: text.chars().peekable(), depth: 0 };
    let whole = parser.any()?;
    if parser.text.peek().is_some() { Err("a bracket `)` closes no group") } else { Ok(whole) }
}

impl Parser<'_> {
    fn any(&mut self) -> Parsed {
        let mut choices = vec![self.all()?];
        while self.takes('|') {
            choices.push(self.all()?);
        }
        Ok(if choices.len() == 1 { choices.remove(0) } else { Part::Any(choices) })
    }

    fn all(&mut self) -> Parsed {
        let mut parts = Vec::new();
        while let Some(c) = self.text.next_if(|c| !matches!(c, '|' | ')')) {
            let part = match c {
                '(' => self.group()?,
                '[' => Part::One(self.class()?),
                '.' => Part::One(Set { not: true, ranges: vec![('\n', '\n')] }),
                '^' => Part::Holds(Place::Start),
                '$' => Part::Holds(Place::End),
                '\\' => self.escape()?,
                '*' | '+' | '?' => return Err("there is nothing to repeat before `*`, `+` or `?`"),
                c => literal(c),
            };
            parts.push(self.repeated(part)?);
        }
        Ok(Part::All(parts))
    }

    fn group(&mut self) -> Parsed {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err("its groups lie too deep in each other");
        }
        if self.takes('?') && !self.takes(':') {
            return Err("look-around and other groups with `(?` are not known here");
        }
        let inner = self.any()?;
        self.depth -= 1;
        if self.takes(')') { Ok(inner) } else { Err("a group `(` is not closed") }
    }

    fn repeated(&mut self, part: Part) -> Parsed {
        let (least, most) = match self.text.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => match self.counts() {
                Some(counts) => counts,
                None => return Ok(part),
            },
            _ => return Ok(part),
        };
        self.text.next();
        if most.is_some_and(|most| most < least) {
            return Err("a count `{}` ends before it begins");
        }
        // As few as possible makes no difference to whether there is a match.
        self.takes('?');
        Ok(Part::Repeat(Box::new(part), least, most))
    }

    /// `{2}`, `{2,}` or `{2,3}`, taken up to its closing bracket; anything else is literal.
    fn counts(&mut self) -> Option<(usize, Option<usize>)> {
        let ahead: String = self.text.clone().skip(1).take(12).collect();
        let (inside, _) = ahead.split_once('}')?;
        let number = |text: &str| text.parse::<usize>().ok();
        let counts = match inside.split_once(',') {
            None => (number(inside)?, Some(number(inside)?)),
            Some((least, "")) => (number(least)?, None),
            Some((least, most)) => (number(least)?, Some(number(most)?)),
        };
        for _ in 0..=inside.len() {
            self.text.next();
        }
        Some(counts)
    }

    fn class(&mut self) -> Result<Set, &'static str> {
        let mut set = Set { not: self.takes('^'), ranges: Vec::new() };
        let mut first = true;
        loop {
            let c = self.text.next().ok_or("a class `[` is not closed")?;
            if c == ']' && !first {
                return Ok(set);
            }
            first = false;
            let from = match c {
                '\\' => match self.member()? {
                    Ok(kind) => {
                        set.ranges.extend(kind);
                        continue;
                    }
                    Err(c) => c,
                },
                c => c,
            };
            let mut ahead = self.text.clone();
            let is_range = ahead.next() == Some('-') && ahead.next().is_some_and(|c| c != ']');
            set.ranges.push((from, if is_range { self.range_end(from)? } else { from }));
        }
    }

    fn range_end(&mut self, from: char) -> Result<char, &'static str> {
        self.text.next();
        let to = match self.text.next().ok_or("a class `[` is not closed")? {
            '\\' => self.member()?.err().ok_or("a range in a class has no end")?,
            c => c,
        };
        if to < from { Err("a range in a class ends before it begins") } else { Ok(to) }
    }

    /// What follows a backslash: a kind of characters, or one character.
    fn member(&mut self) -> Result<Result<Ranges, char>, &'static str> {
        let c = self.text.next().ok_or("it ends with a backslash")?;
        Ok(match c {
            'd' | 'w' | 's' => Ok(kind(c)),
            'D' | 'W' | 'S' => Ok(others(kind(c.to_ascii_lowercase()))),
            'n' => Err('\n'),
            'r' => Err('\r'),
            't' => Err('\t'),
            '1'..='9' => return Err("a back-reference like `\\1` is not known here"),
            c if c.is_alphanumeric() => return Err("it has an unknown escape after a backslash"),
            c => Err(c),
        })
    }

    fn escape(&mut self) -> Parsed {
        if self.takes('b') {
            return Ok(Part::Holds(Place::WordEdge));
        }
        if self.takes('B') {
            return Ok(Part::Holds(Place::NoWordEdge));
        }
        Ok(match self.member()? {
            Ok(ranges) => Part::One(Set { not: false, ranges }),
            Err(c) => literal(c),
        })
    }

    fn takes(&mut self, c: char) -> bool {
        self.text.next_if_eq(&c).is_some()
    }
}

fn literal(c: char) -> Part {
    Part::One(Set { not: false, ranges: vec![(c, c)] })
}

fn kind(c: char) -> Ranges {
    match c {
        'd' => vec![('0', '9')],
        'w' => vec![('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')],
        _ => vec![('\t', '\r'), (' ', ' '), ('\u{a0}', '\u{a0}')],
    }
}

/// All characters that lie in none of the ranges, which are in order.
fn others(ranges: Ranges) -> Ranges {
    let mut from = '\0';
    let mut found = Vec::new();
    for (start, end) in ranges {
        if let Some(before) = char::from_u32(u32::from(start).wrapping_sub(1)) {
            found.push((from, before));
        }
        from = char::from_u32(u32::from(end) + 1).unwrap_or(char::MAX);
    }
    found.push((from, char::MAX));
    found
}
