//! What the page agent's functions answer: plain data, every string of it chosen by a page.

use serde::{Deserialize, Serialize};

/// Facts about a document that every reading carries. By the page's own word.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Page {
    pub(crate) url: String,
    pub(crate) title: String,
    pub(crate) ready_state: String,
    pub(crate) viewport: Viewport,
    pub(crate) scroll: Place,
    /// How far its inner parts are scrolled, as one number.
    pub(crate) inner: f64,
    pub(crate) height: f64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(crate) struct Viewport {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) dpr: f64,
    /// Enlarged by two fingers: a picture shows less than the viewport.
    pub(crate) pinched: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Place {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub(crate) enum Tri {
    Is(bool),
    Mixed(String),
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct States {
    pub(crate) checked: Option<Tri>,
    pub(crate) expanded: Option<bool>,
    pub(crate) pressed: Option<Tri>,
    pub(crate) selected: Option<Tri>,
    pub(crate) disabled: Option<bool>,
    pub(crate) multiline: Option<bool>,
    pub(crate) readonly: Option<bool>,
    pub(crate) required: Option<bool>,
    pub(crate) invalid: Option<bool>,
    pub(crate) focused: Option<bool>,
    pub(crate) level: Option<u32>,
    pub(crate) current: Option<String>,
    pub(crate) modal: Option<bool>,
    pub(crate) inert: Option<bool>,
    pub(crate) hidden: Option<bool>,
}

/// One line of a reading: an element, or a run of text (then `role` is empty).
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Line {
    pub(crate) depth: usize,
    pub(crate) key: Option<u64>,
    pub(crate) role: String,
    pub(crate) name: String,
    pub(crate) states: States,
    pub(crate) value: Option<String>,
    /// The value must not leave the page; `filled` says whether there is one.
    pub(crate) secret: bool,
    pub(crate) filled: bool,
    pub(crate) href: Option<String>,
    #[serde(rename = "type")]
    pub(crate) kind: Option<String>,
    pub(crate) placeholder: Option<String>,
    pub(crate) options: Vec<Choice>,
    pub(crate) more_options: usize,
    pub(crate) text: Option<String>,
    /// Elements below that were not read because of the depth.
    pub(crate) collapsed: usize,
    /// A frame's place among its parent's; -1 when unknown.
    pub(crate) frame: Option<i64>,
    /// Of what a search found: how well it fits (0 is best), and what it is good for.
    pub(crate) rank: u32,
    pub(crate) actionable: bool,
    pub(crate) in_viewport: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct Choice {
    pub(crate) label: String,
    pub(crate) value: Option<String>,
    pub(crate) selected: bool,
    pub(crate) disabled: bool,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Snapshot {
    pub(crate) page: Page,
    pub(crate) lines: Vec<Line>,
    /// Interactive elements left out because they are outside the viewport.
    pub(crate) outside: usize,
    /// Closed shadow roots may be there.
    pub(crate) closed: bool,
    pub(crate) cut: Option<Cut>,
    /// What the reading left out before its beginning.
    pub(crate) skipped: Option<Cut>,
}

/// Where a reading was cut and can go on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct Cut {
    pub(crate) key: u64,
    pub(crate) remaining: usize,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Found {
    pub(crate) page: Page,
    pub(crate) results: Vec<Line>,
    pub(crate) total: usize,
    /// These are the best of so many that the rest was not weighed.
    pub(crate) more: bool,
    /// Something looks like the host of a closed shadow root.
    pub(crate) closed: bool,
    /// Closed shadow roots may be anywhere.
    pub(crate) unopened: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct Brief {
    pub(crate) role: String,
    pub(crate) name: String,
}

/// Points where a pointer reaches the element, in the viewport of its frame.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Prepared {
    pub(crate) root: Place,
    /// More of them, each less good.
    pub(crate) points: Vec<Place>,
    /// Of the viewport.
    pub(crate) size: Place,
}

/// A point that lies in a frame further in, in a document around that.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Above {
    pub(crate) root: Place,
    pub(crate) by: Option<Brief>,
    pub(crate) size: Place,
    pub(crate) scroll: Place,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Armed {
    pub(crate) subject: Option<Brief>,
    pub(crate) secret: bool,
    /// A text field or editor.
    pub(crate) editable: bool,
    /// A text field of one line.
    pub(crate) single: bool,
    /// The subject is a frame: its place among its parent's.
    pub(crate) frame: Option<i64>,
}

/// What was seen to happen after an action. Absent facts did not change.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Outcome {
    pub(crate) page: Page,
    /// `verified`, `intercepted`, `moved`, `none`, `seen` or `unarmed`.
    pub(crate) hit: String,
    pub(crate) by: Option<Brief>,
    /// Another document than the one that was armed.
    pub(crate) unarmed: bool,
    pub(crate) settled: bool,
    /// The document is about to go there.
    pub(crate) leaving: Option<String>,
    /// The page's own drag and drop ended with this effect: `none`, or what the place took it for; the
    /// service adds `elsewhere`.
    pub(crate) drop: Option<String>,
    /// How far a dragged element has come.
    pub(crate) shift: Option<Place>,
    pub(crate) mutations: usize,
    pub(crate) removed: usize,
    pub(crate) url: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) focus: Option<Focus>,
    pub(crate) value: Option<ValueChange>,
    pub(crate) states: Option<States>,
    pub(crate) target_gone: bool,
    pub(crate) changed: Vec<Changed>,
    pub(crate) alerts: Vec<String>,
}

/// Empty when nothing has the focus any more.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct Focus {
    pub(crate) role: String,
    pub(crate) name: String,
    pub(crate) key: Option<u64>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct ValueChange {
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
    pub(crate) secret: bool,
    pub(crate) filled: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct Changed {
    /// `added` or `changed`.
    pub(crate) what: String,
    pub(crate) role: String,
    pub(crate) name: String,
    pub(crate) key: Option<u64>,
    pub(crate) states: States,
    pub(crate) value: Option<String>,
    pub(crate) secret: bool,
    pub(crate) filled: bool,
}

/// What setting a value did, or what is left for real input to do.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct SetStep {
    /// `select`, `picked`, `toggle` or `text`.
    pub(crate) kind: String,
    pub(crate) key: u64,
    pub(crate) changed: bool,
    pub(crate) value: Option<String>,
    pub(crate) secret: bool,
    /// `toggle`: a click is needed to get to `wanted`.
    pub(crate) act: bool,
    pub(crate) wanted: bool,
    /// `text`: what stands there now.
    pub(crate) empty: bool,
    pub(crate) already: bool,
    /// `text`: an editor, which may hold more than its document shows and selects all of it by the keys for that alone.
    pub(crate) host: bool,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ReadBack {
    pub(crate) matches: bool,
    /// The page put marks or blanks into it.
    pub(crate) formatted: bool,
    pub(crate) value: Option<String>,
    pub(crate) secret: bool,
    pub(crate) filled: bool,
    pub(crate) state: Option<Tri>,
    pub(crate) invalid: bool,
    /// It holds what it held before it was filled.
    pub(crate) untouched: bool,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct PageText {
    pub(crate) page: Page,
    /// `main`, `article` or `body`.
    pub(crate) source: String,
    pub(crate) text: String,
    pub(crate) length: usize,
    pub(crate) body_length: usize,
    pub(crate) frames: usize,
    /// Closed shadow roots may be there.
    pub(crate) closed: bool,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Scrolled {
    pub(crate) page: Page,
    pub(crate) moved: Option<Movement>,
    pub(crate) what: Option<Scroller>,
    pub(crate) at_top: bool,
    pub(crate) at_bottom: bool,
    pub(crate) unarmed: bool,
    /// Something in the page did another thing with the wheel.
    pub(crate) taken: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(crate) struct Movement {
    pub(crate) dx: f64,
    pub(crate) dy: f64,
    /// `wheel` or `script`.
    pub(crate) by: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub(crate) enum Scroller {
    Page(String),
    Element(Brief),
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Probe {
    pub(crate) root: Place,
    pub(crate) size: Place,
}

/// The file input that an element stands for.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default)]
pub(crate) struct FileTarget {
    pub(crate) key: Option<u64>,
}

/// What a file input held when it was given files, and after the page had heard of it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Chosen {
    pub(crate) held: Vec<ChosenFile>,
    pub(crate) after: Vec<ChosenFile>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct ChosenFile {
    pub(crate) name: String,
    pub(crate) size: u64,
}
