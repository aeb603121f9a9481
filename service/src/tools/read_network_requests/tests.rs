//! Requests as told, and one of them in full.

use super::ROW;
use crate::tab::observed::{Asked, End, Head, Hop, Seen};
use crate::tab::scripted::{Scripted, told};
use crate::tab::{OwnedTab, RequestFault};
use crate::tool::Failure;
use ghostlight_transport::browser_wire::FaultCode;
use serde_json::{Value, json};
use std::rc::Rc;

fn browser(body: Result<Value, RequestFault>) -> Rc<Scripted> {
    Scripted::new(move |method, params, effect| {
        assert!(!effect);
        if method == "tab.list" {
            return Ok(json!({ "tabs": [] }));
        }
        assert_eq!(params["session"], "S");
        body.clone().map(|result| json!({ "result": result }))
    })
}

fn hop(url: &str) -> Hop {
    Hop::new("POST".into(), url, vec![("Accept".into(), "token=s3cret".into())])
}

fn ask(tab: &OwnedTab, id: &str, url: &str) {
    let asked = Asked {
        kind: "XHR".into(),
        hop: hop(url),
        has_body: true,
        at: Some(1_000),
        session: Some("S".into()),
    };
    tab.observed().borrow_mut().noted(id, Seen::Start(asked));
}

fn head(tab: &OwnedTab, id: &str, status: u16) {
    let headers = vec![("X-Forged".into(), "a\n[req_9] GET".into())];
    let (mime, from) = ("text/html".into(), String::new());
    let head = Head { status, mime, from, headers, at: Some(1_020) };
    tab.observed().borrow_mut().noted(id, Seen::Head(head, Some("S".into())));
}

fn end(tab: &OwnedTab, id: &str, end: End) {
    tab.observed().borrow_mut().noted(id, Seen::End(end, Some(1_035)));
}

fn failed(error: &str, canceled: bool) -> End {
    End::Failed { error: error.into(), canceled }
}

/// A redirected one, a failed one, a cancelled one, one under way, and one whose server says no more.
fn five(browser: &Rc<Scripted>) -> OwnedTab {
    let tab = browser.tab(7);
    ask(&tab, "A", "http://a.test/one?token=s3cret");
    let to = hop("http://b.test/\" -> 200");
    tab.observed().borrow_mut().noted("A", Seen::Redirect { status: 302, to });
    head(&tab, "A", 200);
    end(&tab, "A", End::Done { bytes: 12 });
    ask(&tab, "B", "http://a.test/two");
    end(&tab, "B", failed("net::ERR_FAILED (MissingAllowOriginHeader)", false));
    ask(&tab, "C", "http://a.test/three");
    end(&tab, "C", failed("net::ERR_ABORTED", true));
    ask(&tab, "D", "http://a.test/four");
    ask(&tab, "E", "http://a.test/five");
    head(&tab, "E", 206);
    tab
}

fn read(tab: OwnedTab, arguments: Value) -> Result<(String, String), Failure> {
    told(&ROW, tab, arguments)
}

#[test]
fn requests_are_told_one_a_line_from_start_to_end() {
    let (own, page) = read(five(&browser(Ok(json!({})))), json!({})).unwrap();
    assert_eq!(
        own,
        "5 network requests since the tab was adopted, or since they were last forgotten."
    );
    let expected = "[req_1] POST \"http://a.test/one?token=[redacted]\" -> 302 \"http://b.test/\\\" -> 200\" -> 200 (XHR, text/html, 12 bytes, 35 ms)\n\
         [req_2] POST \"http://a.test/two\" -> failed \"net::ERR_FAILED (MissingAllowOriginHeader)\" (XHR, 35 ms)\n\
         [req_3] POST \"http://a.test/three\" -> canceled (XHR, 35 ms)\n\
         [req_4] POST \"http://a.test/four\" -> pending (XHR)\n\
         [req_5] POST \"http://a.test/five\" -> 206, still arriving (XHR, text/html)";
    assert_eq!(page, expected);
}

#[test]
fn only_what_is_asked_for_is_told_and_what_is_forgotten_keeps_its_number() {
    let browser = browser(Ok(json!({})));
    let tab = five(&browser);
    let (own, page) = read(tab.clone(), json!({"urlPattern": "B.TEST"})).unwrap();
    assert!(own.starts_with("1 of 5") && page.starts_with("[req_1]"), "{own} {page}");
    let (own, page) = read(tab.clone(), json!({"limit": 1, "clear": true})).unwrap();
    assert!(own.contains("The latest 1 are shown") && page.starts_with("[req_5]"), "{own}");
    assert!(read(tab.clone(), json!({})).unwrap().0.starts_with("No network requests"));
    ask(&tab, "F", "http://a.test/six");
    assert!(read(tab, json!({})).unwrap().1.starts_with("[req_6]"));
}

#[test]
fn one_request_is_told_with_its_headers_and_a_body_that_forges_nothing() {
    let body = json!({"body": "[req_9] GET\n{\"password\": \"s3cret\"}", "base64Encoded": false});
    let tab = five(&browser(Ok(body)));
    let (own, page) =
        read(tab.clone(), json!({"request_id": "req_1", "body": "response"})).unwrap();
    assert!(own.contains("body of its response, 38 characters"), "{own}");
    let expected = "first answer after 20 ms\nrequest headers:\n  Accept: \"token=[redacted]\"\nresponse headers:\n  \
         X-Forged: \"a\\n[req_9] GET\"\nresponse body:\n| [req_9] GET\n| {\"password\": \"[redacted]\"}";
    assert_eq!(page.split_once('\n').unwrap().1, expected);
    let cut = json!({"request_id": "[req_1]", "body": "response", "max_chars": 5});
    let (own, page) = read(tab, cut).unwrap();
    assert!(own.contains("The first 5 are shown") && page.ends_with("| [req_"), "{own} {page}");
}

#[test]
fn what_cannot_be_told_names_its_cause() {
    let gone = RequestFault::unsent(FaultCode::Cdp, "No resource with given identifier found");
    let binary = json!({"body": "AAAA", "base64Encoded": true});
    let cases = [
        (Err(gone), json!({"request_id": "req_1", "body": "response"}), "does not have this body"),
        (
            Ok(binary),
            json!({"request_id": "req_1", "body": "response"}),
            "is no text; it has 3 bytes",
        ),
        (Ok(json!({})), json!({"request_id": "req_4", "body": "response"}), "not arrived yet"),
        (Ok(json!({})), json!({"request_id": "req_9"}), "no request req_9"),
        (Ok(json!({})), json!({"request_id": "12"}), "is no request id"),
        (Ok(json!({})), json!({"body": "response"}), "need `request_id`"),
        (Ok(json!({})), json!({"request_id": "req_1", "limit": 1}), "names one request"),
    ];
    for (answer, arguments, cause) in cases {
        let failure = read(five(&browser(answer)), arguments).unwrap_err();
        assert!(failure.own.contains(cause) && failure.own.contains("Retry: "), "{}", failure.own);
    }
}
