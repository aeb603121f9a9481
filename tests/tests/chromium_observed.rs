//! What pages say on their console and ask of the network, as real Chromium tells it.

use ghostlight_tests::reply::Reply;
use ghostlight_tests::site::{Response, Site};
use ghostlight_tests::stage::Stage;
use ghostlight_tests::wait::{LONG, until};
use serde_json::{Value, json};
use std::time::Duration;

/// Says one of each kind while it loads, before any tool has asked.
const TALKATIVE: &str = "<title>Talk</title><script>
    console.log('first %s', 'word', {a: 1, b: 'x'}, [1, 2]);
    console.warn('careful');
    console.error('bad\\nerror \"forged\" at \"http://x\":1');
    console.log('login token=s3cret', {password: 's3cret'});
    for (let i = 0; i < 3; i++) console.info('tick');
    Promise.reject(new Error('lost promise'));
    setTimeout(() => { throw new TypeError('thrown late') });
    setTimeout(() => document.title = 'Talked', 50);
    </script><img src=/missing.png>";

fn read_until(stage: &mut Stage, tool: &str, arguments: Value, has: &str) -> Reply {
    until(&format!("{has} in {tool}"), LONG, || {
        let reply = stage.succeed(tool, arguments.clone());
        reply.text.contains(has).then_some(reply)
    })
}

#[test]
fn a_page_is_heard_from_its_first_word_on() {
    let mut stage = Stage::on(TALKATIVE);
    let reply = read_until(&mut stage, "read_console_messages", json!({}), "missing.png");
    let url = stage.site.url("/");
    for part in [
        format!("page \"{url}\""),
        "log \"first word {a: 1, b: \\\"x\\\"} [1, 2]\"".into(),
        format!("warning \"careful\" at \"{url}\":3:"),
        "error \"bad\\nerror \\\"forged\\\" at".into(),
        "info \"tick\" ×3".into(),
        "exception \"Uncaught (in promise) Error: lost promise".into(),
        "exception \"Uncaught TypeError: thrown late".into(),
        "error (network) \"Failed to load resource".into(),
        "token=[redacted]".into(),
    ] {
        assert!(reply.text.contains(&part), "{part} in {}", reply.text);
    }
    assert!(!reply.text.contains("s3cret"), "{}", reply.text);
    let errors = stage.succeed("read_console_messages", json!({"onlyErrors": true})).text;
    assert!(errors.contains("thrown late") && !errors.contains("careful"), "{errors}");
    let some = stage.succeed("read_console_messages", json!({"pattern": "^CAREFUL$|late"})).text;
    assert!(some.starts_with("2 of ") && some.contains("careful"), "{some}");
    let text = stage.refused("read_console_messages", json!({"pattern": "(?=x)"}));
    assert!(text.contains("look-around") && text.contains("Retry: safe"), "{text}");
    stage.succeed("read_console_messages", json!({"clear": true}));
    let none = stage.succeed("read_console_messages", json!({})).text;
    assert!(none.starts_with("No console messages"), "{none}");
}

#[test]
fn frames_of_other_sites_and_opened_tabs_are_heard_too() {
    let site = Site::new();
    let frame = site.other_site_url("/frame");
    site.page(
        "/",
        &format!(
            "<title>Top</title><iframe src='{frame}'></iframe>
        <button onclick=\"window.open('/child')\">Open</button>"
        ),
    );
    site.page("/frame", "<script>console.log('from the frame'); fetch('/of-frame')</script>");
    site.page("/child", "<title>Child</title><script>console.log('from the child')</script>");
    let mut stage = Stage::of(site);
    read_until(&mut stage, "read_console_messages", json!({}), "from the frame");
    read_until(&mut stage, "read_network_requests", json!({}), "/of-frame");
    let opened = stage.click("Open");
    let tabs = stage.client.succeed("tabs_context_mcp", json!({})).structured["tabs"].take();
    let child = tabs.as_array().and_then(|tabs| tabs.iter().find(|tab| tab["tabId"] != stage.tab));
    stage.tab = child.unwrap_or_else(|| panic!("{}", opened.text))["tabId"].as_i64().unwrap_or(0);
    read_until(&mut stage, "read_console_messages", json!({}), "from the child");
}

#[test]
fn a_flood_is_bounded_and_counted() {
    let mut stage = Stage::on(
        "<title>Flood</title><script>for (let i = 0; i < 4000; i++) console.log('line ' + i)</script>",
    );
    let arguments = json!({"limit": 1, "pattern": "line"});
    let reply = read_until(&mut stage, "read_console_messages", arguments, "line 3999");
    assert!(reply.text.contains("of 500 console messages"), "{}", reply.text);
    // The browser may have said something of its own meanwhile.
    let counted =
        reply.text.contains("3500 more, older") || reply.text.contains("3501 more, older");
    assert!(counted, "{}", reply.text);
}

