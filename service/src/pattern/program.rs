//! A pattern as steps that all its readings take at once, one character after the other.

use super::syntax::{Part, Place, Set};

#[derive(Debug)]
enum Step {
    One(Set),
    Holds(Place),
    Either(usize, usize),
    Go(usize),
    Matched,
}

/// Bounds the time of one character.
const STEPS: usize = 1_000;

#[derive(Debug)]
pub(super) struct Program(Vec<Step>);

/// The steps at which a reading stands, each once.
struct Standing {
    at: Vec<usize>,
    is_there: Vec<bool>,
}

impl Program {
    pub(super) fn new(part: &Part) -> Result<Self, &'static str> {
        let mut steps = Vec::new();
        emit(part, &mut steps)?;
        steps.push(Step::Matched);
        Ok(Self(steps))
    }

    pub(super) fn matches(&self, text: &str) -> bool {
        let mut standing = Standing::new(self.0.len());
        let mut next = Standing::new(self.0.len());
        let mut before = None;
        let mut rest = text.chars();
        loop {
            let now = rest.next();
            let around = (before, now);
            if standing.enter(&self.0, 0, around) {
                return true;
            }
            let Some(c) = now else { return false };
            let around = (now, rest.clone().next());
            for at in standing.at.drain(..) {
                standing.is_there[at] = false;
                if matches!(&self.0[at], Step::One(set) if set.has(c))
                    && next.enter(&self.0, at + 1, around)
                {
                    return true;
                }
            }
            std::mem::swap(&mut standing, &mut next);
            before = now;
        }
    }
}

impl Standing {
    fn new(steps: usize) -> Self {
        Self { at: Vec::new(), is_there: vec![false; steps] }
    }

    /// Whether the pattern has matched. `around` are the characters before and behind this place.
    fn enter(
        &mut self,
        steps: &[Step],
        first: usize,
        around: (Option<char>, Option<char>),
    ) -> bool {
        let mut open = vec![first];
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut self.is_there[at], true) {
                continue;
            }
            self.at.push(at);
            match &steps[at] {
                Step::Matched => return true,
                Step::Go(to) => open.push(*to),
                Step::Either(one, other) => open.extend([*other, *one]),
                Step::Holds(place) if place.holds(around) => open.push(at + 1),
                Step::Holds(_) | Step::One(_) => {}
            }
        }
        false
    }
}

impl Place {
    fn holds(self, (before, behind): (Option<char>, Option<char>)) -> bool {
        let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        match self {
            Self::Start => before.is_none(),
            Self::End => behind.is_none(),
            Self::WordEdge => is_word(before) != is_word(behind),
            Self::NoWordEdge => is_word(before) == is_word(behind),
        }
    }
}

impl Set {
    fn has(&self, c: char) -> bool {
        let within = |c: char| self.ranges.iter().any(|(from, to)| (*from..=*to).contains(&c));
        // Only letters with one other case: "ß" stays itself.
        let lower = c.to_lowercase().next().unwrap_or(c);
        let upper = c.to_uppercase();
        let upper = if upper.len() == 1 { c.to_uppercase().next().unwrap_or(c) } else { c };
        (within(c) || within(lower) || within(upper)) != self.not
    }
}

fn emit(part: &Part, steps: &mut Vec<Step>) -> Result<(), &'static str> {
    if steps.len() > STEPS {
        return Err("it asks for too much: its counts multiply");
    }
    match part {
        Part::One(set) => steps.push(Step::One(set.clone())),
        Part::Holds(place) => steps.push(Step::Holds(*place)),
        Part::All(parts) => {
            for part in parts {
                emit(part, steps)?;
            }
        }
        Part::Any(choices) => any(choices, steps)?,
        Part::Repeat(part, least, most) => {
            if *least > STEPS || most.is_some_and(|most| most > STEPS) {
                return Err("it asks for too much: a count is too large");
            }
            repeat(part, (*least, *most), steps)?;
        }
    }
    Ok(())
}

fn any(choices: &[Part], steps: &mut Vec<Step>) -> Result<(), &'static str> {
    let mut ends = Vec::new();
    for (index, choice) in choices.iter().enumerate() {
        if index + 1 == choices.len() {
            emit(choice, steps)?;
            continue;
        }
        let fork = steps.len();
        steps.push(Step::Matched);
        emit(choice, steps)?;
        ends.push(steps.len());
        steps.push(Step::Matched);
        steps[fork] = Step::Either(fork + 1, steps.len());
    }
    let end = steps.len();
    for at in ends {
        steps[at] = Step::Go(end);
    }
    Ok(())
}

fn repeat(
    part: &Part,
    (least, most): (usize, Option<usize>),
    steps: &mut Vec<Step>,
) -> Result<(), &'static str> {
    for _ in 0..least {
        emit(part, steps)?;
    }
    let optional = most.map_or(1, |most| most - least);
    let mut forks = Vec::new();
    for _ in 0..optional {
        forks.push(steps.len());
        steps.push(Step::Matched);
        emit(part, steps)?;
    }
    if most.is_none() {
        steps.push(Step::Go(forks[0]));
    }
    let end = steps.len();
    for fork in forks {
        steps[fork] = Step::Either(fork + 1, end);
    }
    Ok(())
}
