//! One frame's present document and the way to the page agent in it.

use crate::tab::{OwnedTab, RequestFault};
use ghostlight_transport::browser_wire::FaultCode;
use ghostlight_transport::limits::{BROWSER_REQUEST, PAGE_CALL, SETTLE};
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

fn value_of<R: DeserializeOwned>(
    tab: &OwnedTab,
    mut answer: Value,
    effect: bool,
) -> Result<R, RequestFault> {
    let value = answer.get_mut("value").map(Value::take).unwrap_or_default();
    tab.shaped(value, effect)
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
pub(crate) async fn all(tab: &OwnedTab) -> Result<Vec<Frame>, RequestFault> {
    let answer: Frames = tab.read("frames", json!({}), BROWSER_REQUEST).await?;
    Ok(answer.frames)
}

/// Asks the main frame about the page as a whole, and once more when its document was just replaced.
pub(crate) async fn ask_main<R: DeserializeOwned>(
    tab: &OwnedTab,
    function: &str,
    args: Value,
) -> Result<(Frame, R), RequestFault> {
    let mut first = main(tab);
    if first.loader_id.is_empty() {
        // A tab that the browser gave another number has told of no document yet.
        let answer = tab.read::<Frames>("frames", json!({}), BROWSER_REQUEST).await;
        first = answer.ok().and_then(|all| all.frames.into_iter().next()).unwrap_or(first);
    }
    match first.ask(tab, function, args.clone()).await {
        Err(fault) if fault.code == FaultCode::StaleDocument => {
            tab.replaced(&first.loader_id, SETTLE).await;
            let second = main(tab);
            let value = second.ask(tab, function, args).await?;
            Ok((second, value))
        }
        answer => answer.map(|value| (first, value)),
    }
}

/// The frames inside of `parent`, each with its place in the page's own count: -1 inside of shadow trees.
pub(crate) async fn children(
    tab: &OwnedTab,
    frames: &[Frame],
    parent: &Frame,
) -> Vec<(i64, Frame)> {
    let mut found = Vec::new();
    for frame in frames.iter().filter(|frame| frame.parent_id.as_ref() == Some(&parent.frame_id)) {
        if let Ok(place) = frame.ask::<i64>(tab, "place", json!([])).await {
            found.push((place, frame.clone()));
        }
    }
    found
}

/// The frame at a place; among several that are not counted, the one at the address of its element.
pub(crate) fn at<'f>(
    children: &'f [(i64, Frame)],
    index: i64,
    href: Option<&str>,
) -> Option<&'f Frame> {
    let here: Vec<_> = children.iter().filter(|(place, _)| *place == index).collect();
    let mut there = here.iter().filter(|(_, frame)| here.len() == 1 || Some(&*frame.url) == href);
    match (there.next(), there.next()) {
        (Some((_, frame)), None) => Some(frame),
        _ => None,
    }
}

/// The child of `parent` at the place that holds the focus.
pub(crate) async fn focused(
    tab: &OwnedTab,
    frames: &[Frame],
    parent: &Frame,
    index: i64,
) -> Option<Frame> {
    let mut children = children(tab, frames, parent).await;
    if let Some(child) = at(&children, index, None) {
        return Some(child.clone());
    }
    children.retain(|(place, _)| *place == index);
    for (_, child) in children {
        if child.ask(tab, "inFocus", json!([])).await.unwrap_or(false) {
            return Some(child);
        }
    }
    None
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
        let answer = tab.answer("page", self.call(call), false, within).await?;
        value_of(tab, answer, false)
    }

    /// Hands the closed shadow roots of the document to its agent, for which they are open from then on.
    /// Whether there were new ones; a page too large for it has none.
    pub(crate) async fn open_roots(&self, tab: &OwnedTab) -> bool {
        let mut call = self.call(("takeRoots", json!([])));
        call["roots"] = true.into();
        let answer = tab.answer("page", call, false, PAGE_CALL).await;
        answer.is_ok_and(|answer| answer["value"].as_u64() > Some(0))
    }

    /// A function of the page agent that changes the page.
    pub(crate) async fn act<R: DeserializeOwned>(
        &self,
        tab: &OwnedTab,
        function: &str,
        args: Value,
    ) -> Result<R, RequestFault> {
        let answer = tab.answer("page", self.call((function, args)), true, PAGE_CALL).await?;
        value_of(tab, answer, true)
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
