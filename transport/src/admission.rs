//! The mutual proof that opens every connection: four frames, no input or output of its own.
//!
//! ```text
//! client  hello {role, bridge, instance, nonce}  ─▶
//!         ◀─ challenge {bridge, nonce, proof}    service knows the key
//!         proof {proof}                          ─▶  client knows the key
//!         ◀─ admitted {} or refused {reason}
//! ```
//! A proof covers label, direction, role, endpoint, both bridge versions, instance and both nonces,
//! so none can be used a second time, on another endpoint, for another role or the other way round.
//! These frames keep their shape over bridge majors: they are how two majors tell each other apart.

use crate::bridge::{BRIDGE_MAJOR, BRIDGE_MINOR};
use crate::instance::Instance;
use crate::key::Key;
use serde::{Deserialize, Serialize};
use std::fmt;
use subtle::ConstantTimeEq as _;

const LABEL: &[u8] = b"ghostlight admission 1";

/// Major and minor.
pub type Bridge = (u32, u32);
/// What this build speaks.
pub const BRIDGE: Bridge = (BRIDGE_MAJOR, BRIDGE_MINOR);

pub type Nonce = [u8; 32];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    Edge,
    Browser,
    Control,
}

impl Role {
    #[must_use]
    pub fn endpoint(self) -> Endpoint {
        match self {
            Self::Edge | Self::Control => Endpoint::Edge,
            Self::Browser => Endpoint::Browser,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Edge => "edge",
            Self::Browser => "browser",
            Self::Control => "control",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Endpoint {
    Edge,
    Browser,
}

impl Endpoint {
    fn name(self) -> &'static str {
        match self {
            Self::Edge => "edge",
            Self::Browser => "browser",
        }
    }
}

/// Who the peer has proved to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Admitted {
    pub role: Role,
    pub peer_bridge: Bridge,
}

impl Admitted {
    /// The peer speaks a later major: this program should finish what it has and make room.
    #[must_use]
    pub fn peer_is_newer(&self) -> bool {
        self.peer_bridge.0 > BRIDGE.0
    }
}

/// Why a service turned a peer away. Only the last two come after both have proved themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    Malformed,
    /// This endpoint does not serve that role.
    Endpoint,
    Instance,
    Proof,
    /// No connection is free.
    Busy,
    /// The service speaks a later bridge: the peer is out of date.
    NewerService,
    /// The service is ending, perhaps to make room for a newer one.
    Draining,
    #[serde(other)]
    Other,
}

/// What went wrong with the peer's side of the proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unproved {
    /// Not a frame of this protocol, or not the one that is due.
    Malformed,
    /// It does not know the key, or repeats what another said.
    Proof,
    /// It told us why it will not have us.
    Refused(Reason),
    /// We will not have it, for this reason.
    Refusing(Reason),
}

impl fmt::Display for Unproved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed => f.write_str("the peer does not follow the admission protocol"),
            Self::Proof => f.write_str("the peer does not know this service's key"),
            Self::Refused(reason) => write!(f, "refused by the peer: {reason:?}"),
            Self::Refusing(reason) => write!(f, "refused: {reason:?}"),
        }
    }
}
impl std::error::Error for Unproved {}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Message {
    Hello {
        role: Role,
        bridge: Bridge,
        instance: String,
        #[serde(with = "digits")]
        nonce: Nonce,
    },
    Challenge {
        bridge: Bridge,
        #[serde(with = "digits")]
        nonce: Nonce,
        #[serde(with = "digits")]
        proof: [u8; 32],
    },
    Proof {
        #[serde(with = "digits")]
        proof: [u8; 32],
    },
    Admitted {},
    Refused {
        reason: Reason,
    },
}

impl Message {
    fn read(frame: &[u8]) -> Result<Self, Unproved> {
        serde_json::from_slice(frame).map_err(|_| Unproved::Malformed)
    }

    fn write(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }
}

/// The frame that tells a peer why the connection ends.
#[must_use]
pub fn refusal(reason: Reason) -> Vec<u8> {
    Message::Refused { reason }.write()
}

#[derive(Debug, Clone, Copy)]
enum Direction {
    FromService,
    FromClient,
}

/// Everything a proof covers.
#[derive(Debug, Clone)]
struct Terms {
    role: Role,
    endpoint: Endpoint,
    client_bridge: Bridge,
    service_bridge: Bridge,
    instance: String,
    client_nonce: Nonce,
    service_nonce: Nonce,
}

impl Terms {
    fn seal(&self, key: &Key, direction: Direction) -> [u8; 32] {
        let version = |(major, minor): Bridge| format!("{major}.{minor}");
        key.seal(&[
            LABEL,
            match direction {
                Direction::FromService => b"from service",
                Direction::FromClient => b"from client",
            },
            self.role.name().as_bytes(),
            self.endpoint.name().as_bytes(),
            version(self.client_bridge).as_bytes(),
            version(self.service_bridge).as_bytes(),
            self.instance.as_bytes(),
            &self.client_nonce,
            &self.service_nonce,
        ])
    }

    fn check(&self, key: &Key, direction: Direction, proof: &[u8; 32]) -> Result<(), Unproved> {
        if bool::from(self.seal(key, direction).ct_eq(proof)) {
            Ok(())
        } else {
            Err(Unproved::Proof)
        }
    }
}

