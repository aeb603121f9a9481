//! A call's way from a client to a browser and back, through all three programs.

use ghostlight_tests::binaries::SERVICE;
use ghostlight_tests::client::{Client, Revision};
use ghostlight_tests::fake_browser::FakeBrowser;
use ghostlight_tests::home::Home;
use ghostlight_tests::status::status;
use serde_json::{Value, json};

const BOTH: [Revision; 2] = [Revision::November2025, Revision::July2026];

#[test]
fn the_first_client_starts_the_service_and_gets_its_tools() {
    for revision in BOTH {
        let home = Home::new();
        let mut client = Client::start(&home, revision);
        if revision == Revision::November2025 {
            assert_eq!(client.initialize()["protocolVersion"], "2025-11-25");
        }
        let answer = client.request("tools/list", json!({}));
        let tools = answer["result"]["tools"].as_array().expect("a list of tools");
        let names: Vec<_> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
        assert_eq!(names.first(), Some(&"tabs_context_mcp"), "{revision:?}");
        assert_eq!(names.last(), Some(&"explain"), "{revision:?}");
        assert!(answer.to_string().len() <= 40_000, "{} bytes", answer.to_string().len());
        assert_eq!(home.running(SERVICE).len(), 1);
    }
}

#[test]
fn both_revisions_list_the_same_tools_and_one_asks_for_the_workspace() {
    let home = Home::new();
    let tools = BOTH.map(|revision| {
        let mut client = Client::start(&home, revision);
        if revision == Revision::November2025 {
            client.initialize();
        }
        client.request("tools/list", json!({}))["result"]["tools"].take()
    });
    let names = |tools: &Value| -> Vec<Value> {
        tools.as_array().into_iter().flatten().map(|tool| tool["name"].clone()).collect()
    };
    assert_eq!(names(&tools[0]), names(&tools[1]));
    let asks = |tools: &Value| tools.to_string().contains("workspaceId");
    assert_eq!((asks(&tools[0]), asks(&tools[1])), (false, true));
}

#[test]
fn a_tab_is_opened_navigated_listed_and_pictured() {
    for revision in BOTH {
        let home = Home::new();
        let browser = FakeBrowser::start(&home);
        let mut client = Client::with_workspace(&home, revision);
        let tab = client.open_tab();
        let url = "http://example.test/page";
        client.succeed("navigate", json!({"tabId": tab, "url": url}));
        assert_eq!(browser.requests("Page.navigate")[0]["p"]["params"]["url"], url);
        let listed = client.succeed("tabs_context_mcp", json!({})).structured;
        let tabs = listed["tabs"].as_array().expect("a list of tabs");
        assert!(tabs.iter().any(|t| t["tabId"] == tab && t["url"] == url), "{listed}");
        let shot = client.succeed("computer", json!({"tabId": tab, "action": "screenshot"}));
        assert_eq!(shot.images.len(), 1, "{shot:?}");
        assert!(shot.structured.is_null(), "{shot:?}");
    }
}

#[test]
fn clients_with_the_same_ids_get_their_own_answers_and_tabs() {
    let home = Home::new();
    let _browser = FakeBrowser::start(&home);
    let mut clients = [Client::connected(&home), Client::connected(&home)];
    let asked: Vec<_> =
        clients.iter_mut().map(|c| c.ask_tool("tabs_create_mcp", json!({}))).collect();
    assert_eq!(asked[0], asked[1]);
    let answers: Vec<_> =
        clients.iter_mut().zip(asked).map(|(client, id)| client.answer(id)).collect();
    let tab = |answer: &Value| answer["result"]["structuredContent"]["tabId"].as_i64();
    let (first, second) = (tab(&answers[0]), tab(&answers[1]));
    assert!(first.is_some() && second.is_some() && first != second, "{answers:?}");
    for client in &mut clients {
        let listed = client.succeed("tabs_context_mcp", json!({})).structured;
        assert_eq!(listed["tabs"].as_array().map(Vec::len), Some(1), "{listed}");
    }
}

#[test]
fn nothing_that_reaches_the_browser_holds_a_workspace_handle() {
    let home = Home::new();
    let browser = FakeBrowser::start(&home);
    let mut client = Client::with_workspace(&home, Revision::July2026);
    let tab = client.open_tab();
    client.succeed("navigate", json!({"tabId": tab, "url": "http://example.test/"}));
    let handle = client.workspace.clone().expect("the revision names its workspace");
    let digits = handle.trim_start_matches("ws_");
    let requests = browser.world().requests.clone();
    assert!(!requests.is_empty());
    assert!(requests.iter().all(|request| !request.to_string().contains(digits)));
    let keys: Vec<_> = requests.iter().map(|request| request["key"].as_str()).collect();
    assert!(keys.iter().all(Option::is_some), "{keys:?}");
}

#[test]
fn a_stateless_client_is_lent_no_workspace() {
    let home = Home::new();
    let browser = FakeBrowser::start(&home);
    let mut owner = Client::with_workspace(&home, Revision::July2026);
    let tab = owner.open_tab();
    let mut other = Client::stateless(&home);
    let call = json!({"tabId": tab, "url": "http://example.test/"});
    let mut texts = Vec::new();
    for workspace in [None, Some("ws_00000000000000000000000000000000"), Some("ws_zz"), Some("")] {
        other.workspace = workspace.map(str::to_owned);
        texts.push(other.refused("navigate", call.clone()));
    }
    assert!(texts.iter().all(|text| text.contains("tabs_c")), "no creating tool in {texts:?}");
    assert!(browser.requests("Page.navigate").is_empty());
}

#[test]
fn the_service_counts_what_it_has() {
    let home = Home::new();
    let _browser = FakeBrowser::start(&home);
    let mut clients = [Client::connected(&home), Client::connected(&home)];
    clients[0].open_tab();
    let status = status(&home).expect("the service answers");
    assert_eq!(status["live_edges"], 2, "{status}");
    assert_eq!(status["workspaces"], 1, "{status}");
    assert_eq!(status["active_works"], 0, "{status}");
    assert_eq!(status["browsers"][0]["tabs"], 1, "{status}");
}
