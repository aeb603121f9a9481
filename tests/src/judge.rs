//! A second CDP client on Chromium's own debugging pipe: sees the truth without the extension.

use crate::wait::{LONG, until};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout};
use std::sync::mpsc::{Receiver, channel};

#[derive(Debug)]
pub struct Judge {
    pipe: ChildStdin,
    answers: Receiver<Value>,
    last_id: u64,
}

impl Judge {
    #[must_use]
    pub fn new(pipe: ChildStdin, from: ChildStdout) -> Self {
        let (send, answers) = channel();
        // Ends with the pipe.
        std::thread::spawn(move || {
            for message in BufReader::new(from).split(0).map_while(Result::ok) {
                let message = serde_json::from_slice::<Value>(&message).unwrap_or_default();
                if message.get("id").is_some() && send.send(message).is_err() {
                    break;
                }
            }
        });
        Self { pipe, answers, last_id: 0 }
    }

    /// A command to a session, or to the browser as a whole.
    ///
    /// # Errors
    /// The browser's own error text.
    ///
    /// # Panics
    /// When the browser does not answer.
    pub fn command(&mut self, session: &str, method: &str, params: Value) -> Result<Value, String> {
        let message = self.tell(session, method, params);
        loop {
            let answer = self.answers.recv_timeout(LONG);
            let mut answer = answer.unwrap_or_else(|_| panic!("no answer to {message}"));
            if answer["id"] == self.last_id {
                let fault = answer["error"]["message"].as_str().map(str::to_owned);
                return fault.map_or_else(|| Ok(answer["result"].take()), Err);
            }
        }
    }

    /// A command whose answer may never come, since its target may go before it.
    ///
    /// # Panics
    /// When the browser no longer reads.
    pub fn tell(&mut self, session: &str, method: &str, params: Value) -> Value {
        self.last_id += 1;
        let mut message = json!({"id": self.last_id, "method": method, "params": params});
        if !session.is_empty() {
            message["sessionId"] = json!(session);
        }
        let sent = self.pipe.write_all(format!("{message}\0").as_bytes());
        sent.expect("the browser reads its debugging pipe");
        message
    }

    /// All targets of the browser, workers and pages.
    pub fn targets(&mut self) -> Vec<Value> {
        let answer = self.command("", "Target.getTargets", json!({}));
        match answer.map(|mut answer| answer["targetInfos"].take()) {
            Ok(Value::Array(targets)) => targets,
            other => panic!("no list of targets: {other:?}"),
        }
    }

    pub fn close_target(&mut self, id: &str) {
        let closed = self.command("", "Target.closeTarget", json!({"targetId": id}));
        closed.expect("the target was there");
    }

    /// Opens a tab that has nothing to do with the agent.
    pub fn open(&mut self, url: &str) -> String {
        let made = self.command("", "Target.createTarget", json!({"url": url}));
        made.expect("a tab can be opened")["targetId"].as_str().unwrap_or_default().to_owned()
    }

    /// What an expression gives in the page at this address (a prefix of it).
    ///
    /// # Panics
    /// When there is no such page or the expression throws.
    pub fn evaluate(&mut self, url: &str, expression: &str) -> Value {
        let target = until(&format!("a page at {url}"), LONG, || self.page(url));
        self.ask(&target, expression)
    }

    /// What an expression gives in a page or a worker.
    ///
    /// # Panics
    /// When there is no such target or the expression throws.
    pub fn ask(&mut self, target: &str, expression: &str) -> Value {
        let session = self.attach_to(target);
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let answer = self.command(&session, "Runtime.evaluate", params);
        let _ = self.command("", "Target.detachFromTarget", json!({"sessionId": session}));
        let mut answer = answer.expect("the page can be asked");
        assert!(answer.get("exceptionDetails").is_none(), "{expression} threw: {answer}");
        answer["result"]["value"].take()
    }

    /// A picture of another kind as PNG: the browser can read and write them all.
    ///
    /// # Errors
    /// When the browser gives none.
    pub fn as_png(&mut self, mime: &str, base64: &str) -> Result<Vec<u8>, String> {
        self.open("about:blank#png");
        let source = json!(format!("data:{mime};base64,{base64}"));
        let drawn = format!(
            "(async () => {{ const i = new Image(); i.src = {source}; await i.decode();\
             const c = document.createElement('canvas'); c.width = i.width; c.height = i.height;\
             c.getContext('2d').drawImage(i, 0, 0); return c.toDataURL('image/png'); }})()"
        );
        let url = self.evaluate("about:blank#png", &drawn);
        let data = url.as_str().and_then(|url| url.strip_prefix("data:image/png;base64,"));
        data.and_then(crate::base64::decode).ok_or_else(|| "no PNG came out".to_owned())
    }

    /// A CDP session with the page at this address (a prefix of it).
    pub fn attach(&mut self, url: &str) -> String {
        let target = until(&format!("a page at {url}"), LONG, || self.page(url));
        self.attach_to(&target)
    }

    fn attach_to(&mut self, target: &str) -> String {
        let params = json!({"targetId": target, "flatten": true});
        let attached = self.command("", "Target.attachToTarget", params);
        attached.expect("the page can be attached")["sessionId"].as_str().unwrap_or("").to_owned()
    }

    /// The target of the page at this address (a prefix of it).
    pub fn page(&mut self, url: &str) -> Option<String> {
        let targets = self.targets();
        let page = targets.iter().find(|target| {
            target["type"] == "page" && target["url"].as_str().is_some_and(|u| u.starts_with(url))
        })?;
        page["targetId"].as_str().map(str::to_owned)
    }
}
