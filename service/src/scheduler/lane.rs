//! One key's queue: the active ticket, and those that wait, turn by turn across workspaces.

use super::Ticket;
use crate::workspace::WorkspaceNumber;
use std::collections::VecDeque;
use std::time::Instant;

#[derive(Debug, Default)]
pub(super) struct Lane {
    active: Option<Ticket>,
    /// In the order of turns; none of the queues is empty.
    turns: VecDeque<(WorkspaceNumber, VecDeque<Waiting>)>,
    waiting: usize,
}

#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) ticket: Ticket,
    pub(super) until: Instant,
}

impl Lane {
    pub(super) fn push(&mut self, workspace: WorkspaceNumber, waiting: Waiting) {
        self.waiting += 1;
        match self.turns.iter_mut().find(|(of, _)| *of == workspace) {
            Some((_, queue)) => queue.push_back(waiting),
            None => self.turns.push_back((workspace, VecDeque::from([waiting]))),
        }
    }

    /// The next one becomes active, if none is.
    pub(super) fn start(&mut self) -> Option<(WorkspaceNumber, Ticket)> {
        if self.active.is_some() {
            return None;
        }
        let (workspace, mut queue) = self.turns.pop_front()?;
        let first = queue.pop_front()?;
        if !queue.is_empty() {
            self.turns.push_back((workspace, queue));
        }
        self.waiting -= 1;
        self.active = Some(first.ticket);
        Some((workspace, first.ticket))
    }

    /// Takes the ticket out; its workspace if it was still waiting.
    pub(super) fn remove(&mut self, ticket: Ticket) -> Option<WorkspaceNumber> {
        if self.active == Some(ticket) {
            self.active = None;
            return None;
        }
        self.drain(|_, waiting| waiting.ticket == ticket).pop().map(|(workspace, _)| workspace)
    }

    pub(super) fn drain(
        &mut self,
        mut goes: impl FnMut(WorkspaceNumber, &Waiting) -> bool,
    ) -> Vec<(WorkspaceNumber, Ticket)> {
        let mut gone = Vec::new();
        for (workspace, queue) in &mut self.turns {
            queue.retain(|waiting| {
                let goes = goes(*workspace, waiting);
                if goes {
                    gone.push((*workspace, waiting.ticket));
                }
                !goes
            });
        }
        self.turns.retain(|(_, queue)| !queue.is_empty());
        self.waiting -= gone.len();
        gone
    }

    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }

    pub(super) fn is_active(&self) -> bool {
        self.active.is_some()
    }

    pub(super) fn could_start(&self) -> bool {
        self.active.is_none() && self.waiting > 0
    }

    pub(super) fn is_empty(&self) -> bool {
        self.active.is_none() && self.waiting == 0
    }
}
