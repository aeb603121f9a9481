//! The connection to the service: made when somebody asks for it, never made to repeat a call.

use async_channel::{Receiver, Sender};
use futures_lite::future::FutureExt as _;
use ghostlight_transport::admission::Role;
use ghostlight_transport::bridge::FromService;
use ghostlight_transport::instance::Instance;
use ghostlight_transport::limits::{EDGE_OUTBOX_BYTES, OUTBOX_FRAMES};
use ghostlight_transport::link::{FrameReader, Link};
use ghostlight_transport::outbox::{Outbox, pump};
use ghostlight_transport::place::Place;
use ghostlight_transport::start::Starter;
use std::io;

/// The service's executable, beside our own.
const SERVICE: &str = "ghostlight";

/// What the connection tells the conversation.
#[derive(Debug)]
pub(crate) enum News {
    /// Commands go here until the connection is lost.
    Admitted(Outbox),
    Heard(FromService),
    Lost,
    Unreachable(String),
}

#[derive(Debug)]
pub(crate) struct Bridge {
    pub(crate) instance: Instance,
    pub(crate) demand: Receiver<()>,
    pub(crate) news: Sender<News>,
}

impl Bridge {
    /// Connects on demand, for as long as somebody listens.
    pub(crate) async fn run(self) {
        let mut starter = None;
        while self.wait_for_demand(&mut starter).await {
            let link = self.reach(&mut starter).await;
            // Whoever asked meanwhile gets the same answer.
            let _ = self.demand.try_recv();
            let told = match link {
                Ok(link) => self.serve(link, &mut starter).await,
                Err(why) => self.news.send(News::Unreachable(why)).await.is_ok(),
            };
            if !told {
                return;
            }
        }
    }

    async fn wait_for_demand(&self, starter: &mut Option<Starter>) -> bool {
        let demand = async { self.demand.recv().await.is_ok() };
        demand.or(reap(starter)).await
    }

    async fn reach(&self, starter: &mut Option<Starter>) -> Result<Link, String> {
        let starter = match starter {
            Some(starter) => starter,
            None => {
                let place = Place::open(&self.instance).map_err(sentence)?;
                starter.insert(Starter::new(place, SERVICE))
            }
        };
        starter.ensure(Role::Edge).await.map_err(sentence)
    }

    async fn serve(&self, link: Link, starter: &mut Option<Starter>) -> bool {
        let (commands, queue) = Outbox::new(OUTBOX_FRAMES, EDGE_OUTBOX_BYTES);
        if self.news.send(News::Admitted(commands)).await.is_err() {
            return false;
        }
        // A failed write shows itself at the reading side, after what was answered before it.
        let write = async {
            match pump(queue, link.writer).await {
                Ok(()) => Ok(()),
                Err(_) => std::future::pending().await,
            }
        };
        let _ = self.hear(link.reader).or(write).or(reap(starter)).await;
        self.news.send(News::Lost).await.is_ok()
    }

    async fn hear(&self, mut reader: FrameReader) -> io::Result<()> {
        while let Some(frame) = reader.next().await? {
            let message = serde_json::from_slice(&frame).map_err(io::Error::other)?;
            if self.news.send(News::Heard(message)).await.is_err() {
                break;
            }
        }
        Ok(())
    }
}

/// Takes the status of a service we started, whenever it ends; never done.
async fn reap<T>(starter: &mut Option<Starter>) -> T {
    if let Some(starter) = starter {
        loop {
            starter.reap().await;
        }
    }
    std::future::pending().await
}

fn sentence(error: impl std::fmt::Display) -> String {
    let text = error.to_string();
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}
