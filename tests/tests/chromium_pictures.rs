//! Pictures of a page: their size, what their pixels show, and that a pixel leads to what it shows.

use ghostlight_tests::reply::{Picture, Reply};
use ghostlight_tests::site::Site;
use ghostlight_tests::stage::Stage;
use serde_json::{Value, json};

/// Where the pink button is: left, top, width, height in pixels of the picture; and the picture's own size.
const FIND: &str = "(async () => { const i = new Image(); i.src = SOURCE; await i.decode();\
    const c = document.createElement('canvas'); c.width = i.width; c.height = i.height; const g = c.getContext('2d');\
    g.drawImage(i, 0, 0); const {data} = g.getImageData(0, 0, c.width, c.height); const xs = [], ys = [];\
    for (let n = 0; n < data.length; n += 4) if (data[n] > 200 && data[n + 1] < 90 && data[n + 2] > 200) {\
    xs.push((n / 4) % c.width); ys.push(Math.floor(n / 4 / c.width)); }\
    const least = (all) => all.reduce((a, b) => Math.min(a, b), Infinity);\
    const most = (all) => all.reduce((a, b) => Math.max(a, b), -Infinity);\
    return { box: [least(xs), least(ys), most(xs) - least(xs) + 1, most(ys) - least(ys) + 1], size: [c.width, c.height] }; })()";

const BUTTON: &str = "<body style='margin:0'><button style='position:absolute;left:500px;top:250px;width:40px;height:30px;\
    background:#f0f;border:0' onclick=\"say('hit', devicePixelRatio)\"></button>";

struct Seen {
    middle: [f64; 2],
    side: [f64; 2],
    size: [f64; 2],
}

fn look(stage: &mut Stage, picture: &Picture) -> Seen {
    let source = json!(format!("data:{};base64,{}", picture.mime, picture.base64)).to_string();
    stage.chromium.judge.open("about:blank#picture");
    let found =
        stage.chromium.judge.evaluate("about:blank#picture", &FIND.replace("SOURCE", &source));
    let number = |list: &str, at: usize| found[list][at].as_f64().unwrap_or(f64::NAN);
    let [left, top, width, height] = [0, 1, 2, 3].map(|at| number("box", at));
    Seen {
        middle: [(left + width / 2.0).floor(), (top + height / 2.0).floor()],
        side: [width, height],
        size: [number("size", 0), number("size", 1)],
    }
}

/// A picture within the bounds of models, and what was said about it.
fn picture(stage: &mut Stage, arguments: Value) -> (Picture, Seen, Reply) {
    let reply = stage.succeed("computer", arguments);
    let picture = reply.images[0].clone();
    let seen = look(stage, &picture);
    assert_eq!(picture.mime, "image/jpeg");
    assert!(seen.size[0].max(seen.size[1]) <= 1568.0, "{:?}", seen.size);
    assert!(picture.base64.len() <= 1_100_000, "{}", picture.base64.len());
    let told = format!("{} by {} pixels", seen.size[0], seen.size[1]);
    assert!(reply.text.contains(&told) && reply.text.contains("imageId: img_"), "{}", reply.text);
    (picture, seen, reply)
}

fn press(stage: &mut Stage, pixel: [f64; 2]) {
    let before = stage.site.said("hit").len();
    stage.succeed("computer", json!({"action": "left_click", "coordinate": pixel}));
    ghostlight_tests::wait::until("the button's word", ghostlight_tests::wait::LONG, || {
        (stage.site.said("hit").len() == before + 1).then_some(())
    });
}

#[test]
fn a_pixel_leads_to_what_it_shows_at_every_scale_and_zoom() {
    let mut stage = Stage::on(&format!("{BUTTON}<div style='height:3000px'></div>"));
    let native = stage.tab & 0xffff_ffff;
    let url = stage.site.url("/");
    for (scale, zoom) in [(1.0, 1.0), (2.0, 1.0), (3.0, 1.0), (1.0, 0.5), (1.0, 1.5), (2.0, 1.25)] {
        let session = stage.chromium.judge.attach(&url);
        let metrics = json!({"width": 0, "height": 0, "deviceScaleFactor": scale, "mobile": false});
        let set =
            stage.chromium.judge.command(&session, "Emulation.setDeviceMetricsOverride", metrics);
        set.expect("a device scale can be emulated");
        stage.chromium.in_worker(&format!("chrome.tabs.setZoom({native}, {zoom})"));
        let (_, seen, _) = picture(&mut stage, json!({"action": "screenshot"}));
        press(&mut stage, seen.middle);
        let [x, y] = seen.middle;
        let region = [x - 60.0, y - 40.0, x + 60.0, y + 40.0];
        let (_, near, _) = picture(&mut stage, json!({"action": "zoom", "region": region}));
        let sides = format!("scale {scale} zoom {zoom}: {:?} {:?}", near.side, seen.side);
        assert!(near.side[0] > 1.9 * seen.side[0], "{sides}");
        press(&mut stage, near.middle);
        let _ = stage.chromium.judge.command(
            "",
            "Target.detachFromTarget",
            json!({"sessionId": session}),
        );
    }
}

