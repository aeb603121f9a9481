//! Capability handles: random bearer secrets that cannot be printed, ordered or serialised by accident.
//!
//! A [`Handle`] is 128 random bits and a kind. Whoever holds the text holds the right, so the type
//! makes leaking it hard: `Display` and `Debug` print the kind and a redaction, `Serialize` does not
//! exist, and the only way out is [`expose`], which each exit has to name.
//!
//! Each misuse below does not compile, beside the use that does.
//!
//! A wire struct names its exit:
//! ```
//! use ghostlight_handle::{WorkspaceId, expose};
//! #[derive(serde::Serialize)]
//! struct Wire { #[serde(serialize_with = "expose")] workspace: WorkspaceId }
//! let wire = Wire { workspace: WorkspaceId::from_entropy([7; 16]) };
//! assert!(serde_json::to_string(&wire).unwrap().contains("ws_0707"));
//! ```
//! and one that merely derives `Serialize` has none:
//! ```compile_fail,E0277
//! use ghostlight_handle::WorkspaceId;
//! #[derive(serde::Serialize)]
//! struct Wire { workspace: WorkspaceId }
//! ```
//! A function takes the kind it names:
//! ```
//! use ghostlight_handle::{ImageId, WorkspaceId};
//! fn picture(_: &ImageId) {}
//! picture(&ImageId::from_entropy([0; 16]));
//! assert!("ws_00000000000000000000000000000000".parse::<ImageId>().is_err());
//! ```
//! and no other:
//! ```compile_fail,E0308
//! use ghostlight_handle::{ImageId, WorkspaceId};
//! fn picture(_: &ImageId) {}
//! picture(&WorkspaceId::from_entropy([0; 16]));
//! ```
//! Kinds are not compared either:
//! ```compile_fail,E0308
//! use ghostlight_handle::{ImageId, WorkspaceId};
//! let _ = ImageId::from_entropy([0; 16]) == WorkspaceId::from_entropy([0; 16]);
//! ```
//! Two of a kind are equal or not, in constant time:
//! ```
//! use ghostlight_handle::WorkspaceId;
//! let id = WorkspaceId::from_entropy([0; 16]);
//! assert!(id == id.clone() && id != WorkspaceId::from_entropy([1; 16]));
//! ```
//! and have no order, so no search tree can leak a prefix by its timing:
//! ```compile_fail,E0369
//! use ghostlight_handle::WorkspaceId;
//! let id = WorkspaceId::from_entropy([0; 16]);
//! let _ = id < id.clone();
//! ```
//! ```compile_fail,E0277
//! use ghostlight_handle::WorkspaceId;
//! let _: std::collections::BTreeSet<_> = [WorkspaceId::from_entropy([0; 16])].into();
//! ```
//! What is printed is the kind:
//! ```
//! use ghostlight_handle::WorkspaceId;
//! let id = WorkspaceId::from_entropy([0xab; 16]);
//! assert_eq!(format!("{id} {id:?} {id:10} {id:#?}"), "ws_… ws_… ws_… ws_…");
//! ```
//! never a digit:
//! ```compile_fail,E0277
//! let _ = format!("{:x}", ghostlight_handle::WorkspaceId::from_entropy([0xab; 16]));
//! ```
//! ```compile_fail,E0616
//! let _ = ghostlight_handle::WorkspaceId::from_entropy([0xab; 16]).bits;
//! ```
//! ```compile_fail,E0624
//! let _ = ghostlight_handle::WorkspaceId::from_entropy([0xab; 16]).text();
//! ```

use serde::{Deserialize, Deserializer, Serializer};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::str::FromStr;
use subtle::ConstantTimeEq;

/// What a handle names. The prefix stands in front of the digits.
pub trait Kind {
    const PREFIX: &'static str;
}

macro_rules! kinds {
    ($($marker:ident $alias:ident $prefix:literal $doc:literal)*) => {$(
        #[doc = $doc]
        #[derive(Debug)]
        pub enum $marker {}
        impl Kind for $marker { const PREFIX: &'static str = $prefix; }
        #[doc = $doc]
        pub type $alias = Handle<$marker>;
    )*};
}
kinds! {
    Workspace WorkspaceId "ws_" "A browser workspace and everything that follows it."
    Image ImageId "img_" "A picture kept for its workspace."
    Recording RecordingId "rec_" "A recording kept for its workspace."
}

/// 128 secret bits that name one thing of kind `K`. Equality takes constant time.
pub struct Handle<K> {
    bits: [u8; 16],
    kind: PhantomData<fn() -> K>,
}

/// The text was not a handle of this kind. It carries nothing of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotAHandle;

impl fmt::Display for NotAHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a handle of this kind")
    }
}
impl std::error::Error for NotAHandle {}

