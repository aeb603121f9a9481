//! The live connections to browsers, and the routes over them.

use crate::bell::Bell;
use crate::browser::ConnectionNumber;
use crate::browser::parts::cut;
use crate::browser::reply::Reply;
use crate::browser::route::{Effect, Routes};
use crate::work::CancelToken;
use ghostlight_transport::outbox::Outbox;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

#[derive(Debug)]
pub(crate) struct Links {
    pub(crate) routes: RefCell<Routes<Rc<Reply>>>,
    lines: RefCell<BTreeMap<ConnectionNumber, Line>>,
    next: Cell<ConnectionNumber>,
    next_transfer: Cell<u64>,
    /// A browser came or went.
    pub(crate) changed: Bell,
}

#[derive(Debug)]
struct Line {
    outbox: Outbox,
    /// Ends the connection from this side.
    kick: CancelToken,
    /// The extension has said hello.
    greeted: bool,
}

impl Links {
    pub(crate) fn new(routes: Routes<Rc<Reply>>) -> Self {
        Self {
            routes: RefCell::new(routes),
            lines: RefCell::default(),
            next: Cell::new(1),
            next_transfer: Cell::new(1),
            changed: Bell::default(),
        }
    }

    pub(crate) fn arrived(&self, outbox: Outbox, kick: CancelToken) -> ConnectionNumber {
        let number = self.next.replace(self.next.get() + 1);
        self.lines.borrow_mut().insert(number, Line { outbox, kick, greeted: false });
        self.changed.ring();
        number
    }

    pub(crate) fn greeted(&self, connection: ConnectionNumber) {
        if let Some(line) = self.lines.borrow_mut().get_mut(&connection) {
            line.greeted = true;
        }
        self.changed.ring();
    }

    pub(crate) fn left(&self, connection: ConnectionNumber) {
        self.lines.borrow_mut().remove(&connection);
        self.routes.borrow_mut().detached(connection);
        self.changed.ring();
    }

    /// A connector is there, and its extension has not spoken yet.
    pub(crate) fn any_arriving(&self) -> bool {
        self.lines.borrow().values().any(|line| !line.greeted)
    }

    pub(crate) fn len(&self) -> usize {
        self.lines.borrow().len()
    }

    pub(crate) fn queued_bytes(&self) -> usize {
        self.lines.borrow().values().map(|line| line.outbox.bytes()).sum()
    }

    pub(crate) fn kick(&self, connection: ConnectionNumber) {
        if let Some(line) = self.lines.borrow().get(&connection) {
            line.kick.cancel();
        }
    }

    pub(crate) fn kick_all(&self) {
        for line in self.lines.borrow().values() {
            line.kick.cancel();
        }
    }

    /// A connection that takes no more has a peer that does not read: it ends, and the next one
    /// tells what became of the requests on it.
    pub(crate) fn send(&self, connection: ConnectionNumber, message: Vec<u8>) {
        let lines = self.lines.borrow();
        let Some(line) = lines.get(&connection) else { return };
        let transfer = self.next_transfer.replace(self.next_transfer.get() + 1);
        let frames = cut(message, transfer).unwrap_or_default();
        if frames.is_empty() || frames.into_iter().any(|frame| line.outbox.try_push(frame).is_err())
        {
            line.kick.cancel();
        }
    }

    /// Carries out what concerns connections and calls only; gives back the rest.
    pub(crate) fn carry_out(&self, effect: Effect<Rc<Reply>>) -> Option<Effect<Rc<Reply>>> {
        match effect {
            Effect::Send { connection, frame } => self.send(connection, frame),
            Effect::Close { connection } => self.kick(connection),
            Effect::Settle { ticket, answer } => ticket.settle(answer),
            other => return Some(other),
        }
        None
    }
}
