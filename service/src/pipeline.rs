//! One call from its request to its outcome: admission, then its turn, its browser, its tool.

mod admission;
mod outcome;
pub(crate) mod refusal;

pub(crate) use admission::Exit;
pub(crate) use outcome::render;
use outcome::with_dialog;

use crate::audit::{Event, Record};
use crate::browser::errand::{Errand, Warrant};
use crate::browser::tabs::SharedRecord;
use crate::engine::Engine;
use crate::hold::Epoch;
use crate::lanes::Lease;
use crate::scheduler::Key;
use crate::tab::OwnedTab;
use crate::tool::{Call, Failure, Lane, Reply, Target, Tool};
use crate::topology::{Group, Topology};
use crate::work::{CancelToken, ProgressSink, Work};
use crate::workspace::{StreamNumber, WorkspaceNumber};
use async_io::Timer;
use futures_lite::future::FutureExt as _;
use ghostlight_transport::bridge::{Disposition, Outcome, Start};
use ghostlight_transport::handle::WorkspaceId;
use serde_json::{Map, Value};
use std::panic::AssertUnwindSafe;
use std::rc::Rc;
use std::time::Instant;

/// One call on its way through the steps. Each step reads what earlier ones left here.
pub(crate) struct Passage {
    engine: Rc<Engine>,
    stream: StreamNumber,
    start: Box<Start>,
    born: Instant,
    audit_id: String,
    tool: Option<&'static Tool>,
    arguments: Map<String, Value>,
    /// Pins the workspace.
    workspace: Option<Pin>,
    tab: Option<(i64, SharedRecord)>,
    /// The browser, as far as known; 0 before a browser is chosen.
    slot: u32,
    effect: bool,
    work: Rc<Work>,
    lease: Option<Lease>,
    errand: Option<Errand>,
}

/// Keeps the workspace alive while a call is in it.
struct Pin {
    engine: Rc<Engine>,
    number: WorkspaceNumber,
    /// Named in the answer of a tool that creates workspaces.
    handle: Option<WorkspaceId>,
}

impl Drop for Pin {
    fn drop(&mut self) {
        self.engine.call_ended(self.number);
        self.engine.settle_workspaces();
        self.engine.await_expiry();
    }
}

type Ends = Result<Reply, Failure>;

impl Passage {
    pub(crate) fn new(
        engine: Rc<Engine>,
        stream: StreamNumber,
        start: Box<Start>,
        cancel: CancelToken,
        progress: Option<ProgressSink>,
    ) -> Self {
        let (audit_id, born) = (engine.audit.id(), Instant::now());
        let work = Rc::new(Work::new(cancel, born + engine.bounds.answer, progress));
        Self {
            engine,
            stream,
            start,
            born,
            audit_id,
            tool: None,
            arguments: Map::new(),
            workspace: None,
            tab: None,
            slot: 0,
            effect: false,
            work,
            lease: None,
            errand: None,
        }
    }

    pub(crate) fn workspace_to_name(&self) -> Option<WorkspaceId> {
        self.workspace.as_ref()?.handle.clone()
    }

    pub(crate) fn work(&self) -> Rc<Work> {
        Rc::clone(&self.work)
    }

    /// Everything after admission. While the end of an effect is not known, the lease stays with the
    /// passage until [`Passage::settle`].
    pub(crate) async fn run(&mut self) -> Outcome {
        let ends = self.pass().await;
        if self.errand.as_ref().is_none_or(Errand::is_settled) {
            // A caller that does not read its answer keeps nobody else waiting.
            self.lease = None;
        }
        let ends = match self.tab.as_ref().and_then(|(_, tab)| tab.borrow().facts.dialog.clone()) {
            Some(dialog) => with_dialog(ends, &dialog, self.origin()),
            None => ends,
        };
        let ends = ends.and_then(|reply| {
            let (tool, origin) = (self.name(), self.origin());
            self.engine.authority.permits_landing(tool, &origin)?;
            Ok(reply)
        });
        let outcome = render(ends);
        self.record_terminal(outcome.disposition, None).await;
        outcome
    }

    /// What admission ended is recorded like everything else.
    pub(crate) async fn refuse(&mut self, failure: Failure, reason: &'static str) -> Outcome {
        self.record_terminal(failure.disposition, Some(reason)).await;
        render(Err(failure))
    }

