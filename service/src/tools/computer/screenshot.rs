//! A picture of the tab at the size models take, and the memory that ties its pixels to the page.

use crate::page::answers::{Page, Place, Viewport};
use crate::tab::OwnedTab;
use crate::tool::{Failure, Part, Reply};
use crate::tools::aim;
use crate::tools::frame;
use crate::tools::picture::{Shot, jpeg_size, scale};
use crate::tools::refusals::refused;
use ghostlight_transport::browser_wire::{Doc, FaultCode};
use ghostlight_transport::limits::{PICTURE, PICTURE_BYTES, PICTURE_SIDE, PICTURE_TALL};
use serde::Deserialize;
use serde_json::{Value, json};

/// Tried in turn until the picture is small enough.
const QUALITIES: [u32; 3] = [75, 50, 25];

/// What the extension enlarges by at most.
const LARGEST: f64 = 4.0;

#[derive(Deserialize)]
struct Captured {
    data: String,
    mime: String,
    viewport: Viewport,
    scroll: Place,
    #[serde(default)]
    doc: Option<Doc>,
}

pub(super) async fn screenshot(tab: &OwnedTab, full_page: bool) -> Result<Reply, Failure> {
    let parts = if full_page { whole(tab).await } else { take(tab).await };
    Ok(Reply { parts: parts?, structured: None })
}

async fn state(tab: &OwnedTab) -> Result<Page, Failure> {
    let answer = frame::ask_main::<Page>(tab, "state", json!([])).await;
    answer.map(|(_, page)| page).map_err(|fault| refused(fault, "the page", tab))
}

/// The picture and the line about it; later coordinates are its pixels.
pub(crate) async fn take(tab: &OwnedTab) -> Result<Vec<Part>, Failure> {
    let (page, fitting) = tab.both(state(tab), fitting(tab, None, scale_before(tab))).await;
    let (page, (captured, size)) = (page?, fitting?);
    let part = [0.0, 0.0, captured.viewport.width, captured.viewport.height];
    Ok(keep(tab, captured, size, (part, page.inner)))
}

/// The scale that fitted last: the viewport is seldom another.
fn scale_before(tab: &OwnedTab) -> f64 {
    let memory = tab.memory();
    let memory = memory.borrow();
    memory
        .shot
        .as_ref()
        .map_or(1.0, |shot| scale(shot.viewport.0 * shot.ratio, shot.viewport.1 * shot.ratio))
}

/// The page from its top; one that is too long to be readable in a picture, from what the viewport shows on.
async fn whole(tab: &OwnedTab) -> Result<Vec<Part>, Failure> {
    let page = state(tab).await?;
    let (top, height) = stretch(&page);
    let width = page.viewport.width;
    let above = top - page.scroll.y;
    let clip = json!({ "x": 0, "y": above, "width": width, "height": height });
    let by = scale(width * ratio(&page.viewport), height * ratio(&page.viewport));
    let (captured, size) = fitting(tab, Some(clip), by).await?;
    let mut parts = keep(tab, captured, size, ([0.0, above, width, height], page.inner));
    let cut = if height < page.height {
        format!(
            "Cut: it shows the page from {top} to {} of {} px. Next step: scroll, then take it again for another part.",
            top + height,
            page.height
        )
    } else {
        format!("It shows the whole page, {} px.", page.height)
    };
    parts.insert(1, Part::Own(cut));
    Ok(parts)
}

/// Where a picture of the page beyond the viewport begins, and how high it is.
fn stretch(page: &Page) -> (f64, f64) {
    let whole = page.height.max(page.viewport.height);
    let most = (page.viewport.width * f64::from(PICTURE_TALL)).max(page.viewport.height);
    if whole <= most { (0.0, whole) } else { (page.scroll.y.clamp(0.0, whole - most), most) }
}

/// A part of the last picture, enlarged; later coordinates are pixels of the enlargement.
pub(super) async fn zoom(tab: &OwnedTab, [x0, y0, x1, y1]: [f64; 4]) -> Result<Reply, Failure> {
    let (_, shot) = aim::current(tab).await?;
    let corner = |x: f64, y: f64| shot.place([x, y]).ok_or_else(|| aim::outside(&shot));
    let [left, top] = corner(x0.min(x1), y0.min(y1))?;
    let [right, bottom] = corner(x0.max(x1), y0.max(y1))?;
    let (width, height) = (right - left, bottom - top);
    if width < 1.0 || height < 1.0 {
        return Err(Failure::not_dispatched(
            "The region is empty. Nothing was sent. Retry: safe, with [x0, y0, x1, y1] of a larger one.",
        ));
    }
    let most = f64::from(PICTURE_SIDE) / width.max(height);
    let clip = json!({ "x": left, "y": top, "width": width, "height": height });
    let (captured, size) = fitting(tab, Some(clip), most.min(LARGEST)).await?;
    let parts = keep(tab, captured, size, ([left, top, width, height], shot.inner));
    Ok(Reply { parts, structured: None })
}

