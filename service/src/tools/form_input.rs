//! `form_input`: one control, one value, read back.

use super::aim::{self, Aim};
use super::computer::{Gesture, chord, is_masked, steps_for, strike};
use super::refusals::refused;
use super::sequence::{self, step};
use super::watching::{Watched, Watching, told};
use super::{ACTS, always_an_effect};
use crate::page::answers::{ReadBack, SetStep};
use crate::render::{Happening, quoted};
use crate::tab::{OwnedTab, RequestFault};
use crate::tool::{Call, Failure, Lane, Part, Reply, Tool};
use ghostlight_transport::bridge::{Disposition, WorkspaceUse};
use ghostlight_transport::browser_wire::FaultCode;
use ghostlight_transport::limits::{BROWSER_REQUEST, INSERTED_CHARS};
use serde::Deserialize;
use serde_json::{Value, json};

pub(crate) const ROW: Tool = Tool {
    name: "form_input",
    title: "Set Form Value",
    description: "Sets one form control and reads it back: text, select (by label or value), checkbox, radio, switch (true \
        or false), date, time, colour, range, number. A value that does not fit is refused and says what fits. Values of \
        secret fields are never shown.",
    input: r#"{
"type":"object","additionalProperties":false,"required":["ref","value","tabId"],"properties":{
"ref":{"type":"string","description":"The control, e.g. ref_12"},
"value":{"anyOf":[{"type":"string"},{"type":"boolean"},{"type":"number"}],"description":"The value, option label, or true/false"},
"tabId":{"type":"number"}}}"#,
    output: Some(
        r#"{
"type":"object","required":["ref","changed"],"properties":{
"ref":{"type":"string"},"changed":{"type":"boolean"},
"value":{"type":"string","description":"What the control holds now; absent for secrets"}}}"#,
    ),
    hints: ACTS,
    workspace: WorkspaceUse::Uses,
    lane: Lane::Surface,
    effect: always_an_effect,
    run: |call| Box::pin(run(call)),
};

#[derive(Deserialize)]
struct Arguments {
    #[serde(rename = "ref")]
    reference: String,
    value: Value,
}

/// What the control holds in the end.
#[derive(Debug, Default)]
struct Held {
    changed: bool,
    value: Option<String>,
    secret: bool,
    formatted: bool,
    /// The page heard of the change, and what it made of it cannot be read.
    unread: bool,
}

async fn run(mut call: Call) -> Result<Reply, Failure> {
    let tab = call.tab()?;
    let arguments: Arguments = call.parse()?;
    let aim = aim::element(&tab, &arguments.reference).await?;
    let (watching, _) =
        Watching::begin(&tab, &aim.frame, (Some(aim.key), &aim.label), Watched::Nothing).await?;
    let args = json!([aim.key, arguments.value]);
    let first = aim.frame.act(&tab, "setValue", args).await;
    let (mut watching, first): (_, SetStep) =
        watching.after(first).await.map_err(|fault| refused(fault, &aim.label, &tab))?;
    let held = match first.kind.as_str() {
        "toggle" => {
            watching.abandon().await;
            return toggle(&tab, &aim, &first).await;
        }
        "text" => {
            let (goes_on, held) =
                watching.after(text(&tab, &aim, &first, &arguments.value).await).await?;
            watching = goes_on;
            held
        }
        _ => Held {
            changed: first.changed,
            value: first.value,
            secret: first.secret,
            ..Held::default()
        },
    };
    let seen = watching.end().await;
    Ok(reply(&tab, &aim, held, &seen))
}

fn reply(tab: &OwnedTab, aim: &Aim, held: Held, seen: &Happening) -> Reply {
    let state = match (held.changed, held.secret, held.formatted) {
        _ if held.unread && !held.secret => {
            "was set and held the value; what it holds since the page was told of the change is not known"
        }
        (_, true, _) => "was set; its value is not shown",
        (true, _, true) => "was set; the page put marks or blanks into the value",
        (true, ..) => "was set and holds the value",
        (false, ..) => "held this value already",
    };
    let mut parts = told(tab, &aim.frame, format!("{} {state}.", aim.label), seen);
    let mut structured = json!({ "ref": aim.label, "changed": held.changed });
    if let Some(value) = held.value.filter(|_| !held.secret && !held.unread) {
        if let Some(Part::Page { text, .. }) = parts.last_mut() {
            *text = format!("value now: {}\n{text}", quoted(&value, 500));
        }
        structured["value"] = value.into();
    }
    Reply { parts, structured: Some(structured) }
}

