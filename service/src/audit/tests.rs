//! What is in the file, in which order, and what a crash leaves.

use super::record::stamp;
use super::writer::FILE;
use super::*;
use ghostlight_transport::bridge::Disposition;
use ghostlight_transport::instance::Instance;
use serde_json::Value;
use std::os::unix::fs::MetadataExt as _;
use std::time::{Duration, UNIX_EPOCH};

fn lines(place: &Place) -> Vec<Value> {
    let text = std::fs::read_to_string(place.path().join(FILE)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn place(home: &tempfile::TempDir) -> Arc<Place> {
    let path = home.path().join("state");
    Arc::new(Place::open_in(&path, &Instance::default()).unwrap())
}

#[test]
fn records_are_in_order_private_and_joined_by_their_id() {
    let home = tempfile::tempdir().unwrap();
    let place = place(&home);
    let audit = Audit::new(Arc::clone(&place), [1; 6]);
    smol::block_on(async {
        for _ in 0..50 {
            let id = audit.id();
            audit.write_first(&Record::new(Event::Intent, &id)).await.unwrap();
            let outcome = Some(Disposition::Success);
            audit.write(&Record { outcome, ..Record::new(Event::Terminal, &id) }).await;
        }
        audit.close().await;
    });
    let lines = lines(&place);
    assert_eq!(lines.len(), 100);
    for (number, pair) in lines.chunks(2).enumerate() {
        let id = format!("010101010101-{}", number + 1);
        assert!(pair.iter().all(|line| line["id"] == id.as_str()));
        assert_eq!((&pair[0]["event"], &pair[1]["event"]), (&"intent".into(), &"terminal".into()));
        assert_eq!(pair[1]["outcome"], "success");
    }
    let mode = std::fs::metadata(place.path().join(FILE)).unwrap().mode();
    assert_eq!(mode & 0o7777, 0o600);
}

#[test]
fn an_effect_that_an_earlier_life_left_open_is_marked_once() {
    let home = tempfile::tempdir().unwrap();
    let place = place(&home);
    for life in 1..=3 {
        let audit = Audit::new(Arc::clone(&place), [life; 6]);
        smol::block_on(async {
            if life == 1 {
                let id = audit.id();
                audit.write_first(&Record::new(Event::Intent, &id)).await.unwrap();
            } else {
                audit.write(&Record::new(Event::Terminal, &audit.id())).await;
            }
            audit.close().await;
        });
    }
    let events: Vec<_> = lines(&place).into_iter().map(|line| line["event"].clone()).collect();
    assert_eq!(events, ["intent", "unresolved", "terminal", "terminal"]);
}

#[test]
fn an_intent_that_cannot_be_written_is_an_error() {
    let home = tempfile::tempdir().unwrap();
    let place = place(&home);
    std::fs::create_dir(place.path().join(FILE)).unwrap();
    let audit = Audit::new(place, [1; 6]);
    smol::block_on(async {
        let written = audit.write_first(&Record::new(Event::Intent, "x")).await;
        assert_eq!(written, Err(NotWritten));
        audit.close().await;
    });
    assert_eq!(audit.errors(), 1);
}

#[test]
fn time_reads_as_a_calendar() {
    for (seconds, text) in [
        (0, "1970-01-01T00:00:00.000Z"),
        (951_782_400, "2000-02-29T00:00:00.000Z"),
        (1_709_251_199, "2024-02-29T23:59:59.000Z"),
        (1_709_251_200, "2024-03-01T00:00:00.000Z"),
        (4_107_542_399, "2100-02-28T23:59:59.000Z"),
        (4_107_542_400, "2100-03-01T00:00:00.000Z"),
    ] {
        assert_eq!(stamp(UNIX_EPOCH + Duration::from_secs(seconds)), text);
    }
}
