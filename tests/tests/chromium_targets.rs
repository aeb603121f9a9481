//! Hard targets: out of sight, behind a header, not yet enabled, fleeing, replaced; in every size and kind of window.

use ghostlight_tests::stage::Stage;
use ghostlight_tests::wait::{LONG, until};
use serde_json::{Value, json};

const PAGE: &str = r##"<title>Targets</title><style>body { margin: 0 } header { position: sticky; top: 0; height: 120px; background: #ccc; z-index: 9 }
p { margin: 0; height: 700px } .flee { position: absolute; left: 20px; top: 20px }</style>
<header>Always above <button onclick="say('Header')">Header</button></header>
<div style="position:relative;height:200px"><button class=flee onclick="say('Flee', event.isTrusted)">Flee</button></div>
<div style="width:200px;height:120px;overflow:auto"><div style="width:2000px;height:1500px;position:relative">
<button style="position:absolute;left:1800px;top:1400px" onclick="say('Nested')">Nested</button></div></div>
<input aria-label=Code oninput="setTimeout(() => late.disabled = this.value !== 'ok', 400)"><button id=late disabled onclick="say('Late')">Late</button>
<p></p><button onclick="say('Sticky')">Sticky</button><p></p>
<button id=old onclick="say('Old')">Replaced</button>
<button onclick="say('left')" ondblclick="say('double')" oncontextmenu="say('menu')" onauxclick="say('aux', event.button)">Gestures</button>
<div onmouseenter="say('entered')" role=button tabindex=0 aria-label=Hoverable style="width:50px;height:50px"></div>
<button id=wide style="display:block;width:80px;height:3000px" onclick="say('Wide')">Taller than the window</button>
<div style="transform:scale(.5) rotate(-15deg);width:300px"><button onclick="say('Turned')">Turned</button></div>
<a href="#x" style="pointer-events:none"><span style="pointer-events:auto" onclick="say('Through')">Through</span></a>
<div style="position:relative;width:200px;height:30px" onclick="say('Shut list')"><input role=combobox readonly aria-label="Shut list"
style="position:absolute;left:0;top:0;width:1px;height:1px;padding:0;border:0;opacity:0;pointer-events:none"></div>
<div style="width:200px;cursor:pointer" onclick="say('Clipped list')"><div style="position:absolute;width:1px;height:1px;overflow:hidden"><input
role=combobox readonly aria-label="Clipped list"></div><div style="height:30px"></div></div>
<div style="position:relative;width:200px"><div tabindex=0 style="height:30px" onclick="say('Placeholder')"></div>
<div style="position:absolute;inset:0;pointer-events:none"><span>Placeholder</span></div></div>
<div onclick="say('Beside')" style="cursor:pointer;width:200px"><a href="#off" style="pointer-events:none">Not to be used</a></div>
<script>
const flee = document.querySelector(".flee");
flee.addEventListener("pointermove", () => { flee.style.left = "420px" }, { once: true });
</script>"##;

fn heard(stage: &Stage, what: &str) -> Value {
    stage.site.await_said(what)
}

#[test]
fn what_a_person_would_get_at_is_got_at() {
    let mut stage = Stage::on(PAGE);
    for name in [
        "Nested",
        "Sticky",
        "Turned",
        "Through",
        "Shut list",
        "Clipped list",
        "Placeholder",
        "Header",
        "Taller than the window",
        "Flee",
    ] {
        stage.click(name);
        heard(&stage, if name.starts_with("Taller") { "Wide" } else { name });
    }
    assert_eq!(stage.site.said("Flee"), [json!(true)]);
    let off = stage.find("Not to be used").reference;
    let text = stage.refused("computer", json!({"action": "left_click", "ref": off}));
    assert!(text.contains("covered") && stage.site.said("Beside").is_empty(), "{text}");
    // Enabled a moment after the field is right.
    let late = stage.find("Late").reference;
    stage.click("Code");
    stage.succeed("computer", json!({"action": "type", "text": "ok"}));
    stage.succeed("computer", json!({"action": "left_click", "ref": late}));
    heard(&stage, "Late");
    // An element that was drawn anew is another one, however it looks.
    let old = stage.find("Replaced").reference;
    stage.evaluate("old.replaceWith(old.cloneNode(true))");
    let text = stage.refused("computer", json!({"action": "left_click", "ref": old}));
    assert!(text.contains("stale"), "{text}");
    stage.click("Replaced");
    heard(&stage, "Old");
    let target = stage.find("Gestures").reference;
    for (action, what, times) in
        [("double_click", "double", 1), ("triple_click", "left", 5), ("right_click", "menu", 1)]
    {
        stage.succeed("computer", json!({"action": action, "ref": target}));
        until(what, LONG, || (stage.site.said(what).len() == times).then_some(()));
    }
    assert_eq!(heard(&stage, "aux"), 2);
    let hover = stage.find("Hoverable").reference;
    stage.succeed("computer", json!({"action": "hover", "ref": hover}));
    heard(&stage, "entered");
}

