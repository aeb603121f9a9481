//! The reasons to end that nobody sends: nothing to do, or a place that is no longer ours.

use crate::activity::Ending;
use crate::engine::Engine;
use async_io::{Async, Timer};
use futures_lite::future::FutureExt as _;
use ghostlight_transport::lock::ServiceLock;
use ghostlight_transport::place::Place;
use rustix::fs::inotify::{CreateFlags, WatchFlags, add_watch, init};
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::rc::Rc;
use std::time::Instant;

/// Until somebody tells the service to end, or it has had nothing to do for its time. A timer runs only
/// while it has nothing to do.
pub(super) async fn idle_or_told(engine: &Rc<Engine>) -> Ending {
    let mut since = None;
    loop {
        if let Some(ending) = engine.activity.ending() {
            return ending;
        }
        let rung = engine.activity.rung();
        if !engine.is_idle() {
            since = None;
            rung.await;
            continue;
        }
        let since = *since.get_or_insert_with(Instant::now);
        let until = since + engine.bounds.service_idle;
        if Instant::now() >= until {
            return Ending::Idle;
        }
        let late = async {
            Timer::at(until).await;
        };
        rung.or(late).await;
    }
}

/// Ends workspaces when their time has come. A timer runs only while one of them has a deadline.
pub(super) async fn expiring(engine: &Rc<Engine>) -> Ending {
    loop {
        let rung = engine.activity.rung();
        engine.workspaces.borrow_mut().expire(Instant::now());
        engine.settle_workspaces();
        let deadline = engine.workspaces.borrow().deadline();
        engine.expiring.set(deadline.is_some());
        match deadline {
            None => rung.await,
            Some(deadline) => {
                let due = async {
                    Timer::at(deadline).await;
                };
                // A tab that went may have brought it nearer.
                rung.or(due).await;
            }
        }
    }
}

/// Until the state directory or the lock in it is another one. The kernel tells; nothing polls. Without
/// its help, each new connection looks.
pub(super) async fn superseded(place: &Place, lock: &ServiceLock) -> Ending {
    if let Ok(events) = watched(place) {
        let mut buffer = [0; 4096];
        while lock.still_ours(place) {
            let heard = events.read_with(|fd| Ok(rustix::io::read(fd, &mut buffer)?)).await;
            if heard.is_err() {
                return std::future::pending().await;
            }
        }
        return Ending::Superseded;
    }
    std::future::pending().await
}

fn watched(place: &Place) -> std::io::Result<Async<OwnedFd>> {
    let events = init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
    let directory = format!("/proc/self/fd/{}", place.dir().as_raw_fd());
    let changes = WatchFlags::DELETE
        | WatchFlags::MOVED_FROM
        | WatchFlags::DELETE_SELF
        | WatchFlags::MOVE_SELF;
    add_watch(&events, directory, changes)?;
    Async::new_nonblocking(events)
}
