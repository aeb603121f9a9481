//! Tests of the admission module.

use super::*;

fn key() -> Key {
    Key::from_entropy([0x42; 32])
}

fn instance(name: &str) -> Instance {
    Instance::parse(name).unwrap()
}

/// One whole exchange in order, as frames: hello, challenge, proof, verdict.
struct Transcript {
    frames: [Vec<u8>; 4],
    client: Admitted,
    service: Admitted,
}

fn exchange(role: Role, client_nonce: Nonce, service_nonce: Nonce) -> Result<Transcript, Unproved> {
    let (client, hello) = Client::begin(role, &instance("default"), BRIDGE, client_nonce);
    let service = Service::begin(role.endpoint(), &instance("default"), BRIDGE, service_nonce);
    let (service, challenge) = service.greeted(&hello, &key())?;
    let (client, proof) = client.challenged(&challenge, &key())?;
    let (admitted, verdict) = service.proved(&proof, &key())?;
    let client = client.answered(&verdict)?;
    Ok(Transcript { frames: [hello, challenge, proof, verdict], client, service: admitted })
}

#[test]
fn both_sides_learn_who_the_other_is() {
    for role in [Role::Edge, Role::Browser, Role::Control] {
        let done = exchange(role, [1; 32], [2; 32]).unwrap();
        assert_eq!(done.client, Admitted { role, peer_bridge: BRIDGE });
        assert_eq!(done.service, Admitted { role, peer_bridge: BRIDGE });
        assert!(done.frames.iter().all(|f| f.len() < 512), "hello-sized frames");
    }
}