/// Captured at `by`, or as much smaller as models take it.
async fn fitting(
    tab: &OwnedTab,
    clip: Option<Value>,
    mut by: f64,
) -> Result<(Captured, (u32, u32)), Failure> {
    let mut captured = capture(tab, clip.as_ref(), (by, QUALITIES[0])).await?;
    let fits = device_scale(&captured.viewport);
    if clip.is_none() && fits > by {
        by = fits;
        captured = capture(tab, None, (by, QUALITIES[0])).await?;
    }
    let (width, height) = captured.size(clip.as_ref(), by);
    let smaller = scale(f64::from(width), f64::from(height));
    if smaller < 1.0 {
        by *= smaller;
        captured = capture(tab, clip.as_ref(), (by, QUALITIES[0])).await?;
    }
    for quality in &QUALITIES[1..] {
        if captured.data.len() <= PICTURE_BYTES {
            break;
        }
        captured = capture(tab, clip.as_ref(), (by, *quality)).await?;
    }
    if captured.data.len() > PICTURE_BYTES {
        return Err(Failure::tool(
            "The browser's picture is too large. Nothing was changed. Retry: does not help. \
             Next step: use read_page or get_page_text instead.",
        ));
    }
    let size = captured.size(clip.as_ref(), by);
    Ok((captured, size))
}

impl Captured {
    /// By the picture's own header, else as it was asked for.
    fn size(&self, clip: Option<&Value>, by: f64) -> (u32, u32) {
        let side = |name: &str, whole: f64| {
            let css = clip.and_then(|clip| clip[name].as_f64()).unwrap_or(whole);
            (css * by * ratio(&self.viewport)).round().max(1.0) as u32
        };
        let asked = || (side("width", self.viewport.width), side("height", self.viewport.height));
        jpeg_size(&self.data).unwrap_or_else(asked)
    }
}

/// A clip's scale counts from CSS pixels, and the picture comes in device pixels.
fn device_scale(viewport: &Viewport) -> f64 {
    scale(viewport.width * ratio(viewport), viewport.height * ratio(viewport))
}

fn ratio(viewport: &Viewport) -> f64 {
    if viewport.dpr > 0.0 { viewport.dpr } else { 1.0 }
}

async fn capture(
    tab: &OwnedTab,
    clip: Option<&Value>,
    (scale, quality): (f64, u32),
) -> Result<Captured, Failure> {
    let mut params = json!({ "format": "jpeg", "quality": quality, "scale": scale });
    if let Some(clip) = clip {
        params["clip"] = clip.clone();
    }
    tab.read("capture", params, PICTURE).await.map_err(|fault| match fault.code {
        FaultCode::Timeout => Failure::tool(
            "The browser made no picture in time: the page is busy, or its window makes no frames. Nothing was changed. \
             Retry: safe. Next step: use read_page or get_page_text, or wait and try again.",
        ),
        _ => fault.into(),
    })
}

fn keep(
    tab: &OwnedTab,
    captured: Captured,
    (width, height): (u32, u32),
    (part, inner): ([f64; 4], f64),
) -> Vec<Part> {
    let id = tab.keep_image(&captured.mime, &captured.data);
    let loader = captured.doc.map_or_else(|| tab.facts().doc.loader_id, |doc| doc.loader_id);
    tab.memory().borrow_mut().shot = Some(Shot {
        loader,
        width,
        height,
        viewport: (captured.viewport.width, captured.viewport.height),
        ratio: ratio(&captured.viewport),
        scroll: (captured.scroll.x, captured.scroll.y),
        inner,
        part,
    });
    let named = id.map(|id| format!(" [imageId: {id}]")).unwrap_or_default();
    let text = format!(
        "Screenshot of {width} by {height} pixels; coordinates for this tab are pixels of it.{named}"
    );
    vec![Part::Own(text), Part::Image { mime: captured.mime, data: captured.data }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_page_is_shown_from_the_viewport_on_and_never_beyond_its_end() {
        let page = |height: f64, scrolled: f64| -> Page {
            serde_json::from_value(json!({"height": height, "scroll": {"y": scrolled}, "viewport": {"width": 1280, "height": 657}}))
                .unwrap()
        };
        let cases = [
            ((300.0, 0.0), (0.0, 657.0)),
            ((2_000.0, 900.0), (0.0, 2_000.0)),
            ((2_560.0, 0.0), (0.0, 2_560.0)),
            ((30_000.0, 0.0), (0.0, 2_560.0)),
            ((30_000.0, 5_000.0), (5_000.0, 2_560.0)),
            ((30_000.0, 29_343.0), (27_440.0, 2_560.0)),
        ];
        for ((height, scrolled), expected) in cases {
            assert_eq!(stretch(&page(height, scrolled)), expected, "{height} {scrolled}");
        }
    }
}
