//! `dialog`: what the page asks in a dialog of the browser, and the answer.

use super::watching::until_ready;
use super::{ACTS, frame, needed};
use crate::tab::{Dialog, OwnedTab, TabEvent};
use crate::tool::{Call, Failure, Lane, Part, Reply, Tool};
use ghostlight_transport::bridge::WorkspaceUse;
use ghostlight_transport::browser_wire::FaultCode;
use ghostlight_transport::limits::{BROWSER_REQUEST, DIALOG_LEFT, DOCUMENT_READY};
use serde::Deserialize;
use serde_json::{Map, Value, json};

pub(crate) const ROW: Tool = Tool {
    name: "dialog",
    title: "Handle Page Dialog",
    description: "Tells which dialog of the page is open (alert, confirm, prompt, beforeunload) and answers it. While one \
        is open, nothing else works in that tab.",
    input: r#"{
"type":"object","additionalProperties":false,"required":["tabId","action"],"properties":{
"tabId":{"type":"number"},
"action":{"type":"string","enum":["status","accept","dismiss","respond"]},
"text":{"type":"string","description":"The answer to a prompt, with respond"}}}"#,
    output: None,
    hints: ACTS,
    workspace: WorkspaceUse::Uses,
    lane: Lane::Beside,
    effect: is_effect,
    run: |call| Box::pin(run(call)),
};

#[derive(Deserialize)]
struct Arguments {
    action: String,
    text: Option<String>,
}

fn is_effect(arguments: &Map<String, Value>) -> bool {
    arguments.get("action").and_then(Value::as_str) != Some("status")
}

/// The browser's parameters for this answer.
fn answer(arguments: &Arguments, dialog: &Dialog) -> Result<Value, Failure> {
    let mut answer = json!({ "accept": arguments.action != "dismiss" });
    match (arguments.action.as_str(), &arguments.text) {
        ("respond", _) if dialog.kind != "prompt" => {
            return Err(Failure::not_dispatched(
                "This dialog takes no text. Nothing was sent. Retry: safe, with accept or dismiss.",
            ));
        }
        ("respond", text) => {
            answer["promptText"] = needed(text.clone(), "respond", "text")?.into();
        }
        (_, Some(_)) => {
            return Err(Failure::not_dispatched(
                "`text` goes with respond only. Nothing was sent. Retry: safe, with respond, or \
                 without text.",
            ));
        }
        // A person's OK gives back what the field held.
        ("accept", None) if dialog.kind == "prompt" => {
            answer["promptText"] = dialog.default.clone().unwrap_or_default().into();
        }
        _ => {}
    }
    Ok(answer)
}

async fn run(mut call: Call) -> Result<Reply, Failure> {
    let tab = call.tab()?;
    let arguments: Arguments = call.parse()?;
    let open = tab.facts().dialog;
    let Some(dialog) = open else {
        if arguments.action == "status" {
            return Ok(Reply {
                parts: vec![Part::Own("No dialog is open.".into())],
                structured: None,
            });
        }
        return Err(none_open());
    };
    if arguments.action == "status" {
        return Ok(told(&tab, "A dialog is open and waits for an answer.", &dialog));
    }
    let answer = answer(&arguments, &dialog)?;
    let mark = tab.mark();
    let request = json!({ "method": "Page.handleJavaScriptDialog", "params": answer });
    tab.effect::<Value>("cdp", request, BROWSER_REQUEST).await.map_err(|fault| {
        match fault.code {
            FaultCode::Cdp if !fault.lost => none_open(),
            _ => fault.into(),
        }
    })?;
    let own = match arguments.action.as_str() {
        "dismiss" => "Dismissed the dialog.",
        "respond" => "Answered the dialog.",
        _ => "Accepted the dialog.",
    };
    Ok(afterwards(&tab, mark, own, &dialog).await)
}

/// What came next: another dialog, another page, or the page going on.
async fn afterwards(tab: &OwnedTab, mark: u64, own: &str, dialog: &Dialog) -> Reply {
    let deadline = tab.within(DOCUMENT_READY);
    let mut at = mark;
    while tab.facts().dialog.is_some()
        && let Some((event, next)) = tab.next_event(at, deadline).await
    {
        at = next;
        if matches!(event, TabEvent::Gone | TabEvent::Dialog(None)) {
            break;
        }
    }
    // A page that goes on answers this in each of its processes; one that asks again cannot.
    let frames = frame::all(tab).await.unwrap_or_else(|_| vec![frame::main(tab)]);
    let until = tab.within(DIALOG_LEFT);
    for (n, frame) in frames.iter().enumerate() {
        let is_asked = frames[..n].iter().any(|before| before.session == frame.session);
        if !is_asked && !tab.left(until).is_zero() && tab.facts().dialog.is_none() {
            let _ = frame.ask_within::<Value>(tab, ("state", json!([])), tab.left(until)).await;
        }
    }
    let ready = until_ready(tab, mark, None).await;
    let next = match tab.facts().dialog {
        Some(next) => {
            return told(
                tab,
                &format!("{own} The page opened another one, which waits for an answer."),
                &next,
            );
        }
        None if ready => " The page goes on. Next step: read it.",
        None => " The page is still loading.",
    };
    told(tab, &format!("{own}{next}"), dialog)
}

