//! Acting inside frames, wherever they lie and whoever serves them: judged by what their servers received.

use ghostlight_tests::site::Site;
use ghostlight_tests::stage::Stage;
use ghostlight_tests::wait::{LONG, until};
use serde_json::json;
use std::time::{Duration, Instant};

/// A page for a frame, whose button and field tell the frame's own server.
fn inner(name: &str, more: &str) -> String {
    format!(
        "<body style='margin:0'><div style='height:300px'></div>\
         <button onclick=\"say('clicked', ['{name}', event.isTrusted])\">Press {name}</button>\
         <label>Field {name} <input onchange=\"say('set', ['{name}', this.value])\"></label>{more}"
    )
}

/// Frames of the site itself, of another origin in the same renderer, of another site, and inside of each other;
/// moved, bordered, turned and scaled.
fn framed() -> (Stage, Site) {
    let other = Site::new();
    for name in ["near", "deep", "turned"] {
        other.page(&format!("/{name}"), &inner(name, ""));
    }
    let deep = other.url("/deep");
    other.page("/far", &inner("far", &format!("<iframe src='{deep}' height=180></iframe>")));
    let site = Site::new();
    site.page("/own", &inner("own", ""));
    let frame = |url: String, style: &str| format!("<iframe src='{url}' style='{style}'></iframe>");
    let around = site.url("/around");
    site.page("/around", &frame(other.url("/near"), "margin:40px;border:9px solid;padding:6px"));
    let page = [
        "<title>Frames</title><div style='height:900px'></div>".to_owned(),
        frame("/own".into(), "border:5px solid;padding:7px"),
        frame(around, "width:500px;height:300px;margin-left:90px"),
        frame(other.other_site_url("/far"), "width:400px;height:260px;border:3px solid"),
        frame(other.url("/turned"), "transform:rotate(20deg) scale(.7);width:300px;height:200px"),
        "<div style='height:1500px'></div>".into(),
    ];
    site.page("/", &page.concat());
    (Stage::of(site), other)
}

/// Clicks and sets everything by reference; every server must have heard of it, once more than before.
fn act_everywhere(stage: &mut Stage, other: &Site, round: usize) {
    for name in ["own", "near", "far", "deep", "turned"] {
        let heard = |stage: &Stage, what: &str| {
            let server = if name == "own" { &stage.site } else { other };
            server.said(what).into_iter().filter(|said| said[0] == name).collect::<Vec<_>>()
        };
        let button = stage.find(&format!("Press {name}")).reference;
        let reply = stage.succeed("computer", json!({"action": "left_click", "ref": button}));
        assert!(reply.text.contains("seen to receive"), "{name}: {}", reply.text);
        let field = stage.find(&format!("Field {name}")).reference;
        let value = format!("{name} {round}");
        stage.succeed("form_input", json!({"ref": field, "value": value}));
        stage.succeed("computer", json!({"action": "key", "text": "Tab"}));
        until(&format!("{name} to be clicked and set, {round}"), LONG, || {
            let set = heard(stage, "set").last().is_some_and(|said| said[1] == value);
            (heard(stage, "clicked").len() == round && set).then_some(())
        });
    }
}

#[test]
fn every_frame_is_clicked_and_filled_where_it_lies() {
    let (mut stage, other) = framed();
    let native = stage.tab & 0xffff_ffff;
    act_everywhere(&mut stage, &other, 1);
    for (round, zoom) in [(2, "0.5"), (3, "1.5")] {
        stage.chromium.in_worker(&format!("chrome.tabs.setZoom({native}, {zoom})"));
        act_everywhere(&mut stage, &other, round);
    }
}

#[test]
fn what_lies_over_a_frame_is_named_and_not_clicked() {
    let other = Site::new();
    other.page("/near", &inner("near", ""));
    let site = Site::new();
    let (near, far) = (other.url("/near"), other.other_site_url("/near"));
    for (path, url) in [("/", near), ("/far", far)] {
        site.page(
            path,
            &format!(
                "<iframe src='{url}' width=400 height=400></iframe><button style='position:fixed;inset:0;opacity:.5' \
                 onclick=\"say('cover')\">Veil</button>"
            ),
        );
    }
    let mut stage = Stage::of(site);
    for path in ["/", "/far"] {
        stage.go(path);
        let button = stage.find("Press near").reference;
        let text = stage.refused("computer", json!({"action": "left_click", "ref": button}));
        assert!(text.contains("covered") && text.contains("Veil"), "{path}: {text}");
    }
    assert!(stage.site.said("cover").is_empty() && other.said("clicked").is_empty());
}

#[test]
fn a_frame_without_scripts_is_acted_in_at_once() {
    let site = Site::new();
    let go = site.url("/sent");
    site.page("/sent", "sent");
    site.page(
        "/",
        &format!(
            "<iframe sandbox='allow-forms' srcdoc=\"<form action='{go}' method=post><button>Silent</button>\
             <label>Box <input type=checkbox name=box></label><label>Word <input name=word></label></form>\"></iframe>"
        ),
    );
    let mut stage = Stage::of(site);
    let started = Instant::now();
    let word = stage.find("Word").reference;
    stage.succeed("form_input", json!({"ref": word, "value": "quiet"}));
    let tick = stage.find("Box").reference;
    let reply = stage.succeed("computer", json!({"action": "left_click", "ref": tick}));
    assert!(reply.text.contains("target now: checked"), "{}", reply.text);
    stage.click("Silent");
    let sent = stage.site.await_received("the form", |received| received.path == "/sent");
    assert_eq!((sent.field("word"), sent.field("box")), (Some("quiet".into()), Some("on".into())));
    assert!(started.elapsed() < Duration::from_secs(6), "{:?}", started.elapsed());
}

#[test]
fn what_is_typed_into_frames_in_shadow_trees_is_told_of_the_right_field() {
    let site = Site::new();
    site.page(
        "/in",
        "<input aria-label=Inner oninput=\"say('typed', [location.search, this.value])\">",
    );
    let frames = ["/in?a".into(), "/in?b".into(), site.other_site_url("/in?c")].map(|url| {
        format!(
            "<div><template shadowrootmode=open><iframe src='{url}' height=60></iframe></template></div>"
        )
    });
    site.page("/", &format!("<title>Shadows</title>{}", frames.concat()));
    let mut stage = Stage::of(site);
    let read = stage.read();
    let fields: Vec<_> = read.elements().into_iter().filter(|e| e.name == "Inner").collect();
    assert_eq!(fields.len(), 3, "{}", read.text);
    for (field, search) in fields.iter().zip(["?a", "?b", "?c"]) {
        stage.succeed("computer", json!({"action": "left_click", "ref": field.reference}));
        let told = stage.succeed("computer", json!({"action": "type", "text": "é"})).text;
        assert!(told.contains("focused: textbox \"Inner\""), "{search}: {told}");
        assert!(told.contains("value changed from \"\" to \"é\""), "{search}: {told}");
        assert_eq!(stage.site.said("typed").last(), Some(&json!([search, "é"])));
    }
}
