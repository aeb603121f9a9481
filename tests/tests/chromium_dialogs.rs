//! Dialogs of the page in real Chromium: whoever is interrupted says which one is open, soon, and the answer waits for
//! nobody. The page's own words about each answer are the judge.

use ghostlight_tests::reply::Reply;
use ghostlight_tests::site::Site;
use ghostlight_tests::stage::Stage;
use ghostlight_tests::wait::{LONG, until};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// A call behind a dialog ends within this time.
const SOON: Duration = Duration::from_secs(2);

/// Opens a dialog of `kind` at the first event `on`, or when told to; says what it was given.
const PAGE: &str = "<title>Asks</title><button>Press</button><input aria-label=Field>
<select aria-label=Choice><option>A<option>B</select><div style=height:4000px>tall</div><script>
const { kind = 'confirm', on } = Object.fromEntries(new URLSearchParams(location.search));
function ask() { say('asks'); const got = window[kind]('m-' + kind, 'd'); say('answered', got ?? String(got)); }
if (on === 'load') ask(); else if (on) addEventListener(on, ask, { capture: true, once: true });
</script>";

fn stage() -> Stage {
    let site = Site::of(PAGE);
    site.page("/two", "<title>Two</title><p>two");
    Stage::of(site)
}

/// The arguments of one call that has something to do on the page.
fn call(stage: &mut Stage, what: &str) -> (&'static str, Value) {
    let page = stage.read();
    let reference = |role: &str| page.reference(role, "");
    match what {
        "click" => ("computer", json!({"action": "left_click", "ref": reference("button")})),
        "hover" => ("computer", json!({"action": "hover", "ref": reference("button")})),
        "scroll_to" => ("computer", json!({"action": "scroll_to", "ref": reference("textbox")})),
        "type" => ("computer", json!({"action": "type", "text": "hello"})),
        "key" => ("computer", json!({"action": "key", "text": "a"})),
        "scroll" => ("computer", json!({"action": "scroll", "scroll_direction": "down"})),
        "screenshot" => ("computer", json!({"action": "screenshot"})),
        "wait" => ("computer", json!({"action": "wait", "duration": 9})),
        "fill" => ("form_input", json!({"ref": reference("textbox"), "value": "hello"})),
        "choose" => ("form_input", json!({"ref": reference("combobox"), "value": "B"})),
        "navigate" => ("navigate", json!({"url": stage.site.url("/two")})),
        "find" => ("find", json!({"query": "Press"})),
        "text" => ("get_page_text", json!({})),
        "read" => ("read_page", json!({})),
        other => panic!("no call {other}"),
    }
}

fn timed(stage: &mut Stage, tool: &str, arguments: Value) -> Reply {
    let started = Instant::now();
    let reply = stage.call(tool, arguments);
    assert!(started.elapsed() < SOON, "{tool}: {:?} {reply:?}", started.elapsed());
    reply
}

fn focus(stage: &mut Stage) {
    stage.evaluate("document.querySelector('input').focus()");
}

#[test]
fn an_action_that_opens_a_dialog_ends_soon_and_names_it() {
    let mut stage = stage();
    let cases = [
        ("click", "click", "alert", "accept", json!("undefined")),
        ("click", "mousedown", "confirm", "accept", json!(true)),
        ("hover", "mouseover", "prompt", "accept", json!("d")),
        ("type", "input", "confirm", "dismiss", json!(false)),
        ("type", "keydown", "prompt", "dismiss", json!("null")),
        ("key", "keyup", "alert", "dismiss", json!("undefined")),
        ("scroll", "scroll", "confirm", "accept", json!(true)),
        ("scroll", "wheel", "alert", "accept", json!("undefined")),
        ("fill", "input", "confirm", "dismiss", json!(false)),
        ("fill", "focusin", "prompt", "accept", json!("d")),
        ("choose", "change", "alert", "accept", json!("undefined")),
    ];
    for (n, (what, on, kind, answer, got)) in cases.into_iter().enumerate() {
        stage.go(&format!("/?on={on}&kind={kind}"));
        if matches!(what, "type" | "key") {
            focus(&mut stage);
        }
        let (tool, arguments) = call(&mut stage, what);
        let reply = timed(&mut stage, tool, arguments);
        let named = format!("{kind} \"m-{kind}\"");
        assert!(reply.words().contains(&named), "{what} on {on}: {reply:?}");
        assert!(stage.site.said("answered").len() == n, "{what} on {on} was answered by itself");
        stage.succeed("dialog", json!({"action": answer}));
        let said = until("the answer", LONG, || stage.site.said("answered").get(n).cloned());
        assert_eq!(said, got, "{what} on {on}");
        stage.succeed("find", json!({"query": "Press"}));
    }
}