const SPOTS: &str = "<title>Spots</title><body style='margin:0'><div style='height:900px'></div>\
    <button style='position:absolute;left:40px;top:1000px;width:60px;height:24px' onclick=\"say('ref')\">Spot</button>\
    <script>addEventListener('click', e => say('at', [e.clientX, e.clientY]))</script><div style='height:900px'></div>";

/// By reference and by the pixel of a screenshot where the button is.
fn hit_both_ways(stage: &mut Stage, round: usize, what: &str) {
    let spot = stage.find("Spot").reference;
    stage.succeed("computer", json!({"action": "left_click", "ref": spot}));
    until(&format!("the click by reference, {what}"), LONG, || {
        (stage.site.said("ref").len() == 2 * round + 1).then_some(())
    });
    let picture = stage.succeed("computer", json!({"action": "screenshot"})).text;
    let numbers: Vec<f64> =
        picture.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect();
    let place = stage.evaluate(
        "(b => [(b.left + b.width / 2) / innerWidth, (b.top + b.height / 2) / innerHeight])\
         (document.querySelector('button').getBoundingClientRect())",
    );
    let pixel = |axis: usize| place[axis].as_f64().unwrap_or(0.0) * numbers[axis];
    let at = [pixel(0), pixel(1)];
    stage.succeed("computer", json!({"action": "left_click", "coordinate": at}));
    until(&format!("the click at {at:?}, {what}"), LONG, || {
        (stage.site.said("ref").len() == 2 * round + 2).then_some(())
    });
}

#[test]
fn zoom_and_device_scale_move_no_click() {
    let mut stage = Stage::on(SPOTS);
    let native = stage.tab & 0xffff_ffff;
    let mut round = 0;
    for zoom in ["0.5", "0.9", "1.25", "1.5"] {
        stage.chromium.in_worker(&format!("chrome.tabs.setZoom({native}, {zoom})"));
        hit_both_ways(&mut stage, round, zoom);
        round += 1;
    }
    stage.chromium.in_worker(&format!("chrome.tabs.setZoom({native}, 1)"));
    let url = stage.site.url("/");
    let session = stage.chromium.judge.attach(&url);
    for scale in [1.0, 1.5, 2.0, 3.0] {
        let metrics =
            json!({"width": 900, "height": 600, "deviceScaleFactor": scale, "mobile": false});
        let set =
            stage.chromium.judge.command(&session, "Emulation.setDeviceMetricsOverride", metrics);
        set.expect("the scale can be set");
        hit_both_ways(&mut stage, round, &format!("scale {scale}"));
        round += 1;
    }
}

#[test]
fn a_minimised_window_is_worked_in() {
    let mut stage = Stage::on(SPOTS);
    let url = stage.site.url("/");
    let target = stage.chromium.judge.page(&url).expect("the page is there");
    let window =
        stage.chromium.judge.command("", "Browser.getWindowForTarget", json!({"targetId": target}));
    let window = window.expect("it has a window")["windowId"].clone();
    let bounds = json!({"windowId": window, "bounds": {"windowState": "minimized"}});
    stage
        .chromium
        .judge
        .command("", "Browser.setWindowBounds", bounds)
        .expect("it can be minimised");
    hit_both_ways(&mut stage, 0, "minimised");
}
