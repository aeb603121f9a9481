//! The two pipes that whoever started us holds. Their modes are left alone, since others may hold the same files.

use async_io::Async;
use futures_lite::io::{AsyncRead, AsyncWrite};
use rustix::fs::{Mode, OFlags};
use rustix::net::SendFlags;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::AsFd;
use std::os::unix::fs::FileTypeExt as _;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// Whatever polls as writable takes this much without blocking.
const SMALL_WRITE: usize = 4096;

/// The descriptor without the locks and line buffers that std puts around it.
fn own_file(stream: impl AsFd) -> io::Result<File> {
    stream.as_fd().try_clone_to_owned().map(File::from)
}

#[derive(Debug)]
pub enum Stdin {
    /// What polls as readable is read without blocking: we are its only reader.
    Polled(Async<File>),
    /// Ordinary files and the null device cannot be polled, and never block for long.
    Ready(File),
}

impl Stdin {
    /// # Errors
    /// Stdin is closed.
    pub fn open() -> io::Result<Self> {
        let stdin = io::stdin();
        match Async::new_nonblocking(own_file(&stdin)?) {
            Ok(polled) => Ok(Self::Polled(polled)),
            Err(_) => own_file(&stdin).map(Self::Ready),
        }
    }
}

impl AsyncRead for Stdin {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        loop {
            let mut file = match &*self {
                Self::Polled(polled) => {
                    ready!(polled.poll_readable(cx))?;
                    polled.get_ref()
                }
                Self::Ready(file) => file,
            };
            match file.read(buffer) {
                Err(error) if passes(&error) => {}
                read => return Poll::Ready(read),
            }
        }
    }
}

#[derive(Debug)]
pub enum Stdout {
    /// A pipe, opened once more so that this opening alone does not block.
    Pipe(Async<File>),
    /// Each write says for itself that it must not block.
    Socket(Async<File>),
    /// A terminal, or a pipe of another user.
    Polled(Async<File>),
    Ready(File),
}

impl Stdout {
    /// # Errors
    /// Stdout is closed.
    pub fn open() -> io::Result<Self> {
        let stdout = io::stdout();
        let file = own_file(&stdout)?;
        let kind = file.metadata()?.file_type();
        if kind.is_fifo()
            && let Some(pipe) = reopened()
        {
            return Ok(Self::Pipe(pipe));
        }
        match Async::new_nonblocking(file) {
            Ok(socket) if kind.is_socket() => Ok(Self::Socket(socket)),
            Ok(polled) => Ok(Self::Polled(polled)),
            Err(_) => own_file(&stdout).map(Self::Ready),
        }
    }
}

impl AsyncWrite for Stdout {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        loop {
            let (written, waits) = match &*self {
                Self::Pipe(pipe) => (pipe.get_ref().write(bytes), Some(pipe)),
                Self::Socket(socket) => {
                    let flags = SendFlags::DONTWAIT | SendFlags::NOSIGNAL;
                    let sent = rustix::net::send(socket.get_ref(), bytes, flags);
                    (sent.map_err(io::Error::from), Some(socket))
                }
                Self::Polled(polled) => {
                    ready!(polled.poll_writable(cx))?;
                    (polled.get_ref().write(&bytes[..bytes.len().min(SMALL_WRITE)]), None)
                }
                Self::Ready(file) => ((&*file).write(bytes), None),
            };
            match written {
                Err(error) if passes(&error) => {
                    if let Some(waits) = waits {
                        ready!(waits.poll_writable(cx))?;
                    }
                }
                written => return Poll::Ready(written),
            }
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    /// It closes with the process.
    fn poll_close(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

fn reopened() -> Option<Async<File>> {
    let flags = OFlags::WRONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    let pipe = rustix::fs::open("/proc/self/fd/1", flags, Mode::empty()).ok()?;
    Async::new_nonblocking(File::from(pipe)).ok()
}

fn passes(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}