#[test]
fn a_dialog_that_opens_beside_a_call_is_told_and_the_next_call_works() {
    let mut stage = stage();
    let calls = [
        "click",
        "hover",
        "type",
        "key",
        "scroll",
        "scroll_to",
        "fill",
        "choose",
        "screenshot",
        "wait",
        "find",
        "text",
        "read",
        "navigate",
    ];
    for (what, after) in calls.into_iter().flat_map(|what| [0, 12].map(|after| (what, after))) {
        stage.go("/");
        let (tool, arguments) = call(&mut stage, what);
        focus(&mut stage);
        stage.evaluate(&format!("void setTimeout(ask, {after})"));
        let reply = timed(&mut stage, tool, arguments);
        let named = reply.words().contains("confirm \"m-confirm\"");
        assert!(named || reply.is_success(), "{what} after {after} ms: {reply:?}");
        if what == "navigate" {
            // The page that comes ends the dialog of the one that goes.
            let arrived = reply.structured["title"] == "Two";
            assert!(arrived || named, "{reply:?}");
            stage.call("dialog", json!({"action": "dismiss"}));
        } else {
            dismiss(&mut stage);
        }
        let text = stage.call("get_page_text", json!({}));
        assert!(text.is_success(), "{what} after {after} ms: {reply:?}, then {text:?}");
    }
}

/// Answers the dialog that opens about now.
fn dismiss(stage: &mut Stage) {
    until("a dialog to dismiss", SOON, || {
        stage.call("dialog", json!({"action": "dismiss"})).is_success().then_some(())
    });
}

#[test]
fn a_dialog_of_a_frame_blocks_its_tab_and_no_other() {
    let site = Site::of(PAGE);
    site.page(
        "/in",
        "<button onclick=\"say('inner', confirm('inner?'))\">Inner</button><button onclick=\"confirm('one');\
         for (const t = Date.now(); Date.now() - t < 200;); say('twice', prompt('two'))\">Twice</button>",
    );
    let foreign = site.other_site_url("/in");
    site.page(
        "/",
        &format!("<title>Frames</title><iframe src=/in></iframe><iframe src='{foreign}'></iframe>"),
    );
    site.page("/two", "<title>Two</title><button onclick=\"say('beside')\">Beside</button>");
    let mut stage = Stage::of(site);
    let beside = stage.client.open_page(&stage.site.other_site_url("/two"));
    let page = stage.read();
    let inner: Vec<_> = page.elements().into_iter().filter(|e| e.name == "Inner").collect();
    assert_eq!(inner.len(), 2, "{}", page.text);
    for (n, button) in inner.iter().enumerate() {
        let press = json!({"action": "left_click", "ref": button.reference});
        let asked = timed(&mut stage, "computer", press);
        assert!(asked.words().contains("confirm \"inner?\""), "{asked:?}");
        for (tool, arguments) in
            [("read_page", json!({})), ("computer", json!({"action": "screenshot"}))]
        {
            let reply = timed(&mut stage, tool, arguments);
            assert!(reply.is_refusal() && reply.text.contains("confirm \"inner?\""), "{reply:?}");
        }
        let own = std::mem::replace(&mut stage.tab, beside);
        stage.click("Beside");
        stage.tab = own;
        stage.succeed("dialog", json!({"action": "accept"}));
        let said = until("the answer", LONG, || stage.site.said("inner").get(n).cloned());
        assert_eq!(said, true);
        stage.succeed("read_page", json!({}));
    }
    assert_eq!(stage.site.said("beside").len(), 2);
    let twice: Vec<_> = page.elements().into_iter().filter(|e| e.name == "Twice").collect();
    for (n, button) in twice.iter().enumerate() {
        let press = json!({"action": "left_click", "ref": button.reference});
        let asked = timed(&mut stage, "computer", press);
        assert!(asked.words().contains("confirm \"one\""), "{asked:?}");
        let next = timed(&mut stage, "dialog", json!({"action": "accept"}));
        assert!(
            next.text.contains("another one") && next.text.contains("prompt \"two\""),
            "{next:?}"
        );
        stage.succeed("dialog", json!({"action": "respond", "text": "yes"}));
        let said = until("the second answer", LONG, || stage.site.said("twice").get(n).cloned());
        assert_eq!(said, "yes");
        stage.succeed("read_page", json!({}));
    }
}

