//! Frames on their way to one peer, bounded by count and by bytes, and the pump that sends them.

use crate::link::FrameWriter;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::poll_fn;
use std::io;
use std::rc::Rc;
use std::task::{Poll, Waker};

/// The frame comes back.
#[derive(Debug, PartialEq, Eq)]
pub enum NotPushed {
    Full(Vec<u8>),
    /// Nobody sends any more.
    Closed(Vec<u8>),
}

#[derive(Debug)]
struct Queue {
    frames: VecDeque<Vec<u8>>,
    bytes: usize,
    most_frames: usize,
    most_bytes: usize,
    outboxes: usize,
    reader_gone: bool,
    closed: bool,
    reader: Option<Waker>,
    writers: Vec<Waker>,
}

impl Queue {
    fn has_room(&self) -> bool {
        self.frames.len() < self.most_frames && self.bytes < self.most_bytes
    }

    fn wake_reader(&mut self) {
        if let Some(waker) = self.reader.take() {
            waker.wake();
        }
    }

    fn wake_writers(&mut self) {
        self.writers.drain(..).for_each(Waker::wake);
    }
}

/// The side that has frames to send. Clones share the bounds.
#[derive(Debug)]
pub struct Outbox(Rc<RefCell<Queue>>);

/// The side that sends them.
#[derive(Debug)]
pub struct OutboxReader(Rc<RefCell<Queue>>);

impl Outbox {
    /// A frame is taken while fewer than `frames` and fewer than `bytes` wait: the last one may go
    /// beyond, so that a frame of any legal size can pass.
    #[must_use]
    pub fn new(frames: usize, bytes: usize) -> (Self, OutboxReader) {
        let queue = Rc::new(RefCell::new(Queue {
            frames: VecDeque::new(),
            bytes: 0,
            most_frames: frames,
            most_bytes: bytes,
            outboxes: 1,
            reader_gone: false,
            closed: false,
            reader: None,
            writers: Vec::new(),
        }));
        (Self(Rc::clone(&queue)), OutboxReader(queue))
    }

    /// # Errors
    /// The bounds are reached, or nobody sends any more.
    pub fn try_push(&self, frame: Vec<u8>) -> Result<(), NotPushed> {
        let mut queue = self.0.borrow_mut();
        if queue.closed || queue.reader_gone {
            return Err(NotPushed::Closed(frame));
        }
        if !queue.has_room() {
            return Err(NotPushed::Full(frame));
        }
        queue.bytes += frame.len();
        queue.frames.push_back(frame);
        queue.wake_reader();
        Ok(())
    }

    /// Until the next push would not find it full; also when it is closed. Cancel-safe.
    pub async fn room(&self) {
        poll_fn(|cx| {
            let mut queue = self.0.borrow_mut();
            if queue.closed || queue.reader_gone || queue.has_room() {
                return Poll::Ready(());
            }
            if !queue.writers.iter().any(|waker| waker.will_wake(cx.waker())) {
                queue.writers.push(cx.waker().clone());
            }
            Poll::Pending
        })
        .await;
    }

    #[must_use]
    pub fn bytes(&self) -> usize {
        self.0.borrow().bytes
    }

    #[must_use]
    pub fn is_closed(&self) -> bool {
        let queue = self.0.borrow();
        queue.closed || queue.reader_gone
    }

    /// What is queued is still sent; nothing more is taken.
    pub fn close(&self) {
        let mut queue = self.0.borrow_mut();
        queue.closed = true;
        queue.wake_reader();
        queue.wake_writers();
    }
}

impl Clone for Outbox {
    fn clone(&self) -> Self {
        self.0.borrow_mut().outboxes += 1;
        Self(Rc::clone(&self.0))
    }
}

impl Drop for Outbox {
    fn drop(&mut self) {
        let mut queue = self.0.borrow_mut();
        queue.outboxes -= 1;
        if queue.outboxes == 0 {
            queue.wake_reader();
        }
    }
}

impl OutboxReader {
    /// The next frame; `None` when none is left and none will come. Cancel-safe.
    pub async fn next(&mut self) -> Option<Vec<u8>> {
        poll_fn(|cx| {
            if let Some(frame) = self.try_next() {
                return Poll::Ready(Some(frame));
            }
            let mut queue = self.0.borrow_mut();
            if queue.closed || queue.outboxes == 0 {
                return Poll::Ready(None);
            }
            queue.reader = Some(cx.waker().clone());
            Poll::Pending
        })
        .await
    }

    pub fn try_next(&mut self) -> Option<Vec<u8>> {
        let mut queue = self.0.borrow_mut();
        let frame = queue.frames.pop_front()?;
        queue.bytes -= frame.len();
        if queue.has_room() {
            queue.wake_writers();
        }
        Some(frame)
    }
}

impl Drop for OutboxReader {
    fn drop(&mut self) {
        let mut queue = self.0.borrow_mut();
        queue.reader_gone = true;
        queue.frames.clear();
        queue.bytes = 0;
        queue.wake_writers();
    }
}

/// Sends until the outbox is closed and empty. Owns its direction of the stream.
///
/// # Errors
/// Those of the stream.
pub async fn pump(mut frames: OutboxReader, mut writer: FrameWriter) -> io::Result<()> {
    while let Some(frame) = frames.next().await {
        writer.queue(&frame).await?;
        while writer.has_room()
            && let Some(frame) = frames.try_next()
        {
            writer.queue(&frame).await?;
        }
        writer.flush().await?;
    }
    writer.close().await
}

#[cfg(test)]
mod tests;
