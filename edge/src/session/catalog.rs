//! The service's projection: asked for when needed, rendered once, forgotten when it changes.

use super::gate::Admission;
use super::requests::{Body, ClientId, Request};
use super::{Effects, Era, Revision, Session};
use crate::params;
use crate::rpc::{self, Fault};
use crate::{mcp_2025_11_25, mcp_2026_07_28};
use ghostlight_transport::bridge::{
    Context, FromEdge, Projection, Sequence, ToolDeclaration, WorkspaceUse,
};
use ghostlight_transport::limits::EDGE_CONNECT;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Instant;

#[derive(Debug, Default)]
pub(super) struct Catalog {
    known: Option<Known>,
    asked: Option<Sequence>,
    /// The generation the service last spoke of, and what the list looked like before it was lost.
    expected: u64,
    seen: Option<u64>,
}

/// What a call needs to know of its tool.
#[derive(Debug, Clone, Copy)]
pub(super) struct Traits {
    pub(super) workspace: WorkspaceUse,
    pub(super) reads: bool,
}

#[derive(Debug)]
struct Known {
    generation: u64,
    traits: HashMap<String, Traits>,
    /// The tools that create a workspace, in words.
    creators: String,
    /// The result of `tools/list`, the same bytes in every answer.
    listing: Vec<u8>,
}

impl Catalog {
    pub(super) fn is_known(&self) -> bool {
        self.known.is_some()
    }

    pub(super) fn traits(&self, tool: &str) -> Option<Traits> {
        self.known.as_ref()?.traits.get(tool).copied()
    }

    pub(super) fn creators(&self) -> &str {
        self.known.as_ref().map_or("a tool that lists or creates tabs", |known| &known.creators)
    }

    pub(super) fn is_asked(&self, sequence: Sequence) -> bool {
        self.asked == Some(sequence)
    }

    pub(super) fn forget_question(&mut self) {
        self.asked = None;
    }

    /// The connection is gone: the next service may declare something else.
    pub(super) fn forget(&mut self) {
        *self = Self { seen: self.seen, ..Self::default() };
    }

    /// Whether `generation` makes what is known stale.
    pub(super) fn changed(&mut self, generation: u64) -> bool {
        self.expected = generation;
        let stale = self.known.as_ref().is_some_and(|known| known.generation != generation);
        if stale {
            self.known = None;
        }
        stale
    }
}

impl Session {
    pub(super) fn list(
        &mut self,
        admission: &Admission<'_>,
        out: &mut Effects,
    ) -> Result<(), Fault> {
        params::token(&admission.params.meta)?;
        params::no_cursor(&admission.params)?;
        let restriction = self.restriction(admission);
        if let (None, Some(known)) = (&restriction, &self.catalog.known) {
            rpc::answer(&mut out.lines, admission.id.get(), |out| out.extend(&known.listing));
            return Ok(());
        }
        if !self.requests.has_room(0) {
            return Err(Fault::new(
                super::outcome::UNAVAILABLE,
                "Too many requests wait for the Ghostlight service. Nothing ran. Retry: safe, once some have ended.",
            ));
        }
        let sequence = self.next_sequence();
        let restricted = restriction.map(|restriction| Context {
            client: self.client(admission),
            restriction: Some(restriction),
        });
        let request = Request {
            id: Some(ClientId::new(admission.id)),
            revision: admission.revision,
            deadline: Some(admission.now + EDGE_CONNECT),
            body: Body::List { restricted },
        };
        self.requests.insert(sequence, request);
        self.ask_for_list(sequence, out);
        Ok(())
    }

    fn ask_for_list(&mut self, sequence: Sequence, out: &mut Effects) {
        if !self.admitted {
            out.connect = true;
            return;
        }
        match self.requests.get(sequence).map(|request| &request.body) {
            Some(Body::List { restricted: Some(context) }) => {
                out.commands.push(FromEdge::Catalog { sequence, context: context.clone() });
            }
            _ => self.ask_catalog(out),
        }
    }

    pub(super) fn ask_catalog(&mut self, out: &mut Effects) {
        if self.admitted && self.catalog.asked.is_none() {
            let sequence = self.next_sequence();
            self.catalog.asked = Some(sequence);
            let client = match &self.era {
                Era::Mcp20251125(handshake) => handshake.client.clone(),
                _ => None,
            };
            let context = Context { client, restriction: None };
            out.commands.push(FromEdge::Catalog { sequence, context });
        }
    }

    /// After admission: the questions that the lost connection left open, or the first one early.
    pub(super) fn ask_again(&mut self, out: &mut Effects) {
        if !matches!(self.era, Era::Unchosen) {
            self.ask_catalog(out);
        }
        let lists = |request: &Request| matches!(request.body, Body::List { .. });
        for sequence in self.requests.select(lists) {
            self.ask_for_list(sequence, out);
        }
    }

    pub(super) fn projection(
        &mut self,
        sequence: Sequence,
        projection: &Projection,
        now: Instant,
        out: &mut Effects,
    ) {
        if !self.catalog.is_asked(sequence) {
            if let Some(Request { id: Some(id), revision, .. }) = self.requests.remove(sequence) {
                let listing = listing(projection, revision, true);
                rpc::answer(&mut out.lines, &id.raw, |out| out.extend(&listing));
            }
            return;
        }
        self.catalog.asked = None;
        if projection.generation < self.catalog.expected {
            return self.ask_catalog(out);
        }
        let revision = match self.era {
            Era::Mcp20251125(_) => Revision::Mcp20251125,
            _ => Revision::Mcp20260728,
        };
        let known = Known::new(projection, revision);
        let looks = fingerprint(&known.listing);
        if self.catalog.seen.replace(looks).is_some_and(|seen| seen != looks) {
            self.tell_change_later(now);
        }
        let plain = |request: &Request| matches!(request.body, Body::List { restricted: None });
        for sequence in self.requests.select(plain) {
            if let Some(Request { id: Some(id), .. }) = self.requests.remove(sequence) {
                rpc::answer(&mut out.lines, &id.raw, |out| out.extend(&known.listing));
            }
        }
        self.catalog.known = Some(known);
    }
}

impl Traits {
    fn of(tool: &ToolDeclaration) -> Self {
        Self { workspace: tool.workspace, reads: tool.hints.read_only }
    }
}

impl Known {
    fn new(projection: &Projection, revision: Revision) -> Self {
        let tools = &projection.tools;
        let creators: Vec<_> = tools
            .iter()
            .filter(|tool| tool.workspace == WorkspaceUse::Creates)
            .map(|tool| tool.name.as_str())
            .collect();
        Self {
            generation: projection.generation,
            traits: tools.iter().map(|tool| (tool.name.clone(), Traits::of(tool))).collect(),
            creators: creators.join(" or "),
            listing: listing(projection, revision, false),
        }
    }
}

fn listing(projection: &Projection, revision: Revision, restricted: bool) -> Vec<u8> {
    match revision {
        Revision::Mcp20251125 => mcp_2025_11_25::listing(projection),
        Revision::Mcp20260728 => mcp_2026_07_28::listing(projection, restricted),
    }
}

fn fingerprint(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}
