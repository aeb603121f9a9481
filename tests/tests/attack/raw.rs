//! A peer that speaks the sockets' language frame by frame, and says what it likes.

use ghostlight_tests::home::{Home, INSTANCE};
use ghostlight_tests::wait::LONG;
use ghostlight_transport::admission::{BRIDGE, Client, Endpoint, Nonce, Role};
use ghostlight_transport::instance::Instance;
use ghostlight_transport::key::Key;
use ghostlight_transport::place::Place;
use serde_json::Value;
use std::io::{ErrorKind, Read as _, Write as _};
use std::os::unix::net::UnixStream;

pub(crate) struct Raw {
    stream: UnixStream,
}

pub(crate) fn socket(endpoint: Endpoint) -> &'static str {
    match endpoint {
        Endpoint::Edge => "edge.sock",
        Endpoint::Browser => "browser.sock",
    }
}

pub(crate) fn instance() -> Instance {
    Instance::parse(INSTANCE).unwrap()
}

/// The key of the running service: this process has the right user.
pub(crate) fn key(home: &Home) -> Key {
    Key::read(&Place::open_in(&home.state(), &instance()).unwrap()).unwrap()
}

/// The first frame of a client of this role.
pub(crate) fn hello(role: Role, nonce: Nonce) -> (Client, Vec<u8>) {
    Client::begin(role, &instance(), BRIDGE, nonce)
}

impl Raw {
    pub(crate) fn connect(home: &Home, endpoint: Endpoint) -> Self {
        Self::of(UnixStream::connect(home.state().join(socket(endpoint))).unwrap())
    }

    pub(crate) fn of(stream: UnixStream) -> Self {
        stream.set_read_timeout(Some(LONG)).unwrap();
        Self { stream }
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        // Whoever has been shut out already may still write.
        let _ = self.stream.write_all(bytes);
    }

    pub(crate) fn send(&mut self, frame: &[u8]) {
        let length = u32::try_from(frame.len()).unwrap().to_ne_bytes();
        self.bytes(&[&length, frame].concat());
    }

    /// The next frame; none when the other side has ended.
    pub(crate) fn receive(&mut self) -> Option<Vec<u8>> {
        let mut length = [0; 4];
        match self.stream.read_exact(&mut length) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                panic!("nothing within {LONG:?}")
            }
            Err(_) => return None,
            Ok(()) => {}
        }
        let mut frame = vec![0; u32::from_ne_bytes(length) as usize];
        self.stream.read_exact(&mut frame).ok().map(|()| frame)
    }

    pub(crate) fn receive_json(&mut self) -> Option<Value> {
        self.receive().map(|frame| serde_json::from_slice(&frame).unwrap())
    }

    /// Proves itself as a program of ours does. The error is the service's reason.
    pub(crate) fn admitted(home: &Home, role: Role) -> Result<Self, Value> {
        let mut raw = Self::connect(home, role.endpoint());
        let (client, first) = hello(role, [role as u8; 32]);
        raw.send(&first);
        let challenge = raw.receive().expect("a challenge");
        let Ok((_, proof)) = client.challenged(&challenge, &key(home)) else {
            return Err(serde_json::from_slice(&challenge).unwrap());
        };
        raw.send(&proof);
        let answer = raw.receive_json().expect("an answer to a proof");
        if answer.get("admitted").is_some() { Ok(raw) } else { Err(answer) }
    }
}
