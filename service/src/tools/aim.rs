//! What a call acts on: an element by its reference, or a point of the last screenshot.

use super::frame::{self, Frame};
use super::picture::Shot;
use super::refusals;
use super::through::{Blocked, Reached, frame_at, through};
use crate::page::answers::{Page, Place, Prepared};
use crate::tab::OwnedTab;
use crate::tool::Failure;
use ghostlight_transport::limits::{ACTIONABLE, LOOK_AGAIN, PAGE_CALL};
use serde_json::json;
use std::time::Duration;

/// An element of a document that is still there.
#[derive(Debug, Clone)]
pub(crate) struct Aim {
    pub(crate) frame: Frame,
    pub(crate) key: u64,
    /// `ref_12`
    pub(crate) label: String,
    /// Only for an element outside of the main frame.
    frames: Vec<Frame>,
}

/// Where a pointer goes.
#[derive(Debug, Clone)]
pub(crate) struct Spot {
    pub(crate) frame: Frame,
    /// The element it is meant for; `None` for a bare point.
    pub(crate) key: Option<u64>,
    pub(crate) label: String,
    pub(crate) reached: Reached,
}

/// The element that `text` names; sends nothing when its document is gone.
pub(crate) async fn element(tab: &OwnedTab, text: &str) -> Result<Aim, Failure> {
    let node = {
        let memory = tab.memory();
        let memory = memory.borrow();
        memory.refs.find(text).cloned().map_err(|why| refusals::no_ref(text, why))?
    };
    let label = text.trim().trim_matches(['[', ']']).to_owned();
    let main = frame::main(tab);
    if node.frame == main.frame_id {
        if node.loader != main.loader_id {
            return Err(refusals::stale(&label));
        }
        return Ok(Aim { frame: main, key: node.key, label, frames: Vec::new() });
    }
    let frames = frame::all(tab).await?;
    let found =
        frames.iter().find(|frame| frame.frame_id == node.frame && frame.loader_id == node.loader);
    let frame = found.cloned().ok_or_else(|| refusals::stale(&label))?;
    Ok(Aim { frame, key: node.key, label, frames })
}

impl Aim {
    /// Another element of the same document, under the same name.
    pub(crate) fn at(&self, key: u64) -> Self {
        Self { key, ..self.clone() }
    }

    /// Scrolled into view, still, enabled and uncovered: `kind` is `click`, `hover`, `edit` or `scroll`.
    pub(crate) async fn prepare(&self, tab: &OwnedTab, kind: &str) -> Result<Spot, Failure> {
        let deadline = tab.within(ACTIONABLE);
        loop {
            let left = deadline.saturating_duration_since(tab.within(Duration::ZERO));
            let most = u64::try_from(left.as_millis()).unwrap_or_default();
            let args = json!([self.key, { "kind": kind, "timeoutMs": most }]);
            let prepared: Prepared = self
                .frame
                .ask_within(tab, ("prepare", args), ACTIONABLE + PAGE_CALL)
                .await
                .map_err(|fault| refusals::refused(fault, &self.label, tab))?;
            match self.outside(tab, &prepared).await {
                Ok(reached) => return Ok(self.spot(reached)),
                Err(blocked) if tab.within(LOOK_AGAIN) >= deadline => {
                    return Err(refusals::blocked(blocked, &self.label, tab));
                }
                Err(Blocked::Fault(fault)) => {
                    return Err(refusals::refused(fault, &self.label, tab));
                }
                Err(_) => tab.rest(LOOK_AGAIN).await,
            }
        }
    }

    /// The first point of them that nothing around the frame lies over.
    async fn outside(&self, tab: &OwnedTab, prepared: &Prepared) -> Result<Reached, Blocked> {
        let mut found = self.through(tab, prepared.root, prepared.size).await;
        for point in &prepared.points {
            match found {
                Err(Blocked::Covered(_) | Blocked::OffScreen) => {
                    found = self.through(tab, *point, prepared.size).await;
                }
                _ => break,
            }
        }
        found
    }

    /// Where a point of the element's frame lies in the tab.
    pub(crate) async fn through(
        &self,
        tab: &OwnedTab,
        point: Place,
        size: Place,
    ) -> Result<Reached, Blocked> {
        through(tab, &self.frames, &self.frame, (point, size)).await
    }

    fn spot(&self, reached: Reached) -> Spot {
        let (frame, label) = (self.frame.clone(), self.label.clone());
        Spot { frame, key: Some(self.key), label, reached }
    }
}

/// A point in the pixels of the tab's last screenshot, if that still shows the page as it is.
pub(crate) async fn point(tab: &OwnedTab, coordinate: [f64; 2]) -> Result<Spot, Failure> {
    let (frame, shot) = current(tab).await?;
    let [x, y] = shot.place(coordinate).ok_or_else(|| outside(&shot))?;
    if !((0.0..=shot.viewport.0).contains(&x) && (0.0..=shot.viewport.1).contains(&y)) {
        return Err(Failure::not_dispatched(
            "The coordinate shows a part of the page that lies outside of the viewport. No input was sent. \
             Retry: not with this coordinate. Next step: scroll there and take a screenshot, or use a ref.",
        ));
    }
    let label = format!("({}, {})", coordinate[0], coordinate[1]);
    let root = Place { x, y };
    Ok(Spot { frame, key: None, label, reached: Reached { session: None, local: root, root } })
}

