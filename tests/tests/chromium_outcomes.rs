//! What is told of actions that end in an odd way: no page, another frame's page, a dialog, two pages at once.

use ghostlight_tests::site::{Response, Site};
use ghostlight_tests::stage::Stage;
use ghostlight_tests::wait::{LONG, until};
use serde_json::json;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const LINKS: &str = "<title>Links</title><a href=/empty>Empty</a> <a href=mailto:a@b.example>Mail</a> \
    <a href=/slow-empty>Patience</a> <a href=/file>File</a> <button onclick='location=\"tel:1\"'>Call</button>\
    <button onclick='say(\"heard\")'>Plain</button><input type=checkbox aria-label=Tick>\
    <iframe src=/inside></iframe>";

#[test]
fn a_page_that_does_not_come_is_told_at_once() {
    let site = Site::of(LINKS);
    let empty = || Response { status: 204, ..Response::html("") };
    site.serve("/empty", move |_| empty());
    site.serve("/slow-empty", move |_| {
        std::thread::sleep(Duration::from_millis(600));
        empty()
    });
    site.serve("/file", |_| {
        let mut file = Response::of("application/octet-stream", b"bytes".to_vec());
        file.headers.push(("Content-Disposition", "attachment; filename=x.bin".into()));
        file
    });
    site.page("/inside", "<a href=/empty>Inner empty</a> <a href=/next>Inner next</a>");
    site.page("/next", "<p>next");
    let mut stage = Stage::of(site);
    let cases = [
        ("Empty", "/empty\", and no page came"),
        ("Patience", "/slow-empty\", and no page came"),
        ("File", "a download started"),
        ("Inner empty", "/empty\", and no page came"),
        ("Inner next", "the frame now holds another document"),
        ("Mail", "mailto:a@b.example\", and no page came"),
        ("Call", "tel:1\", and no page came"),
    ];
    for (name, expected) in cases {
        let started = Instant::now();
        let text = stage.click(name).text;
        // Looking for another program, the browser holds the page, on a busy machine for longer than it is waited for.
        let held = expected.contains(':') && text.contains("did not answer in time");
        assert!(held || text.contains(expected), "{name}: {text}");
        assert!(!text.contains("another page is loading"), "{name}: {text}");
        assert!(started.elapsed() < Duration::from_millis(3500), "{name}: {:?}", started.elapsed());
    }
    the_browsers_question_is_told(&mut stage);
}

/// The browser asks the person for a program for `tel:` a moment later, and takes no input until another site comes.
fn the_browsers_question_is_told(stage: &mut Stage) {
    until("the browser to ask", LONG, || {
        stage.click("Plain").text.contains("another program").then_some(())
    });
    let heard = stage.site.said("heard").len();
    stage.go("/next");
    stage.go("/");
    for (action, text) in [("left_click", None), ("hover", None), ("type", Some("x"))] {
        let reference = text.is_none().then(|| stage.find("Plain").reference);
        let mut call = json!({"action": action});
        if let Some(reference) = reference {
            call["ref"] = reference.into();
        }
        if let Some(text) = text {
            call["text"] = text.into();
        }
        let started = Instant::now();
        let told = stage.succeed("computer", call).text;
        assert!(told.contains("another program"), "{action}: {told}");
        assert!(started.elapsed() < Duration::from_secs(2), "{action}: {:?}", started.elapsed());
    }
    let tick = stage.find("Tick").reference;
    let told = stage.refused("form_input", json!({"ref": tick, "value": true}));
    assert!(told.contains("was not seen to hear of it"), "{told}");
    assert_eq!(stage.site.said("heard").len(), heard);
    let other = stage.site.other_site_url("/next");
    stage.succeed("navigate", json!({"url": other}));
    stage.go("/");
    let text = stage.click("Plain").text;
    assert!(text.contains("seen to receive") && !text.contains("another program"), "{text}");
    until("the click", LONG, || (stage.site.said("heard").len() == heard + 1).then_some(()));
}

#[test]
fn a_dialog_that_a_value_opens_is_named() {
    let mut stage = Stage::on(
        "<input aria-label=Word oninput=\"alert('Mind the gap')\"><select aria-label=Pick onchange=\"confirm('Pick?')\">\
         <option>a<option>b</select><input type=checkbox aria-label=Tick onclick=\"confirm('Tick?')\">",
    );
    for (name, value, question) in [
        ("Word", json!("x"), "alert \"Mind the gap\""),
        ("Pick", json!("b"), "confirm \"Pick?\""),
        ("Tick", json!(true), "confirm \"Tick?\""),
    ] {
        let reference = stage.find(name).reference;
        let started = Instant::now();
        let reply = stage.call("form_input", json!({"ref": reference, "value": value}));
        assert!(started.elapsed() < Duration::from_secs(2), "{name}: {:?}", started.elapsed());
        assert!(reply.text.contains(question), "{name}: {}", reply.text);
        assert!(!reply.text.contains("left the page"), "{name}: {}", reply.text);
        stage.succeed("dialog", json!({"action": "accept"}));
    }
    assert_eq!(
        stage.evaluate("[...document.querySelectorAll('input,select')].map(e => e.value)"),
        json!(["x", "b", "on"])
    );
}

#[test]
fn address_and_title_of_an_arrival_are_of_one_page() {
    let site = Site::of("<title>start</title>");
    let count = AtomicUsize::new(0);
    site.serve("/loop", move |request| {
        let n = count.fetch_add(1, Ordering::SeqCst);
        let own = if request.query.is_empty() { "0" } else { &request.query };
        let next = format!("<title>page {own}</title><script>setTimeout(() => location.replace('/loop?{}'), 100)</script>", n + 1);
        Response::html(&next)
    });
    let mut stage = Stage::of(site);
    let url = stage.site.url("/loop");
    let mut told = 0;
    for _ in 0..10 {
        // It may also be told that another page came in between.
        let reply = stage.call("navigate", json!({"url": url})).structured;
        let Some(url) = reply["url"].as_str() else { continue };
        let wanted = format!("page {}", url.split_once('?').map_or("0", |(_, query)| query));
        let title = reply["title"].as_str().unwrap_or_default();
        // Until the title came, the browser shows the address in its place.
        let titled = !title.is_empty() && !url.ends_with(title);
        assert!(!titled || title == wanted, "{reply}");
        told += usize::from(titled);
    }
    assert!(told > 0, "no arrival was told with its title");
}
