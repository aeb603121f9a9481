//! From a point of a frame to the same point of the tab: through every frame around it, past whatever lies in front.

use super::frame::{self, Frame};
use crate::page::answers::{Above, Brief, Place};
use crate::tab::{OwnedTab, RequestFault};
use ghostlight_transport::browser_wire::FaultCode;
use ghostlight_transport::limits::BROWSER_REQUEST;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// One point, as two takers of input have it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Reached {
    /// The process of the frame takes input there, at `local`; none for that of the tab.
    pub(crate) session: Option<String>,
    pub(crate) local: Place,
    /// In the viewport of the tab.
    pub(crate) root: Place,
}

/// Why the point cannot be reached from outside.
#[derive(Debug)]
pub(crate) enum Blocked {
    /// By this, if it has an element.
    Covered(Option<Brief>),
    OffScreen,
    Fault(RequestFault),
}

#[derive(Deserialize)]
struct Commanded<R> {
    result: R,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Found {
    backend_node_id: i64,
    frame_id: String,
}

#[derive(Deserialize)]
struct Boxed {
    model: Model,
}

#[derive(Deserialize)]
struct Model {
    content: [f64; 8],
}

/// Where `point` of `frame`, whose viewport has `size`, lies in the tab; nothing is in front of it.
pub(crate) async fn through(
    tab: &OwnedTab,
    frames: &[Frame],
    frame: &Frame,
    (point, size): (Place, Place),
) -> Result<Reached, Blocked> {
    let (mut at, mut point, mut size) = (frame, point, size);
    let mut local = None;
    // By the browser's word; a ring of them would have no end.
    for _ in frames {
        let Some(parent) = parent(frames, at) else { break };
        let session = parent.session.as_deref();
        let owner = json!({ "frameId": at.frame_id });
        let owner: Found = cdp(tab, session, "DOM.getFrameOwner", owner).await?;
        let node = json!({ "backendNodeId": owner.backend_node_id });
        let boxed: Boxed = cdp(tab, session, "DOM.getBoxModel", node).await?;
        // A frame with a process of its own is an end for input; others lie within what their parents take.
        if at.session != parent.session && local.is_none() {
            local = Some(point);
        }
        let outer = process_root(frames, parent);
        let inner = mapped(point, size, boxed.model.content);
        let above: Above = outer.ask(tab, "above", json!([inner])).await.map_err(Blocked::Fault)?;
        look(tab, session, (&inner, &above), (at, &owner)).await?;
        (at, size) = (outer, above.size);
        point = if outer.parent_id.is_none() { above.root } else { inner };
    }
    let session = frame.session.clone();
    Ok(Reached { session, local: local.unwrap_or(point), root: point })
}

/// The frame whose content shows at a point of the tab's viewport; one of another process as a whole.
pub(crate) async fn frame_at(tab: &OwnedTab, main: Frame, point: Place, scroll: Place) -> Frame {
    let Ok(frames) = frame::all(tab).await else { return main };
    if frames.len() < 2 {
        return main;
    }
    let at = json!({ "x": (point.x + scroll.x).round(), "y": (point.y + scroll.y).round() });
    let Ok(found) = cdp::<Found>(tab, None, "DOM.getNodeForLocation", at).await else {
        return main;
    };
    let is_apart =
        |inner: &&Frame| parent(&frames, inner).is_some_and(|outer| outer.session != inner.session);
    for inner in frames.iter().filter(is_apart) {
        let owner = json!({ "frameId": inner.frame_id });
        let owner = cdp::<Found>(tab, None, "DOM.getFrameOwner", owner).await;
        if owner.is_ok_and(|owner| owner.backend_node_id == found.backend_node_id) {
            return inner.clone();
        }
    }
    frames.into_iter().find(|inner| inner.frame_id == found.frame_id).unwrap_or(main)
}

fn parent<'f>(frames: &'f [Frame], frame: &Frame) -> Option<&'f Frame> {
    let parent = frame.parent_id.as_ref()?;
    frames.iter().find(|frame| frame.frame_id == *parent)
}

