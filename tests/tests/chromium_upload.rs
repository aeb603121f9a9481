//! Files in a call reach a page's controls in real Chromium, judged by what the page then sends and says.

use ghostlight_tests::stage::Stage;
use serde_json::{Value, json};

const PAGE: &str = "<title>Up</title>
    <form method=post action=/sent enctype=multipart/form-data>
    <label>One<input type=file name=one></label><label for=many>Several</label>
    <input id=many name=many type=file multiple accept='image/*,.txt' style='display:none'>
    <label>Folder<input type=file webkitdirectory></label><label>Off<input type=file disabled></label>
    <button>Send</button></form>
    <button onclick='const i = document.createElement(\"input\"); i.type = \"file\"; i.multiple = true;
        i.onchange = async () => say(\"picked\", [i.files.length, i.files[0].name, i.files[0].type, await i.files[0].text()]);
        i.click()'>Choose</button>
    <button onclick='document.title = \"pressed\"'>Plain</button>
    <button ondragover='event.preventDefault()' ondrop='event.preventDefault(); const [f] = event.dataTransfer.files;
        f.text().then(text => say(\"dropped\", [event.dataTransfer.files.length, f.name, text]))'>Zone</button>
    <input type=file aria-label=Eater onchange='say(\"eaten\", this.files.length); this.value = \"\"'>
    <script>for (const type of ['input', 'change']) addEventListener(type, e => say(type, e.target.name))</script>";

fn file(name: &str, data: &str) -> Value {
    json!({"name": name, "data": data})
}

fn reference(stage: &mut Stage, name: &str) -> String {
    stage.find(name).reference
}

#[test]
fn files_reach_inputs_that_are_shown_hidden_or_made_by_a_button() {
    let mut stage = Stage::on(PAGE);
    let one = reference(&mut stage, "One");
    let shot = stage.succeed("computer", json!({"action": "screenshot"}));
    let id = shot.text.split("imageId: ").nth(1).expect("an id").split(']').next().expect("an end");
    stage.succeed("file_upload", json!({"ref": one, "files": [file("shot.jpg", id)]}));
    let held = stage.evaluate("(f => [f.size, f.type])(document.forms[0].one.files[0])");
    assert_eq!(held, json!([shot.images[0].bytes.len(), shot.images[0].mime]));
    let reply = stage
        .succeed("file_upload", json!({"ref": one, "files": [file("a \"b\".txt", "SMOkbGxv")]}));
    assert_eq!(reply.structured["files"], json!([{"name": "a \"b\".txt", "size": 6}]));
    assert!(reply.text.contains("holds it now"), "{}", reply.text);
    assert_eq!(stage.site.await_said("change"), "one");
    assert_eq!(stage.evaluate("document.forms[0].one.files[0].text()"), "Hällo");
    assert_eq!(stage.evaluate("document.forms[0].one.files[0].type"), "text/plain");
    let many = reference(&mut stage, "Several");
    let two = json!([file("x.png", "iVBORw0KGgo="), file("y.txt", "")]);
    stage.succeed("file_upload", json!({"ref": many, "files": two}));
    assert_eq!(
        stage.evaluate("[...document.forms[0].many.files].map(f => `${f.name} ${f.size}`).join()"),
        "x.png 8,y.txt 0"
    );
    let button = reference(&mut stage, "Choose");
    let reply = stage.succeed(
        "file_upload",
        json!({"ref": button, "files": [file("c.csv", "YSxi"), file("d", "QQ==")]}),
    );
    assert_eq!(
        stage.site.await_said("picked"),
        json!([2, "c.csv", "text/csv", "a,b"]),
        "{}",
        reply.text
    );
    let zone = reference(&mut stage, "Zone");
    let two = json!([file("z.txt", "SGk="), file("d", "QQ==")]);
    let reply = stage.succeed("file_upload", json!({"ref": zone, "files": two}));
    assert_eq!(stage.site.await_said("dropped"), json!([2, "z.txt", "Hi"]));
    assert!(reply.text.contains("as dropped on it by a script"), "{}", reply.text);
    let eater = reference(&mut stage, "Eater");
    let reply = stage.succeed("file_upload", json!({"ref": eater, "files": [file("e", "QQ==")]}));
    assert!(reply.text.contains("may have taken them already"), "{}", reply.text);
    assert_eq!(stage.site.await_said("eaten"), 1);
    stage.click("Send");
    let sent = stage.site.await_received("the form", |request| request.path == "/sent");
    assert!(
        sent.body.contains("filename=\"x.png\"") && sent.body.contains("Hällo"),
        "{}",
        sent.body
    );
}

#[test]
fn a_file_of_some_megabytes_arrives_whole_also_in_a_frame_of_another_site() {
    let mut stage = Stage::on("<title>Big</title>");
    let frame = stage.site.other_site_url("/frame");
    stage.site.page(
        "/outer",
        &format!("<title>Outer</title><iframe src='{frame}' width=600 height=300></iframe>"),
    );
    stage.site.page("/frame", "<label>Inner<input type=file onchange='const f = this.files[0];
        f.arrayBuffer().then(b => say(\"size\", [f.size, new Uint8Array(b).every(x => x === 0)]))'></label>");
    stage.go("/outer");
    let read = stage.read();
    let inner = read.elements().into_iter().find(|e| e.name.contains("Inner"));
    let inner = inner.unwrap_or_else(|| panic!("{}", read.text)).reference;
    let zeros = "A".repeat(4 * 1024 * 1024);
    stage.succeed("file_upload", json!({"ref": inner, "files": [file("zeros.bin", &zeros)]}));
    assert_eq!(stage.site.await_said("size"), json!([3 * 1024 * 1024, true]));
}

#[test]
fn what_does_not_fit_is_refused_and_chooses_nothing() {
    let mut stage = Stage::on(PAGE);
    let [one, many, folder, off, plain] =
        ["One", "Several", "Folder", "Off", "Plain"].map(|name| reference(&mut stage, name));
    let two = json!([file("a.txt", "QQ=="), file("b.txt", "QQ==")]);
    let cases = [
        (json!({"ref": one, "paths": ["/etc/passwd"]}), "no file of this computer"),
        (json!({"ref": one, "files": two}), "one file only"),
        (json!({"ref": one, "files": [file("../a", "QQ==")]}), "no name"),
        (json!({"ref": one, "files": [file("a", "?")]}), "not base64"),
        (json!({"ref": one, "files": [file("a", "img_0")]}), "no such picture"),
        (json!({"ref": one, "files": []}), "files"),
        (json!({"ref": one}), "needs files"),
        (json!({"ref": many, "files": [file("a.pdf", "QQ==")]}), "image/*,.txt"),
        (json!({"ref": folder, "files": [file("a", "QQ==")]}), "whole folder"),
        (json!({"ref": off, "files": [file("a", "QQ==")]}), "disabled"),
        (json!({"ref": "ref_999", "files": [file("a", "QQ==")]}), "never had"),
        (json!({"ref": plain, "files": [file("a", "QQ==")]}), "none was taken as dropped"),
    ];
    for (arguments, cause) in cases {
        let text = stage.refused("file_upload", arguments.clone());
        assert!(text.contains(cause), "{arguments}: {text}");
    }
    assert_eq!(stage.evaluate("document.title"), "pressed");
    let held = "[...document.querySelectorAll('input')].reduce((n, i) => n + i.files.length, 0)";
    assert_eq!(stage.evaluate(held), 0);
    assert!(stage.site.said("change").is_empty());
}
