//! One script on its way through the page: run once, its promise awaited, its value described.

use super::value::{self, Told};
use crate::tab::{OwnedTab, RequestFault};
use crate::tools::frame::Frame;
use ghostlight_transport::browser_wire::FaultCode;
use ghostlight_transport::limits::{BROWSER_REQUEST, READ_CHARS, SCRIPT_STOP, SCRIPT_VALUE};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const DESCRIBE: &str = concat!(
    "function (most) {\n",
    include_str!("../../../page/script/describe.js"),
    "\nreturn tell(this, most);\n}"
);
const AWAIT: &str = "async function () { return await this; }";
/// What the page keeps for us until it is described.
const GROUP: &str = "ghostlight script";

pub(super) struct Script<'t> {
    tab: &'t OwnedTab,
    main: &'t Frame,
    until: Instant,
}

impl<'t> Script<'t> {
    pub(super) fn new(tab: &'t OwnedTab, main: &'t Frame, until: Instant) -> Self {
        Self { tab, main, until }
    }

    /// A fault is one of the script itself; that its value could not be read is told.
    pub(super) async fn run(&self, text: &str) -> Result<Told, RequestFault> {
        let mut answer = self.evaluate(text).await?;
        if value::has_return(&answer) {
            // Nothing of it has run: it could not be read as it stood.
            answer = self.evaluate(&format!("(async () => {{{text}\n}})()")).await?;
        }
        if value::is_promise(&answer) {
            let call = json!({ "functionDeclaration": AWAIT, "awaitPromise": true });
            let awaited = self.on(&answer, call, self.until).await;
            // Whatever came of waiting for it, the script has run.
            answer = awaited.map_err(|fault| RequestFault { sent: true, ..fault })?;
        }
        let told = match value::told(&answer) {
            Some(told) => told,
            None => self.describe(&answer).await,
        };
        if answer["result"]["objectId"].is_string() {
            let release = json!({ "method": "Runtime.releaseObjectGroup", "params": { "objectGroup": GROUP } });
            // What is kept goes with its document at the latest.
            let _ = self.tab.read::<Value>("cdp", release, BROWSER_REQUEST).await;
        }
        Ok(told)
    }

    async fn evaluate(&self, text: &str) -> Result<Value, RequestFault> {
        let params = json!({
            "expression": text, "replMode": true, "awaitPromise": true, "objectGroup": GROUP,
            // The engine's own, should the extension end before it can stop a loop.
            "timeout": millis(self.tab.left(self.until) + SCRIPT_STOP),
        });
        let answer = self.bounded("Runtime.evaluate", params, self.until).await;
        answer.map_err(|mut fault| {
            if fault.code == FaultCode::Cdp && fault.message.contains("was terminated") {
                fault.code = FaultCode::Timeout;
                fault.detail = Some(json!({ "stopped": true }));
            }
            fault
        })
    }

    async fn describe(&self, answer: &Value) -> Told {
        let call = json!({
            "functionDeclaration": DESCRIBE, "arguments": [{ "value": READ_CHARS }], "returnByValue": true,
        });
        let described = self.on(answer, call, self.tab.within(SCRIPT_VALUE)).await;
        value::described(&answer["result"], described.ok().as_ref())
    }

    /// A function called on the object that an answer names.
    async fn on(
        &self,
        answer: &Value,
        mut call: Value,
        until: Instant,
    ) -> Result<Value, RequestFault> {
        call["objectId"] = answer["result"]["objectId"].clone();
        call["objectGroup"] = GROUP.into();
        self.bounded("Runtime.callFunctionOn", call, until).await
    }

    async fn bounded(
        &self,
        method: &str,
        params: Value,
        until: Instant,
    ) -> Result<Value, RequestFault> {
        let bound = self.tab.left(until);
        let mut request = json!({ "method": method, "params": params, "boundMs": millis(bound) });
        if !self.main.frame_id.is_empty() {
            request["guard"] = self.main.guard();
        }
        let mut answer: Value = self.tab.effect("cdp", request, bound + SCRIPT_STOP).await?;
        Ok(answer["result"].take())
    }
}

/// At least one: nothing ends before it begins.
fn millis(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX).max(1)
}
