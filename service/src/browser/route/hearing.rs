//! From a browser to the calls: results, events, and what is neither.

use super::asking::to_frame;
use super::{Effect, Effects, Routes, Slot, number_of};
use crate::browser::ConnectionNumber;
use crate::browser::pending::{Answered, Asked};
use crate::browser::report::{Adopted, Report};
use crate::browser::tabs::Foreign;
use crate::tab::observed::Observed;
use crate::tab::{RequestFault, TabEvent, composite};
use crate::wire::{Listed, Opened};
use ghostlight_transport::browser_wire::{Events, FaultCode, Latch, Res, Tab, ToExtension};
use ghostlight_transport::json;
use serde::Deserialize;
use serde_json::value::RawValue;

impl<T> Routes<T> {
    /// One result, on any connection of its profile. It is acknowledged whether or not anybody waits.
    pub(crate) fn result(&mut self, connection: ConnectionNumber, result: Res) -> Effects<T> {
        let id = result.id.clone();
        let mut effects = Vec::new();
        if let Some(number) = number_of(&self.life, &id)
            && let Some(slot) = self.slot_on(connection)
            && let Some(asked) = slot.pending.answered(number, &result.worker)
        {
            match asked.read(result) {
                Some(answer) => effects = slot.settle(asked, answer),
                None => return self.malformed_result(connection, asked, &id),
            }
        }
        effects.extend(self.acknowledge(connection, &[id]));
        effects
    }

    /// What the connection sent was not one of the agreed messages. A result among it ends its call
    /// now: waiting longer cannot make it clearer.
    pub(crate) fn malformed(&mut self, connection: ConnectionNumber, text: &[u8]) -> Effects<T> {
        #[derive(Deserialize)]
        struct Named {
            id: String,
        }
        if let Ok(named) = serde_json::from_slice::<Named>(text)
            && let Some(number) = number_of(&self.life, &named.id)
            && let Some(slot) = self.slot_on(connection)
            && let Some(asked) = slot.pending.forget(number)
        {
            return self.malformed_result(connection, asked, &named.id);
        }
        self.protocol_errors += 1;
        Vec::new()
    }

    fn malformed_result(
        &mut self,
        connection: ConnectionNumber,
        asked: Asked<T>,
        id: &str,
    ) -> Effects<T> {
        self.protocol_errors += 1;
        let (ticket, answer) = asked.lost("the extension's answer could not be read");
        let mut effects = vec![Effect::Settle { ticket, answer }];
        effects.extend(self.acknowledge(connection, &[id.to_owned()]));
        effects
    }

    /// Events count only from the connection that speaks for its profile now, and once.
    pub(crate) fn events(&mut self, connection: ConnectionNumber, events: Events) -> Effects<T> {
        let Some(slot) = self.slot_on(connection) else { return Vec::new() };
        if slot.connection != Some(connection) {
            return Vec::new();
        }
        let mut effects = Vec::new();
        let mut unread = 0;
        if events.seq > slot.last_event {
            slot.last_event = events.seq;
            for item in events.items {
                match Report::read(item) {
                    Some(report) => effects.extend(slot.take(report)),
                    None => unread += 1,
                }
            }
        }
        self.protocol_errors += unread;
        effects.extend(self.acknowledge(connection, &[]));
        effects
    }

    fn acknowledge(&self, connection: ConnectionNumber, res: &[String]) -> Option<Effect<T>> {
        let slot = self.slot(*self.connections.get(&connection)?)?;
        let ev = if slot.connection == Some(connection) { slot.last_event } else { 0 };
        Some(Effect::Send { connection, frame: to_frame(&ToExtension::Ack { res, ev }) })
    }

    fn slot_on(&mut self, connection: ConnectionNumber) -> Option<&mut Slot<T>> {
        let number = *self.connections.get(&connection)?;
        self.slot_mut(number)
    }
}

impl<T> Slot<T> {
    /// Ownership follows before anybody hears the answer.
    fn settle(&mut self, asked: Asked<T>, answer: Answered) -> Effects<T> {
        let mut effects = Vec::new();
        let answer = match answer {
            Ok(value) => self.follow(&asked, value, &mut effects),
            Err(fault) => {
                let gone = matches!(fault.code, FaultCode::NotAdopted | FaultCode::TabClosed);
                if let Some(native) = asked.tab.filter(|_| gone) {
                    effects.extend(self.gone(native));
                }
                Err(fault)
            }
        };
        effects.push(Effect::Settle { ticket: asked.ticket, answer });
        effects
    }

