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
    // A second one would get its profile from under the first.
    let extension = sources().join("extension").display().to_string();
    let second = ghostlight(&home, &["browser", "--headless", "--extension", &extension]);
    let said = String::from_utf8_lossy(&second.stderr);
    assert!(!second.status.success() && said.contains("is open in process"), "{said}");
    let log = std::fs::read_to_string(home.path().join("ghostlight.1.stderr"));
    let warned = log.is_ok_and(|log| log.contains("WARNING: run by root"));
    assert_eq!(warned, rustix::process::geteuid().is_root());
    browser.signal(Signal::TERM);
    assert!(browser.ended_within(LONG).is_some());
}