fn told(tab: &OwnedTab, own: &str, dialog: &Dialog) -> Reply {
    let text = format!("dialog: {}", crate::render::dialog(&dialog.kind, &dialog.message));
    let page = Part::Page { origin: tab.facts().doc.origin, text };
    Reply { parts: vec![Part::Own(own.into()), page], structured: None }
}

fn none_open() -> Failure {
    Failure::not_dispatched(
        "No dialog is open in this tab. Nothing was sent. Retry: does not help. Next step: go on with the page.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tab::scripted::Scripted;
    use crate::tool::Target;
    use std::cell::RefCell;
    use std::rc::Rc;

    fn dialog(arguments: Value, open: Option<&str>) -> (Result<Reply, Failure>, Vec<String>) {
        let log: Rc<RefCell<Vec<String>>> = Rc::default();
        let sent = Rc::clone(&log);
        let browser: Rc<RefCell<Option<Rc<Scripted>>>> = Rc::default();
        let inner = Rc::clone(&browser);
        let scripted = Scripted::new(move |method, params, effect| {
            if method != "cdp" {
                return Ok(json!({ "value": {}, "frames": [] }));
            }
            assert!(effect);
            sent.borrow_mut().push(params["params"].to_string());
            inner.borrow().as_ref().unwrap().event(7, TabEvent::Dialog(None));
            Ok(json!({ "result": {} }))
        });
        *browser.borrow_mut() = Some(Rc::clone(&scripted));
        let tab = scripted.tab(7);
        scripted.event(
            7,
            TabEvent::Load { loader_id: String::new(), state: crate::tab::LoadState::Load },
        );
        if let Some(kind) = open {
            scripted.event(
                7,
                TabEvent::Dialog(Some(Dialog {
                    kind: kind.into(),
                    message: "Sure?\n".into(),
                    default: Some("d".into()),
                })),
            );
        }
        let Value::Object(arguments) = arguments else { panic!("not an object") };
        let reply = async_io::block_on((ROW.run)(Call { arguments, target: Target::Tab(tab) }));
        let log = log.borrow().clone();
        (reply, log)
    }

    #[test]
    fn each_answer_is_sent_as_it_is_meant() {
        let cases = [
            (json!({"action": "accept"}), "confirm", r#"{"accept":true}"#),
            (json!({"action": "dismiss"}), "confirm", r#"{"accept":false}"#),
            (json!({"action": "accept"}), "prompt", r#"{"accept":true,"promptText":"d"}"#),
            (
                json!({"action": "respond", "text": "Ada"}),
                "prompt",
                r#"{"accept":true,"promptText":"Ada"}"#,
            ),
        ];
        for (arguments, kind, expected) in cases {
            let (reply, log) = dialog(arguments, Some(kind));
            assert_eq!(log, [expected]);
            assert!(format!("{:?}", reply.unwrap().parts).contains("Sure?"));
        }
    }

    #[test]
    fn what_cannot_be_answered_sends_nothing() {
        let cases = [
            (json!({"action": "accept"}), None),
            (json!({"action": "respond", "text": "x"}), Some("confirm")),
            (json!({"action": "respond"}), Some("prompt")),
            (json!({"action": "accept", "text": "x"}), Some("prompt")),
            (json!({"action": "dismiss", "text": "x"}), Some("prompt")),
        ];
        for (arguments, open) in cases {
            let (reply, log) = dialog(arguments, open);
            assert!(reply.unwrap_err().own.contains("Retry: ") && log.is_empty());
        }
    }

    #[test]
    fn the_state_is_told_without_an_answer() {
        assert!(
            dialog(json!({"action": "status"}), None)
                .0
                .unwrap()
                .parts
                .contains(&Part::Own("No dialog is open.".into()))
        );
        assert!(dialog(json!({"action": "status"}), Some("alert")).1.is_empty());
    }
}
