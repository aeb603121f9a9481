//! The proof that opens each connection: recorded, confused, slow, oversized, too many at once.

use crate::ground::{edge, ghostlight, listed, run, serve, tools};
use crate::raw::{Raw, hello, key, socket};
use ghostlight_tests::binaries::SERVICE;
use ghostlight_tests::client::Client;
use ghostlight_tests::home::Home;
use ghostlight_tests::process::send;
use ghostlight_transport::admission::{Endpoint, Role};
use rustix::process::Signal;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::os::unix::net::UnixListener;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

const BOTH: [Endpoint; 2] = [Endpoint::Edge, Endpoint::Browser];
const ROLES: [Role; 3] = [Role::Edge, Role::Control, Role::Browser];
const NONCE: [u8; 32] = [7; 32];

fn reason(answer: Option<Value>) -> String {
    let reason = answer.and_then(|answer| answer["refused"]["reason"].as_str().map(str::to_owned));
    reason.unwrap_or_else(|| "no refusal".into())
}

#[test]
fn two_handshakes_never_give_the_same_nonce_or_proof() {
    let home = Home::new();
    let (_service, _) = serve(&home);
    for role in ROLES {
        let mut seen = HashSet::new();
        for _ in 0..20 {
            let mut raw = Raw::connect(&home, role.endpoint());
            raw.send(&hello(role, NONCE).1);
            let challenge = raw.receive_json().unwrap()["challenge"].take();
            for part in ["nonce", "proof"] {
                assert!(seen.insert(challenge[part].to_string()), "{role:?}: {part} came twice");
            }
        }
    }
}

#[test]
fn a_recorded_proof_opens_nothing() {
    let home = Home::new();
    let (_service, _) = serve(&home);
    for role in ROLES {
        let mut raw = Raw::connect(&home, role.endpoint());
        let (client, first) = hello(role, NONCE);
        raw.send(&first);
        let (_, proof) = client.challenged(&raw.receive().unwrap(), &key(&home)).unwrap();
        raw.send(&proof);
        assert!(raw.receive_json().unwrap().get("admitted").is_some(), "{role:?}: honest");
        let mut again = Raw::connect(&home, role.endpoint());
        again.send(&first);
        assert!(again.receive().is_some());
        again.send(&proof);
        assert_eq!(reason(again.receive_json()), "proof", "{role:?}");
        assert_eq!(again.receive(), None, "{role:?}: and the connection ends");
    }
}

#[test]
fn no_role_passes_for_another() {
    let home = Home::new();
    let (_service, _) = serve(&home);
    for (role, endpoint) in [
        (Role::Browser, Endpoint::Edge),
        (Role::Edge, Endpoint::Browser),
        (Role::Control, Endpoint::Browser),
    ] {
        let mut raw = Raw::connect(&home, endpoint);
        raw.send(&hello(role, NONCE).1);
        assert_eq!(reason(raw.receive_json()), "endpoint", "{role:?}");
    }
    // Somebody between the two who changes the role of an edge's hello cannot answer either side.
    let mut raw = Raw::connect(&home, Endpoint::Edge);
    let (honest, first) = hello(Role::Edge, NONCE);
    let changed = String::from_utf8(first).unwrap().replace("\"edge\"", "\"control\"");
    raw.send(changed.as_bytes());
    let challenge = raw.receive().unwrap();
    assert!(honest.challenged(&challenge, &key(&home)).is_err(), "the edge sees it");
    raw.send(&challenge);
    assert_eq!(reason(raw.receive_json()), "malformed", "the service's own answer is no proof");
}

#[test]
fn each_role_is_heard_in_its_own_words_only() {
    let home = Home::new();
    let (mut service, _) = serve(&home);
    let mut edge = Raw::admitted(&home, Role::Edge).unwrap();
    edge.send(json!({"stop": {"sequence": 1}}).to_string().as_bytes());
    assert_eq!(edge.receive_json().filter(|said| said.get("stopping").is_some()), None);
    let mut control = Raw::admitted(&home, Role::Control).unwrap();
    control.send(json!({"open_workspace": {"sequence": 1, "context": {}}}).to_string().as_bytes());
    let said = control.receive().map(|frame| String::from_utf8(frame).unwrap());
    assert!(said.is_none_or(|said| !said.contains("ws_")), "a workspace for a control peer");
    let mut browser = Raw::admitted(&home, Role::Browser).unwrap();
    assert_eq!(browser.receive_json().unwrap()["t"], "greet");
    browser.send(json!({"status": {"sequence": 1}}).to_string().as_bytes());
    assert_eq!(run(&mut ghostlight(&home, &["status"])).code, Some(0));
    assert!(service.ended_within(Duration::ZERO).is_none(), "it was not stopped");
}