/// Real input replaces what the page agent has selected.
async fn text(tab: &OwnedTab, aim: &Aim, first: &SetStep, value: &Value) -> Result<Held, Failure> {
    let wanted = plain(value);
    let (mut done, mut cut) = (format!("{} held this value already.", aim.label), None);
    let keyed = is_keyed(first, &wanted);
    if !first.already {
        let guard = aim.frame.guard();
        let mut steps = if first.host { pressing("ctrl+a") } else { Vec::new() };
        steps.extend(if keyed { steps_for(&wanted) } else { replacing(&wanted) });
        let of = steps.len();
        cut = sequence::send(tab, guard, steps, BROWSER_REQUEST).await?.cut(of);
        done = match cut {
            Some(cut) => cut.told(&format!("Filling {}", aim.label)),
            None => format!("{} got the input.", aim.label),
        };
    }
    let asked = || (first.key, json!(wanted));
    let (mut back, mut unread) = (read_back(tab, aim, asked(), &done).await?, false);
    // Some fields let no keys in, and take what is inserted.
    if keyed && cut.is_none() && back.untouched && !back.matches {
        let again = aim.frame.act::<Value>(tab, "setValue", json!([first.key, wanted])).await;
        again.map_err(|fault| afterwards(fault, &done))?;
        let steps = replacing(&wanted);
        let of = steps.len();
        match sequence::send(tab, aim.frame.guard(), steps, BROWSER_REQUEST).await {
            Ok(sent) => cut = sent.cut(of),
            Err(failure) if failure.disposition == Disposition::OutcomeUnknown => {
                return Err(failure);
            }
            // Nothing of it left: what the keys did is told below.
            Err(_) => {}
        }
        back = read_back(tab, aim, asked(), &done).await?;
    }
    if back.matches && !first.already {
        (back, unread) = commit(tab, aim, (first.key, wanted), back).await?;
    }
    if !back.matches {
        return Err(mismatch(tab, aim, &back, cut.map(|_| &*done)));
    }
    let ReadBack { value, secret, formatted, .. } = back;
    Ok(Held { changed: !first.already, value, secret, formatted, unread })
}

/// Tells the page of the change: what the control holds then, or what it held and that this is not known.
async fn commit(
    tab: &OwnedTab,
    aim: &Aim,
    (key, wanted): (u64, String),
    back: ReadBack,
) -> Result<(ReadBack, bool), Failure> {
    let heard = aim.frame.act::<Option<ReadBack>>(tab, "commit", json!([key, wanted])).await;
    let fault = match heard {
        // A page that takes the field away as it hears of the value has taken the value.
        Ok(heard) => return Ok((heard.unwrap_or(back), false)),
        Err(fault) => fault,
    };
    let came_of_it = matches!(
        fault.code,
        FaultCode::StaleDocument
            | FaultCode::Navigated
            | FaultCode::DialogOpen
            | FaultCode::TabClosed
            | FaultCode::NotAdopted
            | FaultCode::Detached
    );
    if came_of_it && fault.sent && !fault.lost {
        return Ok((back, true));
    }
    let told = match fault.sent {
        true => "whether the page was told of the change is not known",
        false => "the page was not told of the change",
    };
    Err(afterwards(fault, &format!("{} got the value, but {told}.", aim.label)))
}

/// The words for a fault after `done`: they promise nothing that it belies.
fn afterwards(fault: RequestFault, done: &str) -> Failure {
    let lost = fault.lost && fault.sent;
    let failure = Failure::from(RequestFault { sent: true, lost, ..fault });
    Failure { own: format!("{done} {}", failure.own), ..failure }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => match number.as_f64() {
            Some(whole) if whole.fract() == 0.0 && whole.abs() < 9e15 => format!("{whole:.0}"),
            _ => number.to_string(),
        },
        other => other.to_string(),
    }
}

/// What is inserted some masks drop as the field is left.
fn is_keyed(first: &SetStep, text: &str) -> bool {
    !first.host && is_masked(text) && !text.contains(char::is_control)
}

fn pressing(keys: &str) -> Vec<Value> {
    let events = chord(keys).map(|chord| chord.events()).unwrap_or_default();
    events.into_iter().map(|event| step(None, "Input.dispatchKeyEvent", event)).collect()
}

