//! `ghostlight browser`: an agent's browser with everything in place, and a doctor who agrees.

use ghostlight_tests::binaries::{SERVICE, path, sources};
use ghostlight_tests::client::Client;
use ghostlight_tests::home::Home;
use ghostlight_tests::process::Process;
use ghostlight_tests::site::Site;
use ghostlight_tests::status::{await_browser, ghostlight};
use ghostlight_tests::wait::LONG;
use rustix::process::Signal;
use serde_json::json;

#[test]
fn a_browser_of_its_own_works_and_the_doctor_is_content() {
    let home = Home::new();
    let site = Site::of("<title>Hello</title><p>from the site");
    let mut command = home.command(path(SERVICE));
    command.args(["browser", "--headless", "--extension"]).arg(sources().join("extension"));
    if rustix::process::geteuid().is_root() {
        command.args(["--", "--no-sandbox"]);
    }
    let mut browser = Process::start(&mut command);
    await_browser(&home);
    let mut client = Client::connected(&home);
    let tab = client.open_page(&site.url("/"));
    let text = client.succeed("get_page_text", json!({"tabId": tab})).text;
    assert!(text.contains("from the site"), "{text}");
    let well = ghostlight(&home, &["doctor"]);
    let report = String::from_utf8_lossy(&well.stdout);
    assert!(well.status.success(), "{report}");
    assert!(report.contains("extension"), "{report}");
    browser.signal(Signal::TERM);
    assert!(browser.ended_within(LONG).is_some());
}
