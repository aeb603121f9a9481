//! The choice of a revision against a model of it, written from the documented answers alone: every
//! sequence up to four messages, and long ones from fixed seeds. At the end of each sequence a service
//! comes, and exactly what the model holds for unanswered is answered, each once.

use super::*;
use ghostlight_transport::bridge::{Block, Completed, Disposition, FromEdge, Outcome};
use ghostlight_transport::bridge::{Projection, WorkId};
use std::collections::BTreeSet;

macro_rules! steps {
    ($($name:ident)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        enum Step { $($name),* }
        use Step::*;
        const STEPS: &[Step] = &[$($name),*];
    };
}
steps! {
    Discover DiscoverLater DiscoverBare
    InitializeOld Initialize InitializeLater InitializeEnveloped Initialized
    Call CallBare Cancel
    List ListBare
    Ping Unknown UnknownEnveloped
}

/// The line of a step; a cancel is for the message before it.
fn line(step: Step, id: usize) -> String {
    let initialize = |version: &str| {
        format!(
            r#""initialize","params":{{"protocolVersion":"{version}","capabilities":{{}},"clientInfo":{{"name":"n","version":"1"}}}}"#
        )
    };
    let rest = match step {
        Discover => r#""server/discover","params":{$META}"#.to_owned(),
        DiscoverLater => r#""server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2027-03-09","io.modelcontextprotocol/clientCapabilities":{}}}"#.to_owned(),
        DiscoverBare => r#""server/discover""#.to_owned(),
        InitializeOld => initialize("2024-11-05"),
        Initialize => initialize("2025-11-25"),
        InitializeLater => initialize("2026-07-28"),
        InitializeEnveloped => r#""initialize","params":{$META}"#.to_owned(),
        Call => r#""tools/call","params":{$META,"name":"ask"}"#.to_owned(),
        CallBare => r#""tools/call","params":{"name":"ask"}"#.to_owned(),
        List => r#""tools/list","params":{$META}"#.to_owned(),
        ListBare => r#""tools/list""#.to_owned(),
        Ping => r#""ping""#.to_owned(),
        Unknown => r#""none""#.to_owned(),
        UnknownEnveloped => r#""none","params":{$META}"#.to_owned(),
        Initialized => return expand(r#"{$2,"method":"notifications/initialized"}"#),
        Cancel => {
            let before = id.wrapping_sub(1);
            return expand(&format!(
                r#"{{$2,"method":"notifications/cancelled","params":{{"requestId":{before}}}}}"#
            ));
        }
    };
    expand(&format!(r#"{{$2,"id":{id},"method":{rest}}}"#))
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    /// Of which year.
    Result(u16),
    Error(i32),
    /// None yet.
    Later,
    /// None ever.
    Silence,
}

/// What the documents say.
#[derive(Default)]
struct Model {
    year: Option<u16>,
    unanswered: BTreeSet<usize>,
}

impl Model {
    fn step(&mut self, step: Step, id: usize) -> Answer {
        let answer = self.answer(step, id);
        if answer == Answer::Later {
            self.unanswered.insert(id);
        }
        answer
    }

    fn answer(&mut self, step: Step, id: usize) -> Answer {
        match (step, self.year) {
            (Discover, _) => Answer::Result(2026),
            (DiscoverLater, _) => Answer::Error(-32022),
            (DiscoverBare, Some(2026)) => Answer::Error(-32602),
            (DiscoverBare | InitializeEnveloped | Unknown | UnknownEnveloped, _) => {
                Answer::Error(-32601)
            }
            (InitializeOld | Initialize | InitializeLater | Ping, Some(2026)) => {
                Answer::Error(-32600)
            }
            (InitializeOld | Initialize | InitializeLater, _) => {
                self.year = Some(2025);
                Answer::Result(2025)
            }
            (Ping, _) => Answer::Result(2025),
            (Call | List, Some(2025)) => Answer::Error(-32600),
            (Call | List, _) => {
                self.year = Some(2026);
                Answer::Later
            }
            (CallBare | ListBare, Some(2025)) => Answer::Later,
            (CallBare | ListBare, _) => Answer::Error(-32602),
            (Initialized, _) => Answer::Silence,
            (Cancel, _) => {
                self.unanswered.remove(&id.wrapping_sub(1));
                Answer::Silence
            }
        }
    }
}

/// The one answer in these lines, which has to be the one to `id`.
fn answer(lines: &[u8], id: usize) -> Answer {
    let text = std::str::from_utf8(lines).unwrap();
    if text.is_empty() {
        return Answer::Later;
    }
    assert_eq!(text.matches('\n').count(), 1, "{text}");
    let head = format!(r#"{{"jsonrpc":"2.0","id":{id},"#);
    let rest = text.strip_prefix(&head).unwrap_or_else(|| panic!("{text} is not for {id}"));
    match rest.strip_prefix(r#""error":{"code":"#) {
        Some(error) => Answer::Error(error.split(',').next().unwrap().parse().unwrap()),
        None if rest.contains(r#""resultType":"complete""#) => Answer::Result(2026),
        None => Answer::Result(2025),
    }
}

fn walk(steps: &[(Step, &str)], projection: &Projection) {
    let now = Instant::now();
    let (mut session, mut model) = (Session::default(), Model::default());
    for (id, (step, line)) in steps.iter().enumerate() {
        let mut out = Effects::default();
        session.on(Event::Line(Line::Text(line.as_bytes())), now, &mut out);
        let expected = match model.step(*step, id) {
            Answer::Silence => Answer::Later,
            answer => answer,
        };
        let told = || steps.iter().map(|(step, _)| *step).collect::<Vec<_>>();
        assert_eq!(answer(&out.lines, id), expected, "message {id} of {:?}", told());
        assert!(!out.exit);
    }
    let year = match session.era {
        Era::Unchosen => None,
        Era::Mcp20251125(_) => Some(2025),
        Era::Mcp20260728 => Some(2026),
    };
    assert_eq!(year, model.year);
    if !model.unanswered.is_empty() {
        settle(&mut session, projection, model, now);
    }
}

/// What a service declares, read once: to read it for each sequence takes most of the time.
fn projection() -> Projection {
    match service_message("catalog 1 1") {
        FromService::Catalog { projection, .. } => projection,
        other => panic!("{other:?} is no catalog"),
    }
}

fn completed(work: WorkId) -> FromService {
    let content = vec![Block::Text("x".to_owned())];
    let outcome = Outcome { disposition: Disposition::Success, content, structured: None };
    FromService::Completed(Box::new(Completed { work, outcome, workspace: None }))
}

/// A service comes and serves what waits.
fn settle(session: &mut Session, projection: &Projection, model: Model, now: Instant) {
    let mut unanswered = model.unanswered;
    let mut out = Effects::default();
    session.on(Event::Admitted, now, &mut out);
    let mut work = 0;
    while !out.commands.is_empty() {
        for command in std::mem::take(&mut out.commands) {
            let mut say = |message| session.on(Event::Service(message), now, &mut out);
            match command {
                FromEdge::Catalog { sequence, .. } => {
                    let projection = projection.clone();
                    say(FromService::Catalog { sequence, projection });
                }
                FromEdge::Start(start) => {
                    work += 1;
                    say(FromService::Started { sequence: start.sequence, work });
                    say(completed(work));
                }
                other => panic!("{other:?} settles nothing"),
            }
        }
    }
    for line in String::from_utf8(out.lines).unwrap().split_terminator('\n') {
        let id = line.strip_prefix(r#"{"jsonrpc":"2.0","id":"#).unwrap();
        let id = id.split(',').next().unwrap().parse().unwrap();
        assert!(unanswered.remove(&id), "{id} was not due: {line}");
        let year = Answer::Result(model.year.unwrap());
        assert_eq!(answer(format!("{line}\n").as_bytes(), id), year);
    }
    assert!(unanswered.is_empty(), "{unanswered:?} got no answer");
}

#[test]
fn every_sequence_up_to_four_messages_is_answered_as_documented() {
    let lines: Vec<Vec<_>> =
        (0..4).map(|id| STEPS.iter().map(|step| (*step, line(*step, id))).collect()).collect();
    let (count, projection) = (STEPS.len(), projection());
    for length in 1_u32..=4 {
        for number in 0..count.pow(length) {
            let pick = |id: u32| {
                let (step, line) = &lines[id as usize][number / count.pow(id) % count];
                (*step, line.as_str())
            };
            let steps: Vec<_> = (0..length).map(pick).collect();
            walk(&steps, &projection);
        }
    }
}

#[test]
fn long_sequences_are_answered_as_documented() {
    let projection = projection();
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..500 {
        let steps = (0..60).map(|id| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            let step = STEPS[(seed >> 32) as usize % STEPS.len()];
            (step, line(step, id))
        });
        let steps: Vec<_> = steps.collect();
        let steps: Vec<_> = steps.iter().map(|(step, line)| (*step, line.as_str())).collect();
        walk(&steps, &projection);
    }
}
