//! How an answer may go wrong, and which request it goes wrong for.

use super::{Shared, answers, lock};
use serde_json::{Value, json};

#[derive(Debug, Clone)]
pub enum Twist {
    /// This as `ok`.
    Answer(Value),
    /// A refusal; whether some of the effect was sent.
    Fault { code: &'static str, message: &'static str, sent: bool },
    /// No answer, ever.
    Silence,
    /// Kept back until `release`.
    Hold,
    /// The honest answer, two times.
    Twice,
    /// The honest answer, under the name of a worker that is gone.
    OtherWorker,
    /// The honest answer, to a request that nobody made.
    OtherId,
    /// This text as `ok`, whatever it is: JSON or not.
    Text(String),
    /// A result with this member taken away.
    Without(&'static str),
    /// A result with `ok` and `err`.
    Both,
    /// A string of this many bytes as `ok`, in one frame.
    Oversize(usize),
    /// Half of a frame, then the end.
    DieMidFrame,
    /// The end, without an answer.
    Die,
    /// The tab goes elsewhere before the request is looked at.
    NavigateFirst(&'static str),
    /// The tab is gone before the request is looked at.
    CloseFirst,
}

#[derive(Debug)]
pub struct Rule {
    name: String,
    pub(super) once: bool,
    pub(super) twist: Twist,
}

impl Rule {
    #[must_use]
    pub fn once(name: &str, twist: Twist) -> Self {
        Self { name: name.to_owned(), once: true, twist }
    }

    #[must_use]
    pub fn always(name: &str, twist: Twist) -> Self {
        Self { name: name.to_owned(), once: false, twist }
    }

    pub(super) fn fits(&self, request: &Value) -> bool {
        is_named(request, &self.name)
    }
}

/// A request's names: its method, its CDP method or its function of the page agent.
pub(super) fn is_named(request: &Value, name: &str) -> bool {
    let steps = request["p"]["steps"].as_array().into_iter().flatten();
    request["m"] == name
        || request["p"]["method"] == name
        || request["p"]["fn"] == name
        || steps.into_iter().any(|step| step["method"] == name)
}

impl Shared {
    pub(super) fn answer_with(&self, request: &Value, twist: Twist) {
        match twist {
            Twist::Silence => {}
            Twist::NavigateFirst(url) => {
                self.navigate(request, url);
                self.answer(request);
            }
            Twist::CloseFirst => {
                self.close_tab(request);
                self.answer(request);
            }
            Twist::Die => lock(&self.wire).close(),
            Twist::DieMidFrame => lock(&self.wire).half_frame(),
            Twist::Text(text) => {
                let worker = lock(&self.world).worker_id();
                let id = &request["id"];
                let frame = format!(r#"{{"t":"res","id":{id},"worker":"{worker}","ok":{text}}}"#);
                lock(&self.wire).frame(frame.as_bytes());
            }
            Twist::Oversize(bytes) => {
                let result = answers::ok(&lock(&self.world), request, json!("x".repeat(bytes)));
                lock(&self.wire).frame(result.to_string().as_bytes());
            }
            other => self.send_twisted(request, other),
        }
    }

    /// The twists that are a change to the honest result.
    fn send_twisted(&self, request: &Value, twist: Twist) {
        let (events, mut result) = answers::answer(&mut lock(&self.world), request);
        let twice = matches!(twist, Twist::Twice);
        match twist {
            Twist::Answer(value) => result = answers::ok(&lock(&self.world), request, value),
            Twist::Fault { code, message, sent } => {
                result = answers::fault(&lock(&self.world), request, code, message);
                result["sent"] = json!(sent);
            }
            Twist::OtherWorker => result["worker"] = json!("a-worker-that-is-gone"),
            Twist::OtherId => result["id"] = json!("nobody-asked"),
            Twist::Both => result["err"] = json!({"code": "internal", "message": ""}),
            Twist::Without(member) => {
                result.as_object_mut().and_then(|members| members.remove(member));
            }
            Twist::Hold => {
                lock(&self.world).held.push(result);
                return;
            }
            _ => {}
        }
        if !events.is_empty() {
            let message = lock(&self.world).event(events);
            self.send(&message);
        }
        if twice {
            self.send(&result);
        }
        self.send(&result);
    }

    fn navigate(&self, request: &Value, url: &str) {
        let mut world = lock(&self.world);
        let native = request["p"]["tabId"].as_i64().unwrap_or_default();
        let Some(mut tab) = world.tabs.get(&native).cloned() else { return };
        world.commit(&mut tab, url);
        let message = world.event(answers::navigation(&tab));
        drop(world);
        self.send(&message);
    }

    fn close_tab(&self, request: &Value) {
        let native = request["p"]["tabId"].as_i64().unwrap_or_default();
        let mut world = lock(&self.world);
        world.tabs.remove(&native);
        let gone = json!({"k": "tab", "what": "removed", "tabId": native});
        let message = world.event(vec![gone]);
        drop(world);
        self.send(&message);
    }
}
