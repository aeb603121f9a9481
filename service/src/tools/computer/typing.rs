//! Text and keys for whatever has the focus.

use super::keyboard::{chord, of_char};
use crate::page::answers::Armed;
use crate::render::quoted;
use crate::tab::OwnedTab;
use crate::tool::{Failure, Reply};
use crate::tools::frame::{self, Frame};
use crate::tools::refusals::named;
use crate::tools::sequence::{self, Cut, step};
use crate::tools::watching::{Watched, Watching, told};
use ghostlight_transport::limits::{
    BROWSER_REQUEST, INSERTED_CHARS, KEY_PAUSE_MS, KEYED_CHARS, LINE_PAUSE_MS, PACED_CHARS,
    PACED_LINES,
};
use serde_json::{Value, json};

/// Steps of one sequence.
const STEPS: usize = 1_000;
/// Frames in frames that the focus is followed into.
const DEEPEST: usize = 8;

pub(super) async fn type_text(tab: &OwnedTab, text: String) -> Result<Reply, Failure> {
    if text.is_empty() {
        return Err(Failure::not_dispatched(
            "There is no text to type. Nothing was sent. Retry: safe, with text.",
        ));
    }
    let (watching, armed) = focused(tab).await?;
    let sent = send(tab, &watching, steps_for(&text)).await;
    let (watching, cut) = watching.after(sent).await?;
    let frame = watching.frame().clone();
    let seen = watching.end().await;
    let count = text.chars().count();
    let headline = match cut {
        Some(cut) => cut_short(&cut, "Typing"),
        None => {
            let lines = match armed.single && text.contains(['\r', '\n']) {
                true => " The field takes one line: each line break was pressed as Enter.",
                false => "",
            };
            format!(
                "Typed {count} character{}{}{lines}",
                if count == 1 { "" } else { "s" },
                into(&armed)
            )
        }
    };
    let mut reply = Reply { parts: told(tab, &frame, headline, &seen), structured: None };
    name_subject(&mut reply, &armed);
    Ok(reply)
}

pub(super) async fn press(tab: &OwnedTab, text: String, repeat: usize) -> Result<Reply, Failure> {
    let mut once = Vec::new();
    for name in text.split_whitespace() {
        let chord = chord(name).map_err(|part| {
            Failure::not_dispatched(format!(
                "{} is no key of the keyboard. Nothing was sent. Retry: safe, with names like Enter, Tab, ctrl+a, F5; \
                 for text use the action type.",
                quoted(&part, 40)
            ))
        })?;
        once.extend(chord.events());
    }
    if once.is_empty() {
        return Err(Failure::not_dispatched(
            "key needs at least one key in text. Nothing was sent. Retry: safe, with a key.",
        ));
    }
    let steps = once
        .iter()
        .cycle()
        .take(once.len() * repeat)
        .map(|event| key_step(event.clone()))
        .collect();
    let (watching, armed) = focused(tab).await?;
    let sent = send(tab, &watching, steps).await;
    let (watching, cut) = watching.after(sent).await?;
    let frame = watching.frame().clone();
    let seen = watching.end().await;
    let times = if repeat > 1 { format!(" {repeat} times") } else { String::new() };
    let headline = match cut {
        Some(cut) => cut_short(&cut, "Pressing the keys"),
        None => format!("Pressed {}{times}{}", quoted(text.trim(), 100), into(&armed)),
    };
    let mut reply = Reply { parts: told(tab, &frame, headline, &seen), structured: None };
    name_subject(&mut reply, &armed);
    Ok(reply)
}

/// Watches the frame that holds the focus.
async fn focused(tab: &OwnedTab) -> Result<(Watching<'_>, Armed), Failure> {
    let mut at: Frame = frame::main(tab);
    let mut frames = None;
    for _ in 0..DEEPEST {
        let (mut watching, armed) =
            Watching::begin(tab, &at, (None, "the focused element"), Watched::Nothing).await?;
        let Some(index) = armed.frame else {
            return Ok((watching, armed));
        };
        if frames.is_none() {
            let (goes_on, all) = watching.after(frame::all(tab).await).await?;
            (watching, frames) = (goes_on, Some(all));
        }
        let inner = frame::focused(tab, frames.as_deref().unwrap_or_default(), &at, index).await;
        match inner {
            Some(inner) => at = inner,
            None => return Ok((watching, armed)),
        }
        watching.abandon().await;
    }
    Watching::begin(tab, &at, (None, "the focused element"), Watched::Nothing).await
}

fn cut_short(cut: &Cut, what: &str) -> String {
    format!("{} Next step: see what took effect before you send the rest.", cut.told(what))
}

fn into(armed: &Armed) -> &'static str {
    match armed.subject {
        None => "; nothing had the focus, so the page as a whole got the keys.",
        Some(_) if armed.secret => " into a field whose value is not shown.",
        Some(_) => ".",
    }
}

fn name_subject(reply: &mut Reply, armed: &Armed) {
    if let (Some(subject), Some(crate::tool::Part::Page { text, .. })) =
        (&armed.subject, reply.parts.last_mut())
    {
        *text = format!("focused: {}\n{text}", named(subject));
    }
}

/// In sequences of bounded length; a cancelled call ends between two.
async fn send(
    tab: &OwnedTab,
    watching: &Watching<'_>,
    steps: Vec<Value>,
) -> Result<Option<Cut>, Failure> {
    let of = steps.len();
    let mut sent = 0;
    for part in steps.chunks(STEPS) {
        if sent > 0 && tab.cancelled() {
            return Err(Failure::tool(format!(
                "The call was cancelled after {sent} steps of the input. Retry: do not repeat it before looking. \
                 Next step: read the field to see what stands in it."
            )));
        }
        let guard = watching.frame().guard();
        let ended = sequence::send(tab, guard, part.to_vec(), BROWSER_REQUEST).await?;
        if let sequence::Sent::Interrupted(done) = ended {
            sent += done;
            return Ok((sent < of).then_some(Cut { sent, of }));
        }
        sent += part.len();
    }
    Ok(None)
}

