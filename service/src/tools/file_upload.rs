//! `file_upload`: files whose contents come with the call, into a control of the page. No file of the host is read.

mod contents;

use super::aim::{self, Aim};
use super::computer::{Gesture, strike};
use super::refusals::refused;
use super::watching::{Watched, Watching, told};
use super::{ACTS, always_an_effect};
use crate::page::answers::{Chosen, ChosenFile, FileTarget};
use crate::render::quoted;
use crate::tab::{OwnedTab, RequestFault, TabEvent};
use crate::tool::{Call, Failure, Lane, Part, Reply, Tool};
use contents::Given;
use ghostlight_transport::bridge::{Disposition, WorkspaceUse};
use ghostlight_transport::browser_wire::FaultCode;
use ghostlight_transport::limits::{CHOOSER, UPLOAD};
use serde::Deserialize;
use serde_json::{Value, json};

pub(crate) const ROW: Tool = Tool {
    name: "file_upload",
    title: "Upload Files",
    description: "Puts files into a file input of the page and reads back what it holds. Their contents come with the call, \
        as base64, 8 MiB in all; no file of this computer is read. ref is the input, its label, or the button that asks for \
        files, which is clicked; a place that asks for none gets them dropped.",
    input: r#"{
"type":"object","additionalProperties":false,"required":["ref","tabId"],"properties":{
"ref":{"type":"string","description":"e.g. ref_12"},
"tabId":{"type":"number"},
"files":{"type":"array","minItems":1,"maxItems":20,"items":{
"type":"object","additionalProperties":false,"required":["data","name"],"properties":{
"data":{"type":"string","description":"Base64, or the imageId of a screenshot"},"name":{"type":"string"},"mimeType":{"type":"string"}}}},
"paths":{"type":"array","items":{"type":"string"},"description":"Always refused: pass contents"}}}"#,
    output: Some(
        r#"{
"type":"object","required":["ref","files"],"properties":{
"ref":{"type":"string"},
"files":{"type":"array","items":{"type":"object","required":["name","size"],"properties":{
"name":{"type":"string"},"size":{"type":"number"}}}}}}"#,
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
    files: Option<Vec<Given>>,
    paths: Option<Value>,
}

#[derive(Deserialize)]
struct Answer {
    value: Chosen,
}

async fn run(mut call: Call) -> Result<Reply, Failure> {
    let tab = call.tab()?;
    let arguments: Arguments = call.parse()?;
    if arguments.paths.is_some() {
        return Err(Failure::not_dispatched(
            "`paths` is refused: no file of this computer is read for an agent. Nothing was sent. Retry: safe, with files \
             and their contents as base64 instead.",
        ));
    }
    let files = super::needed(arguments.files, "file_upload", "files")?;
    let files = contents::checked(contents::with_pictures(files, &tab)?)?;
    let aim = aim::element(&tab, &arguments.reference).await?;
    let target: FileTarget = aim
        .frame
        .ask(&tab, "fileTarget", json!([aim.key]))
        .await
        .map_err(|fault| refused(fault, &aim.label, &tab))?;
    match target.key {
        Some(key) => into_input(&tab, &aim.at(key), files).await,
        None => by_button(&tab, &aim, files).await,
    }
}

async fn into_input(tab: &OwnedTab, aim: &Aim, files: Value) -> Result<Reply, Failure> {
    let subject = (Some(aim.key), aim.label.as_str());
    let (watching, _) = Watching::begin(tab, &aim.frame, subject, Watched::Nothing).await?;
    let call = json!({
        "fn": "setFiles", "args": [aim.key, files], "frameId": aim.frame.frame_id, "guard": aim.frame.guard(),
    });
    match tab.effect::<Answer>("page", call, UPLOAD).await {
        Ok(answer) => {
            let seen = watching.end().await;
            let parts = told(tab, &aim.frame, String::new(), &seen);
            reply(aim, &answer.value, parts)
        }
        Err(fault) => {
            watching.abandon().await;
            Err(unfit(fault, &aim.label, tab))
        }
    }
}

/// The button is clicked; the browser names the input it asks for, and shows no chooser.
async fn by_button(tab: &OwnedTab, aim: &Aim, files: Value) -> Result<Reply, Failure> {
    let mark = tab.mark();
    let clicked = strike(tab, aim, Gesture::Left, 0).await?;
    let deadline = tab.within(CHOOSER);
    let mut at = mark;
    while let Some((event, next)) = tab.next_event(at, deadline).await {
        at = next;
        let TabEvent::Chooser { frame_id, backend_node_id, .. } = event else { continue };
        let call = json!({ "fn": "setFiles", "args": [null, files], "frameId": frame_id, "node": backend_node_id });
        let answer = tab.effect::<Answer>("page", call, UPLOAD).await;
        let answer = answer.map_err(|fault| {
            // Whatever became of the files: the click was an effect.
            let failure = unfit(RequestFault { sent: true, ..fault }, &aim.label, tab);
            let own = format!("{} was clicked. {}", aim.label, failure.own);
            let disposition = match failure.disposition {
                Disposition::NotDispatched => Disposition::ToolFailure,
                known => known,
            };
            Failure { own, disposition, ..failure }
        })?;
        return reply(aim, &answer.value, clicked.parts);
    }
    dropped(tab, aim, files, clicked).await
}

