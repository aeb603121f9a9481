//! One request in full: its headers, its times, and one of its bodies.

use super::super::observed::{catch_up, origin};
use crate::redact::redacted;
use crate::render::{cut, flat, quoted};
use crate::tab::observed::NetworkLine;
use crate::tab::{OwnedTab, RequestFault};
use crate::tool::{Failure, Part, Reply};
use ghostlight_transport::browser_wire::FaultCode;
use ghostlight_transport::limits::{BODY_CHARS, BROWSER_REQUEST, READ_CHARS_MOST};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Body {
    Request,
    Response,
}

pub(super) async fn tell(
    tab: &OwnedTab,
    id: &str,
    body: Option<Body>,
    max_chars: Option<f64>,
) -> Result<Reply, Failure> {
    let number = number(id)?;
    catch_up(tab).await?;
    let request = {
        let observed = tab.observed();
        let observed = observed.borrow();
        observed.network.lines().find(|line| line.number == number).cloned()
    };
    let request = request.ok_or_else(|| {
        Failure::not_dispatched(format!(
            "This tab has no request req_{number}, or no longer. Nothing was read. Retry: not with this id. \
             Next step: call without request_id for those there are."
        ))
    })?;
    let mut text = described(&request);
    let mut own = format!("req_{number}.");
    if let Some(kind) = body {
        let whole = fetch(tab, &request, kind).await?;
        let most = max_chars.map_or(BODY_CHARS, |most| most as usize).clamp(1, READ_CHARS_MOST);
        let whole = redacted(&whole);
        let shown = cut(&whole, most);
        let name = if kind == Body::Request { "request" } else { "response" };
        own = format!(
            "req_{number} with the body of its {name}, {} characters.",
            whole.chars().count()
        );
        if shown.len() < whole.len() {
            own.push_str(&format!(" The first {most} are shown; more with a larger max_chars."));
        }
        text.push_str(&format!("\n{name} body:"));
        for line in shown.lines() {
            text.push_str(&format!("\n| {line}"));
        }
    }
    let page = Part::Page { origin: origin([&*request.asked.url]), text };
    Ok(Reply { parts: vec![Part::Own(own), page], structured: None })
}

fn number(id: &str) -> Result<u64, Failure> {
    let digits = id.trim().trim_matches(['[', ']']).strip_prefix("req_");
    digits.and_then(|digits| digits.parse().ok()).ok_or_else(|| {
        Failure::not_dispatched(format!(
            "{} is no request id; they look like req_12. Nothing was read. Retry: safe, with an id as listed. \
             Next step: call without request_id.",
            quoted(id, 40)
        ))
    })
}

fn described(request: &NetworkLine) -> String {
    let mut text = super::line(request);
    if let Some(millis) = request.head.as_ref().and_then(|head| request.after(head.at)) {
        text.push_str(&format!("\nfirst answer after {millis} ms"));
    }
    list(&mut text, "request headers:", &request.asked.headers);
    if let Some(head) = &request.head {
        list(&mut text, "response headers:", &head.headers);
    }
    text
}

fn list(text: &mut String, title: &str, headers: &[(String, String)]) {
    text.push_str(&format!("\n{title}"));
    for (name, value) in headers {
        text.push_str(&format!("\n  {}: {}", flat(name, 100), quoted(&redacted(value), 260)));
    }
}

async fn fetch(tab: &OwnedTab, request: &NetworkLine, body: Body) -> Result<String, Failure> {
    if body == Body::Request && !request.has_body {
        return Err(Failure::not_dispatched(
            "This request was sent without a body. Nothing was read. Retry: does not help. \
             Next step: ask for the response's body.",
        ));
    }
    if body == Body::Response && request.end.is_none() {
        return Err(Failure::not_dispatched(
            "The answer to this request has not arrived yet. Nothing was read. Retry: safe, later. Next step: wait.",
        ));
    }
    let (method, member) = match body {
        Body::Request => ("Network.getRequestPostData", "postData"),
        Body::Response => ("Network.getResponseBody", "body"),
    };
    let mut params = json!({ "method": method, "params": { "requestId": request.request } });
    if let Some(session) = &request.session {
        params["session"] = session.as_str().into();
    }
    let answer: Value = tab.read("cdp", params, BROWSER_REQUEST).await.map_err(not_kept)?;
    let result = &answer["result"];
    let text = result[member].as_str().unwrap_or_default();
    if result["base64Encoded"] == true && !text.is_empty() {
        let failure = Failure::tool(format!(
            "The body is no text; it has {} bytes. Retry: does not help. Next step: look at the page instead.",
            text.len() / 4 * 3,
        ));
        let kind = request.head.as_ref().map(|head| format!("kind: {}", quoted(&head.mime, 60)));
        let from = origin([&*request.asked.url]);
        return Err(match kind {
            Some(kind) => failure.with_page(from, kind),
            None => failure,
        });
    }
    Ok(text.to_owned())
}

/// The browser forgets bodies: with the document, and beyond 8 MB a tab.
fn not_kept(fault: RequestFault) -> Failure {
    let gone = matches!(fault.code, FaultCode::Cdp | FaultCode::StaleDocument);
    if !gone || fault.lost {
        return fault.into();
    }
    Failure::tool(
        "The browser does not have this body any more, or never had one: it keeps bodies of the present page up to 2 MB \
         each. Nothing was changed. Retry: does not help. Next step: let the page ask again, then read the new request.",
    )
}
