//! The browsers behind the service: who is there, what each was asked, which tabs belong to whom.

pub(crate) mod connection;
pub(crate) mod errand;
pub(crate) mod links;
pub(crate) mod parts;
pub(crate) mod pending;
pub(crate) mod reply;
pub(crate) mod report;
pub(crate) mod route;
pub(crate) mod tabs;

/// One admitted connection of a connector; never used again for another.
pub(crate) type ConnectionNumber = u64;
