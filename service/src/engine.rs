//! Everything one service holds, in one place, for the futures that work with it.

use crate::activity::{Activity, What};
use crate::audit::{Audit, Event, Record};
use crate::authority::Authority;
use crate::bounds::Bounds;
use crate::browser::links::Links;
use crate::browser::reply::Reply;
use crate::browser::route::{Effect, Effects, Routes, to_frame};
use crate::catalog::Catalog;
use crate::crew::Crew;
use crate::hold::Hold;
use crate::lanes::Lanes;
use crate::page;
use crate::scheduler::{Retired, Scope};
use crate::tool::Tool;
use crate::workspace::{Registry, WorkspaceNumber};
use async_executor::LocalExecutor;
use ghostlight_transport::bridge::{BRIDGE_MAJOR, BRIDGE_MINOR, Status};
use ghostlight_transport::browser_wire::{Agent, Latch, PROTO, ToExtension, Version};
use ghostlight_transport::place::Place;
use ghostlight_transport::stderr::Stderr;
use rustix::fs::OFlags;
use std::cell::{Cell, RefCell};
use std::fmt::{self, Write as _};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

/// In the state directory once a browser has been there.
const MET: &str = "browser-met";

pub(crate) struct Engine {
    pub(crate) executor: Rc<LocalExecutor<'static>>,
    pub(crate) crew: Crew,
    pub(crate) log: Stderr,
    pub(crate) bounds: Bounds,
    pub(crate) catalog: Catalog,
    pub(crate) authority: Authority,
    pub(crate) workspaces: RefCell<Registry>,
    pub(crate) lanes: Rc<Lanes>,
    pub(crate) hold: RefCell<Hold>,
    pub(crate) browsers: Links,
    pub(crate) audit: Audit,
    pub(crate) activity: Rc<Activity>,
    pub(crate) next_stream: Cell<u64>,
    /// A timer runs for the next workspace to expire.
    pub(crate) expiring: Cell<bool>,
    agent_hash: String,
    place: Arc<Place>,
    /// A browser has said hello, in this life or in an earlier one.
    met: Cell<bool>,
    born: Instant,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("place", &self.place).finish_non_exhaustive()
    }
}

impl Engine {
    pub(crate) fn new(
        executor: Rc<LocalExecutor<'static>>,
        place: Arc<Place>,
        bounds: Bounds,
        tools: &'static [Tool],
        log: Stderr,
    ) -> Result<Self, String> {
        let catalog = Catalog::new(tools).map_err(|fault| fault.to_string())?;
        let no_entropy = |fault| format!("the system has no entropy: {fault}");
        let (mut life, mut trail) = ([0; 6], [0; 6]);
        getrandom::fill(&mut life).map_err(no_entropy)?;
        getrandom::fill(&mut trail).map_err(no_entropy)?;
        Ok(Self {
            crew: Crew::new(Rc::clone(&executor), log.clone()),
            executor,
            log,
            bounds,
            catalog,
            authority: Authority::default(),
            workspaces: RefCell::new(Registry::new(bounds.workspace_idle, bounds.workspace_empty)),
            lanes: Rc::new(Lanes::new(bounds.queue)),
            hold: RefCell::default(),
            browsers: Links::new(Routes::new(hex(&life), Box::new(mint_key))),
            audit: Audit::new(Arc::clone(&place), trail),
            activity: Rc::default(),
            next_stream: Cell::new(1),
            expiring: Cell::new(false),
            agent_hash: page::hash(),
            met: Cell::new(place.open_file(MET, OFlags::RDONLY).is_ok()),
            place,
            born: Instant::now(),
        })
    }

    /// In order: a waiting call never hears of a decision before it holds.
    pub(crate) fn carry_out(&self, effects: Effects<Rc<Reply>>) {
        let mut tabs_went = false;
        for effect in effects {
            match self.browsers.carry_out(effect) {
                Some(Effect::Welcome { connection }) => self.welcome(connection),
                Some(Effect::Latch { slot, latch, moved }) => self.latched(slot, latch, moved),
                Some(Effect::RunEnded { slot }) => {
                    self.hold.borrow_mut().end_epoch(slot);
                    self.lanes.retire(Scope::Browser { slot }, Retired::BrowserGone);
                }
                Some(Effect::TabGone { slot, native }) => {
                    self.lanes.retire(Scope::Surface { slot, native }, Retired::TabGone);
                    tabs_went = true;
                }
                Some(Effect::Adopted { slot, workspace, host }) => {
                    self.workspaces.borrow_mut().filled(workspace);
                    let id = self.audit.id();
                    let host = Some(host.as_str()).filter(|host| !host.is_empty());
                    let (workspace, browser) = (Some(workspace.0), Some(slot));
                    let record = Record::new(Event::Adopted, &id);
                    self.audit.note(&Record { workspace, browser, host, ..record });
                }
                _ => {}
            }
        }
        if tabs_went {
            self.tabs_went();
        }
    }