/// The outermost frame of the process that `frame` lives in.
fn process_root<'f>(frames: &'f [Frame], frame: &'f Frame) -> &'f Frame {
    let mut at = frame;
    for _ in frames {
        match parent(frames, at).filter(|outer| outer.session == at.session) {
            Some(outer) => at = outer,
            None => break,
        }
    }
    at
}

/// A frame's box may be moved, scaled, turned and bordered: its content is this quadrilateral.
fn mapped(point: Place, size: Place, quad: [f64; 8]) -> Place {
    let share = |at: f64, whole: f64| if whole > 0.0 { at / whole } else { 0.5 };
    let (u, v) = (share(point.x, size.x), share(point.y, size.y));
    let [ax, ay, bx, by, cx, cy, dx, dy] = quad;
    let mix = |a: f64, b: f64, c: f64, d: f64| {
        (1.0 - v) * ((1.0 - u) * a + u * b) + v * ((1.0 - u) * d + u * c)
    };
    Place { x: mix(ax, bx, cx, dx), y: mix(ay, by, cy, dy) }
}

/// What the document around the frame finds at the point: the frame's own content, or the frame where that is another process's.
async fn look(
    tab: &OwnedTab,
    session: Option<&str>,
    (point, above): (&Place, &Above),
    (frame, owner): (&Frame, &Found),
) -> Result<(), Blocked> {
    let Place { x, y } = *point;
    if !(0.0..above.size.x).contains(&x) || !(0.0..above.size.y).contains(&y) {
        return Err(Blocked::OffScreen);
    }
    let at = json!({ "x": (x + above.scroll.x).round(), "y": (y + above.scroll.y).round() });
    let found: Found = cdp(tab, session, "DOM.getNodeForLocation", at).await?;
    if found.frame_id == frame.frame_id || found.backend_node_id == owner.backend_node_id {
        return Ok(());
    }
    Err(Blocked::Covered(above.by.clone()))
}

async fn cdp<R: DeserializeOwned>(
    tab: &OwnedTab,
    session: Option<&str>,
    method: &str,
    params: Value,
) -> Result<R, Blocked> {
    let mut request = json!({ "method": method, "params": params });
    if let Some(session) = session {
        request["session"] = session.into();
    }
    match tab.read::<Commanded<R>>("cdp", request, BROWSER_REQUEST).await {
        Ok(answer) => Ok(answer.result),
        // No box, or no node there: it is not painted, or lies where nothing is.
        Err(fault) if fault.code == FaultCode::Cdp => Err(Blocked::OffScreen),
        Err(fault) => Err(Blocked::Fault(fault)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_follows_its_frame_wherever_that_is_moved_scaled_or_turned() {
        let at = |x: f64, y: f64| Place { x, y };
        let size = at(200.0, 100.0);
        let cases = [
            ([10.0, 20.0, 210.0, 20.0, 210.0, 120.0, 10.0, 120.0], at(60.0, 70.0)),
            ([0.0, 0.0, 100.0, 0.0, 100.0, 50.0, 0.0, 50.0], at(25.0, 25.0)),
            ([100.0, 0.0, 100.0, 200.0, 0.0, 200.0, 0.0, 0.0], at(50.0, 50.0)),
        ];
        for (quad, expected) in cases {
            assert_eq!(mapped(at(50.0, 50.0), size, quad), expected);
        }
        assert_eq!(mapped(at(1.0, 1.0), at(0.0, 0.0), cases[0].0), at(110.0, 70.0));
    }

    #[test]
    fn a_frame_belongs_to_the_outermost_of_its_process() {
        let frame = |id: &str, parent: Option<&str>, session: Option<&str>| Frame {
            frame_id: id.into(),
            parent_id: parent.map(Into::into),
            session: session.map(Into::into),
            ..Frame::default()
        };
        let frames = [
            frame("main", None, None),
            frame("near", Some("main"), None),
            frame("far", Some("near"), Some("S")),
            frame("deep", Some("far"), Some("S")),
        ];
        let ring = [frame("a", Some("b"), None), frame("b", Some("a"), None)];
        process_root(&ring, &ring[0]);
        let root = |index: usize| process_root(&frames, &frames[index]).frame_id.as_str();
        assert_eq!([root(0), root(1), root(2), root(3)], ["main", "main", "far", "far"]);
    }
}