    /// After the answer: waits until every effect is known, then lets the next one act.
    pub(crate) async fn settle(&mut self) {
        if let Some(errand) = self.errand.take() {
            errand.settle(self.born + self.engine.bounds.settlement).await;
        }
        self.lease = None;
    }

    /// The call took too long for its caller, or for anybody.
    pub(crate) async fn give_up(&mut self) {
        let outcome = if self.work.may_have_sent() {
            Disposition::OutcomeUnknown
        } else {
            Disposition::ToolFailure
        };
        self.record_terminal(outcome, Some("not settled")).await;
    }

    async fn pass(&mut self) -> Ends {
        let tool = self.tool.ok_or_else(|| Failure::not_dispatched(refusal::UNKNOWN_TOOL))?;
        self.lease(tool.lane).await?;
        let mut epoch = self.epoch()?;
        let origin = self.origin();
        self.engine.authority.permits(tool.name, &origin)?;
        let work = self.begin_work();
        if tool.lane == Lane::Local {
            return self.dispatch(tool, Target::None).await;
        }
        if let Some(slot) = self.browser_there().await? {
            self.slot = slot;
            epoch = self.epoch()?;
        } else if self.tab.is_none() {
            epoch = self.engine.hold.borrow().in_present_run(self.slot, epoch);
        }
        self.record_intent().await?;
        self.final_check(epoch)?;
        let target = self.target(tool.lane, epoch, work)?;
        self.dispatch(tool, target).await
    }

    /// The tool's time begins with its turn, and ends with its caller's at the latest.
    fn begin_work(&self) -> Rc<Work> {
        let answer = self.born + self.engine.bounds.answer;
        self.work.end_by(answer.min(Instant::now() + self.engine.bounds.tool));
        Rc::clone(&self.work)
    }

    async fn lease(&mut self, lane: Lane) -> Result<(), Failure> {
        let Some(workspace) = self.workspace.as_ref().map(|pin| pin.number) else { return Ok(()) };
        let slot = self.slot;
        let key = match (lane, &self.tab) {
            (Lane::Surface, Some((native, _))) => Key::Surface { slot, native: *native },
            (Lane::Browser, _) => Key::Browser { slot },
            (Lane::Topology, _) => Key::Topology { slot, workspace },
            (Lane::Surface, None) | (Lane::Local | Lane::Beside, _) => return Ok(()),
        };
        let granted =
            async { self.engine.lanes.lease(key, workspace).await.map_err(refusal::queue) };
        let cancelled = async {
            self.work.cancel.cancelled().await;
            Err(refusal::cancelled())
        };
        let lease = granted.or(cancelled).await?;
        self.lease = Some(lease);
        Ok(())
    }

    fn epoch(&self) -> Result<Epoch, Failure> {
        self.engine.hold.borrow().admits(self.slot).map_err(refusal::held)
    }

    /// Waits a bounded time for the browser; gives the slot when one had to be chosen.
    async fn browser_there(&self) -> Result<Option<u32>, Failure> {
        let (browsers, bounds) = (&self.engine.browsers, &self.engine.bounds);
        let until = Instant::now() + bounds.browser_wait;
        loop {
            let changed = browsers.changed.rung();
            if self.slot != 0 && browsers.routes.borrow().connected(self.slot) {
                return Ok(None);
            }
            if self.tab.is_none() {
                let mut routes = browsers.routes.borrow_mut();
                let number = self.workspace.as_ref().map(|pin| pin.number);
                let bound = number.map(|number| routes.bind(number, self.wanted_browser()));
                let slot = bound.transpose().map_err(|why| refusal::unchosen(&why))?.flatten();
                if let Some(slot) = slot.filter(|slot| routes.connected(*slot)) {
                    return Ok(Some(slot));
                }
            }
            if !self.engine.browser_may_come() {
                return Err(refusal::no_browser_yet());
            }
            let late = async {
                Timer::at(until).await;
                Err(refusal::browser_away(&browsers.routes.borrow().others(self.slot)))
            };
            let cancelled = async {
                self.work.cancel.cancelled().await;
                Err(refusal::cancelled())
            };
            let changed = async {
                changed.await;
                Ok(())
            };
            changed.or(cancelled).or(late).await?;
        }
    }

    /// Of a call that may choose its workspace's browser.
    fn wanted_browser(&self) -> Option<&str> {
        self.arguments.get("browser").and_then(Value::as_str)
    }

