//! What holds for any bytes that a peer may send: the properties that tests/fuzz drives.

#[cfg(test)]
#[path = "../../tests/fuzz/seeds.rs"]
mod seeds;

use crate::admission::{BRIDGE, Client, Endpoint, Role, Service};
use crate::bridge::{FromEdge, FromService};
use crate::browser_wire::FromExtension;
use crate::frame::{Decoder, FrameError, HEADER, header};
use crate::instance::Instance;
use crate::key::Key;
use crate::limits::{FRAME_CHUNK, FRAME_STEP, HELLO_BYTES};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// Small enough that a fuzzer meets it, large enough for frames longer than one chunk.
const LIMIT: usize = 2 * FRAME_CHUNK;

type Read = (Vec<Vec<u8>>, Result<bool, FrameError>);

/// However a stream is cut, the frames are those that its length words announce.
///
/// # Panics
/// When they are not.
pub fn frames(script: &[u8]) {
    let Some((first, script)) = script.split_first() else { return };
    let bytes = stream(script);
    let steps = [1, 3, HEADER, 61, FRAME_CHUNK - 1, FRAME_CHUNK, FRAME_STEP, usize::MAX];
    let plain = read_plainly(&bytes);
    assert_eq!(read_in_steps(&bytes, steps[usize::from(*first) % steps.len()]), plain);
    let written: Vec<u8> = plain.0.iter().flat_map(|body| framed(body)).collect();
    assert!(bytes.starts_with(&written), "a frame is not what was sent");
}

/// A script's triples: an honest frame of some length, or two bytes as they stand.
fn stream(script: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in script.chunks(3) {
        match *part {
            [kind, low, high] if kind & 1 == 0 => {
                let length = 2 * usize::from(u16::from_le_bytes([low, high]));
                if bytes.len() < LIMIT {
                    bytes.extend(framed(&vec![kind; length.max(1)]));
                }
            }
            _ => bytes.extend_from_slice(&part[part.len().min(1)..]),
        }
    }
    bytes
}

fn framed(body: &[u8]) -> Vec<u8> {
    [&header(body).expect("a body of some length")[..], body].concat()
}

fn read_plainly(mut bytes: &[u8]) -> Read {
    let mut frames = Vec::new();
    loop {
        let Some((word, rest)) = bytes.split_first_chunk() else {
            return (frames, Ok(bytes.is_empty()));
        };
        let announced = u32::from_ne_bytes(*word);
        let length = announced as usize;
        if length == 0 {
            return (frames, Err(FrameError::Empty));
        }
        if length > LIMIT {
            let announced = announced.into();
            return (frames, Err(FrameError::TooLong { announced, limit: LIMIT }));
        }
        let Some((body, rest)) = rest.split_at_checked(length) else {
            return (frames, Ok(false));
        };
        frames.push(body.to_vec());
        bytes = rest;
    }
}

fn read_in_steps(mut bytes: &[u8], step: usize) -> Read {
    let (mut decoder, mut frames) = (Decoder::new(LIMIT), Vec::new());
    loop {
        match decoder.next_frame() {
            Ok(Some(frame)) => frames.push(frame),
            Ok(None) if bytes.is_empty() => return (frames, Ok(decoder.between_frames())),
            Ok(None) => {
                let space = decoder.space();
                let take = space.len().min(step).min(bytes.len());
                assert!(take > 0, "no room to read into");
                space[..take].copy_from_slice(&bytes[..take]);
                decoder.advance(take);
                bytes = &bytes[take..];
            }
            Err(error) => return (frames, Err(error)),
        }
    }
}

/// No bytes stand in for the key, on either side and at either step; an answer stays small.
///
/// # Panics
/// When some do.
pub fn hello(frame: &[u8]) {
    let (key, other) = (Key::from_entropy([7; 32]), Key::from_entropy([8; 32]));
    let instance = Instance::default();
    for endpoint in [Endpoint::Edge, Endpoint::Browser] {
        let service = || Service::begin(endpoint, &instance, BRIDGE, [1; 32]);
        if let Ok((proved, challenge)) = service().greeted(frame, &key) {
            assert!(challenge.len() <= HELLO_BYTES);
            assert!(proved.proved(frame, &key).is_err(), "a hello is no proof");
        }
        let role = if endpoint == Endpoint::Edge { Role::Edge } else { Role::Browser };
        let (client, hello) = Client::begin(role, &instance, BRIDGE, [2; 32]);
        assert!(client.challenged(frame, &key).is_err(), "bytes passed for a service");
        let (waiting, challenge) = service().greeted(&hello, &key).expect("an honest hello");
        assert!(waiting.proved(frame, &key).is_err(), "bytes passed for a client");
        let (client, _) = Client::begin(role, &instance, BRIDGE, [2; 32]);
        let (proved, proof) = client.challenged(&challenge, &key).expect("an honest challenge");
        if let Ok(admitted) = proved.answered(frame) {
            assert_eq!(admitted.role, role);
        }
        let (waiting, _) = service().greeted(&hello, &other).expect("an honest hello");
        assert!(waiting.proved(&proof, &other).is_err(), "a proof under another key");
    }
}

/// What either side of the bridge reads it can say again, and reads alike.
///
/// # Panics
/// When it cannot.
pub fn bridge(frame: &[u8]) {
    says_again::<FromEdge>(frame);
    says_again::<FromService>(frame);
}

fn says_again<T: Serialize + DeserializeOwned + Debug>(frame: &[u8]) {
    let Ok(message) = serde_json::from_slice::<T>(frame) else { return };
    let said = serde_json::to_vec(&message).expect("a message that was read can be written");
    let again: T = serde_json::from_slice(&said).expect("a message that was written can be read");
    assert_eq!(serde_json::to_vec(&again).expect("written once already"), said);
    let (shown, said) = (format!("{message:?}"), String::from_utf8_lossy(&said));
    for (at, prefix) in said.match_indices("\"workspace\":\"ws_") {
        let digits = &said[at + prefix.len()..at + prefix.len() + 8];
        let told_once = said.matches(digits).count() == 1;
        assert!(!told_once || !shown.contains(digits), "a handle shows its digits");
    }
}

/// Whatever an extension says is a message or an error, and a result keeps its value's text.
///
/// # Panics
/// When a result's value is not what was sent.
pub fn browser_wire(frame: &[u8]) {
    if let Ok(FromExtension::Res(res)) = FromExtension::parse(frame) {
        let value = res.ok.map(|value| value.get().to_owned()).unwrap_or_default();
        let text = String::from_utf8_lossy(frame);
        assert!(text.contains(&value), "the value was rewritten");
    }
}

#[cfg(test)]
mod tests {
    use super::{bridge, browser_wire, frames, hello, seeds};

    #[test]
    fn properties_hold_for_the_seeds_and_near_them() {
        seeds::check("frames", frames);
        seeds::check("hello", hello);
        seeds::check("bridge", bridge);
        seeds::check("browser_wire", browser_wire);
    }
}
