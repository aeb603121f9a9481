//! Each tool of the catalog refuses in real Chromium without touching it, and a dialog is answered there.

use ghostlight_tests::stage::Stage;
use serde_json::{Value, json};

/// A refusal for each tool and for each action of `computer`: the tool, and what is wrong with its arguments.
fn refusals(tab: i64) -> Vec<(&'static str, Value)> {
    let on = |mut arguments: Value| {
        arguments["tabId"] = json!(tab);
        arguments
    };
    vec![
        ("tabs_context_mcp", json!({"createIfEmpty": "yes"})),
        ("tabs_create_mcp", json!({"url": "about:blank"})),
        ("navigate", on(json!({"url": "chrome://version"}))),
        ("find", on(json!({"query": 5}))),
        ("form_input", on(json!({"ref": "ref_999", "value": "x"}))),
        ("get_page_text", on(json!({"max_chars": "all"}))),
        ("read_console_messages", on(json!({"pattern": "("}))),
        ("read_console_messages", on(json!({"limit": 0}))),
        ("read_network_requests", on(json!({"request_id": "req_999"}))),
        ("read_network_requests", on(json!({"body": "response"}))),
        ("read_page", on(json!({"ref_id": "ref_999"}))),
        ("javascript_tool", on(json!({"action": "javascript_exec", "text": " "}))),
        ("javascript_tool", on(json!({"action": "eval", "text": "touched = 1"}))),
        ("resize_window", on(json!({"width": 20, "height": 700}))),
        ("wait_for", on(json!({"selector": "p["}))),
        ("wait_for", on(json!({"state": "settled", "text": "x"}))),
        ("update_plan", json!({"domains": ["a.example"]})),
        ("update_plan", json!({"domains": "a.example", "approach": []})),
        ("dialog", on(json!({"action": "accept"}))),
        ("tab_control", on(json!({"action": "forward"}))),
        ("tab_control", on(json!({"action": "focus", "unload": "dismiss"}))),
        ("tab_control", on(json!({"action": "duplicate"}))),
        ("file_upload", on(json!({"ref": "ref_999", "files": [{"data": "", "name": "a"}]}))),
        ("file_upload", on(json!({"ref": "ref_999", "paths": ["/etc/passwd"]}))),
        ("explain", json!({"tabId": tab})),
        ("computer", on(json!({"action": "left_click", "ref": "ref_999"}))),
        ("computer", on(json!({"action": "left_click"}))),
        ("computer", on(json!({"action": "right_click", "coordinate": [-5, 5]}))),
        ("computer", on(json!({"action": "type"}))),
        ("computer", on(json!({"action": "key", "text": "ctrl+NoSuchKey"}))),
        ("computer", on(json!({"action": "scroll", "scroll_direction": "sideways"}))),
        ("computer", json!({"action": "screenshot", "tabId": tab + 1})),
    ]
}

#[test]
fn each_tool_refuses_without_touching_the_browser() {
    let mut stage = Stage::on(
        "<title>Untouched</title><input aria-label=Field><button>Press</button><script>
         window.touched = 0;
         for (const kind of ['mousedown', 'mousemove', 'keydown', 'input', 'wheel', 'focusin'])
           addEventListener(kind, () => touched += 1, true)</script>",
    );
    let pages = stage.chromium.judge.targets().len();
    let requests = stage.site.received().len();
    let listed = stage.client.request("tools/list", json!({}))["result"]["tools"].take();
    let refusals = refusals(stage.tab);
    for tool in listed.as_array().expect("tools") {
        assert!(refusals.iter().any(|(name, _)| tool["name"] == *name), "{}", tool["name"]);
    }
    for (tool, arguments) in refusals {
        let text = stage.client.refused(tool, arguments.clone());
        // Where a corrected call is the next step, the advice on trying again says with what.
        let next = text.contains("Next step: ") || text.contains("Retry: safe, with ");
        assert!(next, "{tool} {arguments}: {text}");
    }
    assert_eq!(stage.evaluate("`${document.title} ${touched}`"), "Untouched 0");
    assert_eq!(stage.chromium.judge.targets().len(), pages);
    assert_eq!(stage.site.received().len(), requests);
}

#[test]
fn a_question_of_the_page_is_answered_as_asked() {
    let mut stage = Stage::on(
        "<title>Open</title><button onclick=\"document.title = prompt('Name?', 'Ada')\">Ask</button>",
    );
    for (answer, title) in [
        (json!({"action": "respond", "text": "Grace"}), "Grace"),
        (json!({"action": "accept"}), "Ada"),
        (json!({"action": "dismiss"}), "null"),
    ] {
        let asked = stage.click("Ask");
        assert!(asked.words().contains("Name?"), "{}", asked.text);
        stage.refused("read_page", json!({}));
        stage.succeed("dialog", answer);
        assert_eq!(stage.evaluate("document.title"), title);
    }
}

#[test]
fn explain_names_every_tool_beside_a_browser() {
    let mut stage = Stage::on("<title>Any</title>");
    let listed = stage.client.request("tools/list", json!({}))["result"]["tools"].take();
    let text = stage.client.succeed("explain", json!({})).text;
    for tool in listed.as_array().expect("tools") {
        let name = tool["name"].as_str().expect("a name");
        assert!(text.contains(name), "{name} in {text}");
    }
}

/// Outer size and state of the window around the agent's tab, by the browser's own word.
fn window(stage: &mut Stage, change: Option<Value>) -> Value {
    let judge = &mut stage.chromium.judge;
    let target = judge.page(&stage.site.url("/")).expect("the tab is there");
    let ask = judge.command("", "Browser.getWindowForTarget", json!({"targetId": target}));
    let mut window = ask.expect("it has a window");
    if let Some(bounds) = change {
        let params = json!({"windowId": window["windowId"], "bounds": bounds});
        judge.command("", "Browser.setWindowBounds", params).expect("it can be changed");
    }
    window["bounds"].take()
}

#[test]
fn a_window_is_resized_from_any_state_and_what_it_got_is_told() {
    let mut stage =
        Stage::on("<title>Sized</title><script>onresize = () => say('size', innerWidth)</script>");
    for state in ["normal", "maximized", "minimized", "fullscreen"] {
        window(&mut stage, Some(json!({"windowState": state})));
        let told = stage.succeed("resize_window", json!({"width": 900, "height": 640})).text;
        let now = window(&mut stage, None);
        assert_eq!((&now["width"], &now["height"]), (&json!(900), &json!(640)), "{state}: {told}");
        assert_eq!(now["windowState"], "normal", "{told}");
        assert!(told.contains("is 900 by 640") && told.contains("The page has "), "{told}");
        let inner = stage.evaluate("innerWidth");
        assert!(told.contains(&format!("has {inner} by")), "{inner} {told}");
        stage.succeed("resize_window", json!({"width": 1000, "height": 700}));
    }
    let before = window(&mut stage, None);
    let told = stage.call("resize_window", json!({"width": 16000, "height": 16000}));
    let after = window(&mut stage, None);
    let honest = format!("is {} by {}", after["width"], after["height"]);
    assert!(told.text.contains(&honest), "{before} {after} {told:?}");
}
