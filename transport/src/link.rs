//! One admitted or not yet admitted connection: frames in, frames out.

use crate::frame::{Decoder, header};
use crate::limits::{FRAME_JOINED, FRAME_STEP};
use async_io::Async;
use futures_lite::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use std::fmt;
use std::io;
use std::os::unix::net::UnixStream;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

#[derive(Debug)]
pub struct Link {
    pub reader: FrameReader,
    pub writer: FrameWriter,
}

impl Link {
    #[must_use]
    pub fn new(stream: Async<UnixStream>, limit: usize) -> Self {
        let stream = Arc::new(stream);
        Self {
            reader: FrameReader::new(Half(Arc::clone(&stream)), limit),
            writer: FrameWriter::new(Half(stream)),
        }
    }
}

/// One direction of a socket whose other direction somebody else uses.
struct Half(Arc<Async<UnixStream>>);

impl AsyncRead for Half {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut &*self.0).poll_read(cx, buf)
    }
}

impl AsyncWrite for Half {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut &*self.0).poll_write(cx, buf)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut &*self.0).poll_flush(cx)
    }

    /// The other direction stays open.
    fn poll_close(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(self.0.get_ref().shutdown(std::net::Shutdown::Write))
    }
}

/// Frames from a stream. A read that loses a race loses no byte.
pub struct FrameReader {
    stream: Pin<Box<dyn AsyncRead>>,
    decoder: Decoder,
}

impl FrameReader {
    pub fn new(stream: impl AsyncRead + 'static, limit: usize) -> Self {
        Self { stream: Box::pin(stream), decoder: Decoder::new(limit) }
    }

    pub fn set_limit(&mut self, limit: usize) {
        self.decoder.set_limit(limit);
    }

    /// The next frame; `None` when the stream ends between two. Cancel-safe.
    ///
    /// # Errors
    /// Those of the stream; `UnexpectedEof` inside a frame, `InvalidData` for a bad length word.
    pub async fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            let bad = |error| io::Error::new(io::ErrorKind::InvalidData, error);
            if let Some(frame) = self.decoder.next_frame().map_err(bad)? {
                return Ok(Some(frame));
            }
            match self.stream.read(self.decoder.space()).await? {
                0 if self.decoder.between_frames() => return Ok(None),
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                read => self.decoder.advance(read),
            }
        }
    }
}

impl fmt::Debug for FrameReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FrameReader").finish_non_exhaustive()
    }
}

/// Frames to a stream, small ones joined in one write. Not cancel-safe: one task owns it.
pub struct FrameWriter {
    stream: Pin<Box<dyn AsyncWrite>>,
    joined: Vec<u8>,
}

impl FrameWriter {
    pub fn new(stream: impl AsyncWrite + 'static) -> Self {
        Self { stream: Box::pin(stream), joined: Vec::new() }
    }

    /// Sends one frame and everything queued before it.
    ///
    /// # Errors
    /// Those of the stream; `InvalidInput` for a body that no length word can announce.
    pub async fn send(&mut self, frame: &[u8]) -> io::Result<()> {
        self.queue(frame).await?;
        self.flush().await
    }

    /// Whether another small frame should be queued before flushing.
    pub(crate) fn has_room(&self) -> bool {
        self.joined.len() < FRAME_STEP
    }

    pub(crate) async fn queue(&mut self, frame: &[u8]) -> io::Result<()> {
        let header = header(frame).ok_or(io::ErrorKind::InvalidInput)?;
        self.joined.extend_from_slice(&header);
        if frame.len() < FRAME_JOINED {
            self.joined.extend_from_slice(frame);
            return Ok(());
        }
        self.drain().await?;
        self.write(frame).await
    }

    pub(crate) async fn flush(&mut self) -> io::Result<()> {
        self.drain().await?;
        self.stream.flush().await
    }

    /// Tells the peer that no frame follows.
    ///
    /// # Errors
    /// Those of the stream.
    pub async fn close(&mut self) -> io::Result<()> {
        self.flush().await?;
        self.stream.close().await
    }

    async fn drain(&mut self) -> io::Result<()> {
        let joined = std::mem::take(&mut self.joined);
        self.write(&joined).await?;
        if joined.capacity() <= FRAME_STEP {
            self.joined = joined;
            self.joined.clear();
        }
        Ok(())
    }

    #[expect(clippy::disallowed_methods, reason = "the writer owns its direction of the stream")]
    async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes).await
    }
}

impl fmt::Debug for FrameWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FrameWriter").finish_non_exhaustive()
    }
}