#[test]
fn the_wire_is_as_documented() {
    let text = |frame: &[u8]| String::from_utf8(frame.to_vec()).unwrap();
    let done = exchange(Role::Edge, [0xab; 32], [2; 32]).unwrap();
    let [hello, challenge, proof, verdict] = &done.frames;
    let nonce = "ab".repeat(32);
    assert_eq!(
        text(hello),
        format!(
            r#"{{"hello":{{"role":"edge","bridge":[{},{}],"instance":"default","nonce":"{nonce}"}}}}"#,
            BRIDGE.0, BRIDGE.1
        )
    );
    assert!(text(challenge).starts_with(r#"{"challenge":{"bridge":["#));
    assert!(text(proof).starts_with(r#"{"proof":{"proof":""#));
    assert_eq!(text(verdict), r#"{"admitted":{}}"#);
    assert_eq!(text(&refusal(Reason::NewerService)), r#"{"refused":{"reason":"newer_service"}}"#);
}

#[test]
fn two_exchanges_share_no_proof() {
    let one = exchange(Role::Edge, [1; 32], [2; 32]).unwrap();
    for (client, service) in [([3; 32], [2; 32]), ([1; 32], [3; 32])] {
        let other = exchange(Role::Edge, client, service).unwrap();
        assert_ne!(one.frames[1], other.frames[1]);
        assert_ne!(one.frames[2], other.frames[2]);
    }
    assert_ne!(one.frames[1][80..], one.frames[2][80..], "the two directions differ");
}

#[test]
fn a_recorded_answer_of_a_service_is_refused() {
    let recorded = exchange(Role::Edge, [1; 32], [2; 32]).unwrap();
    let (client, _) = Client::begin(Role::Edge, &instance("default"), BRIDGE, [9; 32]);
    let refused = client.challenged(&recorded.frames[1], &key()).map(drop);
    assert_eq!(refused, Err(Unproved::Proof));
}

#[test]
fn a_recorded_proof_of_a_client_is_refused() {
    let recorded = exchange(Role::Edge, [1; 32], [2; 32]).unwrap();
    let service = Service::begin(Endpoint::Edge, &instance("default"), BRIDGE, [9; 32]);
    let (service, _) = service.greeted(&recorded.frames[0], &key()).unwrap();
    assert_eq!(service.proved(&recorded.frames[2], &key()).map(drop), Err(Unproved::Proof));
}

#[test]
fn a_challenge_reflected_as_a_proof_is_refused() {
    let (_, hello) = Client::begin(Role::Edge, &instance("default"), BRIDGE, [1; 32]);
    let service = Service::begin(Endpoint::Edge, &instance("default"), BRIDGE, [2; 32]);
    let (service, challenge) = service.greeted(&hello, &key()).unwrap();
    let Ok(Message::Challenge { proof, .. }) = Message::read(&challenge) else { panic!() };
    let reflected = Message::Proof { proof }.write();
    assert_eq!(service.proved(&reflected, &key()).map(drop), Err(Unproved::Proof));
}

/// A man in the middle changes one member of the hello; the proofs no longer meet.
#[test]
fn no_term_can_be_changed_on_the_way() {
    for (from, to) in [
        (r#""role":"edge""#, r#""role":"control""#),
        (r#""bridge":[1,0]"#, r#""bridge":[2,0]"#),
        (r#""bridge":[1,0]"#, r#""bridge":[1,1]"#),
        ("0101", "0102"),
    ] {
        let (client, hello) = Client::begin(Role::Edge, &instance("default"), (1, 0), [1; 32]);
        let changed = String::from_utf8(hello).unwrap().replacen(from, to, 1);
        assert!(changed.contains(to));
        let service = Service::begin(Endpoint::Edge, &instance("default"), BRIDGE, [2; 32]);
        let (_, challenge) = service.greeted(changed.as_bytes(), &key()).unwrap();
        let refused = client.challenged(&challenge, &key()).map(drop);
        assert_eq!(refused, Err(Unproved::Proof), "{from}");
    }
}

#[test]
fn each_endpoint_serves_its_own_roles_and_instance() {
    for (role, endpoint, name, reason) in [
        (Role::Browser, Endpoint::Edge, "default", Reason::Endpoint),
        (Role::Edge, Endpoint::Browser, "default", Reason::Endpoint),
        (Role::Control, Endpoint::Browser, "default", Reason::Endpoint),
        (Role::Edge, Endpoint::Edge, "other", Reason::Instance),
    ] {
        let (_, hello) = Client::begin(role, &instance(name), BRIDGE, [1; 32]);
        let service = Service::begin(endpoint, &instance("default"), BRIDGE, [2; 32]);
        let refused = service.greeted(&hello, &key()).map(drop);
        assert_eq!(refused, Err(Unproved::Refusing(reason)));
    }
}

#[test]
fn another_key_proves_nothing_in_either_direction() {
    let other = Key::from_entropy([0x43; 32]);
    let (client, hello) = Client::begin(Role::Edge, &instance("default"), BRIDGE, [1; 32]);
    let service = Service::begin(Endpoint::Edge, &instance("default"), BRIDGE, [2; 32]);
    let (service, challenge) = service.greeted(&hello, &key()).unwrap();
    assert_eq!(client.challenged(&challenge, &other).map(drop), Err(Unproved::Proof));
    let guess = Message::Proof { proof: [0; 32] }.write();
    assert_eq!(service.proved(&guess, &key()).map(drop), Err(Unproved::Proof));
}

#[test]
fn versions_of_both_are_told_to_both() {
    let (client, hello) = Client::begin(Role::Edge, &instance("default"), (7, 3), [1; 32]);
    let service = Service::begin(Endpoint::Edge, &instance("default"), BRIDGE, [2; 32]);
    let (service, challenge) = service.greeted(&hello, &key()).unwrap();
    let (client, proof) = client.challenged(&challenge, &key()).unwrap();
    assert_eq!(client.service_bridge(), BRIDGE);
    let (admitted, _) = service.proved(&proof, &key()).unwrap();
    assert_eq!(admitted.peer_bridge, (7, 3));
    assert!(admitted.peer_is_newer());
    let refused = client.answered(&refusal(Reason::Draining));
    assert_eq!(refused, Err(Unproved::Refused(Reason::Draining)));
}

#[test]
fn frames_out_of_order_or_of_another_kind_are_malformed() {
    let done = exchange(Role::Edge, [1; 32], [2; 32]).unwrap();
    let [hello, challenge, proof, verdict] = &done.frames;
    let short = String::from_utf8(hello.clone()).unwrap().replacen("01", "", 1);
    let upper = short.replacen(r#""nonce":""#, r#""nonce":"AB"#, 1);
    let long = [hello.as_slice(), b" x"].concat();
    let bad: [&[u8]; 8] =
        [b"", b"{}", b"\xff", b"null", short.as_bytes(), upper.as_bytes(), &long, verdict];
    for frame in bad.into_iter().chain([&challenge[..], proof]) {
        let service = Service::begin(Endpoint::Edge, &instance("default"), BRIDGE, [2; 32]);
        assert_eq!(service.greeted(frame, &key()).map(drop), Err(Unproved::Malformed));
    }
    for frame in [&hello[..], proof, verdict, b"[]"] {
        let (client, _) = Client::begin(Role::Edge, &instance("default"), BRIDGE, [1; 32]);
        assert_eq!(client.challenged(frame, &key()).map(drop), Err(Unproved::Malformed));
    }
    let unknown = br#"{"refused":{"reason":"later_word"}}"#;
    let (client, _) = Client::begin(Role::Edge, &instance("default"), BRIDGE, [1; 32]);
    let refused = client.challenged(unknown, &key()).map(drop);
    assert_eq!(refused, Err(Unproved::Refused(Reason::Other)));
}