    /// Nothing may have changed between the promise and the deed.
    fn final_check(&self, epoch: Epoch) -> Result<(), Failure> {
        if self.work.cancel.is_cancelled() {
            return Err(refusal::cancelled());
        }
        self.engine.hold.borrow().still_admits(self.slot, epoch).map_err(refusal::held)?;
        match &self.tab {
            Some((_, record)) if record.borrow().is_gone() => Err(refusal::unknown_tab()),
            _ => Ok(()),
        }
    }

    fn target(&mut self, lane: Lane, epoch: Epoch, work: Rc<Work>) -> Result<Target, Failure> {
        let Some(pin) = &self.workspace else { return Ok(Target::None) };
        let (slot, workspace) = (self.slot, pin.number);
        let warrant = Warrant { slot, workspace, epoch };
        let errand = Errand::new(Rc::clone(&self.engine), warrant, Rc::clone(&work));
        self.errand = Some(errand.clone());
        let wire = Rc::new(errand);
        if lane == Lane::Topology {
            let group = self.group(workspace);
            let label = self.engine.browsers.routes.borrow().label(slot);
            let identity = (i64::try_from(workspace.0).unwrap_or(i64::MAX), label);
            return Ok(Target::Workspace(Topology::new(wire, work, group, identity)));
        }
        let (_, record) = self.tab.as_ref().ok_or_else(refusal::unknown_tab)?;
        Ok(Target::Tab(OwnedTab::new(wire, work, Rc::clone(record))))
    }

    fn group(&self, workspace: WorkspaceNumber) -> Group {
        const COLORS: [&str; 8] =
            ["blue", "purple", "cyan", "green", "orange", "pink", "yellow", "red"];
        let client = self.start.context.client.as_ref().map(|client| client.name.trim());
        // The tab strip cuts long titles: what tells one agent from another comes first.
        let title = match client {
            Some(name) if !name.is_empty() => format!("{name} (Ghostlight)"),
            _ => "Ghostlight".into(),
        };
        let color = COLORS[usize::try_from(workspace.0).unwrap_or(0) % COLORS.len()];
        Group { title, color: color.into() }
    }

    /// From here on the call drains whatever happens to its caller.
    async fn dispatch(&mut self, tool: &'static Tool, target: Target) -> Ends {
        let arguments = std::mem::take(&mut self.arguments);
        let run = AssertUnwindSafe((tool.run)(Call { arguments, target }));
        match run.catch_unwind().await {
            Ok(ends) => ends,
            Err(_) => {
                self.engine.log.log(format_args!("the tool {} panicked", tool.name));
                Err(refusal::internal(self.work.may_have_sent()))
            }
        }
    }

    async fn record_intent(&self) -> Result<(), Failure> {
        if !self.effect {
            return Ok(());
        }
        let host = self.host();
        let record = Record { host: host.as_deref(), ..self.record(Event::Intent) };
        let Err(unwritten) = self.engine.audit.write_first(&record).await else { return Ok(()) };
        if !self.engine.audit.may_proceed() {
            return Err(refusal::audit_unwritten());
        }
        self.engine.log.log(format_args!("{unwritten}; {} goes on without it", self.name()));
        Ok(())
    }

    async fn record_terminal(&self, outcome: Disposition, reason: Option<&str>) {
        let host = self.host();
        let record = Record {
            host: host.as_deref(),
            outcome: Some(outcome),
            answered: self.work.was_told(),
            reason,
            duration_ms: u64::try_from(self.born.elapsed().as_millis()).ok(),
            ..self.record(Event::Terminal)
        };
        self.engine.audit.write(&record).await;
    }

    fn record(&self, event: Event) -> Record<'_> {
        Record {
            client: self.start.context.client.as_ref().map(|client| client.name.as_str()),
            tool: self.name(),
            workspace: self.workspace.as_ref().map(|pin| pin.number.0),
            browser: Some(self.slot).filter(|slot| *slot != 0),
            ..Record::new(event, &self.audit_id)
        }
    }

    /// The catalog's name: a caller's own words do not enter the audit.
    fn name(&self) -> &'static str {
        self.tool.map_or("", |tool| tool.name)
    }

    fn origin(&self) -> String {
        let record = self.tab.as_ref().map(|(_, record)| record.borrow());
        record.map(|record| record.facts.doc.origin.clone()).unwrap_or_default()
    }

    fn host(&self) -> Option<String> {
        let origin = self.origin();
        let (_, host) = origin.split_once("://")?;
        Some(host.to_owned()).filter(|host| !host.is_empty())
    }
}