fn key_step(event: Value) -> Value {
    step(None, "Input.dispatchKeyEvent", event)
}

fn insert(run: &mut String, steps: &mut Vec<Value>) {
    if !run.is_empty() {
        steps.push(step(None, "Input.insertText", json!({ "text": std::mem::take(run) })));
    }
}

/// Dates, sums and numbers of all sorts go into masks: those follow keys, and set their caret a moment after each.
pub(crate) fn is_masked(text: &str) -> bool {
    text.len() <= PACED_CHARS && text.contains(|c: char| c.is_ascii_digit())
}

/// Key events for what the keyboard has, insertion for the rest; a long text is inserted but for its line ends.
pub(crate) fn steps_for(text: &str) -> Vec<Value> {
    let text = text.replace("\r\n", "\n");
    let keyed = text.chars().count() <= KEYED_CHARS;
    let lines = text.matches('\n').count();
    let paced = is_masked(&text);
    let (mut steps, mut run, mut length) = (Vec::new(), String::new(), 0);
    for c in text.chars() {
        match of_char(c).filter(|_| keyed || c.is_control()) {
            Some(key) => {
                insert(&mut run, &mut steps);
                let [down, mut up] = key.typed().map(key_step);
                let pause = if c == '\n' { LINE_PAUSE_MS } else { KEY_PAUSE_MS };
                if paced || (c == '\n' && lines <= PACED_LINES) {
                    up["wait"] = true.into();
                    up["afterMs"] = pause.into();
                }
                steps.extend([down, up]);
            }
            None => {
                run.push(c);
                length += 1;
                if length % INSERTED_CHARS == 0 {
                    insert(&mut run, &mut steps);
                }
            }
        }
    }
    insert(&mut run, &mut steps);
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tab::RequestFault;
    use crate::tab::scripted::Scripted;
    use ghostlight_transport::browser_wire::FaultCode;
    use std::cell::RefCell;
    use std::rc::Rc;

    fn shown(text: &str) -> Vec<String> {
        let show = |step: &Value| {
            let params = &step["params"];
            match params.get("code") {
                Some(code) => {
                    format!("{} {}", params["type"].as_str().unwrap(), code.as_str().unwrap())
                }
                None => {
                    format!("insert {} chars", params["text"].as_str().unwrap().chars().count())
                }
            }
        };
        steps_for(text).iter().map(show).collect()
    }

    #[test]
    fn keys_for_what_the_keyboard_has_and_insertion_for_the_rest() {
        let cases: &[(&str, &[&str])] = &[
            ("aB", &["keyDown KeyA", "keyUp KeyA", "keyDown KeyB", "keyUp KeyB"]),
            ("é日a", &["insert 2 chars", "keyDown KeyA", "keyUp KeyA"]),
            ("\r\n", &["keyDown Enter", "keyUp Enter"]),
            ("\t👍", &["rawKeyDown Tab", "keyUp Tab", "insert 1 chars"]),
        ];
        for (text, expected) in cases {
            assert_eq!(shown(text), *expected, "{text:?}");
        }
    }

    #[test]
    fn the_page_has_a_moment_after_a_line_and_after_each_key_of_what_may_be_masked() {
        let many = "x\n".repeat(PACED_LINES + 1);
        let long = "1".repeat(PACED_CHARS + 1);
        let cases = [("ab", 0), ("a\nb", 1), ("12 a", 4), (&*many, 0), (&*long, 0)];
        for (text, pauses) in cases {
            let steps = steps_for(text);
            let paused =
                steps.iter().filter(|step| step["afterMs"].is_u64() && step["wait"] == true);
            assert_eq!(paused.count(), pauses, "{text:?}");
        }
    }

    /// What the page was asked when the action breaks off: `focus` is what `arm` tells, `broken` the method that fails.
    fn asked(focus: Value, broken: &'static str, keys: bool) -> Vec<String> {
        let log: Rc<RefCell<Vec<String>>> = Rc::default();
        let noted = Rc::clone(&log);
        let browser = Scripted::new(move |method, params, _| {
            let function = params["fn"].as_str();
            noted.borrow_mut().push(function.unwrap_or(method).to_owned());
            match function {
                _ if method == broken => Err(RequestFault::unsent(FaultCode::Busy, "")),
                Some("arm") => Ok(json!({ "value": focus })),
                Some(_) => Ok(json!({ "value": {} })),
                None => Ok(json!({ "frames": [] })),
            }
        });
        let tab = browser.tab(7);
        let ended = async_io::block_on(async {
            match keys {
                true => press(&tab, "Tab".into(), 1).await,
                false => type_text(&tab, "a".into()).await,
            }
        });
        assert!(ended.is_err());
        log.borrow().clone()
    }

    #[test]
    fn nothing_watches_the_page_any_more_when_the_input_breaks_off() {
        for keys in [false, true] {
            assert_eq!(asked(json!({}), "cdp.seq", keys), ["arm", "cdp.seq", "disarm"]);
            let in_a_frame = json!({ "frame": 0 });
            assert_eq!(asked(in_a_frame, "frames", keys), ["arm", "frames", "disarm"]);
        }
    }

    #[test]
    fn a_long_text_is_few_steps_and_keeps_its_line_ends() {
        let text = format!("{}\n{}", "x".repeat(5_000), "y".repeat(5_000));
        let steps = shown(&text);
        assert!(steps.len() <= 8, "{}", steps.len());
        assert!(steps.contains(&"keyDown Enter".to_owned()));
    }
}
