//! Tests of the outbox module.

use super::*;
use crate::link::{FrameReader, Link};
use async_executor::LocalExecutor;
use futures_lite::future::{FutureExt as _, poll_once};

fn run<T>(work: impl Future<Output = T>) -> T {
    async_io::block_on(work)
}

/// The state of a future after one look at it.
fn ready<T>(work: impl Future<Output = T>) -> Option<T> {
    run(poll_once(work))
}

#[test]
fn frames_leave_in_the_order_they_came() {
    let (outbox, mut reader) = Outbox::new(8, 100);
    for n in 0..5_u8 {
        outbox.try_push(vec![n]).unwrap();
    }
    for n in 0..5_u8 {
        assert_eq!(run(reader.next()), Some(vec![n]));
    }
    assert_eq!(ready(reader.next()), None);
}

#[test]
fn full_is_by_count_or_by_bytes_and_gives_the_frame_back() {
    let (outbox, mut reader) = Outbox::new(2, 100);
    outbox.try_push(vec![1]).unwrap();
    outbox.try_push(vec![2]).unwrap();
    assert_eq!(outbox.try_push(vec![3]), Err(NotPushed::Full(vec![3])));
    assert_eq!(reader.try_next(), Some(vec![1]));
    // Below both bounds one more frame of any size passes, and then none.
    outbox.try_push(vec![4; 500]).unwrap();
    assert_eq!((outbox.bytes(), reader.try_next()), (501, Some(vec![2])));
    assert_eq!(outbox.try_push(vec![5]), Err(NotPushed::Full(vec![5])));
    assert_eq!(reader.try_next().map(|f| f.len()), Some(500));
    assert_eq!(outbox.bytes(), 0);
    assert_eq!(outbox.try_push(vec![5]), Ok(()));
}

#[test]
fn room_wakes_everyone_who_waits_for_it() {
    let (outbox, mut reader) = Outbox::new(1, 100);
    outbox.try_push(vec![0]).unwrap();
    let executor = LocalExecutor::new();
    let waiting: Vec<_> = (0..3)
        .map(|_| {
            let outbox = outbox.clone();
            executor.spawn(async move { outbox.room().await })
        })
        .collect();
    // One that stops waiting takes nobody's turn.
    let gone = executor.spawn({
        let outbox = outbox.clone();
        async move { outbox.room().or(async {}).await }
    });
    while executor.try_tick() {}
    assert!(gone.is_finished() && waiting.iter().all(|task| !task.is_finished()));
    reader.try_next().unwrap();
    while executor.try_tick() {}
    assert!(waiting.iter().all(async_executor::Task::is_finished));
}

#[test]
fn a_closed_outbox_is_emptied_first() {
    let (outbox, mut reader) = Outbox::new(8, 100);
    outbox.try_push(vec![1]).unwrap();
    outbox.close();
    assert_eq!(outbox.try_push(vec![2]), Err(NotPushed::Closed(vec![2])));
    assert_eq!(ready(outbox.room()), Some(()));
    assert_eq!(run(reader.next()), Some(vec![1]));
    assert_eq!(run(reader.next()), None);
}

#[test]
fn the_reader_ends_with_the_last_outbox_and_the_outboxes_with_the_reader() {
    let (outbox, mut reader) = Outbox::new(8, 100);
    let clone = outbox.clone();
    drop(outbox);
    clone.try_push(vec![1]).unwrap();
    drop(clone);
    assert_eq!((run(reader.next()), run(reader.next())), (Some(vec![1]), None));

    let (outbox, reader) = Outbox::new(1, 100);
    outbox.try_push(vec![1]).unwrap();
    let executor = LocalExecutor::new();
    let waiting = executor.spawn({
        let outbox = outbox.clone();
        async move { outbox.room().await }
    });
    while executor.try_tick() {}
    drop(reader);
    while executor.try_tick() {}
    assert!(waiting.is_finished() && outbox.is_closed());
    assert_eq!((outbox.try_push(vec![2]), outbox.bytes()), (Err(NotPushed::Closed(vec![2])), 0));
}

/// Both ends write more than the sockets hold before either reads: neither may wait for the other.
#[test]
fn two_peers_that_send_at_once_do_not_block_each_other() {
    let (near, far) = async_io::Async::<std::os::unix::net::UnixStream>::pair().unwrap();
    let frame = vec![7_u8; 100_000];
    let side = |stream| {
        let Link { mut reader, writer } = Link::new(stream, frame.len());
        let (outbox, frames) = Outbox::new(4, 1_000_000);
        let frame = frame.clone();
        async move {
            let write = async {
                let mut left = 50;
                while left > 0 {
                    outbox.room().await;
                    if outbox.try_push(frame.clone()).is_ok() {
                        left -= 1;
                    }
                }
                outbox.close();
            };
            let read = async {
                let mut count = 0;
                while let Some(got) = reader.next().await.unwrap() {
                    assert_eq!(got, frame);
                    count += 1;
                }
                count
            };
            let writing = futures_lite::future::zip(write, pump(frames, writer));
            let ((_, sent), received) = futures_lite::future::zip(writing, read).await;
            sent.unwrap();
            received
        }
    };
    assert_eq!(run(futures_lite::future::zip(side(near), side(far))), (50, 50));
}

#[test]
fn a_read_that_loses_a_race_loses_no_byte() {
    let (near, far) = async_io::Async::<std::os::unix::net::UnixStream>::pair().unwrap();
    let mut reader = Link::new(near, 100).reader;
    let mut far = far.into_inner().unwrap();
    let mut bytes = vec![];
    for n in 1..=20_u8 {
        bytes.extend(u32::from(n).to_ne_bytes());
        bytes.extend(vec![n; n.into()]);
    }
    let mut frames = Vec::new();
    for byte in bytes {
        std::io::Write::write_all(&mut far, &[byte]).unwrap();
        if let Some(frame) = ready(reader.next()) {
            frames.push(frame.unwrap().unwrap());
        }
    }
    while frames.len() < 20 {
        frames.push(run(reader.next()).unwrap().unwrap());
    }
    assert!(frames.iter().zip(1..).all(|(frame, n)| *frame == vec![n; n.into()]));
}

#[test]
fn the_end_of_a_stream_inside_a_frame_is_an_error() {
    for (bytes, kind) in [
        (&[9, 0, 0, 0, 1][..], io::ErrorKind::UnexpectedEof),
        (&[0, 0, 0, 0][..], io::ErrorKind::InvalidData),
        (&[101, 0, 0, 0][..], io::ErrorKind::InvalidData),
    ] {
        let mut reader = FrameReader::new(futures_lite::io::Cursor::new(bytes.to_vec()), 100);
        assert_eq!(run(reader.next()).unwrap_err().kind(), kind);
    }
    let mut reader = FrameReader::new(futures_lite::io::Cursor::new(vec![]), 100);
    assert_eq!(run(reader.next()).unwrap(), None);
}
