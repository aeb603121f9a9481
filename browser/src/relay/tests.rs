//! Tests of the relay module.

use super::*;
use futures_lite::future::{poll_once, zip};
use futures_lite::io::Cursor;

/// A stream of frames that ends.
fn stream(bodies: &[&[u8]]) -> FrameReader {
    let bytes: Vec<u8> = bodies
        .iter()
        .flat_map(|body| [&u32::try_from(body.len()).unwrap().to_ne_bytes()[..], body].concat())
        .collect();
    FrameReader::new(Cursor::new(bytes), FRAME_BYTES)
}

fn left_in(mut frames: ghostlight_transport::outbox::OutboxReader) -> Vec<Vec<u8>> {
    std::iter::from_fn(|| frames.try_next()).collect()
}

#[test]
fn what_comes_without_a_service_is_dropped_and_counted() {
    let mut unheard = 0;
    let never = std::future::pending::<()>();
    let ended = async_io::block_on(beside(&mut stream(&[b"1", b"22"]), &mut unheard, never));
    assert_eq!((ended.unwrap(), unheard), (None, 2));
    let done = async_io::block_on(beside(&mut stream(&[b"1"]), &mut unheard, async { 5 }));
    assert_eq!((done.unwrap(), unheard), (Some(5), 2));
}

#[test]
fn a_talkative_browser_does_not_keep_the_work_from_its_turn() {
    let endless = futures_lite::io::repeat(1);
    let mut browser = FrameReader::new(endless, 1 << 25);
    let mut unheard = 0;
    let work = async {
        for _ in 0..3 {
            futures_lite::future::yield_now().await;
        }
    };
    let done = async_io::block_on(beside(&mut browser, &mut unheard, work));
    assert_eq!(done.unwrap(), Some(()));
}

#[test]
fn the_end_of_the_input_leaves_what_was_read_to_the_service() {
    let (to_service, frames) = Outbox::new(8, 100);
    let mut browser = stream(&[b"1", b"22"]);
    let end = async_io::block_on(feed(&mut browser, to_service));
    assert!(matches!(end, End::Input));
    assert_eq!(left_in(frames), [b"1".to_vec(), b"22".to_vec()]);
}

#[test]
fn bytes_that_are_no_frame_end_the_input() {
    for word in [0_u32, 33 << 20, u32::MAX] {
        let (to_service, _frames) = Outbox::new(8, 100);
        let mut browser = FrameReader::new(Cursor::new(word.to_ne_bytes().to_vec()), FRAME_BYTES);
        let end = async_io::block_on(feed(&mut browser, to_service));
        let End::BadInput(error) = end else { panic!("{word}") };
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    }
}

#[test]
fn a_service_that_takes_nothing_is_let_go_and_the_browser_still_read() {
    let (to_service, _frames) = Outbox::new(1, 100);
    let end = async_io::block_on(feed(&mut stream(&[b"1", b"2"]), to_service));
    assert!(matches!(end, End::Link(why) if why.contains("takes no")));
}

#[test]
fn a_browser_that_reads_slowly_is_not_pushed() {
    let (to_browser, mut frames) = Outbox::new(1, 100);
    let mut service = stream(&[b"1", b"2", b"3"]);
    let fetching = fetch(&mut service, &to_browser);
    let reading = async {
        let mut seen = Vec::new();
        for _ in 0..3 {
            assert!(to_browser.bytes() <= 1);
            seen.push(frames.next().await.unwrap());
        }
        seen
    };
    let (end, seen) = async_io::block_on(zip(fetching, reading));
    assert!(matches!(end, End::Link(_)));
    assert_eq!(seen, [b"1", b"2", b"3"]);
}

#[test]
fn a_frame_too_long_for_chromium_never_reaches_it() {
    let (to_browser, frames) = Outbox::new(8, 100);
    let long = vec![b'x'; NATIVE_TO_BROWSER_BYTES + 1];
    let mut service = stream(&[b"1", &long]);
    service.set_limit(NATIVE_TO_BROWSER_BYTES);
    let end = async_io::block_on(poll_once(fetch(&mut service, &to_browser)));
    assert!(matches!(end, Some(End::Link(why)) if why.contains("over the limit")));
    assert_eq!(left_in(frames), [b"1".to_vec()]);
}