#[test]
fn a_dialog_is_answered_while_another_call_waits_in_its_tab() {
    let mut stage = stage();
    let tab = stage.tab;
    let wait = json!({"tabId": tab, "action": "wait", "duration": 9});
    let first = stage.client.ask_tool("computer", wait.clone());
    let second = stage.client.ask_tool("computer", wait);
    let started = Instant::now();
    let status = stage.succeed("dialog", json!({"action": "status"}));
    assert!(status.text.contains("No dialog"), "{status:?}");
    stage.evaluate("void setTimeout(ask, 0)");
    dismiss(&mut stage);
    assert!(started.elapsed() < SOON, "{:?}", started.elapsed());
    for id in [first, second] {
        stage.client.cancel(id);
    }
    stage.succeed("get_page_text", json!({}));
    assert!(started.elapsed() < 2 * SOON, "{:?}", started.elapsed());
}

#[test]
fn what_the_person_answered_is_over_for_the_agent() {
    let mut stage = stage();
    let url = stage.site.url("/");
    let person = stage.chromium.judge.attach(&url);
    let enabled = stage.chromium.judge.command(&person, "Page.enable", json!({}));
    enabled.expect("the page can be watched");
    for n in 0..3 {
        stage.go(&format!("/?on=click&kind=confirm&n={n}"));
        stage.click("Press");
        let accept = json!({"accept": n != 1});
        let answered = stage.chromium.judge.command(&person, "Page.handleJavaScriptDialog", accept);
        answered.expect("the dialog is there for the person");
        stage.succeed("find", json!({"query": "Press"}));
        stage.refused("dialog", json!({"action": "accept"}));
    }
    let all = || (stage.site.said("answered").len() == 3).then(|| stage.site.said("answered"));
    assert_eq!(until("three answers", LONG, all), [json!(true), json!(false), json!(true)]);
}

#[test]
fn dialogs_without_end_leave_the_other_tabs_alone() {
    let site = Site::of(
        "<title>Rows</title><button onclick='while (true) alert(1)'>Storm</button>\
         <button onclick=\"alert('a'); confirm('b'); prompt('c'); say('past')\">Row</button>",
    );
    site.page("/two", "<title>Two</title><p>two");
    let mut stage = Stage::of(site);
    let beside = stage.client.open_page(&stage.site.other_site_url("/two"));
    let mut told = stage.click("Row");
    for next in ["alert \"a\"", "confirm \"b\"", "prompt \"c\""] {
        assert!(told.text.contains(next), "{next}: {told:?}");
        told = timed(&mut stage, "dialog", json!({"action": "accept"}));
    }
    stage.site.await_said("past");
    stage.click("Storm");
    for _ in 0..20 {
        let reply = timed(&mut stage, "dialog", json!({"action": "accept"}));
        assert!(reply.is_success() && reply.text.contains("another"), "{reply:?}");
    }
    stage.client.succeed("get_page_text", json!({"tabId": beside}));
    stage.refused("tab_control", json!({"action": "close"}));
    let closed = timed(&mut stage, "tab_control", json!({"action": "close", "unload": "accept"}));
    assert!(closed.is_success(), "{closed:?}");
    assert_eq!(stage.chromium.judge.page(&stage.site.url("/")), None);
    stage.refused("get_page_text", json!({}));
    stage.client.succeed("get_page_text", json!({"tabId": beside}));
}

#[test]
fn leaving_a_page_that_asks_is_decided_by_force_whatever_the_way() {
    let file = || {
        let mut file =
            ghostlight_tests::site::Response::of("application/octet-stream", vec![0; 64]);
        file.headers.push(("Content-Disposition", "attachment; filename=a.bin".to_owned()));
        file
    };
    let site = Site::of("<title>Two</title>");
    site.page(
        "/draft",
        "<title>Draft</title><input aria-label=Field><script>\
         addEventListener('beforeunload', e => e.preventDefault())</script>",
    );
    site.page("/nested", "<title>Nested</title><iframe src=/draft></iframe>");
    site.serve("/file", move |_| file());
    let mut stage = Stage::of(site);
    let ways = [
        ("/draft", stage.site.url("/"), "Two"),
        ("/draft", "back".to_owned(), "Two"),
        ("/draft", stage.site.url("/file"), "Draft"),
        ("/nested", stage.site.url("/"), "Two"),
    ];
    for (page, way, after) in ways {
        for force in [false, true] {
            stage.succeed("navigate", json!({"url": stage.site.url("/"), "force": true}));
            stage.go(page);
            stage.click("Field");
            let before = stage.evaluate("document.title");
            let reply = timed(&mut stage, "navigate", json!({"url": way, "force": force}));
            assert_eq!(reply.is_success(), force, "{way} from {page}: {reply:?}");
            let expected = if force { json!(after) } else { before };
            assert_eq!(stage.evaluate("document.title"), expected, "{way} from {page}");
            stage.succeed("get_page_text", json!({}));
        }
    }
}