/// The selection is replaced by the first piece; an empty value deletes it.
fn replacing(text: &str) -> Vec<Value> {
    if text.is_empty() {
        return pressing("Delete");
    }
    let letters: Vec<char> = text.chars().collect();
    let insert = |piece: &[char]| {
        step(None, "Input.insertText", json!({ "text": piece.iter().collect::<String>() }))
    };
    letters.chunks(INSERTED_CHARS).map(insert).collect()
}

/// `done` says what was done before.
async fn read_back(
    tab: &OwnedTab,
    aim: &Aim,
    (key, wanted): (u64, Value),
    done: &str,
) -> Result<ReadBack, Failure> {
    let answer = aim.frame.ask(tab, "readBack", json!([key, wanted])).await;
    answer.map_err(|fault| {
        let elsewhere = fault.detail.as_ref().is_some_and(|detail| detail.get("tabId").is_some());
        if fault.code == FaultCode::DialogOpen && !elsewhere {
            return Failure::tool(format!(
                "{done} A dialog of the page opened before its value could be read back. Retry: do not repeat it before \
                 looking. Next step: answer it with the dialog tool, then read the page."
            ));
        }
        if !matches!(fault.code, FaultCode::Page | FaultCode::StaleDocument) {
            return afterwards(fault, done);
        }
        let failure = refused(fault, &aim.label, tab);
        if failure.disposition != Disposition::NotDispatched {
            return Failure { own: format!("{done} {}", failure.own), ..failure };
        }
        let own = format!(
            "{done} {} left the page before its value could be read back. Retry: do not repeat it before looking. \
             Next step: read the page.",
            aim.label
        );
        Failure { disposition: Disposition::ToolFailure, own, page: failure.page }
    })
}

/// `cut` says how the input was cut short.
fn mismatch(tab: &OwnedTab, aim: &Aim, back: &ReadBack, cut: Option<&str>) -> Failure {
    let failure = Failure::tool(match cut {
        Some(cut) => format!(
            "{cut} {} holds another value now. Retry: do not repeat it before looking. \
             Next step: read the page to see what it did, then set the value again.",
            aim.label
        ),
        None => format!(
            "{} took the input but holds another value now: the page formats, limits or rejects it. \
             Retry: safe, with the value in the form the field keeps. Next step: compare the value below with what you meant.",
            aim.label
        ),
    });
    match (&back.value, back.secret) {
        (_, true) => failure,
        (value, false) => {
            let text = format!("value now: {}", quoted(value.as_deref().unwrap_or_default(), 500));
            failure.with_page(tab.facts().doc.origin, text)
        }
    }
}

/// A real click, or one by script where nothing of the control is painted.
async fn toggle(tab: &OwnedTab, aim: &Aim, first: &SetStep) -> Result<Reply, Failure> {
    let control = aim.at(first.key);
    if !first.act {
        return Ok(reply(tab, aim, on(first.wanted, false), &Happening::default()));
    }
    let mut clicked = match strike(tab, &control, Gesture::Left, 0).await {
        Ok(reply) => reply,
        Err(failure) if failure.disposition != Disposition::NotDispatched => return Err(failure),
        Err(failure) => {
            let pressed = control.frame.act::<Value>(tab, "press", json!([first.key])).await;
            pressed.map_err(|fault| match fault.sent || fault.lost {
                true => refused(fault, &aim.label, tab),
                false => failure,
            })?;
            reply(tab, aim, on(first.wanted, true), &Happening::default())
        }
    };
    let done = format!("{} was clicked.", aim.label);
    let back = read_back(tab, &control, (first.key, json!(first.wanted)), &done).await?;
    if !back.matches {
        let unheard =
            matches!(clicked.parts.first(), Some(Part::Own(text)) if text.contains("not seen"));
        let cause = if unheard {
            "the page was not seen to hear of it"
        } else {
            "the page decided otherwise"
        };
        return Err(Failure::tool(format!(
            "{} was clicked, but its state is not as wanted: {cause}. \
             Retry: do not repeat it before looking. Next step: read the page for what it says.",
            aim.label
        )));
    }
    let state = if first.wanted { "on" } else { "off" };
    if let Some(Part::Own(text)) = clicked.parts.first_mut() {
        *text = format!("{} is {state} now.", aim.label);
    }
    clicked.structured =
        Some(json!({ "ref": aim.label, "changed": true, "value": first.wanted.to_string() }));
    Ok(clicked)
}

fn on(wanted: bool, changed: bool) -> Held {
    Held { changed, value: Some(wanted.to_string()), ..Held::default() }
}

#[cfg(test)]
mod tests;
