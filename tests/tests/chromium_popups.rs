//! Tabs and windows that pages open, in real Chromium: those of the agent's page are its own and told, the person's never.

use ghostlight_tests::reply::Reply;
use ghostlight_tests::site::{Response, Site};
use ghostlight_tests::stage::Stage;
use ghostlight_tests::wait::{LONG, until};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const OPENED: &str = "a tab opened: tabId ";

/// The tab that a receipt names as opened; or the one that came later, where it says that none had.
fn opened(stage: &mut Stage, reply: &Reply) -> i64 {
    let after = reply.text.split(OPENED).nth(1);
    let digits =
        after.map(|text| text.chars().take_while(char::is_ascii_digit).collect::<String>());
    if let Some(id) = digits.and_then(|digits| digits.parse().ok()) {
        return id;
    }
    assert!(reply.text.contains("or is late"), "no tab opened: {reply:?}");
    until("the late tab", LONG, || {
        let ids = tabs(stage).into_iter().filter_map(|tab| tab["tabId"].as_i64());
        ids.into_iter().find(|id| *id != stage.tab)
    })
}

fn tabs(stage: &mut Stage) -> Vec<Value> {
    let listed = stage.client.succeed("tabs_context_mcp", json!({}));
    listed.structured["tabs"].as_array().cloned().unwrap_or_default()
}

/// Pages that open one which says "Inner"; `FOREIGN` is another site.
const WAYS: &[(&str, &str)] = &[
    ("link", "<a target=_blank href=/in>Go</a>"),
    ("link with opener", "<a target=_blank rel=opener href=/in>Go</a>"),
    ("named", "<a target=named href=/in>Go</a>"),
    ("other site", "<a target=_blank href=FOREIGN/in>Go</a>"),
    ("script", "<button onclick=window.open('/in')>Go</button>"),
    ("script without opener", "<button onclick=window.open('/in','_blank','noopener')>Go</button>"),
    ("window", "<button onclick=window.open('/in','','width=300,height=300')>Go</button>"),
    ("get", "<form target=_blank action=/in><button>Go</button></form>"),
    ("post", "<form target=_blank method=post action=/in><button>Go</button></form>"),
    ("written", "<button onclick=window.open().document.write('Inner')>Go</button>"),
    (
        "blob",
        "<button>Go</button><script>document.querySelector('button').onclick = () =>
             open(URL.createObjectURL(new Blob(['Inner'], {type: 'text/html'})))</script>",
    ),
];

#[test]
fn whatever_way_a_page_opens_another_it_is_told_and_can_be_used() {
    let site = Site::new();
    site.page("/in", "<title>In</title><button>Inner</button>");
    let foreign = site.other_site_url("");
    for (n, (_, html)) in WAYS.iter().enumerate() {
        let html = html.replace("FOREIGN", &foreign);
        site.page(&format!("/way{n}"), &html);
        site.page(&format!("/same{n}"), &format!("<iframe src=/way{n}></iframe>"));
        site.page(&format!("/foreign{n}"), &format!("<iframe src={foreign}/way{n}></iframe>"));
    }
    site.page("/", "<title>First</title>");
    let mut stage = Stage::of(site);
    let first = stage.tab;
    for (n, (way, _)) in WAYS.iter().enumerate() {
        for place in if n % 4 == 0 { &["way", "same", "foreign"][..] } else { &["way"] } {
            stage.tab = first;
            stage.go(&format!("/{place}{n}"));
            let go = until("the way", LONG, || {
                stage.read().elements().into_iter().find(|element| element.name == "Go")
            });
            let press = json!({"action": "left_click", "ref": go.reference});
            let reply = stage.succeed("computer", press);
            stage.tab = opened(&mut stage, &reply);
            let read = until("the opened page", LONG, || {
                let reply = stage.call("get_page_text", json!({}));
                (reply.is_success() && reply.text.contains("Inner")).then_some(reply)
            });
            assert!(!read.text.contains("from null"), "{way} in {place}: {}", read.text);
            stage.succeed("tab_control", json!({"action": "close"}));
        }
    }
    stage.tab = first;
    assert_eq!(tabs(&mut stage).len(), 1);
}

#[test]
fn what_the_person_opens_meanwhile_is_never_taken() {
    let site = Site::of(
        "<title>Agent's</title><button onclick=\"window.open('/visit')\">Open</button><a href=/visit>Visit</a>",
    );
    let visits = AtomicUsize::new(0);
    site.serve("/visit", move |_| {
        Response::html(&format!("visit {}", visits.fetch_add(1, Ordering::SeqCst)))
    });
    site.page("/mine", "<title>Mine</title>");
    let mut stage = Stage::of(site);
    let (visit, mine) = (stage.site.url("/visit"), stage.site.url("/mine"));
    stage.chromium.judge.open(&mine);
    let person = stage.chromium.judge.attach(&mine);
    let asked = |stage: &Stage| stage.site.received().iter().filter(|r| r.path == "/visit").count();
    let own = json!({"expression": format!("void window.open('{visit}')"), "userGesture": true});
    let ways = [("Open", None), ("Visit", Some("ctrl"))];
    let meanwhile = [
        ("", "Target.createTarget", json!({"url": visit})),
        (person.as_str(), "Runtime.evaluate", own),
        ("", "Target.createTarget", json!({"url": "about:blank"})),
    ];
    for (name, modifiers) in ways {
        for (session, method, params) in &meanwhile {
            let reference = stage.find(name).reference;
            let before = asked(&stage);
            // The person is first, and has looked already.
            stage.chromium.judge.tell(session, method, params.clone());
            let persons = usize::from(params["url"] != "about:blank");
            until("the person's visit", LONG, || (asked(&stage) == before + persons).then_some(()));
            let mut press = json!({"action": "left_click", "ref": reference});
            if let Some(held) = modifiers {
                press["modifiers"] = json!(held);
            }
            let reply = stage.succeed("computer", press);
            let tab = opened(&mut stage, &reply);
            let own = std::mem::replace(&mut stage.tab, tab);
            let expected = format!("visit {}", before + persons);
            until("the agent's visit", LONG, || {
                stage.call("get_page_text", json!({})).text.contains(&expected).then_some(())
            });
            stage.succeed("tab_control", json!({"action": "close"}));
            stage.tab = own;
            assert_eq!(tabs(&mut stage).len(), 1, "{name} beside {method} {params}");
        }
    }
}

