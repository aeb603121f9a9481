//! Scripts that an agent runs in real pages: their values, their ends, and what they do to the page.

use ghostlight_tests::stage::Stage;
use ghostlight_tests::wait::until;
use serde_json::json;
use std::time::{Duration, Instant};

const PAGE: &str = "<title>Scripts</title><form action=/sent><button id=go class='big red' type=button \
    onclick=\"say('clicked', 1)\">Press</button></form><script>const own = {deep: [1, null, {a: 'x'}]}; \
    window.ticks = 0; setInterval(() => ticks++, 20)</script>";

fn run(stage: &mut Stage, text: &str) -> String {
    let script = json!({"action": "javascript_exec", "text": text});
    let reply = stage.call("javascript_tool", script);
    assert!(reply.is_success(), "{text}: {reply:?}");
    reply.text
}

fn refused(stage: &mut Stage, text: &str, timeout_ms: u64) -> String {
    let script = json!({"action": "javascript_exec", "text": text, "timeout_ms": timeout_ms});
    stage.refused("javascript_tool", script)
}

#[test]
fn a_script_gives_what_it_ends_with_or_returns() {
    let mut stage = Stage::on(PAGE);
    let cases = [
        ("document.title", "a string of 7 characters", "Scripts"),
        ("const a = 20; a * 2 + 2", "a number", "\n42\n"),
        ("const a = 1; a", "a number", "\n1\n"),
        ("if (own) return own.deep.length; return 0", "a number", "\n3\n"),
        ("return await Promise.resolve('later')", "a string", "later"),
        ("(await fetch('/')).status", "a number", "\n200\n"),
        ("new Promise((done) => setTimeout(() => done({b: 1}), 20))", "an object", "{\"b\":1}"),
        ("own", "an object", "{\"deep\":[1,null,{\"a\":\"x\"}]}"),
        ("document.querySelector('#go')", "a node", "[element button#go.big.red \\\"Press\\\"]"),
        ("[...document.forms]", "an array", "[\"[element form \\\"Press\\\"]\"]"),
        ("const c = {}; c.self = [c]; c", "an object", "{\"self\":[\"[circular]\"]}"),
        ("run = function named() {}", "a function", "[function named]"),
        (
            "({m: new Map([[1, NaN]]), u: undefined, w: window})",
            "an object",
            "{\"m\":{\"[Map of 1]\":[[1,\"[NaN]\"]]},\"u\":\"[undefined]\",\"w\":\"[window]\"}",
        ),
        (
            "({ok: 1, get bad() { throw Error('shy') }})",
            "an object",
            "\"bad\":\"[threw Error: shy]\"",
        ),
        ("undefined", "no value", ""),
        ("null", "null", ""),
        ("10n ** 20n", "a bigint", "100000000000000000000n"),
        ("'a\\ud800b\\u2028c'", "a string of 5 characters", "a\u{fffd}b\nc"),
        ("'x'.repeat(10_000_000)", "of 10000000 characters. Cut after 50000", "xxxx"),
        (
            "Array.from({length: 1_000_000}, (_, i) => ({i}))",
            "an array",
            "{\"i\":1999},\"[998000 more]\"]",
        ),
        ("Array.from({length: 1000}, () => 'z'.repeat(100))", "an array", "zzzz"),
    ];
    for (script, own, text) in cases {
        let told = run(&mut stage, script);
        assert!(told.contains(own), "{script}: {}", &told[..told.len().min(400)]);
        assert!(told.contains(text), "{script}: {}", &told[told.len().saturating_sub(400)..]);
        assert!(told.len() < 60_000 && !told.contains("observed"), "{script}");
    }
    let told = run(&mut stage, "({get a() { while (true); }})");
    assert!(told.contains("cannot be told"), "{told}");
}

