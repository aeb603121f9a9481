//! One admitted stream of an edge, or of the command line: what it asks, and its running calls.

mod call;

use crate::activity::{Ending, What};
use crate::crew::within;
use crate::engine::Engine;
use crate::pipeline::refusal;
use crate::work::CancelToken;
use crate::workspace::{Full, StreamNumber};
use futures_lite::future::FutureExt as _;
use ghostlight_transport::bridge::{
    Context, FromEdge, FromService, Rejection, RejectionKind, Sequence, Start, WorkId,
};
use ghostlight_transport::handle::WorkspaceId;
use ghostlight_transport::limits::{
    ACTIVE_WORKS, DRAIN_FLUSH, FRAME_STEP, OUTBOX_BYTES, OUTBOX_FRAMES, QUEUED_BYTES,
};
use ghostlight_transport::link::Link;
use ghostlight_transport::outbox::{NotPushed, Outbox, pump};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Instant;

pub(crate) struct Stream {
    number: StreamNumber,
    /// Of the command line: may ask for the status and for the end, and for nothing else.
    control: bool,
    outbox: Outbox,
    /// Calls that have started and not settled.
    works: RefCell<BTreeMap<WorkId, CancelToken>>,
    next_work: Cell<WorkId>,
}

/// What a frame asks for at once.
enum Asked {
    Nothing,
    Reply(FromService),
    /// Not in the vocabulary of this peer: it is not one of our programs, or broken.
    Malformed,
}

pub(crate) async fn serve(engine: Rc<Engine>, mut link: Link, control: bool) {
    let (outbox, frames) = Outbox::new(OUTBOX_FRAMES, OUTBOX_BYTES);
    let writing = engine.executor.spawn(pump(frames, link.writer));
    let number = engine.next_stream.replace(engine.next_stream.get() + 1);
    let works = RefCell::default();
    let next_work = Cell::new(1);
    let stream = Rc::new(Stream { number, control, outbox, works, next_work });
    let counted = (!control).then(|| engine.activity.count(What::Edge));
    let kick = CancelToken::default();
    engine.activity.open_stream(number, kick.clone(), stream.outbox.clone());
    loop {
        let kicked = async {
            kick.cancelled().await;
            Ok(None)
        };
        let Ok(Some(frame)) = kicked.or(link.reader.next()).await else { break };
        match stream.take(&engine, &frame) {
            Asked::Nothing => {}
            // While its queue is full, the stream is not read.
            Asked::Reply(reply) => stream.deliver(&engine, &reply).await,
            Asked::Malformed => {
                engine.log.log("a peer sent what is not in its vocabulary and was cut off");
                break;
            }
        }
    }
    engine.activity.close_stream(number);
    stream.end(&engine);
    stream.outbox.close();
    drop(counted);
    // The peer may be gone: that is how most streams end.
    within(DRAIN_FLUSH, async { drop(writing.await) }).await;
}

impl Stream {
    fn take(self: &Rc<Self>, engine: &Rc<Engine>, frame: &[u8]) -> Asked {
        let Ok(message) = serde_json::from_slice::<FromEdge>(frame) else {
            return Asked::Malformed;
        };
        match (message, self.control) {
            (FromEdge::Status { sequence }, true) => {
                Asked::Reply(FromService::Status { sequence, status: engine.status() })
            }
            (FromEdge::Stop { sequence }, true) => {
                engine.activity.end(Ending::Asked);
                Asked::Reply(FromService::Stopping { sequence })
            }
            (FromEdge::OpenWorkspace { sequence, workspace, context }, false) => {
                Asked::Reply(self.open_workspace(engine, sequence, workspace, &context))
            }
            (FromEdge::ReleaseWorkspace { sequence, workspace }, false) => {
                engine.workspaces.borrow_mut().release(&workspace);
                engine.settle_workspaces();
                Asked::Reply(FromService::WorkspaceReleased { sequence })
            }
            (FromEdge::Catalog { sequence, context }, false) => {
                Asked::Reply(catalog(engine, sequence, &context))
            }
            (FromEdge::Start(start), false) => self.start(engine, start),
            (FromEdge::Cancel { work }, false) => {
                if let Some(token) = self.works.borrow().get(&work) {
                    token.cancel();
                }
                Asked::Nothing
            }
            _ => Asked::Malformed,
        }
    }