#[test]
fn a_coordinate_of_another_state_of_the_page_is_refused() {
    let site = Site::new();
    site.page("/other", "<h1>Other");
    site.page(
        "/",
        "<body style='margin:0'><div id=inner style='height:500px;overflow:auto'><div style='height:9000px'>rows</div></div>\
         <div style='height:3000px'></div><script>onclick = () => say('hit')</script>",
    );
    let mut stage = Stage::of(site);
    let click = json!({"action": "left_click", "coordinate": [100, 100]});
    let none = stage.refused("computer", click.clone());
    assert!(none.contains("there is none"), "{none}");
    let url = stage.site.url("/");
    for (change, cause) in [
        ("scrollTo(0, 300)", "it was scrolled"),
        ("inner.scrollTop = 300", "a part of it was scrolled"),
        ("location.href = '/other'", "another document"),
    ] {
        stage.go("/");
        stage.succeed("computer", json!({"action": "screenshot"}));
        stage.chromium.judge.evaluate(&url, &format!("void ({change})"));
        if cause == "another document" {
            stage.succeed("find", json!({"query": "other"}));
        }
        let why = stage.refused("computer", click.clone());
        assert!(why.contains(cause) && why.contains("Retry: "), "{why}");
    }
    stage.go("/");
    stage.succeed("computer", json!({"action": "screenshot"}));
    let session = stage.chromium.judge.attach(&url);
    let metrics = json!({"width": 700, "height": 500, "deviceScaleFactor": 1, "mobile": false});
    let set = stage.chromium.judge.command(&session, "Emulation.setDeviceMetricsOverride", metrics);
    set.expect("a size can be emulated");
    let why = stage.refused("computer", click.clone());
    assert!(why.contains("another size"), "{why}");
    let beyond = stage.succeed("computer", json!({"action": "screenshot"}));
    assert!(beyond.text.contains("700 by 500"), "{}", beyond.text);
    let why = stage.refused("computer", json!({"action": "left_click", "coordinate": [701, 20]}));
    assert!(why.contains("outside of the last screenshot"), "{why}");
    stage.succeed("computer", click);
    stage.site.await_said("hit");
    assert_eq!(stage.site.said("hit").len(), 1);
}

#[test]
fn a_page_beyond_its_viewport_is_shown_as_far_as_it_can_be_read() {
    let noise = "<canvas id=c width=1280 height=2000></canvas><script>const g = c.getContext('2d');\
        const d = g.createImageData(1280, 2000); d.data.forEach((_, n) => (d.data[n] = n % 4 < 3 ? Math.random() * 255 : 255));\
        g.putImageData(d, 0, 0)</script>";
    let site = Site::new();
    site.page("/noise", noise);
    site.page("/short", BUTTON);
    site.page(
        "/",
        &format!("{}<div style='height:30000px'></div>", BUTTON.replace("top:250px", "top:1800px")),
    );
    let mut stage = Stage::of(site);
    let full = json!({"action": "screenshot", "full_page": true});
    let (_, seen, reply) = picture(&mut stage, full.clone());
    assert!(reply.text.contains("Cut: ") && reply.text.contains("of 30000 px"), "{}", reply.text);
    assert!(seen.side[0] > 15.0, "too small to read: {:?}", seen.side);
    let why = stage.refused("computer", json!({"action": "left_click", "coordinate": seen.middle}));
    assert!(why.contains("outside of the viewport"), "{why}");
    stage.chromium.judge.evaluate(&stage.site.url("/"), "scrollTo(0, 1500)");
    let (_, seen, _) = picture(&mut stage, full.clone());
    press(&mut stage, seen.middle);
    stage.go("/short");
    let (_, seen, reply) = picture(&mut stage, full.clone());
    assert!(reply.text.contains("the whole page"), "{}", reply.text);
    press(&mut stage, seen.middle);
    stage.go("/noise");
    picture(&mut stage, json!({"action": "screenshot"}));
    picture(&mut stage, full);
}
