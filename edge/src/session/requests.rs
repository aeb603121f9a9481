//! Requests in flight: by the client's id, by our sequence, by the service's work.

use super::Revision;
use crate::rpc;
use ghostlight_transport::bridge::{Context, Sequence, WorkId};
use ghostlight_transport::limits::{
    ACTIVE_WORKS, EDGE_WAITING, EDGE_WAITING_BYTES, PROGRESS_INTERVAL,
};
use serde_json::value::RawValue;
use std::collections::{HashMap, VecDeque};
use std::mem;
use std::rc::Rc;
use std::time::Instant;

/// An id as the client wrote it, and what it shares with other spellings of the same id.
#[derive(Debug, Clone)]
pub(super) struct ClientId {
    pub(super) raw: Rc<str>,
    key: Rc<str>,
}

impl ClientId {
    pub(super) fn new(id: &RawValue) -> Self {
        let key: Rc<str> = rpc::same_id(id).into();
        let raw = if *key == *id.get() { key.clone() } else { id.get().into() };
        Self { raw, key }
    }
}

#[derive(Debug)]
pub(super) struct Request {
    /// `None` once the client has been answered or has cancelled: nothing more is written for it.
    pub(super) id: Option<ClientId>,
    pub(super) revision: Revision,
    pub(super) deadline: Option<Instant>,
    pub(super) body: Body,
}

#[derive(Debug)]
pub(super) enum Body {
    /// `tools/list`; one with a restriction asks the service for itself.
    List {
        restricted: Option<Context>,
    },
    Call(Call),
    /// `subscriptions/listen`, and whether it hears of the tool list.
    Listen {
        tools: bool,
    },
}

#[derive(Debug)]
pub(super) struct Call {
    pub(super) name: String,
    /// Known once it was sent: the service declares that the tool changes nothing.
    pub(super) reads: bool,
    pub(super) state: CallState,
    pub(super) progress: Option<Progress>,
    /// The implicit workspace was lost under this call once, and opened anew.
    pub(super) reopened: bool,
    /// It has been given more time, because others of this connector are before it.
    pub(super) patient: bool,
}

#[derive(Debug)]
pub(super) enum CallState {
    Waiting(Unsent),
    /// The service has it and may have begun. The copy is for a call whose implicit workspace
    /// turns out to have ended.
    Sent(Option<Unsent>),
    Started(WorkId),
}

#[derive(Debug, Clone)]
pub(super) struct Unsent {
    pub(super) arguments: Option<Box<RawValue>>,
    pub(super) context: Context,
}

#[derive(Debug)]
pub(super) struct Progress {
    pub(super) token: Box<str>,
    /// When a line was last written, and how far it said the work was.
    pub(super) told: Option<(Instant, f64)>,
    /// Not yet told.
    pub(super) news: Option<News>,
}

/// How far a work has come.
#[derive(Debug)]
pub(super) struct News {
    pub(super) work: WorkId,
    pub(super) done: f64,
    pub(super) total: Option<f64>,
    pub(super) message: String,
}

impl Progress {
    pub(super) fn new(token: &str) -> Self {
        Self { token: token.into(), told: None, news: None }
    }

    /// When news that came soon after a line may be told.
    pub(super) fn due(&self) -> Option<Instant> {
        let (then, _) = self.told?;
        self.news.as_ref().map(|_| then + PROGRESS_INTERVAL)
    }
}

