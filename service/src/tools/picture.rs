//! Pictures of a tab at the size models take, and what ties their pixels to the page. Pure.

use ghostlight_transport::limits::{PICTURE_SIDE, PICTURE_TILE, PICTURE_TILES};

/// The last picture that was given to the model.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Shot {
    pub(crate) loader: String,
    /// In pixels of the picture.
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// In CSS pixels.
    pub(crate) viewport: (f64, f64),
    /// Device pixels to one of CSS.
    pub(crate) ratio: f64,
    pub(crate) scroll: (f64, f64),
    pub(crate) inner: f64,
    /// What the picture shows, from the viewport's corner: left, top, width, height.
    pub(crate) part: [f64; 4],
}

/// By how much a picture of this many device pixels must shrink; at most 1. The browser rounds up.
pub(crate) fn scale(width: f64, height: f64) -> f64 {
    let fits = |scale: f64| {
        let (w, h) = ((width * scale).ceil().max(1.0), (height * scale).ceil().max(1.0));
        let tile = f64::from(PICTURE_TILE);
        w.max(h) <= f64::from(PICTURE_SIDE)
            && (w / tile).ceil() * (h / tile).ceil() <= f64::from(PICTURE_TILES)
    };
    if !(width > 0.0 && height > 0.0) || fits(1.0) {
        return 1.0;
    }
    let (mut small, mut large) = (0.0, 1.0);
    for _ in 0..30 {
        let middle = f64::midpoint(small, large);
        if fits(middle) { small = middle } else { large = middle }
    }
    small
}

/// Characters that hold the header of a picture.
const HEADER: usize = 4 * 1024;

/// Width and height in the header of a JPEG, given as base64.
pub(crate) fn jpeg_size(base64: &str) -> Option<(u32, u32)> {
    let bytes = decode(base64.as_bytes().get(..base64.len().min(HEADER))?);
    let mut at = bytes.strip_prefix(&[0xff, 0xd8])?;
    loop {
        let [0xff, marker, rest @ ..] = at else { return None };
        let length = usize::from(u16::from_be_bytes([*rest.first()?, *rest.get(1)?]));
        let is_frame = (0xc0..=0xcf).contains(marker) && ![0xc4, 0xc8, 0xcc].contains(marker);
        if is_frame {
            let side = |at: usize| {
                Some(u32::from(u16::from_be_bytes([*rest.get(at)?, *rest.get(at + 1)?])))
            };
            return Some((side(5)?, side(3)?));
        }
        at = rest.get(length..)?;
    }
}

/// As much of it as is whole and valid.
fn decode(text: &[u8]) -> Vec<u8> {
    let value = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0);
    for sextet in text.iter().map_while(|byte| value(*byte)) {
        bits = (bits << 6) | u32::from(sextet);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push(u8::try_from((bits >> count) & 0xff).unwrap_or_default());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_fit_what_models_take() {
        let cases = [
            (1280.0, 720.0),
            (1000.0, 30_000.0),
            (3840.0, 2160.0),
            (1568.0, 784.0),
            (30_000.0, 100.0),
            (1300.0, 1300.0),
        ];
        for (width, height) in cases {
            let scale = scale(width, height);
            let (w, h) = ((width * scale).ceil(), (height * scale).ceil());
            assert!(
                w.max(h) <= 1568.0 && (w / 28.0).ceil() * (h / 28.0).ceil() <= 1568.0,
                "{width}x{height}: {w}x{h}"
            );
            assert!(
                scale == 1.0 || w.max(h) > 1500.0 || (w / 28.0).ceil() * (h / 28.0).ceil() > 1480.0,
                "{width}x{height} shrank too much: {w}x{h}"
            );
        }
        assert_eq!(scale(1280.0, 657.0), 1.0);
        assert_eq!(scale(0.0, 0.0), 1.0);
    }

    #[test]
    fn the_size_of_a_jpeg_is_read_from_its_header() {
        // SOI, an APP0 of 16 bytes, SOF0 of 17 bytes with height 657 and width 1280.
        let mut jpeg = vec![0xff, 0xd8, 0xff, 0xe0, 0, 16];
        jpeg.extend([0; 14]);
        jpeg.extend([0xff, 0xc0, 0, 17, 8, 2, 0x91, 5, 0, 3]);
        let text = encode(&jpeg);
        assert_eq!(jpeg_size(&text), Some((1280, 657)));
        for cut in 0..text.len() {
            let _ = jpeg_size(&text[..cut]);
        }
        assert_eq!(jpeg_size("iVBORw0KGgo="), None);
        assert_eq!(jpeg_size("ä"), None);
    }

    fn encode(bytes: &[u8]) -> String {
        const LETTERS: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut out = String::new();
        for chunk in bytes.chunks(3) {
            let bits =
                (0..3).fold(0_u32, |bits, i| (bits << 8) | u32::from(*chunk.get(i).unwrap_or(&0)));
            for i in 0..=chunk.len() {
                out.push(char::from(LETTERS[(bits >> (18 - 6 * i)) as usize & 63]));
            }
        }
        out
    }
}
