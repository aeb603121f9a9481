//! The client's two pipes. Their modes are left alone, since others may hold the same files: reads and
//! writes wait until the kernel says that they will not block.

use ghostlight_transport::outbox::OutboxReader;
use smol::Async;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::AsFd;

/// A pipe or socket that polls as writable takes this much without blocking, and as one piece.
const WRITE_STEP: usize = 4096;
pub(crate) const READ_STEP: usize = 64 * 1024;

#[derive(Debug)]
enum Stream {
    Polled(Async<File>),
    /// Ordinary files and the null device cannot be polled and never block for long.
    Ready(File),
}

impl Stream {
    fn new(stream: impl AsFd) -> io::Result<Self> {
        let owned = || stream.as_fd().try_clone_to_owned().map(File::from);
        match Async::new_nonblocking(owned()?) {
            Ok(polled) => Ok(Self::Polled(polled)),
            Err(_) => Ok(Self::Ready(owned()?)),
        }
    }

    fn file(&self) -> &File {
        match self {
            Self::Polled(polled) => polled.get_ref(),
            Self::Ready(file) => file,
        }
    }
}

#[derive(Debug)]
pub(crate) struct Stdin(Stream);

impl Stdin {
    pub(crate) fn open() -> io::Result<Self> {
        Stream::new(io::stdin()).map(Self)
    }

    /// The next bytes; none at the end. Cancel-safe.
    pub(crate) async fn read<'a>(&self, buffer: &'a mut [u8]) -> io::Result<&'a [u8]> {
        loop {
            if let Stream::Polled(polled) = &self.0 {
                polled.readable().await?;
            }
            match self.0.file().read(buffer) {
                Ok(read) => return Ok(&buffer[..read]),
                Err(error) if passes(&error) => {}
                Err(error) => return Err(error),
            }
        }
    }
}

#[derive(Debug)]
pub(crate) struct Stdout(Stream);

impl Stdout {
    pub(crate) fn open() -> io::Result<Self> {
        Stream::new(io::stdout()).map(Self)
    }

    /// Writes batches of lines until there will be no more.
    pub(crate) async fn write_all_of(self, mut batches: OutboxReader) -> io::Result<()> {
        while let Some(batch) = batches.next().await {
            self.write(&batch).await?;
        }
        Ok(())
    }

    async fn write(&self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let step = match &self.0 {
                Stream::Polled(polled) => {
                    polled.writable().await?;
                    &bytes[..bytes.len().min(WRITE_STEP)]
                }
                Stream::Ready(_) => bytes,
            };
            match self.0.file().write(step) {
                Ok(written) => bytes = &bytes[written..],
                Err(error) if passes(&error) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

fn passes(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}
