//! How soon a client that just started its edge is answered.

use super::figures::{Budget, Figures, percentile};
use super::pipe::{Pipe, initialize, milliseconds};
use crate::client::Revision;
use crate::home::Home;
use serde_json::json;
use std::time::Instant;

const STARTS: usize = 40;

pub fn cold(figures: &mut Figures) {
    let (mut first, mut listed, mut called) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..5 {
        let home = Home::new();
        let started = Instant::now();
        let mut pipe = Pipe::start(&home, Revision::November2025);
        pipe.round_trip(&initialize());
        first.push(milliseconds(started.elapsed()));
        pipe.round_trip(&pipe.request("tools/list", json!({})));
        listed.push(milliseconds(started.elapsed()));
        pipe.round_trip(&pipe.tool("explain", json!({})));
        called.push(milliseconds(started.elapsed()));
    }
    figures.add("cold_initialize_ms", percentile(&mut first, 0.5), Budget::AtMost(100.0));
    figures.add("cold_tools_list_ms", percentile(&mut listed, 0.5), Budget::AtMost(1000.0));
    figures.add("cold_tool_answer_ms", percentile(&mut called, 0.5), Budget::AtMost(1000.0));
}

pub fn warm(figures: &mut Figures) {
    let home = Home::new();
    let _keeps_the_service = Pipe::connected(&home, Revision::November2025);
    let mut opened = Vec::new();
    let mut listed = Vec::new();
    for _ in 0..STARTS {
        let started = Instant::now();
        Pipe::start(&home, Revision::November2025).round_trip(&initialize());
        opened.push(milliseconds(started.elapsed()));
        let started = Instant::now();
        let mut pipe = Pipe::start(&home, Revision::July2026);
        pipe.round_trip(&pipe.request("tools/list", json!({})));
        listed.push(milliseconds(started.elapsed()));
    }
    figures.add("warm_initialize_ms", percentile(&mut opened, 0.5), Budget::AtMost(3.0));
    figures.add("warm_tools_list_2026_ms", percentile(&mut listed, 0.5), Budget::AtMost(5.0));
}
