//! Services that die, hang, race and lose their place.

use crate::ground::{chmod, edge, ghostlight, listed, rounds, run, tools};
use ghostlight_tests::binaries::SERVICE;
use ghostlight_tests::client::Client;
use ghostlight_tests::home::Home;
use ghostlight_tests::process::send;
use ghostlight_tests::wait::{LONG, until};
use rustix::process::Signal;
use std::sync::Barrier;
use std::time::{Duration, Instant};

const EDGES: usize = 20;

fn the_service(home: &Home) -> u32 {
    until("exactly one service", LONG, || match home.running(SERVICE)[..] {
        [one] => Some(one),
        _ => None,
    })
}

fn gone(home: &Home, pid: u32) {
    until("the end of a service", LONG, || (!home.running(SERVICE).contains(&pid)).then_some(()));
}

#[test]
fn a_service_whose_directory_was_removed_ends_and_the_next_call_has_a_new_one() {
    let home = Home::new();
    let mut client = Client::stateless(&home);
    assert!(listed(&mut client).is_ok());
    let first = the_service(&home);
    std::fs::remove_dir_all(home.state()).unwrap();
    gone(&home, first);
    assert!(listed(&mut client).is_ok(), "the same client goes on");
    assert_ne!(the_service(&home), first);
    assert!(tools(&mut edge(&home)).is_ok());
}

#[test]
fn a_service_whose_directory_was_replaced_leaves_the_new_one_alone() {
    let home = Home::new();
    assert!(tools(&mut edge(&home)).is_ok());
    let first = the_service(&home);
    send(first, Signal::STOP);
    std::fs::rename(home.state(), home.path().join("old")).unwrap();
    assert!(tools(&mut edge(&home)).is_ok(), "another one runs at the path");
    let socket = home.state().join("edge.sock");
    assert!(socket.exists());
    send(first, Signal::CONT);
    gone(&home, first);
    assert!(socket.exists() && tools(&mut edge(&home)).is_ok());
    assert_eq!(home.running(SERVICE).len(), 1);
}

#[test]
fn while_a_service_is_stopped_nobody_starts_another_and_the_reason_is_told() {
    let home = Home::new();
    assert!(tools(&mut edge(&home)).is_ok());
    let service = the_service(&home);
    send(service, Signal::STOP);
    let said = run(&mut ghostlight(&home, &["service"]));
    assert!(said.text.contains("already running"), "{}", said.text);
    assert_eq!(said.code, Some(0));
    let told = tools(&mut edge(&home)).unwrap_err();
    for word in ["did not answer", "ghostlight doctor", "safe"] {
        assert!(told.contains(word), "{told} lacks {word}");
    }
    let doctor = run(&mut ghostlight(&home, &["doctor"]));
    assert_eq!(doctor.code, Some(1));
    assert!(doctor.text.contains("held by a service"), "{}", doctor.text);
    assert!(doctor.text.contains("did not answer") || doctor.text.contains("silent"));
    assert_eq!(home.running(SERVICE), [service]);
    send(service, Signal::CONT);
    assert!(tools(&mut edge(&home)).is_ok());
    assert_eq!(home.running(SERVICE), [service]);
}

#[test]
fn the_sockets_of_a_killed_service_are_no_sign_of_life() {
    let home = Home::new();
    for _ in 0..rounds(5) {
        assert!(tools(&mut edge(&home)).is_ok());
        let service = the_service(&home);
        send(service, Signal::KILL);
        gone(&home, service);
        assert!(home.state().join("edge.sock").exists(), "left behind");
        let begun = Instant::now();
        assert!(tools(&mut edge(&home)).is_ok());
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
        assert_ne!(the_service(&home), service);
    }
}

#[test]
fn twenty_edges_at_once_start_one_service() {
    let home = Home::new();
    for round in 0..rounds(4) {
        run(&mut ghostlight(&home, &["stop"]));
        let start = Barrier::new(EDGES);
        std::thread::scope(|scope| {
            let edges: Vec<_> = (0..EDGES)
                .map(|_| {
                    scope.spawn(|| {
                        let mut command = edge(&home);
                        start.wait();
                        tools(&mut command)
                    })
                })
                .collect();
            for edge in edges {
                let told = edge.join().unwrap();
                assert!(told.is_ok(), "round {round}: {told:?}");
            }
        });
        the_service(&home);
    }
}

#[test]
fn two_loops_that_stop_and_start_leave_one_service_and_no_silence() {
    let home = Home::new();
    let turns = rounds(10);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for turn in 0..turns {
                    // Stopped under its hands, a list ends as an error that says a retry is safe.
                    match tools(&mut edge(&home)) {
                        Ok(_) => {}
                        Err(told) => assert!(told.contains("safe"), "turn {turn}: {told}"),
                    }
                    assert!(home.running(SERVICE).len() <= 2, "one, and one that is ending");
                    let said = run(&mut ghostlight(&home, &["stop"])).text;
                    let known = ["has stopped", "No service is running", "is ending"];
                    let cut_off = said.contains("did not answer") || said.contains("failed");
                    assert!(cut_off || known.iter().any(|word| said.contains(word)), "{said}");
                }
            });
        }
    });
    assert!(tools(&mut edge(&home)).is_ok());
    the_service(&home);
    chmod(&home.state(), 0o700);
}