#[test]
fn a_slow_or_oversized_first_frame_ends_the_connection_on_both_sockets() {
    let home = Home::new();
    let (_service, _) = serve(&home);
    for endpoint in BOTH {
        for (what, bytes) in [
            ("nothing", Vec::new()),
            ("half a length", vec![9]),
            ("a length alone", 300_u32.to_ne_bytes().to_vec()),
        ] {
            let begun = Instant::now();
            let mut raw = Raw::connect(&home, endpoint);
            raw.bytes(&bytes);
            assert_eq!(raw.receive(), None, "{what}");
            let took = begun.elapsed();
            assert!(
                took > Duration::from_millis(1500) && took < Duration::from_secs(5),
                "{took:?}"
            );
        }
        for length in [4097_u32, 0x07ff_ffff, u32::MAX, 0] {
            let begun = Instant::now();
            let mut raw = Raw::connect(&home, endpoint);
            raw.bytes(&length.to_ne_bytes());
            assert_eq!(raw.receive(), None, "{length}");
            assert!(
                begun.elapsed() < Duration::from_millis(1500),
                "at once: {:?}",
                begun.elapsed()
            );
        }
    }
    assert!(tools(&mut edge(&home)).is_ok());
}

#[test]
fn a_recorded_service_gets_hellos_and_nothing_of_the_users() {
    let home = Home::new();
    let (mut service, _) = serve(&home);
    let mut raw = Raw::connect(&home, Endpoint::Edge);
    raw.send(&hello(Role::Edge, NONCE).1);
    let recorded = raw.receive().unwrap();
    service.kill();
    let path = home.state().join(socket(Endpoint::Edge));
    std::fs::remove_file(&path).unwrap();
    let listener = UnixListener::bind(&path).unwrap();
    let (send, heard) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut raw = Raw::of(stream);
            while let Some(frame) = raw.receive() {
                let _ = send.send(String::from_utf8(frame).unwrap());
                raw.send(&recorded);
            }
        }
    });
    let told = tools(&mut edge(&home)).unwrap_err();
    for word in ["does not know the service's key", "doctor"] {
        assert!(told.contains(word), "{told} lacks {word}");
    }
    let heard: Vec<String> = heard.try_iter().collect();
    assert!(heard.len() > 1, "a mismatch is tried again");
    for frame in heard {
        assert!(frame.starts_with("{\"hello\":") && !frame.contains("proof"), "{frame}");
    }
}

#[test]
fn a_new_key_at_each_start_harms_nobody_who_waits() {
    let home = Home::new();
    let mut client = Client::stateless(&home);
    let mut keys = HashSet::new();
    for round in 0..5 {
        assert!(listed(&mut client).is_ok(), "round {round}: who was connected before");
        assert!(keys.insert(std::fs::read(home.state().join("key")).unwrap()), "a key came twice");
        std::thread::scope(|scope| {
            home.running(SERVICE).into_iter().for_each(|pid| send(pid, Signal::KILL));
            let waiting: Vec<_> = (0..6).map(|_| scope.spawn(|| tools(&mut edge(&home)))).collect();
            for edge in waiting {
                let told = edge.join().unwrap();
                assert!(told.is_ok(), "round {round}: {told:?}");
            }
        });
    }
}

#[test]
fn peers_that_say_nothing_keep_nobody_out() {
    let home = Home::new();
    let (_service, _) = serve(&home);
    let silent: Vec<Raw> =
        (0..300).flat_map(|_| BOTH.map(|end| Raw::connect(&home, end))).collect();
    let begun = Instant::now();
    let status = run(&mut ghostlight(&home, &["status"]));
    assert_eq!(status.code, Some(0), "{}", status.text);
    let told = tools(&mut edge(&home));
    assert!(told.is_ok(), "{told:?}");
    assert!(
        begun.elapsed() < Duration::from_secs(2),
        "they are still there: {:?}",
        begun.elapsed()
    );
    drop(silent);
}

#[test]
fn with_all_places_taken_the_owners_status_and_stop_still_come_through() {
    let home = Home::new();
    let (mut service, _) = serve(&home);
    let mut peers = Vec::new();
    let full = loop {
        match Raw::admitted(&home, Role::Edge) {
            Ok(peer) => peers.push(peer),
            Err(refused) => break refused,
        }
        assert!(peers.len() < 300, "there is a bound");
    };
    assert_eq!(reason(Some(full)), "busy");
    let told = tools(&mut edge(&home)).unwrap_err();
    assert!(told.contains("no free connection"), "{told}");
    let status = run(&mut ghostlight(&home, &["status"]));
    assert_eq!(status.code, Some(0), "{}", status.text);
    drop(peers);
    assert!(tools(&mut edge(&home)).is_ok(), "places come back");
    assert_eq!(run(&mut ghostlight(&home, &["stop"])).code, Some(0));
    service.ended();
}
