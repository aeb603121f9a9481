//! What lies inside of frames, shadow roots, drawings and lists is read, found and acted on like the rest.

use ghostlight_tests::reply::Reply;
use ghostlight_tests::site::Site;
use ghostlight_tests::stage::Stage;
use serde_json::json;

const BUTTON: &str = "<button onclick=\"say('clicked', 'NAME')\">NAME</button>";

fn button(name: &str) -> String {
    BUTTON.replace("NAME", name)
}

/// Each button of these names is in the reading, found and seen by the site to be clicked.
fn work(stage: &mut Stage, names: &[&str]) {
    for name in names {
        stage.read().reference("button", name);
        stage.click(name);
        stage.site.await_received(name, |r| r.path == "/said" && r.body.contains(name));
    }
}

/// By a place in the picture, as where nothing can be referred to.
#[test]
fn a_click_at_a_place_in_a_frame_tells_what_it_did_there() {
    let site = Site::new();
    let press = "<body style='margin:0'><button style='width:200px;height:60px' onclick=\"this.textContent = 'Pressed'\">\
        Press</button>";
    site.page("/in", press);
    let [near, far] = [site.url("/in"), site.other_site_url("/in")].map(|url| {
        format!(
            "<iframe src='{url}' style='display:block;border:0;width:300px;height:100px'></iframe>"
        )
    });
    site.page("/", &format!("<body style='margin:0'><div style='height:200px'></div>{near}{far}"));
    let mut stage = Stage::of(site);
    stage.find("Press");
    for y in [230, 330] {
        stage.succeed("computer", json!({"action": "screenshot"}));
        let click = json!({"action": "left_click", "coordinate": [100, y]});
        let told = stage.succeed("computer", click).text;
        assert!(told.contains("under the pointer: button \"Press\""), "{told}");
        assert!(told.contains("Pressed"), "{told}");
    }
}

#[test]
fn every_kind_of_frame_and_shadow_root_is_part_of_the_page() {
    let (site, neighbour) = (Site::new(), Site::new());
    for name in ["Same", "Other", "In a root", "In a far root", "Deep", "Neighbour"] {
        let at = if name == "Neighbour" { &neighbour } else { &site };
        at.page(&format!("/{}", name.replace(' ', "-")), &button(name));
    }
    let deep = site.other_site_url("/Deep");
    site.page(
        "/frames",
        &format!(
            "<iframe src=/Same></iframe><iframe src={}></iframe><iframe src={}></iframe><div id=h></div>\
             <iframe srcdoc='<iframe src={deep}></iframe>'></iframe>\
             <iframe sandbox srcdoc='<p>No scripts</p><button>Sandboxed</button>'></iframe>\
             <script>h.attachShadow({{mode: 'open'}}).innerHTML = `<iframe src=/In-a-root></iframe>\
             <iframe src={}></iframe>`</script>",
            site.other_site_url("/Other"),
            neighbour.url("/Neighbour"),
            site.other_site_url("/In-a-far-root"),
        ),
    );
    site.page(
        "/",
        &format!(
            "<x-card></x-card><div id=plain></div><x-slots>Light <b>text</b></x-slots><script>\
             const close = (host, html) => {{ const root = host.attachShadow({{mode: 'closed'}});\
             root.innerHTML = html; return root; }};\
             const card = close(document.querySelector('x-card'), `{}<input \
             aria-label=Field oninput=\"say('changed', this.value)\"><div></div>`);\
             close(card.querySelector('div'), `{}`); close(plain, `{}`);\
             close(document.querySelector('x-slots'), `<slot></slot>{}`);</script>",
            button("Closed"),
            button("Nested closed"),
            button("Plain closed"),
            button("Beside a slot"),
        ),
    );
    let mut stage = Stage::of(site);
    work(&mut stage, &["Closed", "Nested closed", "Plain closed", "Beside a slot"]);
    let field = stage.find("field").reference;
    stage.succeed("form_input", json!({"ref": field, "value": "typed"}));
    assert_eq!(stage.site.await_said("changed"), "typed");
    let text = stage.succeed("get_page_text", json!({})).text;
    assert!(text.contains("Light text") && text.contains("Nested closed"), "{text}");

    stage.go("/frames");
    work(&mut stage, &["Same", "Other", "In a root", "In a far root", "Deep"]);
    let read = stage.read();
    for name in ["Neighbour", "Sandboxed"] {
        assert_eq!(read.reference("button", name), stage.find(name).reference);
    }
    assert!(read.text.contains("No scripts"), "{}", read.text);
    let text = stage.succeed("get_page_text", json!({})).text;
    for part in ["No scripts", "Deep", "Neighbour"] {
        assert!(text.contains(part), "no {part:?} in\n{text}");
    }
}

#[test]
fn links_in_drawings_and_areas_of_maps_are_followed() {
    let site = Site::new();
    let picture =
        "data:image/svg+xml,<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"90\" height=\"90\"/>";
    for name in ["Drawn", "Left", "Round"] {
        site.page(&format!("/{name}"), name);
    }
    site.page(
        "/",
        &format!(
            "<svg width=200 height=40><a href=/Drawn><text y=20>Drawn</text></a></svg><div style=height:2000px></div>\
             <img usemap=#m src='{picture}'><map name=m><area alt=Left href=/Left coords=0,0,30,30>\
             <area alt=Round href=/Round shape=circle coords=60,60,20></map>"
        ),
    );
    let mut stage = Stage::of(site);
    for name in ["Drawn", "Left", "Round"] {
        let reference = stage.read().reference("link", name);
        stage.succeed("computer", json!({"action": "left_click", "ref": reference}));
        stage.site.await_received(name, |request| request.path == format!("/{name}"));
        stage.go("/");
    }
}

/// The reference of "Row N" in a reading.
fn row(read: &Reply, number: u32) -> String {
    read.reference("button", &format!("Row {number}"))
}

#[test]
fn a_list_that_uses_its_rows_again_does_not_lead_to_another_item() {
    let mut stage = Stage::on(
        "<div id=view style='height:300px;overflow:auto'><div id=all style='height:30000px;position:relative'></div></div>\
         <script>for (let n = 0; n < 12; n += 1) all.append(Object.assign(document.createElement('div'),\
         {innerHTML: `<button onclick=\"say('clicked', this.textContent)\"></button>`}));\
         const draw = () => [...all.children].forEach((row, n) => { const at = Math.floor(view.scrollTop / 30) + n;\
         row.style.cssText = `position:absolute;height:30px;transform:translateY(${at * 30}px)`;\
         row.firstChild.textContent = 'Row ' + at; }); view.onscroll = draw; draw()</script>",
    );
    let third = row(&stage.read(), 3);
    stage.succeed(
        "computer",
        json!({"action": "scroll", "scroll_direction": "down", "scroll_amount": 9, "ref": third}),
    );
    let why = stage.refused("computer", json!({"action": "left_click", "ref": third}));
    assert!(why.contains("another row") && why.contains("Retry: "), "{why}");
    let later = row(&stage.read(), 33);
    stage.succeed("computer", json!({"action": "left_click", "ref": later}));
    assert_eq!(stage.site.await_said("clicked"), "Row 33");
    assert_eq!(stage.site.said("clicked").len(), 1);
}