impl Request {
    pub(super) fn progress_due(&self) -> Option<Instant> {
        match (&self.id, &self.body) {
            (Some(_), Body::Call(Call { progress: Some(progress), .. })) => progress.due(),
            _ => None,
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Requests {
    entries: HashMap<Sequence, Request>,
    ids: HashMap<Rc<str>, Sequence>,
    works: HashMap<WorkId, Sequence>,
    /// Calls not yet sent, in order.
    waiting: VecDeque<Sequence>,
    waiting_bytes: usize,
    /// Calls sent and not settled.
    active: usize,
    listeners: usize,
}

impl Requests {
    pub(super) fn named(&self, id: &RawValue) -> Option<Sequence> {
        self.ids.get(rpc::same_id(id).as_ref()).copied()
    }

    pub(super) fn insert(&mut self, sequence: Sequence, request: Request) {
        if let Some(id) = &request.id {
            self.ids.insert(id.key.clone(), sequence);
        }
        match &request.body {
            Body::Call(_) => {
                self.waiting.push_back(sequence);
                self.waiting_bytes += weight(&request);
            }
            Body::Listen { .. } => self.listeners += 1,
            Body::List { .. } => {}
        }
        self.entries.insert(sequence, request);
    }

    pub(super) fn get_mut(&mut self, sequence: Sequence) -> Option<&mut Request> {
        self.entries.get_mut(&sequence)
    }

    pub(super) fn get(&self, sequence: Sequence) -> Option<&Request> {
        self.entries.get(&sequence)
    }

    /// Whether another request of this size may wait.
    pub(super) fn has_room(&self, bytes: usize) -> bool {
        let lists = self.entries.len() - self.active - self.waiting.len() - self.listeners;
        self.waiting.len() + lists < EDGE_WAITING
            && self.waiting_bytes.saturating_add(bytes) <= EDGE_WAITING_BYTES
    }

    pub(super) fn is_crowded(&self) -> bool {
        self.waiting.len() >= EDGE_WAITING / 2 || self.waiting_bytes >= EDGE_WAITING_BYTES / 2
    }

    pub(super) fn first_waiting(&self) -> Option<Sequence> {
        self.waiting.front().copied()
    }

    pub(super) fn may_start(&self) -> bool {
        self.active < ACTIVE_WORKS
    }

    /// What the first waiting call sends; it counts as sent from now on.
    pub(super) fn send_first(&mut self) -> Option<(Sequence, Unsent)> {
        let sequence = self.waiting.pop_front()?;
        let request = self.entries.get_mut(&sequence)?;
        let bytes = weight(request);
        let Body::Call(call) = &mut request.body else { return None };
        let CallState::Waiting(unsent) = mem::replace(&mut call.state, CallState::Sent(None))
        else {
            return None;
        };
        self.waiting_bytes -= bytes;
        self.active += 1;
        Some((sequence, unsent))
    }

    /// A sent call of which a copy was kept waits again, before all others, once.
    pub(super) fn wait_again(&mut self, sequence: Sequence) -> bool {
        let Some(request) = self.entries.get_mut(&sequence) else { return false };
        let Body::Call(call) = &mut request.body else { return false };
        let CallState::Sent(copy) = &mut call.state else { return false };
        let Some(unsent) = copy.take() else { return false };
        call.state = CallState::Waiting(unsent);
        call.reopened = true;
        self.active -= 1;
        self.waiting.push_front(sequence);
        self.waiting_bytes += weight(request);
        true
    }

    pub(super) fn replace_arguments(&mut self, sequence: Sequence, arguments: Box<RawValue>) {
        let Some(request) = self.entries.get_mut(&sequence) else { return };
        self.waiting_bytes -= weight(request);
        if let Body::Call(Call { state: CallState::Waiting(unsent), .. }) = &mut request.body {
            unsent.arguments = Some(arguments);
        }
        self.waiting_bytes += weight(request);
    }

    /// A sent call becomes the work that the service names.
    pub(super) fn start(&mut self, sequence: Sequence, work: WorkId) -> Option<&mut Request> {
        let request = self.entries.get_mut(&sequence)?;
        let Body::Call(call) = &mut request.body else { return None };
        if !matches!(call.state, CallState::Sent(_)) {
            return None;
        }
        call.state = CallState::Started(work);
        self.works.insert(work, sequence);
        Some(request)
    }

    /// The progress of a call whose client asked for it and still waits.
    pub(super) fn heard_progress(&mut self, sequence: Sequence) -> Option<&mut Progress> {
        match self.entries.get_mut(&sequence)? {
            Request { id: Some(_), body: Body::Call(call), .. } => call.progress.as_mut(),
            _ => None,
        }
    }

    pub(super) fn working(&self, work: WorkId) -> Option<Sequence> {
        self.works.get(&work).copied()
    }

    pub(super) fn remove(&mut self, sequence: Sequence) -> Option<Request> {
        let request = self.entries.get(&sequence)?;
        let bytes = weight(request);
        let request = self.entries.remove(&sequence)?;
        self.forget_id(&request);
        let state = match &request.body {
            Body::Call(call) => &call.state,
            Body::Listen { .. } => {
                self.listeners -= 1;
                return Some(request);
            }
            Body::List { .. } => return Some(request),
        };
        match state {
            CallState::Waiting(_) => {
                self.waiting.retain(|waiting| *waiting != sequence);
                self.waiting_bytes -= bytes;
            }
            CallState::Sent(_) => self.active -= 1,
            CallState::Started(work) => {
                self.active -= 1;
                self.works.remove(work);
            }
        }
        Some(request)
    }

    /// The client's id is free again; the work is kept until it settles.
    pub(super) fn silence(&mut self, sequence: Sequence) -> Option<ClientId> {
        let request = self.entries.get_mut(&sequence)?;
        let id = request.id.take()?;
        self.ids.remove(&id.key);
        Some(id)
    }

    fn forget_id(&mut self, request: &Request) {
        if let Some(id) = &request.id {
            self.ids.remove(&id.key);
        }
    }

    /// The sequences of those that fit, oldest first.
    pub(super) fn select(&self, fits: impl Fn(&Request) -> bool) -> Vec<Sequence> {
        let mut found: Vec<_> = self
            .entries
            .iter()
            .filter(|(_, request)| fits(request))
            .map(|(sequence, _)| *sequence)
            .collect();
        found.sort_unstable();
        found
    }

    pub(super) fn listeners(&self) -> usize {
        self.listeners
    }

    /// Whether somebody still waits for an answer; a subscription does not.
    pub(super) fn any_unanswered(&self) -> bool {
        self.ids.len() > self.listeners
    }

    pub(super) fn any_waiting(&self) -> bool {
        !self.waiting.is_empty()
            || self.entries.values().any(|request| matches!(request.body, Body::List { .. }))
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        let times = |request: &Request| [request.deadline, request.progress_due()];
        self.entries.values().flat_map(times).flatten().min()
    }
}

/// What a waiting request holds in memory, roughly.
fn weight(request: &Request) -> usize {
    match &request.body {
        Body::Call(Call { name, state: CallState::Waiting(unsent), .. }) => {
            call_weight(name, unsent)
        }
        _ => 0,
    }
}

pub(super) fn call_weight(name: &str, unsent: &Unsent) -> usize {
    let raw = |raw: &Option<Box<RawValue>>| raw.as_ref().map_or(0, |raw| raw.get().len());
    name.len() + raw(&unsent.arguments) + raw(&unsent.context.restriction)
}
