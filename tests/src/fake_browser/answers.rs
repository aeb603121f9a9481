//! The plausible answer to each request, at once, and the events that go before it.

use super::world::{FakeTab, World};
use serde_json::{Value, json};

/// A white JPEG of 16 by 9 pixels.
const WHITE: &str = "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////\
    ////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////\
    ////////////////////////////////////wAARCAAJABADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAA\
    AAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAAAP/EABQRAQAAAAAAAAAAAAAAAAAA\
    AAD/2gAMAwEAAhEDEQA/AIgAf//Z";

/// What `capture` gives, with the picture's text made as long as this.
#[must_use]
pub fn picture(tab: &FakeTab, length: usize) -> Value {
    let padded = WHITE.to_owned() + &"A".repeat(length.saturating_sub(WHITE.len()));
    json!({
        "data": padded, "mime": "image/jpeg", "doc": tab.doc(),
        "viewport": {"width": 1280, "height": 720, "dpr": 1}, "scroll": {"x": 0, "y": 0},
    })
}

pub(super) fn answer(world: &mut World, request: &Value) -> (Vec<Value>, Value) {
    let p = &request["p"];
    let key = request["key"].as_str().unwrap_or_default();
    let method = request["m"].as_str().unwrap_or_default();
    let tab = match tab_of(world, method, p, key) {
        Ok(tab) => tab,
        Err(code) => return (Vec::new(), fault(world, request, code, "no such tab")),
    };
    let mut events = Vec::new();
    let value = match (method, tab) {
        ("tab.open", _) => {
            let tab = world.open(key);
            json!({"tab": tab.tab(), "doc": tab.doc()})
        }
        ("tab.list", _) => {
            let tabs = world.tabs.values().filter(|tab| tab.key == key);
            json!({"tabs": tabs.map(FakeTab::listed).collect::<Vec<_>>()})
        }
        ("workspace.release", _) => {
            world.tabs.retain(|_, tab| tab.key != key);
            json!({})
        }
        ("tab.release", Some(tab)) => {
            world.tabs.remove(&tab.native);
            json!({})
        }
        (_, Some(tab)) => match guard(&tab, p) {
            Err(code) => return (events, fault(world, request, code, "another document")),
            Ok(()) => on_tab(world, tab, request, &mut events),
        },
        _ => json!({}),
    };
    let result = ok(world, request, value);
    (events, result)
}

/// The tab that a request is about, by the rule of the wire: under another key it does not exist.
fn tab_of(
    world: &World,
    method: &str,
    p: &Value,
    key: &str,
) -> Result<Option<FakeTab>, &'static str> {
    let Some(native) = p["tabId"].as_i64() else { return Ok(None) };
    if method == "tab.adopt" {
        return Ok(None);
    }
    match world.tabs.get(&native) {
        Some(tab) if tab.key == key => Ok(Some(tab.clone())),
        _ => Err("not_adopted"),
    }
}

fn guard(tab: &FakeTab, p: &Value) -> Result<(), &'static str> {
    match p["guard"]["loaderId"].as_str() {
        Some(loader) if loader != tab.loader => Err("stale_document"),
        _ => Ok(()),
    }
}

fn on_tab(world: &mut World, tab: FakeTab, request: &Value, events: &mut Vec<Value>) -> Value {
    let p = &request["p"];
    match request["m"].as_str().unwrap_or_default() {
        "frames" => json!({"frames": [{
            "frameId": tab.frame(), "loaderId": tab.loader,
            "origin": tab.doc()["origin"], "url": tab.url,
        }]}),
        "cdp" => json!({"result": cdp(world, tab, p, events)}),
        "cdp.seq" => {
            let steps = p["steps"].as_array().map_or(0, Vec::len);
            json!({"done": steps, "results": vec![json!({}); steps]})
        }
        "page" => json!({"value": page(p["fn"].as_str().unwrap_or_default()), "doc": tab.doc()}),
        "tab.resize" => json!({
            "before": {"width": 1280, "height": 800, "state": "normal", "tabs": 1},
            "after": {"width": p["width"], "height": p["height"], "state": "normal", "tabs": 1},
        }),
        "capture" => picture(&tab, 0),
        _ => json!({}),
    }
}

fn cdp(world: &mut World, mut tab: FakeTab, p: &Value, events: &mut Vec<Value>) -> Value {
    let params = &p["params"];
    match p["method"].as_str().unwrap_or_default() {
        "Page.navigate" => {
            world.commit(&mut tab, params["url"].as_str().unwrap_or_default());
            events.extend(navigation(&tab));
            json!({"frameId": tab.frame(), "loaderId": tab.loader})
        }
        "Page.getNavigationHistory" => json!({"currentIndex": 0, "entries": [
            {"id": 1, "url": tab.url, "title": tab.title, "userTypedURL": tab.url, "transitionType": "link"},
        ]}),
        _ => json!({}),
    }
}

/// What the page agent would say of a page with one text field and one button.
fn page(function: &str) -> Value {
    let _ = function;
    json!({})
}

/// The events of a document that was committed and has loaded.
pub(super) fn navigation(tab: &FakeTab) -> Vec<Value> {
    let load = |state: &str| {
        json!({"k": "load", "tabId": tab.native, "frameId": tab.frame(),
               "loaderId": tab.loader, "state": state})
    };
    vec![
        json!({"k": "doc", "doc": tab.doc(), "main": true, "sameDocument": false}),
        json!({"k": "tab", "what": "updated", "tab": tab.tab()}),
        load("dom"),
        load("load"),
    ]
}

pub(super) fn ok(world: &World, request: &Value, value: Value) -> Value {
    json!({
        "t": "res", "id": request["id"], "worker": world.worker_id(), "ok": value,
        "sent": request["effect"],
    })
}

pub(super) fn fault(world: &World, request: &Value, code: &str, message: &str) -> Value {
    json!({
        "t": "res", "id": request["id"], "worker": world.worker_id(),
        "err": {"code": code, "message": message}, "sent": false,
    })
}
