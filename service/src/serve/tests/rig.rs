//! The service under test, and its two kinds of peers.

use super::scripts::SCRIPTS;
use crate::bounds::Bounds;
use crate::serve::{Served, serve};
use async_executor::{LocalExecutor, Task};
use async_io::Timer;
use futures_lite::future::FutureExt as _;
use ghostlight_transport::admission::Role;
use ghostlight_transport::bridge::{
    Block, Completed, Context, Disposition, FromEdge, FromService, RejectionKind, Start,
};
use ghostlight_transport::endpoint::connect;
use ghostlight_transport::handle::WorkspaceId;
use ghostlight_transport::instance::Instance;
use ghostlight_transport::link::Link;
use ghostlight_transport::place::Place;
use ghostlight_transport::stderr::Stderr;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::rc::Rc;
use std::time::Duration;

/// Everything a test waits for comes within this time, or never.
const PATIENCE: Duration = Duration::from_secs(20);

pub(super) async fn soon<T>(what: &str, work: impl Future<Output = T>) -> T {
    let late = async {
        Timer::after(PATIENCE).await;
        panic!("waited in vain for {what}")
    };
    work.or(late).await
}

pub(super) struct Service {
    home: tempfile::TempDir,
    pub(super) executor: Rc<LocalExecutor<'static>>,
    bounds: Bounds,
    pub(super) served: Task<Served>,
}

/// Runs one story with a service of its own.
pub(super) fn with_service<S: Future<Output = ()>>(lower: &str, story: impl FnOnce(Service) -> S) {
    let home = tempfile::tempdir().unwrap();
    let mut bounds = Bounds::default();
    bounds.lower(lower).unwrap();
    let executor = Rc::new(LocalExecutor::new());
    let served = begin(&executor, &home, bounds);
    let service = Service { home, executor: Rc::clone(&executor), bounds, served };
    async_io::block_on(executor.run(story(service)));
}

fn begin(
    executor: &Rc<LocalExecutor<'static>>,
    home: &tempfile::TempDir,
    bounds: Bounds,
) -> Task<Served> {
    let work = serve(Rc::clone(executor), place(home), bounds, SCRIPTS, Stderr::new("test"));
    executor.spawn(async { work.await.unwrap() })
}

fn place(home: &tempfile::TempDir) -> Place {
    Place::open_in(&home.path().join("state"), &Instance::parse("test").unwrap()).unwrap()
}

impl Service {
    async fn link(&self, role: Role) -> Link {
        let place = place(&self.home);
        let connected = async {
            loop {
                match connect(&place, role).await {
                    Ok(link) => return link,
                    Err(_) => Timer::after(Duration::from_millis(2)).await,
                };
            }
        };
        soon("a link", connected).await
    }

    pub(super) async fn edge(&self) -> Edge {
        Edge { link: self.link(Role::Edge).await, sequence: 0 }
    }

    pub(super) async fn control(&self) -> Edge {
        Edge { link: self.link(Role::Control).await, sequence: 0 }
    }

    /// A connector with an extension behind it that has said hello.
    pub(super) async fn browser(&self, more: Value) -> Browser {
        let mut browser = Browser { link: self.link(Role::Browser).await, worker: Value::Null };
        assert_eq!(browser.hear().await["t"], "greet");
        browser.hello(more).await;
        browser
    }

    /// An edge, a browser, and a workspace with the tab 7 in it.
    pub(super) async fn with_tab(&self) -> (Edge, Browser, WorkspaceId) {
        let mut browser = self.browser(json!({})).await;
        let mut edge = self.edge().await;
        let workspace = open_tab(&mut edge, &mut browser, 7).await;
        (edge, browser, workspace)
    }

    /// Ends, and begins a new life in the same place.
    pub(super) async fn again(self) -> Self {
        let mut control = self.control().await;
        control.send(&FromEdge::Stop { sequence: 1 }).await;
        let Self { home, executor, bounds, served } = self;
        soon("the end", served).await;
        let served = begin(&executor, &home, bounds);
        Self { home, executor, bounds, served }
    }

    /// Until so many calls stand in the queues.
    pub(super) async fn until_waiting(&self, count: usize) {
        let mut control = self.control().await;
        let waiting = async {
            loop {
                control.send(&FromEdge::Status { sequence: 1 }).await;
                match control.hear().await {
                    FromService::Status { status, .. } if status.waiting == count => return,
                    _ => Timer::after(Duration::from_millis(2)).await,
                };
            }
        };
        soon("the queue", waiting).await;
    }

    pub(super) fn audit(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.home.path().join("state/audit.jsonl"));
        let text = text.unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    pub(super) fn directory(&self) -> std::path::PathBuf {
        self.home.path().join("state")
    }
}

pub(super) async fn open_tab(edge: &mut Edge, browser: &mut Browser, native: i64) -> WorkspaceId {
    edge.start("open", None, json!({})).await;
    let asked = browser.asked().await;
    browser.answer(&asked, json!({"tab": {"tabId": native}})).await;
    edge.completed().await.workspace.unwrap()
}

/// Nothing was asked since: what comes next is the look that is started here.
pub(super) async fn next_asked_is_a_look(
    edge: &mut Edge,
    browser: &mut Browser,
    workspace: &WorkspaceId,
) {
    edge.start("look", Some(workspace), tab(7)).await;
    let asked = browser.asked().await;
    assert_eq!(asked["m"], "frames");
    browser.answer(&asked, json!({})).await;
    assert_eq!(edge.ends().await.0, Disposition::Success);
}

