//! Eyesight for tests: where a colour is in a screenshot, found by the browser's own canvas in a page beside the agent's.

use super::target::Target;
use crate::judge::Judge;
use crate::reply::Picture;
use serde_json::{Value, json};

const PAGE: &str = "about:blank#eye";
/// Pictures are compressed, so a colour comes back a little off.
const SCAN: &str = "(async (url, rgb) => {\
    const i = await createImageBitmap(await (await fetch(url)).blob());\
    const c = document.createElement('canvas'); c.width = i.width; c.height = i.height;\
    const x = c.getContext('2d'); x.drawImage(i, 0, 0);\
    const d = x.getImageData(0, 0, i.width, i.height).data;\
    let l = 1e9, r = -1, t = 1e9, b = -1;\
    for (let p = 0; p < d.length; p += 4) {\
      if (Math.abs(d[p] - rgb[0]) + Math.abs(d[p + 1] - rgb[1]) + Math.abs(d[p + 2] - rgb[2]) > 36) continue;\
      const h = p / 4 % i.width, v = Math.floor(p / 4 / i.width);\
      l = Math.min(l, h); r = Math.max(r, h); t = Math.min(t, v); b = Math.max(b, v);\
    }\
    return r < 0 ? null : [Math.round((l + r) / 2), Math.round((t + b) / 2)];\
  })";

/// The pixel of the picture that the target means; none when its colour is not there.
pub fn place(judge: &mut Judge, picture: &Picture, target: &Target) -> Option<[i64; 2]> {
    let Target::Colour { rgb, right, down } = target else { return None };
    if judge.page(PAGE).is_none() {
        // In front of the agent's tab it would hide it.
        let params = json!({"url": PAGE, "background": true});
        judge.command("", "Target.createTarget", params).ok()?;
    }
    let url = json!(format!("data:{};base64,{}", picture.mime, picture.base64));
    let found = judge.evaluate(PAGE, &format!("{SCAN}({url}, {})", json!(rgb)));
    let at = |axis: usize| found.get(axis).and_then(Value::as_i64);
    Some([at(0)? + i64::from(*right), at(1)? + i64::from(*down)])
}
