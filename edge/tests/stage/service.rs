//! A service without a browser: its tools echo, stay silent, answer at length or break the connection.

use super::Home;
use async_channel::{Receiver, bounded};
use async_executor::LocalExecutor;
use futures_lite::future::FutureExt as _;
use ghostlight_transport::admission::Endpoint;
use ghostlight_transport::bridge::{
    Block, Completed, Disposition, FromEdge, FromService, Hints, Outcome, Projection, Start,
    ToolDeclaration, WorkId, WorkspaceUse,
};
use ghostlight_transport::endpoint::Listener;
use ghostlight_transport::handle::WorkspaceId;
use ghostlight_transport::instance::Instance;
use ghostlight_transport::key::Key;
use ghostlight_transport::link::Link;
use ghostlight_transport::lock::ServiceLock;
use ghostlight_transport::outbox::{Outbox, pump};
use ghostlight_transport::place::Place;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

/// Ends when dropped.
pub(crate) struct Service {
    /// What the edge said, in words.
    pub(crate) heard: mpsc::Receiver<String>,
    end: Option<async_channel::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Service {
    /// Listens when this returns.
    pub(crate) fn start(home: &Home) -> Self {
        let (end, ended) = bounded(1);
        let (tell, heard) = mpsc::channel();
        let (ready, listening) = mpsc::channel();
        let state = home.state();
        let thread = thread::spawn(move || {
            let place = Place::open_in(&state, &Instance::default()).unwrap();
            let lock = ServiceLock::try_acquire(&place).unwrap().unwrap();
            let key = Key::mint(&place, &lock).unwrap();
            let listener = Listener::bind(&place, &lock, Endpoint::Edge).unwrap();
            ready.send(()).unwrap();
            async_io::block_on(accept_all(&listener, &key, &ended, &tell));
            listener.close(&place, &lock);
        });
        listening.recv().unwrap();
        Self { heard, end: Some(end), thread: Some(thread) }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.end = None;
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

async fn accept_all(
    listener: &Listener,
    key: &Key,
    ended: &Receiver<()>,
    tell: &mpsc::Sender<String>,
) {
    let executor = LocalExecutor::new();
    let accept = async {
        let mut peers = Vec::new();
        loop {
            let arrival = listener.accept().await.unwrap();
            if let Ok((link, _)) = arrival.admit(key, |_| Ok(())).await {
                peers.push(executor.spawn(serve(link, tell.clone())));
            }
        }
    };
    let end = async {
        let _ = ended.recv().await;
    };
    executor.run(accept.or(end)).await;
}

async fn serve(mut link: Link, tell: mpsc::Sender<String>) {
    let (outbox, queue) = Outbox::new(1 << 20, 1 << 30);
    let hear = async {
        let mut next = 0;
        while let Ok(Some(frame)) = link.reader.next().await {
            next += 1;
            let command = serde_json::from_slice(&frame).unwrap();
            let Some(answers) = answer(command, next, &tell) else { return };
            for answer in answers {
                outbox.try_push(serde_json::to_vec(&answer).unwrap()).unwrap();
            }
        }
    };
    let write = async {
        let _ = pump(queue, link.writer).await;
    };
    hear.or(write).await;
    let _ = tell.send("gone".into());
}

/// `None` breaks the connection.
fn answer(
    command: FromEdge,
    work: WorkId,
    tell: &mpsc::Sender<String>,
) -> Option<Vec<FromService>> {
    Some(match command {
        FromEdge::Catalog { sequence, .. } => {
            vec![FromService::Catalog { sequence, projection: projection() }]
        }
        FromEdge::OpenWorkspace { sequence, workspace, .. } => {
            let _ = tell.send(format!("open {}", workspace.is_some()));
            let workspace = WorkspaceId::from_entropy([7; 16]);
            vec![FromService::WorkspaceOpened { sequence, workspace }]
        }
        FromEdge::ReleaseWorkspace { sequence, .. } => {
            let _ = tell.send("release".into());
            vec![FromService::WorkspaceReleased { sequence }]
        }
        FromEdge::Cancel { work } => {
            let _ = tell.send("cancel".into());
            vec![completed(work, Disposition::Cancelled, "cancelled".into())]
        }
        FromEdge::Start(start) => {
            if start.workspace.is_some() {
                let _ = tell.send(start.operation.clone());
            }
            return start_tool(&start, work);
        }
        FromEdge::Status { .. } | FromEdge::Stop { .. } => Vec::new(),
    })
}

fn start_tool(start: &Start, work: WorkId) -> Option<Vec<FromService>> {
    let begun = FromService::Started { sequence: start.sequence, work };
    let arguments = start.arguments.get();
    let text = match start.operation.as_str() {
        "break" => return None,
        "silent" => return Some(vec![begun]),
        "long" => "x".repeat(arguments.len() * 10_000),
        _ => arguments.to_owned(),
    };
    Some(vec![begun, completed(work, Disposition::Success, text)])
}

fn completed(work: WorkId, disposition: Disposition, text: String) -> FromService {
    let outcome = Outcome { disposition, content: vec![Block::Text(text)], structured: None };
    FromService::Completed(Box::new(Completed { work, outcome, workspace: None }))
}

fn projection() -> Projection {
    let tool = |name: &str, workspace| ToolDeclaration {
        name: name.into(),
        title: name.into(),
        description: "For tests.".into(),
        input: serde_json::value::to_raw_value(&serde_json::json!({"type": "object"})).unwrap(),
        output: None,
        hints: Hints { read_only: false, destructive: false, idempotent: true, open_world: false },
        workspace,
    };
    let tools = ["echo", "silent", "long", "break"];
    let mut tools: Vec<_> =
        tools.iter().map(|name| tool(name, WorkspaceUse::Independent)).collect();
    tools.push(tool("look", WorkspaceUse::Uses));
    Projection { generation: 1, tools }
}