/// The side that connects, before the challenge.
#[derive(Debug)]
pub struct Client {
    role: Role,
    bridge: Bridge,
    instance: String,
    nonce: Nonce,
}

/// The side that connects, after it has proved itself.
#[derive(Debug)]
pub struct ProvedClient {
    role: Role,
    service_bridge: Bridge,
}

impl Client {
    /// `nonce` comes from a CSPRNG and is used once. The frame is the first one to send.
    #[must_use]
    pub fn begin(role: Role, instance: &Instance, bridge: Bridge, nonce: Nonce) -> (Self, Vec<u8>) {
        let instance = instance.to_string();
        let hello = Message::Hello { role, bridge, instance: instance.clone(), nonce }.write();
        (Self { role, bridge, instance, nonce }, hello)
    }

    /// # Errors
    /// The service did not prove that it knows the key, or refuses.
    pub fn challenged(self, frame: &[u8], key: &Key) -> Result<(ProvedClient, Vec<u8>), Unproved> {
        let (service_bridge, service_nonce, proof) = match Message::read(frame)? {
            Message::Challenge { bridge, nonce, proof } => (bridge, nonce, proof),
            Message::Refused { reason } => return Err(Unproved::Refused(reason)),
            _ => return Err(Unproved::Malformed),
        };
        let terms = Terms {
            role: self.role,
            endpoint: self.role.endpoint(),
            client_bridge: self.bridge,
            service_bridge,
            instance: self.instance,
            client_nonce: self.nonce,
            service_nonce,
        };
        terms.check(key, Direction::FromService, &proof)?;
        let proof = terms.seal(key, Direction::FromClient);
        Ok((ProvedClient { role: self.role, service_bridge }, Message::Proof { proof }.write()))
    }
}

impl ProvedClient {
    /// # Errors
    /// The service refuses.
    pub fn answered(self, frame: &[u8]) -> Result<Admitted, Unproved> {
        match Message::read(frame)? {
            Message::Admitted {} => {
                Ok(Admitted { role: self.role, peer_bridge: self.service_bridge })
            }
            Message::Refused { reason } => Err(Unproved::Refused(reason)),
            _ => Err(Unproved::Malformed),
        }
    }

    #[must_use]
    pub fn service_bridge(&self) -> Bridge {
        self.service_bridge
    }
}

/// The side that listens, before the hello.
#[derive(Debug)]
pub struct Service {
    endpoint: Endpoint,
    instance: String,
    bridge: Bridge,
    nonce: Nonce,
}

/// The side that listens, after it has proved itself.
#[derive(Debug)]
pub struct ProvedService {
    terms: Terms,
}

impl Service {
    /// `nonce` comes from a CSPRNG and is used once.
    #[must_use]
    pub fn begin(endpoint: Endpoint, instance: &Instance, bridge: Bridge, nonce: Nonce) -> Self {
        Self { endpoint, instance: instance.to_string(), bridge, nonce }
    }

    /// # Errors
    /// No hello, or one for another endpoint or instance.
    pub fn greeted(self, frame: &[u8], key: &Key) -> Result<(ProvedService, Vec<u8>), Unproved> {
        let Message::Hello { role, bridge, instance, nonce } = Message::read(frame)? else {
            return Err(Unproved::Malformed);
        };
        if role.endpoint() != self.endpoint {
            return Err(Unproved::Refusing(Reason::Endpoint));
        }
        if instance != self.instance {
            return Err(Unproved::Refusing(Reason::Instance));
        }
        let terms = Terms {
            role,
            endpoint: self.endpoint,
            client_bridge: bridge,
            service_bridge: self.bridge,
            instance,
            client_nonce: nonce,
            service_nonce: self.nonce,
        };
        let proof = terms.seal(key, Direction::FromService);
        let challenge = Message::Challenge { bridge: self.bridge, nonce: self.nonce, proof };
        Ok((ProvedService { terms }, challenge.write()))
    }
}

impl ProvedService {
    /// The peer's identity and the frame that admits it; whether to send that is the caller's choice.
    ///
    /// # Errors
    /// The peer did not prove that it knows the key.
    pub fn proved(self, frame: &[u8], key: &Key) -> Result<(Admitted, Vec<u8>), Unproved> {
        let Message::Proof { proof } = Message::read(frame)? else {
            return Err(Unproved::Malformed);
        };
        self.terms.check(key, Direction::FromClient, &proof)?;
        let admitted = Admitted { role: self.terms.role, peer_bridge: self.terms.client_bridge };
        Ok((admitted, Message::Admitted {}.write()))
    }
}

/// Bytes as lower-case hexadecimal text, of exactly the right length.
mod digits {
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};
    use std::fmt::Write as _;

    pub(super) fn serialize<S: Serializer>(bytes: &[u8; 32], out: S) -> Result<S::Ok, S::Error> {
        let mut text = String::with_capacity(64);
        for byte in bytes {
            let _ = write!(text, "{byte:02x}");
        }
        out.serialize_str(&text)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<[u8; 32], D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(input)?;
        let bad = || D::Error::custom("not 64 hexadecimal digits");
        if text.len() != 64 || !text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(bad());
        }
        let mut bytes = [0; 32];
        for (byte, at) in bytes.iter_mut().zip((0..64).step_by(2)) {
            *byte = u8::from_str_radix(&text[at..at + 2], 16).map_err(|_| bad())?;
        }
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests;
