//! Other users at sockets that the owner has opened by hand.

use crate::ground::{all_refuse, chmod, edge, knock, listed, run, serve, stranger_program, tools};
use ghostlight_tests::client::Client;
use ghostlight_tests::home::Home;
use ghostlight_tests::user::{User, available};
use ghostlight_tests::wait::{LONG, until};
use std::process::Command;

#[test]
fn a_stranger_and_even_root_get_no_byte_from_sockets_opened_by_hand() {
    if !available("a_stranger_and_even_root_get_no_byte_from_sockets_opened_by_hand") {
        return;
    }
    let (home, stranger) = (Home::of_a_user(), User::fresh());
    let (_service, log) = serve(&home);
    let mut client = Client::stateless(&home);
    assert!(listed(&mut client).is_ok());
    chmod(&home.state(), 0o755);
    for name in ["edge.sock", "browser.sock"] {
        let socket = home.state().join(name);
        chmod(&socket, 0o666);
        let told = knock(&home, &stranger, &socket);
        assert!(told.contains("connected, 0 bytes, then"), "{name}: {told}");
        let mut as_root = Command::new(stranger_program(&home));
        let told = run(as_root.arg("knock").arg(&socket)).text;
        assert!(told.contains("connected, 0 bytes, then"), "{name}: {told}");
    }
    for uid in [stranger.uid, 0] {
        let line = format!("peer of user {uid} refused");
        until(&line, LONG, || {
            let text = std::fs::read_to_string(&log).unwrap();
            (text.matches(&line).count() >= 2).then_some(())
        });
    }
    assert!(listed(&mut client).is_ok(), "who was inside is still served");
    let words = ["mode 0755", "chmod u=rwX,go="];
    let told = tools(&mut edge(&home)).unwrap_err();
    assert!(words.iter().all(|word| told.contains(word)), "{told}");
    chmod(&home.state(), 0o700);
    assert!(tools(&mut edge(&home)).is_ok());
}

#[test]
fn a_stranger_who_runs_our_programs_on_a_foreign_place_is_refused() {
    if !available("a_stranger_who_runs_our_programs_on_a_foreign_place_is_refused") {
        return;
    }
    let (home, stranger) = (Home::of_a_user(), User::fresh());
    let (_service, _) = serve(&home);
    chmod(&home.state(), 0o777);
    let uid = stranger.uid.to_string();
    // The same programs, environment and paths, as somebody else.
    let other = Home::new();
    chmod(other.path(), 0o755);
    let change = |command: &mut Command| {
        let program = command.get_program().to_owned();
        let given: Vec<_> = command.get_args().map(ToOwned::to_owned).collect();
        let mut changed = Command::new("setpriv");
        changed.args(["--reuid", &uid, "--regid", &uid, "--clear-groups", "--"]).arg(program);
        changed.args(given).env("GHOSTLIGHT_STATE_DIR", home.state());
        changed.env("GHOSTLIGHT_INSTANCE", "rig");
        *command = changed;
    };
    let owner = format!("owner uid {}", home.user().unwrap().uid);
    all_refuse("as somebody else", &other, change, &[&owner, "mode 0777", "chown"]);
}
