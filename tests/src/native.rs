//! Native-messaging frames: a little-endian length of four bytes and one JSON text.

use serde_json::Value;
use std::io::{self, Read, Write};

/// The next frame's bytes; nothing at a clean end.
///
/// # Errors
/// Those of the pipe; an end inside a frame is [`io::ErrorKind::UnexpectedEof`].
pub fn read(pipe: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    let mut got = 0;
    while got < 4 {
        match pipe.read(&mut length[got..])? {
            0 if got == 0 => return Ok(None),
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            n => got += n,
        }
    }
    let mut frame = vec![0; u32::from_le_bytes(length) as usize];
    pipe.read_exact(&mut frame)?;
    Ok(Some(frame))
}

/// # Errors
/// Those of the pipe.
pub fn write(pipe: &mut impl Write, text: &[u8]) -> io::Result<()> {
    let length = u32::try_from(text.len()).map_err(io::Error::other)?;
    pipe.write_all(&[&length.to_le_bytes(), text].concat())?;
    pipe.flush()
}

/// # Errors
/// Those of the pipe.
pub fn write_value(pipe: &mut impl Write, value: &Value) -> io::Result<()> {
    write(pipe, value.to_string().as_bytes())
}