impl<K: Kind> Handle<K> {
    /// The caller answers for the quality of the entropy: it must come from a CSPRNG.
    #[must_use]
    pub fn from_entropy(bits: [u8; 16]) -> Self {
        Self { bits, kind: PhantomData }
    }

    fn text(&self) -> String {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut text = String::with_capacity(K::PREFIX.len() + 32);
        text.push_str(K::PREFIX);
        for byte in self.bits {
            text.push(DIGITS[usize::from(byte >> 4)] as char);
            text.push(DIGITS[usize::from(byte & 15)] as char);
        }
        text
    }
}

/// Writes the secret. Each use is one exit of the capability and is listed by the architecture test.
///
/// # Errors
/// Those of the serializer.
pub fn expose<K: Kind, S: Serializer>(handle: &Handle<K>, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(&handle.text())
}

/// [`expose`] for an optional field.
///
/// # Errors
/// Those of the serializer.
pub fn expose_option<K: Kind, S: Serializer>(
    handle: &Option<Handle<K>>,
    out: S,
) -> Result<S::Ok, S::Error> {
    match handle {
        Some(handle) => expose(handle, out),
        None => out.serialize_none(),
    }
}

/// The secret as text, for a result that hands it to its owner. An exit like [`expose`].
#[must_use]
pub fn expose_text<K: Kind>(handle: &Handle<K>) -> String {
    handle.text()
}

impl<K: Kind> FromStr for Handle<K> {
    type Err = NotAHandle;
    fn from_str(text: &str) -> Result<Self, NotAHandle> {
        let digits = text.strip_prefix(K::PREFIX).ok_or(NotAHandle)?.as_bytes();
        if digits.len() != 32 {
            return Err(NotAHandle);
        }
        let mut bits = [0; 16];
        for (byte, pair) in bits.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Ok(Self::from_entropy(bits))
    }
}

fn digit(ascii: u8) -> Result<u8, NotAHandle> {
    match ascii {
        b'0'..=b'9' => Ok(ascii - b'0'),
        b'a'..=b'f' => Ok(ascii - b'a' + 10),
        _ => Err(NotAHandle),
    }
}

impl<'de, K: Kind> Deserialize<'de> for Handle<K> {
    /// The error never repeats the text: serde's own type errors would.
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        struct Text<K>(PhantomData<K>);
        impl<K: Kind> serde::de::Visitor<'_> for Text<K> {
            type Value = Handle<K>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a handle")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Handle<K>, E> {
                text.parse().map_err(E::custom)
            }
        }
        input.deserialize_str(Text(PhantomData))
    }
}

impl<K> PartialEq for Handle<K> {
    fn eq(&self, other: &Self) -> bool {
        self.bits.ct_eq(&other.bits).into()
    }
}
impl<K> Eq for Handle<K> {}
impl<K> Hash for Handle<K> {
    /// Only for maps whose hasher is keyed, such as the standard one.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bits.hash(state);
    }
}
impl<K> Clone for Handle<K> {
    fn clone(&self) -> Self {
        Self { bits: self.bits, kind: PhantomData }
    }
}
impl<K: Kind> fmt::Display for Handle<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}…", K::PREFIX)
    }
}
impl<K: Kind> fmt::Debug for Handle<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}…", K::PREFIX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips_and_keeps_the_kind() {
        let id = WorkspaceId::from_entropy(std::array::from_fn(|i| i as u8 * 16 + 5));
        let text = expose_text(&id);
        assert_eq!(text, "ws_05152535455565758595a5b5c5d5e5f5");
        assert_eq!(text.parse(), Ok(id));
        assert_eq!(text.parse::<ImageId>(), Err(NotAHandle));
    }

    #[test]
    fn malformed_text_is_refused_without_repeating_it() {
        for bad in ["", "ws_", "ws_05", "ws_05152535455565758595A5B5C5D5E5F5", "img_zz", "ws_é"] {
            assert_eq!(bad.parse::<WorkspaceId>(), Err(NotAHandle), "{bad}");
        }
        let fault = serde_json::from_str::<WorkspaceId>("\"ws_secret\"").unwrap_err().to_string();
        assert!(!fault.contains("secret"), "{fault}");
    }

    #[test]
    fn no_digit_is_printed() {
        let id = ImageId::from_entropy([0xab; 16]);
        assert_eq!(format!("{id} {id:?} {:?}", Some(&id)), "img_… img_… Some(img_…)");
    }
}