#[test]
fn a_page_that_closes_itself_again_leaves_its_opener_working() {
    let site = Site::of(
        "<title>Opener</title><button onclick=\"window.open('/soon')\">Soon</button>
         <button onclick=\"window.open('/now')\">Now</button>
         <button onclick=\"window.open('/now').close()\">Shut</button>",
    );
    site.page("/soon", "<title>Soon</title><script>setTimeout(() => close(), 400)</script>");
    site.page("/now", "<script>close()</script>");
    let mut stage = Stage::of(site);
    let first = stage.tab;
    for name in ["Soon", "Now", "Shut"] {
        let reply = stage.click(name);
        // It may be gone before it is told.
        if name == "Soon" && reply.text.contains(OPENED) {
            let popup = opened(&mut stage, &reply);
            until("the end of the popup", LONG, || (tabs(&mut stage).len() == 1).then_some(()));
            let text = stage.client.refused("get_page_text", json!({"tabId": popup}));
            assert!(text.contains("tab"), "{text}");
        }
        assert!(["a tab opened", "another tab"].iter().any(|told| reply.text.contains(told)));
        until("the opener alone", LONG, || (tabs(&mut stage).len() == 1).then_some(()));
        assert_eq!(tabs(&mut stage)[0]["tabId"], first);
        assert!(stage.read().text.contains("Opener"));
    }
}

#[test]
fn a_dialog_of_a_popup_is_named_where_it_holds_the_opener_back() {
    let site =
        Site::of("<title>Opener</title><button onclick=\"window.open('/in')\">Open</button>");
    site.page("/in", "<button onclick=\"say('got', confirm('inner?'))\">Inner</button>");
    let mut stage = Stage::of(site);
    let reply = stage.click("Open");
    let popup = opened(&mut stage, &reply);
    let opener = std::mem::replace(&mut stage.tab, popup);
    until("the popup's page", LONG, || {
        stage.call("get_page_text", json!({})).text.contains("Inner").then_some(())
    });
    assert!(stage.click("Inner").text.contains("confirm \"inner?\""));
    stage.tab = opener;
    for (tool, arguments) in [
        ("find", json!({"query": "Open"})),
        ("read_page", json!({})),
        ("computer", json!({"action": "screenshot"})),
        ("computer", json!({"action": "key", "text": "a"})),
    ] {
        let started = std::time::Instant::now();
        let text = stage.refused(tool, arguments);
        assert!(started.elapsed() < Duration::from_secs(2), "{tool}: {:?}", started.elapsed());
        assert!(text.contains(&format!("tabId {popup}")) && text.contains("inner?"), "{text}");
    }
    stage.tab = popup;
    stage.succeed("dialog", json!({"action": "accept"}));
    assert_eq!(stage.site.await_said("got"), true);
    stage.succeed("find", json!({"query": "Inner"}));
    stage.tab = opener;
    stage.succeed("find", json!({"query": "Open"}));
}

#[test]
fn a_tab_that_does_not_come_is_told() {
    let site = Site::of(
        "<title>Opener</title><button onclick=\"window.open('/file')\">Script</button>
         <a target=_blank href=/file>Link</a>
         <button onclick=\"window.open('/in'); window.open('/in')\">Two</button>
         <button onclick=\"fetch('/in')\">Unread</button>
         <iframe sandbox='allow-scripts' srcdoc='<button onclick=window.open(`/in`)>Boxed</button>'></iframe>",
    );
    site.page("/in", "<title>In</title>");
    site.serve("/file", |_| Response::of("application/octet-stream", b"data".to_vec()));
    let mut stage = Stage::of(site);
    until("the frame", LONG, || stage.read().text.contains("Boxed").then_some(()));
    let not_ours = "a tab opened that is not yours";
    let (missing, unread) = ("asked for another tab, which did not come", "not read all");
    // A busy computer may be late with what it tells of; it is then tried again.
    for (name, told, never) in [
        ("Boxed", &[missing][..], &[OPENED, not_ours][..]),
        ("Unread", &[unread], &[OPENED, not_ours, missing]),
        ("Script", &[not_ours], &[]),
        ("Link", &[not_ours], &[]),
        ("Two", &[OPENED, missing], &[]),
    ] {
        until(name, LONG, || {
            let text = stage.click(name).text;
            assert!(!never.iter().any(|line| text.contains(line)), "{name}: {text}");
            told.iter().all(|line| text.contains(line)).then_some(())
        });
    }
}