fn asking() -> Site {
    let site = Site::of(
        "<title>Ask</title><script>
         const go = (url, options) => fetch(url, options).then(answer => answer.text()).catch(() => {});
         go('/data?page=2&token=s3cret');
         go('/away');
         go('/missing');
         go('http://127.0.0.1:1/refused');
         go('/post', {method: 'POST', body: JSON.stringify({password: 's3cret', user: 'ada'}),
             headers: {Authorization: 'Bearer s3cret'}});
         const stop = new AbortController();
         go('/hangs', {signal: stop.signal});
         go('/hangs?stopped', {signal: stop.signal});
         </script><button onclick='stop.abort()'>Stop</button>",
    );
    let json = |text: &'static str| move |_: &_| Response::of("application/json", text.into());
    site.serve("/data", |_| {
        let mut data =
            Response::of("application/json", br#"{"access_token":"s3cret","rows":[1,2]}"#.to_vec());
        data.headers.push(("Set-Cookie", "id=s3cret".into()));
        data
    });
    site.serve("/away", |_| Response::redirect("/landed"));
    site.serve("/landed", json("{}"));
    site.serve("/post", json("{\"ok\":true}"));
    site.serve("/hangs", |_| {
        std::thread::park_timeout(Duration::from_secs(20));
        Response::of("text/plain", Vec::new())
    });
    site
}

fn id_of(listed: &str, has: &str) -> String {
    let line = listed.lines().find(|line| line.contains(has));
    let line = line.unwrap_or_else(|| panic!("{has} in {listed}"));
    line.trim_start_matches('[').split(']').next().unwrap_or_default().to_owned()
}

#[test]
fn requests_are_told_with_their_redirects_ends_and_reasons() {
    let mut stage = Stage::of(asking());
    let tool = "read_network_requests";
    for end in ["/landed\" -> 200", "/missing\" -> 404", "/post\" -> 200", "/refused\" -> failed"] {
        read_until(&mut stage, tool, json!({}), end);
    }
    let listed = read_until(&mut stage, tool, json!({}), "token=[redacted]\" -> 200").text;
    assert!(listed.contains("/away\" -> 303 \""), "{listed}");
    assert!(listed.contains("/hangs\" -> pending (Fetch)"), "{listed}");
    assert!(listed.contains("net::ERR_"), "{listed}");
    assert!(listed.contains("GET \"") && listed.contains("(Document, text/html, "), "{listed}");
    stage.click("Stop");
    let stopped = read_until(&mut stage, tool, json!({}), "stopped\" -> canceled").text;
    for has in ["/data", "/away", "/post"] {
        assert_eq!(id_of(&listed, has), id_of(&stopped, has), "{has}");
    }
    let one = stage.succeed(tool, json!({"urlPattern": "LANDED"})).text;
    assert!(one.starts_with("1 of ") && one.contains("/away"), "{one}");
    stage.succeed(tool, json!({"clear": true}));
    assert!(stage.succeed(tool, json!({})).text.starts_with("No network requests"));
}

#[test]
fn one_request_is_told_in_full_without_its_secrets() {
    let mut stage = Stage::of(asking());
    let tool = "read_network_requests";
    read_until(&mut stage, tool, json!({}), "/post\" -> 200 (");
    let listed = read_until(&mut stage, tool, json!({}), "token=[redacted]\" -> 200 (").text;
    let data = id_of(&listed, "/data");
    let reply = stage.succeed(tool, json!({"request_id": data, "body": "response"}));
    for part in [
        "response headers:",
        "\"[redacted]\"",
        "| {\"access_token\":\"[redacted]\",\"rows\":[1,2]}",
        " ms",
    ] {
        assert!(reply.text.contains(part), "{part} in {}", reply.text);
    }
    assert!(!reply.text.contains("s3cret"), "{}", reply.text);
    let post = id_of(&listed, "/post");
    let reply = stage.succeed(tool, json!({"request_id": post, "body": "request"}));
    assert!(reply.text.contains("\"user\":\"ada\""), "{}", reply.text);
    assert!(reply.text.contains("uthorization: \"[redacted]\""), "{}", reply.text);
    assert!(!reply.text.contains("s3cret"), "{}", reply.text);
    for (arguments, cause) in [
        (json!({"request_id": data, "body": "request"}), "without a body"),
        (json!({"request_id": id_of(&listed, "/hangs"), "body": "response"}), "not arrived"),
        (json!({"request_id": "req_9999"}), "no request"),
    ] {
        let text = stage.refused(tool, arguments);
        assert!(text.contains(cause) && text.contains("Retry: "), "{text}");
    }
    stage.site.page("/next", "<title>Next</title>");
    stage.go("/next");
    let text = stage.refused(tool, json!({"request_id": data, "body": "response"}));
    assert!(text.contains("does not have this body"), "{text}");
    let kept = stage.succeed(tool, json!({"request_id": data})).text;
    assert!(kept.contains("-> 200"), "{kept}");
}
