//! The tasks of the edge, each owning one direction of one stream, and their end.

use crate::bridge::Bridge;
use crate::edge::{Edge, End, Sources};
use crate::session::Session;
use async_channel::{Sender, bounded};
use async_executor::LocalExecutor;
use async_io::Timer;
use futures_lite::future::FutureExt as _;
use futures_lite::io::{AsyncReadExt as _, AsyncWriteExt as _};
use ghostlight_transport::instance::Instance;
use ghostlight_transport::limits::{EDGE_NEWS, STDOUT_BATCHES, STDOUT_BYTES};
use ghostlight_transport::outbox::{Outbox, OutboxReader};
use ghostlight_transport::stderr::Stderr;
use ghostlight_transport::stdio::{Stdin, Stdout};
use ghostlight_transport::stop::{Reason, Stop};
use std::io;

const READ_STEP: usize = 64 * 1024;

/// Serves one client until its input ends, a signal comes or it no longer reads.
pub(crate) async fn run(
    executor: &LocalExecutor<'_>,
    instance: Instance,
    session: Session,
    stop: Stop,
    stderr: &Stderr,
) -> io::Result<()> {
    let (stdin, stdout) = (Stdin::open()?, Stdout::open()?);
    let (lines, batches) = Outbox::new(STDOUT_BATCHES, STDOUT_BYTES);
    let (demand, demanded) = bounded(1);
    let (tell, news) = bounded(EDGE_NEWS);
    let (stopped, stops) = bounded(1);
    let (read, input) = bounded(1);
    let writer = executor.spawn(write_all(stdout, batches));
    let bridge = executor.spawn(Bridge { instance, demand: demanded, news: tell }.run());
    let _reader = executor.spawn(read_all(stdin, read));
    let _stop = executor.spawn(watch(stop, stopped));
    let mut sources = Sources { input, news, stops, writer };
    let mut edge = Edge::new(session, lines, demand, stderr);
    let End { patience, read, connected } = edge.serve(&mut sources).await;
    let Sources { writer, stops, news, .. } = sources;
    drop(news);
    let written = async {
        if read {
            edge.finish().await;
            let _ = writer.await;
        }
        // What was said last, such as a release, is on its way when the connection closes.
        if connected {
            bridge.await;
        }
    };
    let late = async {
        Timer::after(patience).await;
    };
    let again = async {
        let _ = stops.recv().await;
    };
    written.or(late).or(again).await;
    Ok(())
}

/// Chunks of stdin, until its end.
async fn read_all(mut stdin: Stdin, chunks: Sender<Vec<u8>>) {
    let mut buffer = vec![0; READ_STEP];
    while let Ok(read @ 1..) = stdin.read(&mut buffer).await {
        if chunks.send(buffer[..read].to_vec()).await.is_err() {
            return;
        }
    }
}

/// Batches of lines to stdout, until there will be no more. Owns that direction.
#[expect(clippy::disallowed_methods, reason = "nothing races with this writer")]
async fn write_all(mut stdout: Stdout, mut batches: OutboxReader) -> io::Result<()> {
    while let Some(batch) = batches.next().await {
        stdout.write_all(&batch).await?;
    }
    Ok(())
}

/// A second signal finds the receiver waiting for the last writes, and ends that wait.
async fn watch(mut stop: Stop, stopped: Sender<Reason>) {
    while stopped.send(stop.wait().await).await.is_ok() {}
}
