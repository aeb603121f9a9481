//! One question to the running service, and its answer.

use super::{NO_SERVICE, print};
use async_io::Timer;
use futures_lite::future::FutureExt as _;
use ghostlight_transport::admission::Role;
use ghostlight_transport::bridge::{FromEdge, FromService, Status};
use ghostlight_transport::endpoint::{ConnectError, connect};
use ghostlight_transport::instance::Instance;
use ghostlight_transport::limits::HELLO_DEADLINE;
use ghostlight_transport::lock::ServiceLock;
use ghostlight_transport::place::{Place, PlaceError};
use ghostlight_transport::stderr::Stderr;
use std::fmt;
use std::io;
use std::process::ExitCode;

#[derive(Debug)]
pub(super) enum Unanswered {
    Place(PlaceError),
    Connect(ConnectError),
    Io(io::Error),
    /// It answered something else.
    Nonsense,
}

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place(error) => error.fmt(f),
            Self::Connect(error) => error.fmt(f),
            Self::Io(error) => write!(f, "the service did not answer: {error}"),
            Self::Nonsense => f.write_str("the service's answer is not one of the agreed"),
        }
    }
}

/// For a service that holds its lock and answers nothing, not even `stop`.
pub(super) const END_BY_FORCE: &str = "it hangs or was suspended; end it by force: pkill -KILL -u \"$(id -u)\" -f 'ghostlight service'";

impl Unanswered {
    /// Somebody listens there and says nothing.
    pub(super) fn is_silence(&self) -> bool {
        match self {
            Self::Connect(ConnectError::Io(error)) | Self::Io(error) => {
                error.kind() == io::ErrorKind::TimedOut
            }
            _ => false,
        }
    }

    pub(super) fn is_no_directory(&self) -> bool {
        matches!(self, Self::Connect(ConnectError::NoService))
    }
}

impl From<io::Error> for Unanswered {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

async fn ask(place: &Place, question: &FromEdge) -> Result<FromService, Unanswered> {
    let asked = async {
        let mut link = connect(place, Role::Control).await.map_err(Unanswered::Connect)?;
        let frame = serde_json::to_vec(question).map_err(io::Error::from)?;
        link.writer.send(&frame).await?;
        let ended = || io::Error::from(io::ErrorKind::UnexpectedEof);
        let answer = link.reader.next().await?.ok_or_else(ended)?;
        serde_json::from_slice(&answer).map_err(|_| Unanswered::Nonsense)
    };
    let late = async {
        Timer::after(HELLO_DEADLINE).await;
        Err(Unanswered::Io(io::ErrorKind::TimedOut.into()))
    };
    asked.or(late).await
}

/// Makes no directory: where none is, no service runs.
pub(super) fn place(instance: &Instance) -> Result<Place, Unanswered> {
    let path = Place::locate(instance).map_err(Unanswered::Place)?;
    if !path.exists() {
        return Err(Unanswered::Connect(ConnectError::NoService));
    }
    Place::open(instance).map_err(Unanswered::Place)
}

pub(super) fn status(instance: &Instance) -> Result<Status, Unanswered> {
    let place = place(instance)?;
    match async_io::block_on(ask(&place, &FromEdge::Status { sequence: 1 }))? {
        FromService::Status { status, .. } => Ok(status),
        _ => Err(Unanswered::Nonsense),
    }
}

/// Ends the running service, and waits until it has let go.
pub(super) fn stop(instance: &Instance, stderr: &Stderr) -> ExitCode {
    match async_io::block_on(stopped(instance)) {
        Ok(true) => print::out(
            "The service has stopped. An open browser or client that needs it starts it again.",
        ),
        Ok(false) => {
            stderr.log("the service is ending, but still lets running calls finish");
            ExitCode::FAILURE
        }
        Err(Unanswered::Connect(ConnectError::NoService)) => print::out("No service is running."),
        Err(error) => failed(&error, stderr),
    }
}

async fn stopped(instance: &Instance) -> Result<bool, Unanswered> {
    use ghostlight_transport::limits::{DRAIN, RECONNECT_FIRST};
    let place = place(instance)?;
    match ask(&place, &FromEdge::Stop { sequence: 1 }).await? {
        FromService::Stopping { .. } => {}
        _ => return Err(Unanswered::Nonsense),
    }
    let gone = async {
        while ServiceLock::is_held(&place).map_err(Unanswered::Place)? {
            Timer::after(RECONNECT_FIRST).await;
        }
        Ok(true)
    };
    let late = async {
        Timer::after(DRAIN).await;
        Ok(false)
    };
    gone.or(late).await
}

pub(super) fn failed(error: &Unanswered, stderr: &Stderr) -> ExitCode {
    stderr.log(error);
    if error.is_silence() {
        stderr.log(END_BY_FORCE);
    }
    match error {
        Unanswered::Connect(ConnectError::NoService) => ExitCode::from(NO_SERVICE),
        _ => ExitCode::FAILURE,
    }
}
