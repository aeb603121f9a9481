//! The one loop that feeds the conversation and carries out what it asks for.

use crate::bridge::News;
use crate::line::Decoder;
use crate::session::{Effects, Event, Session};
use async_channel::{Receiver, Sender};
use async_executor::Task;
use async_io::Timer;
use futures_lite::future::FutureExt as _;
use ghostlight_transport::limits::{
    EDGE_EXIT, EDGE_NEWS, EDGE_PAUSE, EDGE_PAUSE_LINES, EDGE_STOP_FLUSH, STDOUT_BYTES,
};
use ghostlight_transport::outbox::{NotPushed, Outbox};
use ghostlight_transport::stderr::Stderr;
use ghostlight_transport::stop::Reason;
use std::collections::VecDeque;
use std::future::pending;
use std::io;
use std::time::{Duration, Instant};

/// Where events come from.
pub(crate) struct Sources {
    pub(crate) input: Receiver<Vec<u8>>,
    pub(crate) news: Receiver<News>,
    pub(crate) stops: Receiver<Reason>,
    pub(crate) writer: Task<io::Result<()>>,
}

/// How it ended, and what of it is still on its way out.
pub(crate) struct End {
    /// How long the last writes may take.
    pub(crate) patience: Duration,
    /// The client still reads.
    pub(crate) read: bool,
    /// A connection brings out the last commands.
    pub(crate) connected: bool,
}

pub(crate) struct Edge<'a> {
    session: Session,
    effects: Effects,
    decoder: Decoder,
    lines: Outbox,
    input: Input,
    commands: Option<Outbox>,
    /// Commands for which the outbox had no room yet.
    held: VecDeque<Vec<u8>>,
    /// The conversation knows that commands are held.
    congested: bool,
    demand: Sender<()>,
    stderr: &'a Stderr,
    odd: bool,
}

/// What of the client's bytes the conversation has not seen.
#[derive(Default)]
struct Input {
    chunk: Vec<u8>,
    read: usize,
    ended: Option<Instant>,
    /// Until when the service may catch up, should requests crowd.
    pause: Option<Instant>,
    begun: bool,
}

enum Turn {
    Stopped,
    /// The client no longer reads.
    Unread,
    Tick,
    News(News),
    Chunk(Option<Vec<u8>>),
    /// There is room again for the answers to what was read.
    More,
    CommandsRoom,
}

impl<'a> Edge<'a> {
    pub(crate) fn new(
        session: Session,
        lines: Outbox,
        demand: Sender<()>,
        stderr: &'a Stderr,
    ) -> Self {
        Self {
            session,
            effects: Effects::default(),
            decoder: Decoder::default(),
            lines,
            input: Input::default(),
            commands: None,
            held: VecDeque::new(),
            congested: false,
            demand,
            stderr,
            odd: false,
        }
    }

    /// Until the end.
    pub(crate) async fn serve(&mut self, sources: &mut Sources) -> End {
        let mut read = true;
        loop {
            match self.next(sources).await {
                Turn::Unread => {
                    read = false;
                    self.event(Event::Stop);
                }
                Turn::Stopped => self.event(Event::Stop),
                Turn::Tick => self.event(Event::Tick),
                Turn::Chunk(Some(chunk)) => self.chunk(chunk),
                Turn::Chunk(None) => self.end_of_input(),
                Turn::More => self.lines(),
                Turn::CommandsRoom => self.send_held(),
                Turn::News(news) => {
                    self.news(news);
                    for _ in 1..EDGE_NEWS {
                        let Ok(news) = sources.news.try_recv() else { break };
                        self.news(news);
                    }
                }
            }
            self.carry_out();
            if self.effects.exit {
                let left = |ended: Instant| EDGE_EXIT.saturating_sub(ended.elapsed());
                let patience = self.input.ended.map_or(EDGE_STOP_FLUSH, left).max(EDGE_STOP_FLUSH);
                let connected = self.commands.take().inspect(Outbox::close).is_some();
                return End { patience, read, connected };
            }
        }
    }

    /// Hands the last lines to the writer.
    pub(crate) async fn finish(mut self) {
        while !self.effects.lines.is_empty() && !self.lines.is_closed() {
            self.lines.room().await;
            self.push_lines();
        }
        self.lines.close();
    }

