//! How long reading, finding and picturing a large page take in a real Chromium, through all three executables.

use super::figures::{Budget, Figures, percentile};
use super::pipe::milliseconds;
use crate::site::Site;
use crate::stage::Stage;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const TIMES: usize = 9;
/// Shown beside the promised ones, to read them by.
const UNPROMISED: Budget = Budget::AtMost(f64::INFINITY);

/// Twenty thousand elements: a long table, two frames of which one is of another site, and open shadow roots.
fn large() -> Stage {
    let rows: String =
        (0..4_400).map(|n| format!("<tr><td>{n}<td><a href=/{n}>Row {n}</a>")).collect();
    let lines: String = (0..600).map(|n| format!("<p>Line {n} <button>Do {n}</button>")).collect();
    let cards = "<div id=cards></div><script>for (let n = 0; n < 100; n += 1) {\
        const card = cards.appendChild(document.createElement('x-card'));\
        card.attachShadow({mode: 'open'}).innerHTML = `<h2>Card ${n}</h2><button>Open ${n}</button>`; }</script>";
    let site = Site::new();
    site.page("/lines", &lines);
    let other = site.other_site_url("/lines");
    site.page(
        "/",
        &format!(
            "<title>Large</title>{cards}<iframe src=/lines></iframe><iframe src={other}></iframe><table>{rows}</table>"
        ),
    );
    Stage::of(site)
}

fn median(stage: &mut Stage, tool: &str, arguments: &Value) -> f64 {
    let mut times: Vec<f64> = (0..TIMES)
        .map(|_| {
            let started = Instant::now();
            stage.succeed(tool, arguments.clone());
            milliseconds(started.elapsed())
        })
        .collect();
    percentile(&mut times, 0.5)
}

pub fn reading(figures: &mut Figures) {
    let mut stage = large();
    let read = stage.read().text;
    figures.add("read_20000_elements_chars", read.chars().count() as f64, Budget::AtMost(50_000.0));
    let time = median(&mut stage, "read_page", &json!({"filter": "all"}));
    figures.add("read_20000_elements_ms", time, Budget::AtMost(400.0));
    let time = median(&mut stage, "find", &json!({"query": "Row 4321"}));
    figures.add("find_in_20000_elements_ms", time, Budget::AtMost(250.0));
    let time = median(&mut stage, "find", &json!({"query": "row"}));
    figures.add("find_common_word_ms", time, UNPROMISED);
    let time = median(&mut stage, "find", &json!({"query": "zeppelin"}));
    figures.add("find_nothing_ms", time, UNPROMISED);
}

/// A picture waits for the browser's next frame: one asked for as another ends would always wait the same.
fn anywhere_between_frames(round: usize) {
    let millis = u64::try_from(round * 13 % 34).unwrap_or_default();
    std::thread::sleep(Duration::from_millis(millis));
}

/// Ours and the bare command by turns, on the same tab.
pub fn picturing(figures: &mut Figures) {
    let boxes: String = (0..400)
        .map(|n| format!("<p style='float:left;width:60px;background:hsl({n} 60% 80%)'>Box {n}"))
        .collect();
    let mut stage = Stage::on(&boxes);
    let session = stage.chromium.judge.attach(&stage.site.url("/"));
    let size = json!({"width": 1280, "height": 720, "deviceScaleFactor": 1, "mobile": false});
    let set = stage.chromium.judge.command(&session, "Emulation.setDeviceMetricsOverride", size);
    set.expect("a size can be emulated");
    let (mut ours, mut bare) = (Vec::new(), Vec::new());
    for round in 0..5 * TIMES {
        anywhere_between_frames(round);
        let started = Instant::now();
        let reply = stage.succeed("computer", json!({"action": "screenshot"}));
        ours.push(milliseconds(started.elapsed()));
        assert!(reply.text.contains("1280 by 720"), "{}", reply.text);
        let params = json!({"format": "jpeg", "quality": 75});
        anywhere_between_frames(round);
        let started = Instant::now();
        let taken = stage.chromium.judge.command(&session, "Page.captureScreenshot", params);
        bare.push(milliseconds(started.elapsed()));
        taken.expect("the page can be pictured");
    }
    let (ours, bare) = (percentile(&mut ours, 0.5), percentile(&mut bare, 0.5));
    figures.add("screenshot_ms", ours, UNPROMISED);
    figures.add("screenshot_bare_ms", bare, UNPROMISED);
    figures.add("screenshot_over_bare", ours / bare, Budget::AtMost(1.3));
}
