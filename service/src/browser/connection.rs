//! One connection of a connector: greeted, heard, and forgotten when it ends.

use crate::browser::ConnectionNumber;
use crate::browser::parts::Joiner;
use crate::browser::route::Refusal;
use crate::browser::route::to_frame;
use crate::crew::within;
use crate::engine::Engine;
use crate::work::CancelToken;
use async_io::Timer;
use futures_lite::future::FutureExt as _;
use ghostlight_transport::browser_wire::{FromExtension, ToExtension};
use ghostlight_transport::limits::{BROWSER_HELLO, DRAIN_FLUSH, OUTBOX_BYTES, OUTBOX_FRAMES};
use ghostlight_transport::link::Link;
use ghostlight_transport::outbox::{Outbox, pump};
use std::io;
use std::rc::Rc;
use std::time::Instant;

/// What a frame asks of the connection itself.
enum Heard {
    Nothing,
    Hello,
    Refused(Refusal),
}

pub(crate) async fn serve(engine: Rc<Engine>, mut link: Link) {
    let (outbox, frames) = Outbox::new(OUTBOX_FRAMES, OUTBOX_BYTES);
    let writing = engine.executor.spawn(pump(frames, link.writer));
    let kick = CancelToken::default();
    let connection = engine.browsers.arrived(outbox.clone(), kick.clone());
    engine.activity.changed();
    engine.browsers.send(connection, to_frame(&ToExtension::Greet));
    let mut joiner = Joiner::default();
    let mut said_hello = false;
    let born = Instant::now();
    loop {
        let silent = async {
            if said_hello {
                return std::future::pending().await;
            }
            Timer::at(born + BROWSER_HELLO).await;
            Err(io::ErrorKind::TimedOut.into())
        };
        let kicked = async {
            kick.cancelled().await;
            Ok(None)
        };
        let Ok(Some(frame)) = kicked.or(link.reader.next()).or(silent).await else { break };
        match engine.hear(connection, &frame, &mut joiner) {
            Heard::Nothing => {}
            Heard::Hello => said_hello = true,
            Heard::Refused(refusal) => {
                let Refusal { code, message } = refusal;
                engine.log.log(format_args!("a browser was refused: {message}"));
                engine.browsers.send(connection, to_frame(&ToExtension::Refuse { code, message }));
                break;
            }
        }
    }
    engine.browsers.left(connection);
    engine.activity.changed();
    outbox.close();
    // The peer may be gone: that is how most connections end.
    within(DRAIN_FLUSH, async { drop(writing.await) }).await;
}

impl Engine {
    fn hear(&self, connection: ConnectionNumber, frame: &[u8], joiner: &mut Joiner) -> Heard {
        match FromExtension::parse(frame) {
            Ok(FromExtension::Part(part)) => match joiner.take(part, Instant::now()) {
                Ok(Some(whole)) => self.hear_whole(connection, whole.as_bytes()),
                Ok(None) => Heard::Nothing,
                Err(_) => {
                    self.browsers.routes.borrow_mut().count_protocol_error();
                    Heard::Nothing
                }
            },
            Ok(message) => self.take(connection, message),
            Err(_) => self.malformed(connection, frame),
        }
    }

    fn hear_whole(&self, connection: ConnectionNumber, text: &[u8]) -> Heard {
        match FromExtension::parse(text) {
            Ok(message) => self.take(connection, message),
            Err(_) => self.malformed(connection, text),
        }
    }

    fn malformed(&self, connection: ConnectionNumber, text: &[u8]) -> Heard {
        let effects = self.browsers.routes.borrow_mut().malformed(connection, text);
        self.carry_out(effects);
        Heard::Nothing
    }

    fn take(&self, connection: ConnectionNumber, message: FromExtension<'_>) -> Heard {
        let routes = &self.browsers.routes;
        let effects = match message {
            FromExtension::Hello(hello) => {
                let effects = match routes.borrow_mut().hello(connection, *hello) {
                    Ok(effects) => effects,
                    Err(refusal) => return Heard::Refused(refusal),
                };
                self.carry_out(effects);
                self.browsers.greeted(connection);
                return Heard::Hello;
            }
            FromExtension::Res(result) => routes.borrow_mut().result(connection, result),
            FromExtension::Ev(events) => routes.borrow_mut().events(connection, events),
            FromExtension::Pong { .. } => return Heard::Nothing,
            FromExtension::Part(_) => {
                // A part inside parts.
                routes.borrow_mut().count_protocol_error();
                return Heard::Nothing;
            }
        };
        self.carry_out(effects);
        Heard::Nothing
    }
}
