//! The client's two pipes. Their modes are left alone, since others may hold the same files.

use ghostlight_transport::outbox::OutboxReader;
use rustix::fs::{Mode, OFlags};
use rustix::net::SendFlags;
use smol::Async;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::AsFd;
use std::os::unix::fs::FileTypeExt as _;

/// Whatever polls as writable takes this much without blocking.
const SMALL_WRITE: usize = 4096;
pub(crate) const READ_STEP: usize = 64 * 1024;

fn own_file(stream: impl AsFd) -> io::Result<File> {
    stream.as_fd().try_clone_to_owned().map(File::from)
}

#[derive(Debug)]
pub(crate) enum Stdin {
    /// What polls as readable is read without blocking: we are its only reader.
    Polled(Async<File>),
    /// Ordinary files and the null device cannot be polled, and never block for long.
    Ready(File),
}

impl Stdin {
    pub(crate) fn open() -> io::Result<Self> {
        let stdin = io::stdin();
        match Async::new_nonblocking(own_file(&stdin)?) {
            Ok(polled) => Ok(Self::Polled(polled)),
            Err(_) => own_file(&stdin).map(Self::Ready),
        }
    }

    /// The next bytes; none at the end. Cancel-safe.
    pub(crate) async fn read<'a>(&self, buffer: &'a mut [u8]) -> io::Result<&'a [u8]> {
        loop {
            let mut file = match self {
                Self::Polled(polled) => {
                    polled.readable().await?;
                    polled.get_ref()
                }
                Self::Ready(file) => file,
            };
            match file.read(buffer) {
                Ok(read) => return Ok(&buffer[..read]),
                Err(error) if passes(&error) => {}
                Err(error) => return Err(error),
            }
        }
    }
}

#[derive(Debug)]
pub(crate) enum Stdout {
    /// A pipe, opened once more so that this opening alone does not block.
    Pipe(Async<File>),
    /// Each write says for itself that it must not block.
    Socket(Async<File>),
    /// A terminal, or a pipe of another user.
    Polled(Async<File>),
    Ready(File),
}

impl Stdout {
    pub(crate) fn open() -> io::Result<Self> {
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

    /// Writes batches of lines until there will be no more.
    pub(crate) async fn write_all_of(self, mut batches: OutboxReader) -> io::Result<()> {
        while let Some(batch) = batches.next().await {
            let mut rest = batch.as_slice();
            while !rest.is_empty() {
                match self.write(rest).await {
                    Ok(written) => rest = &rest[written..],
                    Err(error) if passes(&error) => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(())
    }

    async fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Pipe(pipe) => pipe.write_with(|mut pipe| pipe.write(bytes)).await,
            Self::Socket(socket) => {
                let flags = SendFlags::DONTWAIT | SendFlags::NOSIGNAL;
                socket.write_with(|socket| Ok(rustix::net::send(socket, bytes, flags)?)).await
            }
            Self::Polled(polled) => {
                polled.writable().await?;
                polled.get_ref().write(&bytes[..bytes.len().min(SMALL_WRITE)])
            }
            Self::Ready(file) => (&*file).write(bytes),
        }
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