/// What neither is an input nor asks for one may take files as they are dropped.
async fn dropped(
    tab: &OwnedTab,
    aim: &Aim,
    files: Value,
    clicked: Reply,
) -> Result<Reply, Failure> {
    let call = json!({
        "fn": "dropFiles", "args": [aim.key, files], "frameId": aim.frame.frame_id, "guard": aim.frame.guard(),
    });
    let subject = (Some(aim.key), aim.label.as_str());
    if let Ok((watching, _)) = Watching::begin(tab, &aim.frame, subject, Watched::Nothing).await {
        let answer = tab.effect::<Answer>("page", call, UPLOAD).await;
        let seen = watching.end().await;
        match answer {
            Ok(answer) if !answer.value.held.is_empty() => {
                let parts = told(tab, &aim.frame, String::new(), &seen);
                let mut reply = reply(aim, &answer.value, parts)?;
                reply.parts[0] = Part::Own(format!(
                    "{} was clicked and asked for no file; it then took the same files as dropped on it by a script. \
                     What the page made of them it alone knows: see below, and read the page.",
                    aim.label
                ));
                return Ok(reply);
            }
            Err(fault) if fault.sent || fault.lost => {
                let failure = Failure::from(fault);
                let own = format!(
                    "{} was clicked, then files were dropped on it. {}",
                    aim.label, failure.own
                );
                return Err(Failure { own, ..failure });
            }
            _ => {}
        }
    }
    let mut failure = Failure::tool(format!(
        "{} was clicked and asked for no file, and none was taken as dropped on it. No file was chosen. \
         Retry: do not repeat it before looking. Next step: read the page for what the click did, and find the control \
         or the place that takes files.",
        aim.label
    ));
    if let Some(Part::Page { origin, text }) = clicked.parts.into_iter().nth(1) {
        failure = failure.with_page(origin, text);
    }
    Err(failure)
}

/// `parts` are the receipt of what was done: a headline of our own and what was seen of the page.
fn reply(aim: &Aim, chosen: &Chosen, mut parts: Vec<Part>) -> Result<Reply, Failure> {
    let count = chosen.held.len();
    let files = if count == 1 { "1 file".to_owned() } else { format!("{count} files") };
    let after = if chosen.after == chosen.held {
        "and holds it now"
    } else {
        "and the page has changed what it holds since: it may have taken them already"
    };
    let after = if count == 1 { after.to_owned() } else { after.replace("holds it", "holds them") };
    parts[0] = Part::Own(format!("{} was given {files}, {after}.", aim.label));
    if let Some(Part::Page { text, .. }) = parts.get_mut(1) {
        // By a page that may change names.
        let seen =
            text.split_once("observed afterwards:").map_or("", |(_, seen)| seen.trim_start());
        let seen: Vec<_> =
            seen.lines().filter(|line| !line.starts_with("the page asked for a file;")).collect();
        let rows: Vec<_> = chosen.held.iter().map(row).collect();
        *text = format!("given:\n{}\nobserved afterwards:\n{}", rows.join("\n"), seen.join("\n"));
    }
    let list: Vec<_> =
        chosen.held.iter().map(|file| json!({ "name": file.name, "size": file.size })).collect();
    Ok(Reply { parts, structured: Some(json!({ "ref": aim.label, "files": list })) })
}

fn row(file: &ChosenFile) -> String {
    format!("file {} {} bytes", quoted(&file.name, 255), file.size)
}

fn unfit(fault: RequestFault, label: &str, tab: &OwnedTab) -> Failure {
    let own = match fault.message.as_str() {
        "no_file_input" => {
            "is no control that takes files. No file was chosen. Retry: not with this reference. \
             Next step: read the page and use the file input, its label or its button."
        }
        "one_file" => "takes one file only. No file was chosen. Retry: safe, with one file.",
        "folder" => {
            "takes a whole folder, which cannot be given. No file was chosen. Retry: does not help. \
             Next step: ask the person."
        }
        "other_kind" => {
            "takes other kinds of files only, as below. No file was chosen. Retry: safe, with a name and \
             mimeType that fit."
        }
        _ => return refused(fault, label, tab),
    };
    if fault.code != FaultCode::Page {
        return refused(fault, label, tab);
    }
    let failure = Failure::not_dispatched(format!("{label} {own}"));
    match fault.detail.as_ref().and_then(|detail| detail["expected"].as_str()) {
        Some(kinds) => {
            failure.with_page(tab.facts().doc.origin, format!("accepted: {}", quoted(kinds, 200)))
        }
        None => failure,
    }
}

#[cfg(test)]
mod tests;
