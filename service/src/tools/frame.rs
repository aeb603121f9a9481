//! One frame's present document and the way to the page agent in it.

use crate::tab::{OwnedTab, RequestFault};
use crate::tool::Failure;
use ghostlight_transport::browser_wire::FaultCode;
use ghostlight_transport::limits::{BROWSER_REQUEST, PAGE_CALL};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::time::Duration;

/// By the browser process's word.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Frame {
    pub(crate) frame_id: String,
    pub(crate) parent_id: Option<String>,
    pub(crate) loader_id: String,
    pub(crate) origin: String,
    pub(crate) url: String,
    /// The frame lives in a renderer of its own and takes input there.
    pub(crate) session: Option<String>,
}

#[derive(Deserialize)]
struct Frames {
    frames: Vec<Frame>,
}

#[derive(Deserialize)]
struct Answer<R> {
    value: R,
}

/// The main frame as last reported.
pub(crate) fn main(tab: &OwnedTab) -> Frame {
    let doc = tab.facts().doc;
    Frame {
        frame_id: doc.frame_id,
        loader_id: doc.loader_id,
        origin: doc.origin,
        url: doc.url,
        ..Frame::default()
    }
}

/// All frames, the main one first, parents before their children.
pub(crate) async fn all(tab: &OwnedTab) -> Result<Vec<Frame>, Failure> {
    let answer: Frames = tab.read("frames", json!({}), BROWSER_REQUEST).await?;
    Ok(answer.frames)
}

/// Asks the main frame about the page as a whole, and once more when its document was just replaced.
pub(crate) async fn ask_main<R: DeserializeOwned>(
    tab: &OwnedTab,
    function: &str,
    args: Value,
) -> Result<(Frame, R), RequestFault> {
    let first = main(tab);
    match first.ask(tab, function, args.clone()).await {
        Err(fault) if fault.code == FaultCode::StaleDocument => {
            let second = main(tab);
            let value = second.ask(tab, function, args).await?;
            Ok((second, value))
        }
        answer => answer.map(|value| (first, value)),
    }
}

/// The child of `parent` that counts itself as its `index`th; frames are listed in no such order.
pub(crate) async fn child(
    tab: &OwnedTab,
    frames: &[Frame],
    parent: &Frame,
    index: i64,
) -> Option<Frame> {
    let mut found = Vec::new();
    for frame in frames.iter().filter(|frame| frame.parent_id.as_ref() == Some(&parent.frame_id)) {
        match frame.ask::<i64>(tab, "place", json!([])).await {
            Ok(place) if place == index => found.push(frame.clone()),
            _ => {}
        }
    }
    // Several do not count themselves when they lie inside of shadow roots.
    if found.len() == 1 { found.pop() } else { None }
}

impl Frame {
    /// A function of the page agent that changes nothing.
    pub(crate) async fn ask<R: DeserializeOwned>(
        &self,
        tab: &OwnedTab,
        function: &str,
        args: Value,
    ) -> Result<R, RequestFault> {
        self.ask_within(tab, (function, args), PAGE_CALL).await
    }

    pub(crate) async fn ask_within<R: DeserializeOwned>(
        &self,
        tab: &OwnedTab,
        call: (&str, Value),
        within: Duration,
    ) -> Result<R, RequestFault> {
        let answer: Answer<R> = tab.read("page", self.call(call), within).await?;
        Ok(answer.value)
    }

    /// A function of the page agent that changes the page.
    pub(crate) async fn act<R: DeserializeOwned>(
        &self,
        tab: &OwnedTab,
        function: &str,
        args: Value,
    ) -> Result<R, RequestFault> {
        let answer: Answer<R> = tab.effect("page", self.call((function, args)), PAGE_CALL).await?;
        Ok(answer.value)
    }

    fn call(&self, (function, args): (&str, Value)) -> Value {
        let mut call = json!({ "fn": function, "args": args });
        if !self.frame_id.is_empty() {
            call["frameId"] = self.frame_id.as_str().into();
            call["guard"] = self.guard();
        }
        call
    }

    /// Holds only while this document is the frame's.
    pub(crate) fn guard(&self) -> Value {
        json!({ "frameId": self.frame_id, "loaderId": self.loader_id })
    }
}
