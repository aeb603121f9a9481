//! The steps before a call waits for anything, in their order.

use super::{Passage, Pin, refusal};
use crate::arguments;
use crate::browser::route::Unchosen;
use crate::tool::{Failure, Lane};
use crate::workspace::Full;
use ghostlight_transport::bridge::{Rejection, RejectionKind, WorkspaceUse};
use serde_json::value::RawValue;
use std::rc::Rc;
use std::time::Instant;

/// Why a call ends before its turn.
#[derive(Debug)]
pub(crate) enum Exit {
    /// It never started.
    Rejected(Rejection, &'static str),
    /// It started, and this is its end.
    Ended(Failure, &'static str),
}

type Step = fn(&mut Passage) -> Result<(), Exit>;

const STEPS: &[Step] = &[
    not_cancelled,
    tool_known,
    unrestricted,
    arguments_valid,
    workspace_known,
    tab_owned,
    not_held,
    nothing_needs_attention,
];

impl Passage {
    pub(crate) fn admit(&mut self) -> Result<(), Exit> {
        STEPS.iter().try_for_each(|step| step(self))
    }
}

fn not_cancelled(passage: &mut Passage) -> Result<(), Exit> {
    if passage.work.cancel.is_cancelled() {
        return Err(Exit::Ended(refusal::cancelled(), "cancelled"));
    }
    Ok(())
}

fn tool_known(passage: &mut Passage) -> Result<(), Exit> {
    match passage.engine.catalog.find(&passage.start.operation) {
        Some(row) => {
            passage.tool = Some(row.tool);
            Ok(())
        }
        None => {
            Err(rejected(RejectionKind::UnknownOperation, refusal::UNKNOWN_TOOL, "unknown tool"))
        }
    }
}

/// Policy does not exist yet. What asks for less than everything must not get everything.
fn unrestricted(passage: &mut Passage) -> Result<(), Exit> {
    match passage.start.context.restriction {
        None => Ok(()),
        Some(_) => Err(rejected(RejectionKind::Restriction, refusal::RESTRICTION, "restriction")),
    }
}

fn arguments_valid(passage: &mut Passage) -> Result<(), Exit> {
    let Some(row) = passage.engine.catalog.find(&passage.start.operation) else { return Ok(()) };
    let parsed = arguments::parse(&row.arguments, passage.start.arguments.get());
    let members = parsed.map_err(|violation| {
        Exit::Ended(refusal::arguments(row.tool, &violation), "invalid arguments")
    })?;
    passage.effect = (row.tool.effect)(&members);
    // Parsed once; the text may be megabytes.
    passage.start.arguments = RawValue::NULL.to_owned();
    passage.arguments = members;
    Ok(())
}

fn workspace_known(passage: &mut Passage) -> Result<(), Exit> {
    let Some(tool) = passage.tool else { return Ok(()) };
    let engine = Rc::clone(&passage.engine);
    let now = Instant::now();
    let invalid =
        || rejected(RejectionKind::InvalidWorkspace, refusal::INVALID_WORKSPACE, "workspace");
    let (number, handle) = match (tool.workspace, &passage.start.workspace) {
        (WorkspaceUse::Independent, _) => return Ok(()),
        (WorkspaceUse::Uses | WorkspaceUse::Creates, Some(handle)) => {
            let number = engine.workspaces.borrow_mut().find(handle, now).ok_or_else(invalid);
            (number, Some(handle.clone()))
        }
        (WorkspaceUse::Uses, None) => (Err(invalid()), None),
        (WorkspaceUse::Creates, None) => {
            // Nothing is made for a call that has to ask first.
            let choice = engine.browsers.routes.borrow().choice(None, passage.wanted_browser());
            choice.map_err(unchosen)?;
            let (handle, number) = mint(passage, now)?;
            (Ok(number), Some(handle))
        }
    };
    // Looking up may have ended others that were idle for too long.
    engine.settle_workspaces();
    let number = number?;
    engine.workspaces.borrow_mut().begin(number, now);
    let handle = handle.filter(|_| tool.workspace == WorkspaceUse::Creates);
    passage.work.use_images(engine.workspaces.borrow_mut().images(number));
    passage.workspace = Some(Pin { engine: Rc::clone(&engine), number, handle });
    if tool.lane == Lane::Topology {
        let wanted = passage.wanted_browser();
        let bound = engine.browsers.routes.borrow_mut().bind(number, wanted);
        passage.slot = bound.map_err(unchosen)?.unwrap_or(0);
    }
    Ok(())
}

fn unchosen(why: Unchosen) -> Exit {
    Exit::Ended(refusal::unchosen(&why), "browser not chosen")
}

type Minted = (ghostlight_transport::handle::WorkspaceId, crate::workspace::WorkspaceNumber);

fn mint(passage: &Passage, now: Instant) -> Result<Minted, Exit> {
    let mut entropy = [0; 16];
    let busy = |text| rejected(RejectionKind::Busy, text, "no room for a workspace");
    getrandom::fill(&mut entropy).map_err(|_| busy(refusal::NO_ENTROPY))?;
    let minted = passage.engine.workspaces.borrow_mut().mint(entropy, passage.stream, now);
    minted.map_err(|full| {
        busy(match full {
            Full::Stream => refusal::STREAM_FULL,
            Full::Service => refusal::SERVICE_FULL,
        })
    })
}

/// Every value that is not an owned tab's number has the same answer, before anybody else hears of it.
fn tab_owned(passage: &mut Passage) -> Result<(), Exit> {
    let Some(tool) = passage.tool else { return Ok(()) };
    if matches!(tool.lane, Lane::Local | Lane::Topology) {
        return Ok(());
    }
    let unknown = || Exit::Ended(refusal::unknown_tab(), "unowned tab");
    let pin = passage.workspace.as_ref().ok_or_else(unknown)?;
    let id = passage.arguments.get("tabId").and_then(arguments::integral).ok_or_else(unknown)?;
    let (slot, native) = (u32::try_from(id >> 32).unwrap_or(0), id & i64::from(u32::MAX));
    let routes = passage.engine.browsers.routes.borrow();
    let record = routes.owned(slot, pin.number, native).ok_or_else(unknown)?;
    drop(routes);
    passage.slot = slot;
    passage.tab = Some((native, record));
    Ok(())
}

fn not_held(passage: &mut Passage) -> Result<(), Exit> {
    let admitted = passage.engine.hold.borrow().admits(passage.slot);
    admitted.map(|_| ()).map_err(|held| Exit::Ended(refusal::held(held), "held"))
}

/// No rule asks for the person's attention yet.
fn nothing_needs_attention(_passage: &mut Passage) -> Result<(), Exit> {
    Ok(())
}

fn rejected(kind: RejectionKind, message: &str, reason: &'static str) -> Exit {
    Exit::Rejected(Rejection { kind, message: message.into() }, reason)
}
