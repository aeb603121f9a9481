//! Subscriptions of 2026-07-28, and who hears that the tool list changed.

use super::gate::Admission;
use super::requests::{Body, ClientId, Request};
use super::{Effects, Era, Session};
use crate::rpc::{self, Fault};
use crate::{mcp_2025_11_25, mcp_2026_07_28};
use ghostlight_transport::limits::{EDGE_SUBSCRIPTIONS, LIST_CHANGE};
use std::time::Instant;

impl Session {
    pub(super) fn listen(
        &mut self,
        admission: &Admission<'_>,
        out: &mut Effects,
    ) -> Result<(), Fault> {
        let tools = mcp_2026_07_28::filter(&admission.params)?;
        if self.requests.listeners() >= EDGE_SUBSCRIPTIONS {
            return Err(Fault::new(
                rpc::INTERNAL,
                "64 subscriptions are open; cancel one before opening another",
            ));
        }
        let request = Request {
            id: Some(ClientId::new(admission.id)),
            revision: admission.revision,
            deadline: None,
            body: Body::Listen { tools },
        };
        let sequence = self.next_sequence();
        self.requests.insert(sequence, request);
        mcp_2026_07_28::acknowledge(&mut out.lines, admission.id.get(), tools);
        Ok(())
    }

    /// Told a little later, so that a burst of changes is told once.
    pub(super) fn tell_change_later(&mut self, now: Instant) {
        let hears = |request: &Request| matches!(request.body, Body::Listen { tools: true });
        let heard = match &self.era {
            Era::Unchosen => false,
            Era::Mcp20251125(handshake) => handshake.ready,
            Era::Mcp20260728 => !self.requests.select(hears).is_empty(),
        };
        if heard && self.end.is_none() {
            self.change.get_or_insert(now + LIST_CHANGE);
        }
    }

    pub(super) fn tell_change(&mut self, out: &mut Effects) {
        if let Era::Mcp20251125(_) = self.era {
            return mcp_2025_11_25::list_changed(&mut out.lines);
        }
        let hears = |request: &Request| matches!(request.body, Body::Listen { tools: true });
        for sequence in self.requests.select(hears) {
            if let Some(Request { id: Some(id), .. }) = self.requests.get(sequence) {
                mcp_2026_07_28::list_changed(&mut out.lines, &id.raw);
            }
        }
    }

    pub(super) fn end_subscriptions(&mut self, out: &mut Effects) {
        let subscribed = |request: &Request| matches!(request.body, Body::Listen { .. });
        for sequence in self.requests.select(subscribed) {
            if let Some(Request { id: Some(id), .. }) = self.requests.remove(sequence) {
                mcp_2026_07_28::end_subscription(&mut out.lines, &id.raw);
            }
        }
    }
}