    async fn next(&mut self, sources: &mut Sources) -> Turn {
        let stopped = async {
            match sources.stops.recv().await {
                Ok(_) => Turn::Stopped,
                Err(_) => pending().await,
            }
        };
        let writer = &mut sources.writer;
        let unread = async {
            let _ = writer.await;
            Turn::Unread
        };
        let deadline = self.session.deadline();
        let tick = async {
            match deadline {
                Some(deadline) => Timer::at(deadline).await,
                None => pending().await,
            };
            Turn::Tick
        };
        let backlog = async {
            match self.effects.lines.is_empty() {
                true => pending().await,
                false => self.lines.room().await,
            }
            Turn::More
        };
        let room = async {
            match &self.commands {
                Some(commands) if !self.held.is_empty() => commands.room().await,
                _ => pending().await,
            }
            Turn::CommandsRoom
        };
        // Nothing is read while the answers to what was read cannot be kept.
        let news = async {
            self.lines.room().await;
            match sources.news.recv().await {
                Ok(news) => Turn::News(news),
                Err(_) => pending().await,
            }
        };
        let pause = self.input.pause.filter(|_| self.session.is_crowded());
        let input = async {
            self.lines.room().await;
            if let Some(pause) = pause {
                Timer::at(pause).await;
            }
            if self.input.read < self.input.chunk.len() {
                return Turn::More;
            }
            match self.input.ended {
                None => Turn::Chunk(sources.input.recv().await.ok()),
                Some(_) => pending().await,
            }
        };
        let first = stopped.or(unread).or(tick).or(backlog).or(room);
        // In turns, so that neither side can starve the other.
        if self.odd { first.or(news).or(input).await } else { first.or(input).or(news).await }
    }

    fn event(&mut self, event: Event<'_>) {
        self.session.on(event, Instant::now(), &mut self.effects);
    }

    fn chunk(&mut self, chunk: Vec<u8>) {
        self.input.chunk = chunk;
        self.input.read = 0;
        if !std::mem::replace(&mut self.input.begun, true) {
            self.effects.connect = true;
        }
        self.lines();
    }

    /// As many lines as there is room for answers; among a crowd of waiting calls only a few.
    fn lines(&mut self) {
        let now = Instant::now();
        let mut rest = &self.input.chunk[self.input.read..];
        let mut few = EDGE_PAUSE_LINES;
        while self.effects.lines.len() + self.lines.bytes() < STDOUT_BYTES && few > 0 {
            if self.session.is_crowded() {
                few -= 1;
            }
            let Some(line) = self.decoder.next(&mut rest) else { break };
            self.session.on(Event::Line(line), now, &mut self.effects);
        }
        self.input.read = self.input.chunk.len() - rest.len();
        self.input.pause = Some(now + EDGE_PAUSE);
    }

    fn end_of_input(&mut self) {
        let now = Instant::now();
        self.input.ended = Some(now);
        if let Some(line) = self.decoder.finish() {
            self.session.on(Event::Line(line), now, &mut self.effects);
        }
        self.session.on(Event::EndOfInput, now, &mut self.effects);
    }

    fn news(&mut self, news: News) {
        match news {
            News::Admitted(commands) => {
                self.commands = Some(commands);
                self.congested = false;
                self.event(Event::Admitted);
            }
            News::Heard(message) => self.event(Event::Service(message)),
            News::Lost => {
                self.commands = None;
                self.held.clear();
                self.congested = false;
                self.stderr.log("the connection to the service was lost");
                self.event(Event::Lost);
            }
            News::Unreachable(why) => {
                self.stderr.log(&why);
                self.event(Event::Unreachable(&why));
            }
        }
    }

    fn carry_out(&mut self) {
        self.odd = !self.odd;
        self.perform();
        if self.congested == self.held.is_empty() {
            self.congested = !self.congested;
            self.event(Event::Congested(self.congested));
            self.perform();
        }
    }

    /// What the conversation asked for: answers first.
    fn perform(&mut self) {
        self.push_lines();
        for command in self.effects.commands.drain(..) {
            match serde_json::to_vec(&command) {
                Ok(frame) => self.held.push_back(frame),
                Err(error) => self.stderr.log(error),
            }
        }
        self.send_held();
        for log in self.effects.logs.drain(..) {
            self.stderr.log(log);
        }
        if std::mem::take(&mut self.effects.connect) && self.commands.is_none() {
            let _ = self.demand.try_send(());
        }
    }

    fn push_lines(&mut self) {
        if self.effects.lines.is_empty() {
            return;
        }
        match self.lines.try_push(std::mem::take(&mut self.effects.lines)) {
            Ok(()) => {}
            Err(NotPushed::Full(lines)) => self.effects.lines = lines,
            // The writer has ended, which the next turn sees.
            Err(NotPushed::Closed(_)) => {}
        }
    }

    fn send_held(&mut self) {
        let Some(commands) = &self.commands else { return self.held.clear() };
        while let Some(frame) = self.held.pop_front() {
            match commands.try_push(frame) {
                Ok(()) => {}
                Err(NotPushed::Full(frame)) => {
                    self.held.push_front(frame);
                    break;
                }
                Err(NotPushed::Closed(_)) => self.held.clear(),
            }
        }
    }
}
