//! The life of one service: its lock, key and sockets, its connections, and its end.

mod door;
#[cfg(test)]
mod tests;
mod unproved;
mod watch;

use crate::activity::Ending;
use crate::bounds::Bounds;
use crate::crew::within;
use crate::engine::Engine;
use crate::scheduler::{Retired, Scope};
use crate::tool::Tool;
use async_executor::LocalExecutor;
use door::Door;
use futures_lite::future::FutureExt as _;
use ghostlight_transport::admission::Endpoint;
use ghostlight_transport::endpoint::Listener;
use ghostlight_transport::key::Key;
use ghostlight_transport::limits::{DRAIN, DRAIN_FLUSH, DRAIN_TOLD};
use ghostlight_transport::lock::ServiceLock;
use ghostlight_transport::place::Place;
use ghostlight_transport::stderr::Stderr;
use ghostlight_transport::stop::{Reason, Stop};
use std::fmt;
use std::io;
use std::rc::Rc;
use std::sync::Arc;

/// How a service came to its end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Served {
    Ended(Ending),
    /// Another one holds the lock: this is what whoever started us wanted.
    AlreadyRunning,
}

#[derive(Debug)]
pub(crate) enum ServeError {
    Place(ghostlight_transport::place::PlaceError),
    Io(io::Error),
    Engine(String),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place(error) => error.fmt(f),
            Self::Io(error) => write!(f, "the service could not start: {error}"),
            Self::Engine(error) => f.write_str(error),
        }
    }
}

impl From<io::Error> for ServeError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<ghostlight_transport::place::PlaceError> for ServeError {
    fn from(error: ghostlight_transport::place::PlaceError) -> Self {
        Self::Place(error)
    }
}

/// Serves until there is a reason to end. Must run on `executor`.
pub(crate) async fn serve(
    executor: Rc<LocalExecutor<'static>>,
    place: Place,
    bounds: Bounds,
    tools: &'static [Tool],
    log: Stderr,
) -> Result<Served, ServeError> {
    let mut stop = Stop::signals_only()?;
    let place = Arc::new(place);
    let Some(lock) = ServiceLock::try_acquire(&place)? else { return Ok(Served::AlreadyRunning) };
    let key = Rc::new(Key::mint(&place, &lock)?);
    let browser = Listener::bind(&place, &lock, Endpoint::Browser)?;
    let edge = Listener::bind(&place, &lock, Endpoint::Edge)?;
    let engine = Engine::new(executor, Arc::clone(&place), bounds, tools, log);
    let engine = Rc::new(engine.map_err(ServeError::Engine)?);
    engine.audit.settle_earlier_life();
    engine.log.log(format_args!("serving in {}", place.path().display()));
    let door = Door { engine: Rc::clone(&engine), key, place: &place, lock: &lock };
    let signal = async {
        let Reason::Signal(name) = stop.wait().await else { return Ending::Signal("parent") };
        Ending::Signal(name)
    };
    let ending = signal
        .or(door.open(&edge))
        .or(door.open(&browser))
        .or(watch::superseded(&place, &lock))
        .or(watch::idle_or_told(&engine))
        .or(watch::expiring(&engine))
        .await;
    engine.activity.end(ending);
    engine.log.log(format_args!("ending: {ending}"));
    edge.close(&place, &lock);
    browser.close(&place, &lock);
    let impatient = async {
        stop.wait().await;
    };
    drain(&engine, ending).or(impatient).await;
    // A disk that hangs must not keep a dead service's lock.
    within(DRAIN, engine.audit.close()).await;
    Ok(Served::Ended(ending))
}

/// Lets running calls end, then the streams take what is queued for them.
async fn drain(engine: &Rc<Engine>, ending: Ending) {
    let patience = if ending.is_patient() { DRAIN } else { DRAIN_TOLD };
    engine.lanes.retire(Scope::Everything, Retired::Ending);
    let works = async {
        while engine.activity.works() > 0 {
            engine.activity.rung().await;
        }
    };
    within(patience, works).await;
    engine.activity.kick_streams();
    engine.browsers.kick_all();
    within(DRAIN_FLUSH, engine.crew.idle()).await;
    engine.crew.dismiss().await;
}
