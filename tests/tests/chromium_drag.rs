//! Drags, judged by what the pages saw of them: pointers, sliders, canvases, and the browser's own drag and drop.

use ghostlight_tests::site::Site;
use ghostlight_tests::stage::Stage;
use ghostlight_tests::wait::{LONG, until};
use serde_json::{Value, json};

const PAGE: &str = r#"<title>Drags</title><style>body { margin: 0 } .box { position: absolute; width: 70px; height: 40px; background: #ccc }</style>
<div class=box role=button aria-label=Parcel draggable=true style="left:10px;top:10px"></div>
<div class=box role=button aria-label=Shelf style="left:300px;top:10px;width:120px;height:90px"></div>
<div class=box role=button aria-label=Wall style="left:500px;top:10px"></div>
<div class=box role=button aria-label=Tile style="left:10px;top:120px"></div>
<div class=box role=button aria-label=Goal style="left:300px;top:160px"></div>
<input type=range min=0 max=100 value=0 aria-label=Volume style="position:absolute;left:10px;top:220px;width:300px;margin:0">
<div class=box role=button aria-label=Mark style="left:309px;top:210px;width:2px"></div>
<canvas width=300 height=150 style="position:absolute;left:10px;top:260px;background:#eee"></canvas>
<iframe src="FAR" style="position:absolute;left:400px;top:260px;width:200px;height:150px;border:4px solid"></iframe>
<script>
const named = (name) => document.querySelector(`[aria-label=${name}]`);
const parcel = named("Parcel"), shelf = named("Shelf"), tile = named("Tile");
parcel.ondragstart = (e) => e.dataTransfer.setData("text/plain", "carried");
parcel.ondragend = (e) => say("dragend", e.dataTransfer.dropEffect);
shelf.ondragover = (e) => e.preventDefault();
shelf.ondrop = (e) => { e.preventDefault(); say("dropped", [e.dataTransfer.getData("text/plain"), e.isTrusted, e.shiftKey]); if (window.ask) alert("Thanks") };
let grip = null, moves = 0;
tile.onpointerdown = (e) => { grip = [e.clientX - tile.offsetLeft, e.clientY - tile.offsetTop]; moves = 0; tile.setPointerCapture(e.pointerId) };
tile.onpointermove = (e) => { if (!grip) return; moves += 1; tile.style.left = e.clientX - grip[0] + "px"; tile.style.top = e.clientY - grip[1] + "px" };
tile.onpointerup = (e) => { grip = null; say("moved", [tile.offsetLeft, tile.offsetTop, moves]) };
named("Volume").onchange = (e) => say("volume", Number(e.target.value));
const stroke = []; const canvas = document.querySelector("canvas");
canvas.onmousemove = (e) => { if (e.buttons === 1) stroke.push([e.offsetX, e.offsetY, e.shiftKey]) };
canvas.onmouseup = () => say("stroke", stroke);
</script>"#;

const FAR: &str = "<body style='margin:0;height:140px' role=button aria-label=Abroad><script>\
    ondragover = e => e.preventDefault();\
    ondrop = e => { e.preventDefault(); say('abroad', e.dataTransfer.getData('text/plain')) }</script>";

fn stage() -> (Stage, Site) {
    let far = Site::new();
    far.page("/far", FAR);
    let site = Site::of(&PAGE.replace("FAR", &far.other_site_url("/far")));
    (Stage::of(site), far)
}

fn drag(stage: &mut Stage, from: &str, to: &str, modifiers: &str) -> String {
    let (from, to) = (stage.find(from).reference, stage.find(to).reference);
    let drag =
        json!({"action": "left_click_drag", "start_ref": from, "ref": to, "modifiers": modifiers});
    stage.succeed("computer", drag).text
}

#[test]
fn what_a_hand_can_drag_is_dragged_and_told() {
    let (mut stage, far) = stage();
    let text = drag(&mut stage, "Parcel", "Shelf", "shift");
    assert_eq!(stage.site.await_said("dropped"), json!(["carried", true, true]));
    assert!(text.contains("the drop was taken"), "{text}");
    let text = drag(&mut stage, "Parcel", "Wall", "");
    assert!(text.contains("nothing there took the drop"), "{text}");
    until("both ends", LONG, || (stage.site.said("dragend").len() == 2).then_some(()));
    assert_eq!(stage.site.said("dragend")[1], "none");
    drag(&mut stage, "Parcel", "Abroad", "");
    assert_eq!(far.await_said("abroad"), "carried");

    let text = drag(&mut stage, "Tile", "Goal", "");
    assert!(text.contains("moved by 290, 40 px"), "{text}");
    let moved = stage.site.await_said("moved");
    assert_eq!((&moved[0], &moved[1]), (&json!(300), &json!(160)));
    assert!(moved[2].as_u64() >= Some(10), "{moved}");

    let text = drag(&mut stage, "Volume", "Mark", "");
    assert!(stage.site.await_said("volume").as_f64() >= Some(95.0), "{text}");
    assert!(text.contains("value changed"), "{text}");

    stage.succeed("computer", json!({"action": "screenshot"}));
    let stroke = json!({"action": "left_click_drag", "start_coordinate": [30, 280], "coordinate": [230, 380], "modifiers": "shift"});
    let text = stage.succeed("computer", stroke).text;
    let stroke = stage.site.await_said("stroke");
    let points = stroke.as_array().map(Vec::len);
    assert!(points >= Some(10), "{text}: {stroke}");
    let last = &stroke[points.unwrap_or(1) - 1];
    let near = |axis: usize, wanted: f64| (last[axis].as_f64().unwrap_or(0.0) - wanted).abs() < 3.0;
    assert!(near(0, 220.0) && near(1, 120.0) && last[2] == true, "{last}");
    let text =
        stage.refused("computer", json!({"action": "left_click_drag", "coordinate": [3, 3]}));
    assert!(text.contains("start"), "{text}");
}

#[test]
fn a_drag_that_is_cut_short_lets_go_and_drops_nothing() {
    let (mut stage, _far) = stage();
    let (from, to) = (stage.find("Parcel").reference, stage.find("Shelf").reference);
    let begun = "parcel.addEventListener('drag', () => say('under way'), { once: true }); 1";
    stage.evaluate(begun);
    let drag =
        json!({"action": "left_click_drag", "start_ref": from, "ref": to, "tabId": stage.tab});
    let id = stage.client.ask_tool("computer", drag.clone());
    stage.site.await_said("under way");
    stage.client.cancel(id);
    assert_eq!(stage.site.await_said("dragend"), "none");
    assert!(stage.site.said("dropped").is_empty());
    // Nothing is held any more: a move is no drag.
    stage.evaluate("addEventListener('mousemove', e => say('buttons', e.buttons), true); 1");
    let hover = stage.find("Goal").reference;
    stage.succeed("computer", json!({"action": "hover", "ref": hover}));
    assert_eq!(stage.site.await_said("buttons"), 0);
    // And a question that the drop asks is named at once.
    stage.evaluate("ask = true");
    let reply = stage.client.call("computer", drag);
    assert!(reply.text.contains("dialog opened: alert \"Thanks\""), "{}", reply.text);
    stage.succeed("dialog", json!({"action": "accept"}));
    assert_eq!(
        stage.site.await_said("dropped"),
        Value::from(vec![json!("carried"), json!(true), json!(false)])
    );
}
