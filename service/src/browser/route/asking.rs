//! From a call to a browser: keys, requests and their cancellation.

use super::{Effect, Effects, Routes};
use crate::browser::ConnectionNumber;
use crate::browser::pending::Asked;
use crate::wire::Request;
use crate::workspace::WorkspaceNumber;
use ghostlight_transport::browser_wire::ToExtension;
use ghostlight_transport::limits::BROWSER_REQUESTS;
use serde_json::value::RawValue;
use std::collections::hash_map::Entry;

/// Nothing was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotAsked {
    /// The browser is not connected now.
    Away,
    Busy,
    /// The system has no entropy for a key.
    NoKey,
}

impl<T> Routes<T> {
    /// Sends one request under the workspace's key. The number names it until it is settled.
    pub(crate) fn ask(
        &mut self,
        (slot, workspace): (u32, WorkspaceNumber),
        request: &Request,
        ticket: T,
    ) -> Result<(u64, Effect<T>), NotAsked> {
        let number = self.next_request;
        let id = format!("{}-{number}", self.life);
        let Self { slots, mint, .. } = self;
        let slot = (slot as usize).checked_sub(1).and_then(|index| slots.get_mut(index));
        let slot = slot.ok_or(NotAsked::Away)?;
        let connection = slot.connection.ok_or(NotAsked::Away)?;
        if slot.pending.len() >= BROWSER_REQUESTS {
            return Err(NotAsked::Busy);
        }
        let key = match slot.keys.entry(workspace) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(mint().ok_or(NotAsked::NoKey)?),
        };
        let frame = to_frame(&ToExtension::Req {
            id: &id,
            m: request.method,
            p: &request.params,
            key,
            deadline_ms: u64::try_from(request.within.as_millis()).unwrap_or(u64::MAX),
            effect: request.effect,
        });
        let asked = Asked {
            ticket,
            method: request.method,
            workspace,
            tab: request.tab,
            effect: request.effect,
            worker: slot.worker.clone(),
            frame: (!request.effect).then(|| frame.clone()),
        };
        slot.pending.add(number, asked);
        self.next_request += 1;
        Ok((number, Effect::Send { connection, frame }))
    }

    /// Asks the extension to stop between steps. The result still comes.
    pub(crate) fn cancel(&self, slot: u32, number: u64) -> Option<Effect<T>> {
        let connection = self.slot(slot)?.connection?;
        let id = format!("{}-{number}", self.life);
        Some(Effect::Send { connection, frame: to_frame(&ToExtension::Cancel { id: &id }) })
    }

    /// Nobody waits for the answer any more; when it comes it is acknowledged and dropped.
    pub(crate) fn forget(&mut self, slot: u32, number: u64) {
        if let Some(slot) = self.slot_mut(slot) {
            slot.pending.forget(number);
        }
    }

    pub(super) fn release_key(&mut self, connection: ConnectionNumber, key: &str) -> Effects<T> {
        let id = format!("{}-{}", self.life, self.next_request);
        self.next_request += 1;
        let Ok(params) = RawValue::from_string("{}".into()) else { return Vec::new() };
        let deadline_ms = ghostlight_transport::limits::BROWSER_REQUEST.as_millis();
        let frame = to_frame(&ToExtension::Req {
            id: &id,
            m: "workspace.release",
            p: &params,
            key,
            deadline_ms: u64::try_from(deadline_ms).unwrap_or(u64::MAX),
            effect: true,
        });
        vec![Effect::Send { connection, frame }]
    }
}

/// Serialising these types cannot fail: their maps have text keys.
pub(crate) fn to_frame(message: &ToExtension<'_>) -> Vec<u8> {
    serde_json::to_vec(message).unwrap_or_default()
}