impl Spot {
    /// Watched where it is: a bare point may lie in a frame, and what it does there shows nowhere else.
    pub(crate) async fn in_its_frame(mut self, tab: &OwnedTab) -> Self {
        let shot = tab.memory().borrow().shot.clone();
        if let Some(shot) = shot {
            let (x, y) = shot.scroll;
            self.frame = frame_at(tab, self.frame, self.reached.root, Place { x, y }).await;
        }
        self
    }
}

/// The last screenshot and the main frame, which has not changed since.
pub(crate) async fn current(tab: &OwnedTab) -> Result<(Frame, Shot), Failure> {
    let main = frame::main(tab);
    let shot = tab.memory().borrow().shot.clone();
    let Some(shot) = shot else {
        return Err(Failure::not_dispatched(
            "A coordinate is a pixel of this tab's last screenshot, and there is none. No input was sent. \
             Retry: safe, after a screenshot. Next step: call computer with action screenshot, or use a ref.",
        ));
    };
    if shot.loader != main.loader_id {
        return Err(outdated("the page was replaced by another document"));
    }
    let page: Page = main
        .ask(tab, "state", json!([]))
        .await
        .map_err(|fault| refusals::refused(fault, "the page", tab))?;
    match shot.differs(&page) {
        Some(why) => Err(outdated(why)),
        None => Ok((main, shot)),
    }
}

pub(crate) fn outside(shot: &Shot) -> Failure {
    Failure::not_dispatched(format!(
        "The coordinate lies outside of the last screenshot, which is {} by {} pixels. No input was sent. \
         Retry: safe, with a coordinate inside.",
        shot.width, shot.height
    ))
}

fn outdated(why: &str) -> Failure {
    Failure::not_dispatched(format!(
        "The last screenshot no longer shows the page: {why}. No input was sent. \
         Retry: not with this coordinate. Next step: call computer with action screenshot, then use its pixels."
    ))
}

impl Shot {
    /// What about the page is not as it was when the picture was taken.
    fn differs(&self, page: &Page) -> Option<&'static str> {
        // Both sides round, one of them to device pixels.
        let apart = |a: f64, b: f64| (a - b).abs() > 1.5;
        if apart(self.scroll.0, page.scroll.x) || apart(self.scroll.1, page.scroll.y) {
            return Some("it was scrolled");
        }
        if apart(self.inner, page.inner) {
            return Some("a part of it was scrolled");
        }
        if page.viewport.pinched {
            return Some("it is enlarged by a pinch, so use references");
        }
        let resized = apart(self.viewport.0, page.viewport.width)
            || apart(self.viewport.1, page.viewport.height);
        resized.then_some("the viewport has another size")
    }

    /// The place in CSS pixels of the viewport.
    pub(crate) fn place(&self, [x, y]: [f64; 2]) -> Option<[f64; 2]> {
        let (width, height) = (f64::from(self.width), f64::from(self.height));
        if !(0.0..=width).contains(&x) || !(0.0..=height).contains(&y) {
            return None;
        }
        let [left, top, across, down] = self.part;
        Some([left + x * across / width, top + y * down / height])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shot() -> Shot {
        Shot {
            loader: "A".into(),
            width: 500,
            height: 400,
            viewport: (1000.0, 800.0),
            ratio: 1.0,
            scroll: (0.0, 120.0),
            inner: 0.0,
            part: [0.0, 0.0, 1000.0, 800.0],
        }
    }

    #[test]
    fn a_pixel_of_the_picture_is_a_place_of_the_page() {
        assert_eq!(shot().place([250.0, 100.0]), Some([500.0, 200.0]));
        assert_eq!(shot().place([500.0, 400.0]), Some([1000.0, 800.0]));
        assert_eq!(shot().place([500.1, 0.0]), None);
        assert_eq!(shot().place([-1.0, 0.0]), None);
        assert_eq!(shot().place([f64::NAN, 0.0]), None);
    }

    #[test]
    fn a_picture_of_another_state_of_the_page_is_told() {
        let page = |x: f64, y: f64, width: f64, height: f64| -> Page {
            serde_json::from_value(
                json!({"scroll": {"x": x, "y": y}, "viewport": {"width": width, "height": height}}),
            )
            .unwrap()
        };
        let cases = [
            ((0.0, 120.0, 1000.0, 800.0), None),
            ((0.0, 121.0, 1001.0, 800.0), None),
            ((0.0, 130.0, 1000.0, 800.0), Some("it was scrolled")),
            ((0.0, 120.0, 1000.0, 744.0), Some("the viewport has another size")),
        ];
        for ((x, y, width, height), expected) in cases {
            assert_eq!(shot().differs(&page(x, y, width, height)), expected);
        }
    }
}
