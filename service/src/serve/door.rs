//! Who comes in: credentials and proof by the transport, places and roles here.

use super::unproved::{Crowd, Ticket};
use crate::activity::{Ending, What};
use crate::engine::Engine;
use crate::{browser, stream};
use async_io::Timer;
use futures_lite::future::{FutureExt as _, yield_now};
use ghostlight_transport::admission::{Admitted, Reason, Role};
use ghostlight_transport::endpoint::{AdmissionError, Arrival, Listener, standing};
use ghostlight_transport::key::Key;
use ghostlight_transport::limits::{ACCEPT_PAUSE, CONNECTIONS, CONTROL_CONNECTIONS};
use ghostlight_transport::lock::ServiceLock;
use ghostlight_transport::place::Place;
use std::rc::Rc;

pub(super) struct Door<'a> {
    pub(super) engine: Rc<Engine>,
    pub(super) key: Rc<Key>,
    pub(super) place: &'a Place,
    pub(super) lock: &'a ServiceLock,
}

impl Door<'_> {
    /// Lets in until the place is no longer ours.
    pub(super) async fn open(&self, listener: &Listener) -> Ending {
        // One for each socket: a crowd at one of them is none at the other.
        let crowd = Rc::new(Crowd::default());
        loop {
            match listener.accept().await {
                Ok(_) if !self.lock.still_ours(self.place) => return Ending::Superseded,
                Ok(arrival) => {
                    self.receive(arrival, crowd.enter());
                    // Who is inside gets its turn, however many more wait outside.
                    yield_now().await;
                }
                Err(error) => {
                    self.engine.log.log(format_args!("accepting failed: {error}"));
                    Timer::after(ACCEPT_PAUSE).await;
                }
            }
        }
    }

    /// Nobody takes a place before its proof: peers that say nothing push out each other.
    fn receive(&self, arrival: Arrival, ticket: Ticket) {
        let engine = Rc::clone(&self.engine);
        let key = Rc::clone(&self.key);
        self.engine.crew.employ(async move {
            let mut place = None;
            let judge = |admitted: &Admitted| {
                judge(admitted, engine.activity.of(What::Connection) + 1)?;
                place = Some(engine.activity.count(What::Connection));
                Ok(())
            };
            let admission = async { Some(arrival.admit(&key, judge).await) };
            let pushed_out = async {
                ticket.pushed_out().await;
                None
            };
            let admission = admission.or(pushed_out).await;
            drop(ticket);
            match admission {
                Some(Ok((link, admitted))) => match admitted.role {
                    Role::Browser => browser::connection::serve(engine, link).await,
                    Role::Edge => stream::serve(engine, link, false).await,
                    Role::Control => stream::serve(engine, link, true).await,
                },
                Some(Err(AdmissionError::TurnedAway(admitted, _))) if admitted.peer_is_newer() => {
                    engine.activity.end(Ending::NewerProgram);
                }
                Some(Err(error)) => engine.log.log(format_args!("not admitted: {error}")),
                None => engine.log.log("not admitted: a silent peer made way for another"),
            }
            drop(place);
        });
    }
}

/// Versions first; the last places are for whoever asks how we are.
fn judge(admitted: &Admitted, taken: usize) -> Result<(), Reason> {
    standing(admitted)?;
    let kept = if admitted.role == Role::Control { 0 } else { CONTROL_CONNECTIONS };
    if taken > CONNECTIONS - kept { Err(Reason::Busy) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ghostlight_transport::admission::BRIDGE;

    #[test]
    fn the_last_places_are_kept_for_the_command_line() {
        let admitted = |role| Admitted { role, peer_bridge: BRIDGE };
        for (taken, edge, control) in [
            (1, Ok(()), Ok(())),
            (CONNECTIONS - CONTROL_CONNECTIONS, Ok(()), Ok(())),
            (CONNECTIONS - CONTROL_CONNECTIONS + 1, Err(Reason::Busy), Ok(())),
            (CONNECTIONS, Err(Reason::Busy), Ok(())),
            (CONNECTIONS + 1, Err(Reason::Busy), Err(Reason::Busy)),
        ] {
            assert_eq!(judge(&admitted(Role::Edge), taken), edge, "{taken}");
            assert_eq!(judge(&admitted(Role::Browser), taken), edge, "{taken}");
            assert_eq!(judge(&admitted(Role::Control), taken), control, "{taken}");
        }
    }

    #[test]
    fn a_peer_of_another_major_is_turned_away_before_places_are_counted() {
        let (major, minor) = BRIDGE;
        let newer = Admitted { role: Role::Edge, peer_bridge: (major + 1, minor) };
        assert_eq!(judge(&newer, CONNECTIONS), Err(Reason::Draining));
        assert!(newer.peer_is_newer());
    }
}
