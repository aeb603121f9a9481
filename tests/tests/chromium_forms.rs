//! Setting controls: what the control holds afterwards decides, by the page's own word.

use ghostlight_tests::stage::Stage;
use serde_json::{Value, json};

const FORM: &str = "<form method=post action=/sent>\
    <label>Name <input name=name></label>\
    <label>Age <input name=age type=number min=1 max=120></label>\
    <label>Day <input name=day type=date></label>\
    <label>Colour <select name=colour><option value=r>Red<option value=g>Green</select></label>\
    <label>Terms <input name=terms type=checkbox></label>\
    <label>Small <input name=size type=radio value=s></label>\
    <label>Large <input name=size type=radio value=l></label>\
    <label>Notes <textarea name=notes></textarea></label>\
    <label>Fixed <input name=fixed value=old readonly></label>\
    <label>Off <input name=off value=old disabled></label>\
    <label>File <input name=file type=file></label>\
    <button>Send it</button></form>\
    <script>document.addEventListener('change', e => say('change', e.target.name));</script>";

#[test]
fn each_kind_of_control_takes_its_value_and_the_server_gets_it() {
    let mut stage = Stage::on(FORM);
    stage.site.page("/sent", "<title>Thanks</title>");
    let values: [(&str, Value); 7] = [
        ("Name", json!("Grace \u{201e}G\u{201c} Hopper")),
        ("Age", json!(85)),
        ("Day", json!("1992-12-09")),
        ("Colour", json!("Green")),
        ("Terms", json!(true)),
        ("Large", json!(true)),
        ("Notes", json!("two\nlines")),
    ];
    for (label, value) in values {
        let reference = stage.find(label).reference;
        stage.succeed("form_input", json!({"ref": reference, "value": value}));
    }
    stage.click("Send it");
    let sent = stage.site.await_received("the form", |r| r.path == "/sent");
    let expected = [
        ("name", "Grace \u{201e}G\u{201c} Hopper"),
        ("age", "85"),
        ("day", "1992-12-09"),
        ("colour", "g"),
        ("terms", "on"),
        ("size", "l"),
        ("notes", "two\r\nlines"),
    ];
    for (field, value) in expected {
        assert_eq!(sent.field(field).as_deref(), Some(value), "{field}");
    }
    let changed = stage.site.said("change");
    assert!(changed.contains(&json!("name")) && changed.contains(&json!("colour")), "{changed:?}");
}

#[test]
fn a_value_that_the_control_cannot_hold_is_refused_and_leaves_it() {
    let mut stage = Stage::on(FORM);
    let cases = [
        ("Colour", json!("Blue"), "colour", "r"),
        ("Day", json!("the day after"), "day", ""),
        ("Age", json!("many"), "age", ""),
        ("Name", json!("two\nlines"), "name", ""),
        ("Fixed", json!("new"), "fixed", "old"),
        ("Off", json!("new"), "off", "old"),
        ("File", json!("/etc/passwd"), "file", ""),
        ("Terms", json!("perhaps"), "terms", "on"),
    ];
    for (label, value, field, after) in cases {
        let reference = stage.find(label).reference;
        let text = stage.refused("form_input", json!({"ref": reference, "value": value}));
        assert!(text.len() > 20, "{label}: {text}");
        let held = stage.evaluate(&format!("document.querySelector('[name={field}]').value"));
        assert_eq!(held, after, "{label}");
    }
    assert_eq!(stage.evaluate("document.querySelector('[name=terms]').checked"), false);
    let button = stage.find("Send it").reference;
    stage.refused("form_input", json!({"ref": button, "value": "x"}));
}

#[test]
fn a_control_that_puts_its_value_back_is_reported() {
    let mut stage = Stage::on(
        "<input aria-label=Stubborn value=no><script>const s = document.querySelector('input');\
         s.addEventListener('input', () => { s.value = 'no'; });</script>",
    );
    let reference = stage.find("Stubborn").reference;
    stage.refused("form_input", json!({"ref": reference, "value": "yes"}));
}

#[test]
fn a_reference_of_the_page_before_is_stale_and_touches_nothing() {
    let mut stage = Stage::on("<input aria-label=Alpha>");
    stage.site.page(
        "/two",
        "<input aria-label=Beta><script>addEventListener('input', () => say('touched'))</script>",
    );
    let reference = stage.find("Alpha").reference;
    stage.go("/two");
    stage.find("Beta");
    let text = stage.refused("form_input", json!({"ref": reference, "value": "x"}));
    assert!(text.contains("read_page") || text.contains("find"), "{text}");
    stage.refused("computer", json!({"action": "left_click", "ref": reference}));
    let url = stage.site.url("/two");
    assert_eq!(stage.chromium.judge.evaluate(&url, "document.querySelector('input').value"), "");
    assert!(stage.site.said("touched").is_empty());
}
