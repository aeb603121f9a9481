//! How long clicks and typing take in a real Chromium, with what was observed afterwards told.

use super::figures::{Budget, Figures, percentile};
use super::pipe::milliseconds;
use crate::stage::Stage;
use serde_json::json;
use std::time::Instant;

const PAGE: &str =
    "<title>Bench</title><button>Press</button><textarea aria-label=Text></textarea>";
const CLICKS: usize = 25;

pub fn in_chromium(figures: &mut Figures) {
    let mut stage = Stage::on(PAGE);
    stage.site.page("/mine", "<title>Mine</title>");
    typing(figures, &mut stage);
    // The tab was opened behind the person's: hidden from the start.
    let hidden = clicks(&mut stage);
    figures.add("click_hidden_p50_ms", hidden, Budget::AtMost(200.0));
    let page = stage.chromium.judge.page(&stage.site.url("/")).expect("the page is there");
    let shown =
        stage.chromium.judge.command("", "Target.activateTarget", json!({"targetId": page}));
    shown.expect("a tab can be shown");
    let shown = clicks(&mut stage);
    figures.add("click_p50_ms", shown, Budget::AtMost(200.0));
}

fn clicks(stage: &mut Stage) -> f64 {
    let reference = stage.find("Press").reference;
    let mut times = Vec::new();
    for _ in 0..CLICKS {
        let started = Instant::now();
        stage.succeed("computer", json!({"action": "left_click", "ref": reference}));
        times.push(milliseconds(started.elapsed()));
    }
    percentile(&mut times, 0.5)
}

fn typing(figures: &mut Figures, stage: &mut Stage) {
    for (count, name, most) in
        [(10_000, "type_10000_ms", 1_500.0), (100_000, "type_100000_ms", 10_000.0)]
    {
        stage.click("Text");
        stage.succeed("computer", json!({"action": "key", "text": "ctrl+a Delete"}));
        let text = "Ten marks ".repeat(count / 10);
        let started = Instant::now();
        stage.succeed("computer", json!({"action": "type", "text": text}));
        figures.add(name, milliseconds(started.elapsed()), Budget::AtMost(most));
        let stands = stage.evaluate("document.querySelector('textarea').value.length");
        assert_eq!(stands, count, "what was typed stands there");
    }
}
