//! `read_network_requests`: what a page asked of the network since the tab was adopted, and one request in full.

mod detail;

use super::observed::{self, Shown};
use super::{READS, no_effect};
use crate::render::{flat, quoted};
use crate::tab::OwnedTab;
use crate::tab::observed::{End, NetworkLine};
use crate::tool::{Call, Failure, Lane, Reply, Tool};
use detail::Body;
use ghostlight_transport::bridge::WorkspaceUse;
use serde::Deserialize;

pub(crate) const ROW: Tool = Tool {
    name: "read_network_requests",
    title: "Read Network Requests",
    description: "Lists what the page and its frames asked of the network since the tab was adopted, oldest first: id, \
        redirects, status or failure, type, size, time. With request_id: that request with its headers, and its body or \
        its answer's body on request. The last 500 are kept; secrets are hidden.",
    input: r#"{
"type":"object","additionalProperties":false,"required":["tabId"],"properties":{
"tabId":{"type":"number"},
"urlPattern":{"type":"string","description":"Text in the address"},
"limit":{"type":"number","minimum":1,"description":"The latest so many; default 100"},
"clear":{"type":"boolean","description":"Forget all requests after this reading"},
"request_id":{"type":"string","description":"e.g. req_12"},
"body":{"type":"string","enum":["request","response"],"description":"With request_id"},
"max_chars":{"type":"number","minimum":1,"description":"Of the body; default 10000"}}}"#,
    output: None,
    hints: READS,
    workspace: WorkspaceUse::Uses,
    lane: Lane::Surface,
    effect: no_effect,
    run: |call| Box::pin(run(call)),
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    url_pattern: Option<String>,
    limit: Option<f64>,
    #[serde(default)]
    clear: bool,
    #[serde(rename = "request_id")]
    request_id: Option<String>,
    body: Option<Body>,
    #[serde(rename = "max_chars")]
    max_chars: Option<f64>,
}

async fn run(mut call: Call) -> Result<Reply, Failure> {
    let tab = call.tab()?;
    let arguments: Arguments = call.parse()?;
    let Some(id) = arguments.request_id else {
        if arguments.body.is_some() || arguments.max_chars.is_some() {
            return Err(Failure::not_dispatched(
                "`body` and `max_chars` need `request_id`. Nothing was read. Retry: safe, with request_id as listed without it.",
            ));
        }
        return list(&tab, &arguments).await;
    };
    if arguments.url_pattern.is_some() || arguments.limit.is_some() || arguments.clear {
        return Err(Failure::not_dispatched(
            "`request_id` names one request; urlPattern, limit and clear are for the list. Nothing was read. Retry: safe, \
             with one or the other.",
        ));
    }
    detail::tell(&tab, &id, arguments.body, arguments.max_chars).await
}

async fn list(tab: &OwnedTab, arguments: &Arguments) -> Result<Reply, Failure> {
    observed::catch_up(tab).await?;
    let observed = tab.observed();
    let mut observed = observed.borrow_mut();
    let wanted = arguments.url_pattern.as_deref().unwrap_or_default().to_lowercase();
    let fits = |line: &&NetworkLine| {
        let hops = line.hops.iter().map(|(hop, _)| hop);
        hops.chain([&line.asked]).any(|hop| hop.url.to_lowercase().contains(&wanted))
    };
    let fitting: Vec<&NetworkLine> = observed.network.lines().filter(fits).collect();
    let shown = Shown::latest(&fitting, arguments.limit, |request, _| line(request));
    let origin = observed::origin(fitting.iter().map(|line| &*line.asked.url));
    let counts = ("network request", fitting.len(), observed.network.lines().len());
    let own = observed::headline(&shown, counts, observed.network.dropped, observed.gaps);
    if arguments.clear {
        observed.network.clear();
    }
    Ok(shown.reply(own, arguments.clear, origin))
}

/// One request, one line: `[req_12] GET "…" -> 302 "…" -> 200 (XHR, text/html, 12 bytes, 35 ms)`.
fn line(request: &NetworkLine) -> String {
    let first = request.first();
    let mut text =
        format!("[req_{}] {} {}", request.number, flat(&first.method, 20), quoted(&first.url, 300));
    let next = request.hops.iter().skip(1).map(|(hop, _)| hop).chain([&request.asked]);
    for ((_, status), to) in request.hops.iter().zip(next) {
        text.push_str(&format!(" -> {status} {}", quoted(&to.url, 300)));
    }
    text.push_str(&format!(" -> {} ({})", outcome(request), facts(request).join(", ")));
    text
}

fn outcome(request: &NetworkLine) -> String {
    let status = request.head.as_ref().map(|head| head.status);
    match (&request.end, status) {
        (Some(End::Failed { canceled: true, .. }), _) => "canceled".into(),
        (Some(End::Failed { error, .. }), None) => format!("failed {}", quoted(error, 120)),
        (Some(End::Failed { error, .. }), Some(status)) => {
            format!("{status}, then failed {}", quoted(error, 120))
        }
        (Some(End::Done { .. }), Some(status)) => status.to_string(),
        (Some(End::Done { .. }), None) => "done, status unknown".into(),
        (None, Some(status)) => format!("{status}, still arriving"),
        (None, None) => "pending".into(),
    }
}

fn facts(request: &NetworkLine) -> Vec<String> {
    let mut facts = vec![flat(&request.kind, 20)];
    if let Some(head) = &request.head {
        facts.push(flat(&head.mime, 60));
        let from = if request.cached { "cache" } else { &head.from };
        facts.push(if from.is_empty() { String::new() } else { format!("from {from}") });
    }
    if let Some(End::Done { bytes }) = request.end {
        facts.push(format!("{bytes} bytes"));
    }
    if let Some(millis) = request.after(request.ended) {
        facts.push(format!("{millis} ms"));
    }
    facts.retain(|fact| !fact.is_empty());
    facts
}

#[cfg(test)]
mod tests;
