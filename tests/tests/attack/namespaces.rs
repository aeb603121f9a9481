//! User namespaces: users that they do not map, and directories whose owner they do not show.

use crate::ground::{all_refuse, edge, install, serve, tools};
use ghostlight_tests::binaries::{EDGE, SERVICE};
use ghostlight_tests::home::Home;
use ghostlight_tests::user::{User, available};
use std::process::Command;

/// Whether a user may make user namespaces here.
fn permitted(test: &str) -> bool {
    if !available(test) {
        return false;
    }
    let told = User::fresh().shell("unshare --user true");
    if told.is_empty() {
        return true;
    }
    assert!(std::env::var_os("CI").is_none(), "{test}: CI skips nothing, but: {told}");
    eprintln!("SKIPPED, no user namespaces here ({}): {test}", told.trim());
    false
}

/// The same command as the same user in a new user namespace.
fn inside(command: &Command, options: &[&str]) -> Command {
    let given: Vec<_> = command.get_args().map(ToOwned::to_owned).collect();
    let end = given.iter().position(|word| word == "--").expect("setpriv's own words end") + 1;
    let mut changed = Command::new(command.get_program());
    changed.args(&given[..end]).arg("unshare").arg("--user").args(options).args(&given[end..]);
    for (name, value) in command.get_envs() {
        if let Some(value) = value {
            changed.env(name, value);
        }
    }
    changed
}

#[test]
fn as_the_user_that_stands_for_all_unmapped_ones_nothing_runs() {
    if !permitted("as_the_user_that_stands_for_all_unmapped_ones_nothing_runs") {
        return;
    }
    let home = Home::of_a_user();
    let (_service, _) = serve(&home);
    let change = |command: &mut Command| *command = inside(command, &[]);
    let words = ["user namespace does not map", "run as a user that the namespace maps"];
    all_refuse("unmapped", &home, change, &words);
}

#[test]
fn where_the_root_directory_has_no_known_owner_edge_and_service_still_meet() {
    if !permitted("where_the_root_directory_has_no_known_owner_edge_and_service_still_meet") {
        return;
    }
    let options = ["--map-current-user"];
    let home = Home::of_a_user();
    // Programs of root belong to nobody known in there: they are not started, and it is said why.
    let told = tools(&mut inside(&edge(&home), &options)).unwrap_err();
    assert!(told.contains("user namespace does not map its owner"), "{told}");
    let folder = install(&home, "own", &[EDGE, SERVICE]);
    let own = || home.command(folder.join(EDGE));
    assert!(tools(&mut inside(&own(), &options)).is_ok(), "starts one inside");
    assert!(tools(&mut edge(&home)).is_ok(), "reaches that one from outside");
    assert_eq!(home.running(SERVICE).len(), 1);
    crate::ground::run(&mut crate::ground::ghostlight(&home, &["stop"]));
    assert!(tools(&mut own()).is_ok(), "starts one outside");
    assert!(tools(&mut inside(&edge(&home), &options)).is_ok(), "reaches that one from inside");
    assert_eq!(home.running(SERVICE).len(), 1);
}