pub(super) struct Edge {
    pub(super) link: Link,
    sequence: u64,
}

/// The composite id of a tab in the first browser.
pub(super) fn tab(native: i64) -> Value {
    json!({ "tabId": (1_i64 << 32) + native })
}

impl Edge {
    pub(super) async fn send(&mut self, message: &FromEdge) {
        self.link.writer.send(&serde_json::to_vec(message).unwrap()).await.unwrap();
    }

    pub(super) async fn start(
        &mut self,
        operation: &str,
        workspace: Option<&WorkspaceId>,
        arguments: Value,
    ) {
        self.start_with(operation, workspace, arguments, Context::default()).await;
    }

    /// A call whose progress somebody sees.
    pub(super) async fn start_shown(
        &mut self,
        operation: &str,
        workspace: &WorkspaceId,
        arguments: Value,
    ) {
        let context = Context::default();
        let start = self.call(operation, Some(workspace), arguments, context);
        self.send(&FromEdge::Start(Box::new(Start { progress: true, ..start }))).await;
    }

    pub(super) async fn start_with(
        &mut self,
        operation: &str,
        workspace: Option<&WorkspaceId>,
        arguments: Value,
        context: Context,
    ) {
        let start = self.call(operation, workspace, arguments, context);
        self.send(&FromEdge::Start(Box::new(start))).await;
    }

    fn call(
        &mut self,
        operation: &str,
        workspace: Option<&WorkspaceId>,
        arguments: Value,
        context: Context,
    ) -> Start {
        self.sequence += 1;
        Start {
            sequence: self.sequence,
            operation: operation.into(),
            arguments: RawValue::from_string(arguments.to_string()).unwrap(),
            workspace: workspace.cloned(),
            context,
            progress: false,
        }
    }

    pub(super) async fn hear(&mut self) -> FromService {
        let frame = soon("the service", self.link.reader.next()).await.unwrap();
        serde_json::from_slice(&frame.expect("the stream goes on")).unwrap()
    }

    pub(super) async fn started(&mut self) -> u64 {
        match self.hear().await {
            FromService::Started { work, .. } => work,
            other => panic!("{other:?}"),
        }
    }

    /// The next end of a call; starts on the way are skipped.
    pub(super) async fn completed(&mut self) -> Completed {
        loop {
            match self.hear().await {
                FromService::Completed(completed) => return *completed,
                FromService::Started { .. } => {}
                other => panic!("{other:?}"),
            }
        }
    }

    pub(super) async fn ends(&mut self) -> (Disposition, String) {
        let outcome = self.completed().await.outcome;
        let text = outcome.content.iter().map(|block| match block {
            Block::Text(text) => text.as_str(),
            Block::Image { .. } => "",
        });
        (outcome.disposition, text.collect::<Vec<_>>().join("\n"))
    }

    pub(super) async fn rejected(&mut self) -> (RejectionKind, String) {
        match self.hear().await {
            FromService::Rejected { rejection, .. } => (rejection.kind, rejection.message),
            other => panic!("{other:?}"),
        }
    }
}

pub(super) struct Browser {
    pub(super) link: Link,
    worker: Value,
}

impl Browser {
    pub(super) async fn send(&mut self, message: Value) {
        self.link.writer.send(&serde_json::to_vec(&message).unwrap()).await.unwrap();
    }

    pub(super) async fn hello(&mut self, more: Value) {
        let mut hello = json!({
            "t": "hello", "proto": {"min": 1, "max": 1}, "ext": {"version": "1"},
            "browser": {"name": "B"}, "profileId": "p", "runId": "r", "workerId": "w",
        });
        hello.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.worker = hello["workerId"].clone();
        self.send(hello).await;
        assert_eq!(self.hear().await["t"], "welcome");
    }

    /// The next frame that is not an acknowledgement.
    pub(super) async fn hear(&mut self) -> Value {
        loop {
            let frame = soon("a frame for the browser", self.link.reader.next()).await.unwrap();
            let frame: Value = serde_json::from_slice(&frame.expect("the link goes on")).unwrap();
            if frame["t"] != "ack" {
                return frame;
            }
        }
    }

    pub(super) async fn asked(&mut self) -> Value {
        let frame = self.hear().await;
        assert_eq!(frame["t"], "req", "{frame}");
        frame
    }

    pub(super) async fn answer(&mut self, asked: &Value, value: Value) {
        let id = &asked["id"];
        let (sent, worker) = (asked["effect"] == true, &self.worker);
        let result = json!({"t": "res", "id": id, "worker": worker, "ok": value, "sent": sent});
        self.send(result).await;
    }

    pub(super) async fn event(&mut self, seq: u64, item: Value) {
        self.send(json!({"t": "ev", "seq": seq, "items": [item]})).await;
    }

    /// A frame, if one comes within this time.
    pub(super) async fn hear_for(&mut self, time: Duration) -> Option<Value> {
        let late = async {
            Timer::after(time).await;
            None
        };
        async { Some(self.hear().await) }.or(late).await
    }

    /// Whether nothing is said for this time: for what must not happen by itself.
    pub(super) async fn silent_for(&mut self, time: Duration) -> bool {
        self.hear_for(time).await.is_none()
    }
}