    fn follow(&mut self, asked: &Asked<T>, value: Box<RawValue>, out: &mut Effects<T>) -> Answered {
        let unread = |_| RequestFault::lost(FaultCode::Internal, "unreadable answer", asked.effect);
        match asked.method {
            "tab.open" | "tab.adopt" => {
                let opened: Opened = json::parsed(&value).and_then(json::shaped).map_err(unread)?;
                if self.keys.contains_key(&asked.workspace) {
                    let adopted =
                        self.tabs.adopt(asked.workspace, &opened.tab, opened.doc.as_ref());
                    adopted.map_err(|Foreign| {
                        RequestFault::unsent(
                            FaultCode::NotAdopted,
                            "the tab is another workspace's",
                        )
                    })?;
                }
            }
            "tab.list" => {
                let listed: Listed = json::parsed(&value).and_then(json::shaped).map_err(unread)?;
                let rows: Vec<_> = listed.tabs.iter().map(|tab| (tab, tab.doc.as_ref())).collect();
                let slot = self.number;
                let gone = self.tabs.follow(asked.workspace, &rows).into_iter();
                out.extend(gone.map(|native| Effect::TabGone { slot, native }));
            }
            "tab.release" => out.extend(asked.tab.and_then(|native| self.gone(native))),
            _ => {}
        }
        Ok(value)
    }

    fn take(&mut self, report: Report) -> Effects<T> {
        match report {
            Report::Event { native, event } => {
                if let Some(record) = self.tabs.record(native) {
                    record.borrow_mut().happened(event);
                }
                Vec::new()
            }
            Report::Described(tab) => {
                if let Some(record) = self.tabs.record(tab.tab_id) {
                    record.borrow_mut().describe(&tab, None);
                }
                Vec::new()
            }
            Report::Request { native, asked } => self.observe(native, |seen| asked.note(seen)),
            Report::Console { native, line } => self.observe(native, |seen| seen.said(*line)),
            Report::Lost { native, console, requests } => {
                self.observe(native, |seen| seen.lost(console, requests))
            }
            Report::Deaf { native } => self.observe(native, |seen| seen.gaps += 1),
            Report::Gone { native } => self.gone(native).into_iter().collect(),
            Report::Replaced { native, old } => {
                let owner = self.tabs.owner(old);
                let effects = self.gone(old).into_iter().collect();
                if let Some(workspace) = owner {
                    let tab = Tab { tab_id: native, ..Tab::default() };
                    let _ = self.tabs.adopt(workspace, &tab, None);
                }
                effects
            }
            Report::Adopted(adopted) => self.adopted(&adopted).into_iter().collect(),
            Report::Control { what, by } => self.control(what, by).into_iter().collect(),
        }
    }

    fn observe(&self, native: i64, note: impl FnOnce(&mut Observed)) -> Effects<T> {
        if let Some(record) = self.tabs.record(native) {
            note(&mut record.borrow().observed.borrow_mut());
        }
        Vec::new()
    }

    /// Only under a key we gave out, and only from a tab that its workspace owns or by the person.
    fn adopted(&mut self, adopted: &Adopted) -> Option<Effect<T>> {
        let workspace = self.workspace_of(&adopted.key)?;
        let opener = match adopted.opener_tab_id {
            Some(native) => Some(self.tabs.owned(workspace, native)?),
            None => None,
        };
        self.tabs.adopt(workspace, &adopted.tab, adopted.doc.as_ref()).ok()?;
        if let Some(opener) = opener {
            let tab = composite(self.number, adopted.tab.tab_id);
            opener.borrow_mut().happened(TabEvent::Opened { tab });
        }
        let origin = adopted.doc.as_ref().map(|doc| doc.origin.as_str()).unwrap_or_default();
        let host = origin.split("://").last().unwrap_or_default().to_owned();
        Some(Effect::Adopted { slot: self.number, workspace, host })
    }

    fn control(&self, what: String, by: String) -> Option<Effect<T>> {
        let latch = match what.as_str() {
            "pause" => Latch::Paused,
            "stop" => Latch::Stopped,
            "resume" | "restart" => Latch::Running,
            _ => return None,
        };
        Some(Effect::Latch { slot: self.number, latch, moved: Some((what, by)) })
    }

    fn gone(&mut self, native: i64) -> Option<Effect<T>> {
        let slot = self.number;
        self.tabs.release(native).then_some(Effect::TabGone { slot, native })
    }
}