    fn open_workspace(
        &self,
        engine: &Engine,
        sequence: Sequence,
        former: Option<WorkspaceId>,
        context: &Context,
    ) -> FromService {
        if context.restriction.is_some() {
            return rejected(sequence, RejectionKind::Restriction, refusal::RESTRICTION);
        }
        let now = Instant::now();
        let mut workspaces = engine.workspaces.borrow_mut();
        if let Some(workspace) = former
            && workspaces.attach(&workspace, self.number, now)
        {
            return FromService::WorkspaceOpened { sequence, workspace };
        }
        let mut entropy = [0; 16];
        if getrandom::fill(&mut entropy).is_err() {
            return rejected(sequence, RejectionKind::Unavailable, refusal::NO_ENTROPY);
        }
        let minted = workspaces.mint(entropy, self.number, now);
        if let Ok((workspace, _)) = &minted {
            workspaces.attach(workspace, self.number, now);
        }
        drop(workspaces);
        engine.settle_workspaces();
        match minted {
            Ok((workspace, _)) => FromService::WorkspaceOpened { sequence, workspace },
            Err(Full::Stream) => rejected(sequence, RejectionKind::Busy, refusal::STREAM_FULL),
            Err(Full::Service) => rejected(sequence, RejectionKind::Busy, refusal::SERVICE_FULL),
        }
    }

    fn start(self: &Rc<Self>, engine: &Rc<Engine>, start: Box<Start>) -> Asked {
        let sequence = start.sequence;
        if engine.activity.ending().is_some() {
            let ending = rejected(sequence, RejectionKind::Unavailable, refusal::ENDING);
            return Asked::Reply(ending);
        }
        if self.works.borrow().len() >= ACTIVE_WORKS {
            let busy = rejected(sequence, RejectionKind::Busy, refusal::TOO_MANY_CALLS);
            return Asked::Reply(busy);
        }
        let work = self.next_work.replace(self.next_work.get() + 1);
        let cancel = CancelToken::default();
        self.works.borrow_mut().insert(work, cancel.clone());
        let call = call::Accepted { stream: Rc::clone(self), work, cancel };
        engine.crew.employ(call.run(Rc::clone(engine), start));
        Asked::Nothing
    }

    /// Waits for room. A stream that is gone takes everything and keeps nothing.
    async fn deliver(&self, engine: &Engine, message: &FromService) {
        let Ok(mut frame) = serde_json::to_vec(message) else { return };
        if frame.len() > FRAME_STEP && engine.queued_bytes() + frame.len() > QUEUED_BYTES {
            engine.log.log("too much waits for peers that do not read: the slowest is cut off");
            engine.activity.kick_fullest();
        }
        while let Err(NotPushed::Full(back)) = self.outbox.try_push(frame) {
            self.outbox.room().await;
            frame = back;
        }
    }

    /// The peer is gone: what waits is cancelled, what was sent drains by itself.
    fn end(&self, engine: &Engine) {
        for token in self.works.borrow().values() {
            token.cancel();
        }
        engine.workspaces.borrow_mut().detach(self.number, Instant::now());
        engine.await_expiry();
    }
}

fn catalog(engine: &Engine, sequence: Sequence, context: &Context) -> FromService {
    match context.restriction {
        Some(_) => rejected(sequence, RejectionKind::Restriction, refusal::RESTRICTION),
        None => FromService::Catalog { sequence, projection: engine.catalog.projection() },
    }
}

fn rejected(sequence: Sequence, kind: RejectionKind, message: &str) -> FromService {
    FromService::Rejected { sequence, rejection: Rejection { kind, message: message.into() } }
}