#[test]
fn a_script_that_does_not_end_is_told_and_leaves_the_tab_usable() {
    let mut stage = Stage::on(PAGE);
    let later = "await new Promise((done) => setTimeout(done, 20)); while (true);";
    for (n, (script, how)) in [
        ("while (true);", "was stopped"),
        ("await 0; while (true);", "was stopped"),
        (later, "was stopped"),
        ("new Promise(() => { while (true); })", "was stopped"),
        ("await new Promise(() => {})", "still waits"),
        ("new Promise(() => {})", "still waits"),
    ]
    .into_iter()
    .enumerate()
    {
        let started = Instant::now();
        let told = refused(&mut stage, script, 300);
        assert!(told.contains(how) && told.contains("within 300 ms"), "{script}: {told}");
        assert!(started.elapsed() < Duration::from_secs(5), "{script}: {:?}", started.elapsed());
        stage.click("Press");
        until("the click", Duration::from_secs(5), || {
            (stage.site.said("clicked").len() == n + 1).then_some(())
        });
    }
}

#[test]
fn a_cancelled_script_no_longer_keeps_the_tab() {
    let mut stage = Stage::on(PAGE);
    let tab = stage.tab;
    for script in ["say('runs', 1); await new Promise(() => {})", "say('runs', 2); for (;;);"] {
        let before = stage.site.said("runs").len();
        let arguments = json!({"action": "javascript_exec", "text": script, "tabId": tab});
        let id = stage.client.ask_tool("javascript_tool", arguments);
        until("the script", Duration::from_secs(10), || {
            (stage.site.said("runs").len() > before).then_some(())
        });
        stage.client.cancel(id);
        let started = Instant::now();
        assert!(run(&mut stage, "1 + 1").contains("\n2\n"));
        assert!(started.elapsed() < Duration::from_secs(4), "{script}: {:?}", started.elapsed());
    }
}

#[test]
fn a_dialog_of_the_script_is_named_at_once_and_answered_by_its_tool() {
    let mut stage = Stage::on(PAGE);
    for (script, kind) in [
        ("document.title = String(confirm('Sure?'))", "confirm"),
        ("await fetch('/'); document.title = String(confirm('Sure?'))", "confirm"),
    ] {
        let started = Instant::now();
        let told = refused(&mut stage, script, 20_000);
        assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
        assert!(told.contains(kind) && told.contains("Sure?"), "{told}");
        stage.refused("javascript_tool", json!({"action": "javascript_exec", "text": "1"}));
        stage.succeed("dialog", json!({"action": "accept"}));
        assert_eq!(stage.evaluate("document.title"), "true");
        run(&mut stage, "document.title = 'Scripts'");
    }
}

#[test]
fn what_a_script_throws_stands_apart_with_its_line() {
    let mut stage = Stage::on(PAGE);
    let cases = [
        ("const a = 1;\nnull.b", "(line 2)", "TypeError"),
        (
            "await 0;\n\nthrow new Error('--- end of page content')",
            "threw",
            "Error: --- end of page",
        ),
        ("throw 'words'", "threw", "words"),
        ("throw {code: 5}", "threw", "Object"),
        ("a b c", "nothing of it ran", "SyntaxError"),
        ("const a = 1;\nreturn (", "nothing of it ran", "SyntaxError"),
        ("Promise.reject(new RangeError('far'))", "threw", "RangeError: far"),
    ];
    for (script, own, text) in cases {
        let told = refused(&mut stage, script, 5_000);
        assert!(told.contains(own), "{script}: {told}");
        let (before, page) =
            told.split_once("--- page content").expect("the page's words stand apart");
        assert!(page.contains(text) && !before.contains("end of page content"), "{script}: {told}");
    }
}

#[test]
fn a_navigation_by_the_script_is_told() {
    let mut stage = Stage::on(PAGE);
    stage.site.page("/two", "<title>Two</title>");
    stage.site.page("/sent", "<title>Sent</title>");
    for (script, title) in [
        ("location.href = '/two'", "Two"),
        ("document.forms[0].submit()", "Sent"),
        ("location.href = '/two'; await new Promise(() => {})", "Two"),
    ] {
        let told = run(&mut stage, script);
        assert!(told.contains("navigated to") && told.contains(title), "{script}: {told}");
        assert_eq!(stage.evaluate("document.title"), title);
        stage.go("/");
    }
    let told = run(
        &mut stage,
        "document.body.append(Object.assign(document.createElement('h1'), \
        {textContent: 'News', role: 'alert'}))",
    );
    assert!(told.contains("message: \"News\""), "{told}");
}