    /// A workspace that has lost its last tab ends early.
    fn tabs_went(&self) {
        let emptied = self.browsers.routes.borrow_mut().take_emptied();
        for workspace in emptied {
            self.workspaces.borrow_mut().emptied(workspace, Instant::now());
            self.activity.changed();
        }
    }

    /// A call of the workspace ended; it may have closed its last tab and opened another.
    pub(crate) fn call_ended(&self, workspace: WorkspaceNumber) {
        let mut workspaces = self.workspaces.borrow_mut();
        workspaces.end(workspace, Instant::now());
        if self.browsers.routes.try_borrow().is_ok_and(|routes| routes.owns_any(workspace)) {
            workspaces.filled(workspace);
        }
    }

    /// Whether waiting for a browser makes sense. After a crash the connectors of running browsers
    /// are back within their own waiting time.
    pub(crate) fn browser_may_come(&self) -> bool {
        self.browsers.routes.borrow().any_known()
            || self.browsers.any_arriving()
            || self.met.get() && self.born.elapsed() < self.bounds.browser_wait
    }

    fn welcome(&self, connection: u64) {
        if !self.met.replace(true) {
            // Without the mark the next life only answers sooner.
            let _ = self.place.open_file(MET, OFlags::WRONLY | OFlags::CREATE);
        }
        let svc = Version { version: env!("CARGO_PKG_VERSION") };
        let agent = Agent { hash: &self.agent_hash, parts: page::PARTS };
        let welcome = ToExtension::Welcome { proto: PROTO, svc, connection, agent };
        self.browsers.send(connection, to_frame(&welcome));
    }

    fn latched(&self, slot: u32, latch: Latch, moved: Option<(String, String)>) {
        if self.hold.borrow_mut().set(slot, latch) {
            self.lanes.retire(Scope::Browser { slot }, Retired::Held);
        }
        if let Some((what, _)) = moved {
            let id = self.audit.id();
            let record = Record::new(Event::Control, &id);
            self.audit.note(&Record { browser: Some(slot), reason: Some(&what), ..record });
        }
    }

    /// What ended with its workspace ends too. Called after everything that may end one.
    pub(crate) fn settle_workspaces(&self) {
        let ended = self.workspaces.borrow_mut().take_ended();
        for workspace in ended {
            self.lanes.retire(Scope::Workspace(workspace), Retired::WorkspaceEnded);
            let effects = self.browsers.routes.borrow_mut().end_workspace(workspace);
            self.carry_out(effects);
        }
    }

    /// Somebody waits for the end of the next idle workspace, also when there was none until now.
    pub(crate) fn await_expiry(&self) {
        if !self.expiring.get() && self.workspaces.borrow().deadline().is_some() {
            self.activity.changed();
        }
    }

    /// Whether a service without anything to do may end.
    pub(crate) fn is_idle(&self) -> bool {
        self.activity.load() == 0 && self.browsers.len() == 0
    }

    /// Waiting for the sockets of all peers.
    pub(crate) fn queued_bytes(&self) -> usize {
        self.browsers.queued_bytes() + self.activity.queued_bytes()
    }

    pub(crate) fn status(&self) -> Status {
        let hold = self.hold.borrow();
        let routes = self.browsers.routes.borrow();
        Status {
            version: env!("CARGO_PKG_VERSION").into(),
            bridge: (BRIDGE_MAJOR, BRIDGE_MINOR),
            instance: self.place.instance().as_str().into(),
            pid: std::process::id(),
            uptime_seconds: self.born.elapsed().as_secs(),
            live_edges: self.activity.of(What::Edge),
            workspaces: self.workspaces.borrow().len(),
            active_works: self.activity.of(What::Working),
            settling_works: self.activity.of(What::Settling),
            waiting: self.lanes.waiting(),
            queued_bytes: self.queued_bytes(),
            protocol_errors: routes.protocol_errors(),
            audit_errors: self.audit.errors(),
            audit_failing: self.audit.is_failing(),
            browsers: routes.status(|slot| hold.latch(slot)),
        }
    }
}

fn mint_key() -> Option<String> {
    let mut bits = [0; 16];
    getrandom::fill(&mut bits).ok()?;
    Some(hex(&bits))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
