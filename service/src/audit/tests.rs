//! What is in the file, in which order, and what a crash leaves.

use super::record::stamp;
use super::trail::{CURRENT, HEAD, ROTATED};
use super::*;
use ghostlight_transport::bridge::Disposition;
use ghostlight_transport::instance::Instance;
use rustix::fs::OFlags;
use serde_json::Value;
use std::os::unix::fs::MetadataExt as _;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, UNIX_EPOCH};

fn lines(place: &Place) -> Vec<Value> {
    let text = std::fs::read_to_string(place.path().join(CURRENT)).unwrap();
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
    async_io::block_on(async {
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
    let mode = std::fs::metadata(place.path().join(CURRENT)).unwrap().mode();
    assert_eq!(mode & 0o7777, 0o600);
}

#[test]
fn an_effect_that_an_earlier_life_left_open_is_marked_once() {
    let home = tempfile::tempdir().unwrap();
    let place = place(&home);
    for life in 1..=3 {
        let audit = Audit::new(Arc::clone(&place), [life; 6]);
        async_io::block_on(async {
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
    std::fs::create_dir(place.path().join(CURRENT)).unwrap();
    let audit = Audit::new(place, [1; 6]);
    async_io::block_on(async {
        let written = audit.write_first(&Record::new(Event::Intent, "x")).await;
        assert_eq!(written, Err(NotWritten));
        audit.close().await;
    });
    assert_eq!(audit.errors(), 1);
}

/// Writes so many records with a file that is full after a few of them.
fn write_some(place: &Arc<Place>, records: usize) {
    let mut writer = Writer::new(Arc::clone(place), Arc::default()).full_at(1000);
    for number in 0..records {
        assert!(writer.write(&format!("{{\"event\":\"terminal\",\"id\":\"x-{number}\"}}")));
    }
}

fn faults(place: &Place) -> Vec<Fault> {
    verify(place).unwrap().unwrap().faults
}

#[test]
fn the_chain_goes_through_rotations_and_lives() {
    let home = tempfile::tempdir().unwrap();
    let place = place(&home);
    assert!(verify(&place).unwrap().is_none());
    let mut rotated = false;
    for records in 1..20 {
        write_some(&place, records);
        assert_eq!(faults(&place), [], "after {records}");
        rotated |= place.path().join(ROTATED).exists();
    }
    assert!(rotated);
    let files = [ROTATED, CURRENT].map(|name| place.path().join(name));
    assert!(files.iter().all(|file| std::fs::metadata(file).unwrap().len() < 1300));
}

#[test]
fn a_kill_at_any_step_of_a_rotation_leaves_an_unbroken_trail() {
    let home = tempfile::tempdir().unwrap();
    let place = place(&home);
    write_some(&place, 12);
    let path = |name| place.path().join(name);
    std::fs::rename(path(CURRENT), path(ROTATED)).unwrap();
    assert_eq!(faults(&place), [], "renamed");
    drop(place.open_file(CURRENT, OFlags::WRONLY | OFlags::CREATE).unwrap());
    assert_eq!(faults(&place), [], "and made anew");
    write_some(&place, 1);
    assert_eq!(faults(&place), [], "and written to");
}

#[test]
fn what_is_taken_away_or_changed_between_two_lives_is_found_after_them() {
    type Deed = fn(&Place);
    fn rewrite(place: &Place, name: &str, change: impl Fn(Vec<String>) -> Vec<String>) {
        let path = place.path().join(name);
        let lines = std::fs::read_to_string(&path).unwrap();
        let lines = change(lines.lines().map(|line| format!("{line}\n")).collect());
        std::fs::write(path, lines.concat()).unwrap();
    }
    let deeds: [(&str, Deed); 8] = [
        ("the last", |place| {
            rewrite(place, CURRENT, |mut all| {
                all.pop();
                all
            })
        }),
        ("the first", |place| rewrite(place, CURRENT, |all| all[1..].to_vec())),
        ("the oldest", |place| rewrite(place, ROTATED, |all| all[1..].to_vec())),
        ("all", |place| rewrite(place, CURRENT, |_| Vec::new())),
        ("the file", |place| std::fs::remove_file(place.path().join(CURRENT)).unwrap()),
        ("the older file", |place| std::fs::remove_file(place.path().join(ROTATED)).unwrap()),
        ("the head", |place| std::fs::remove_file(place.path().join(HEAD)).unwrap()),
        ("a word", |place| {
            rewrite(place, CURRENT, |all| all.iter().map(|l| l.replace("x-18", "x-19")).collect());
        }),
    ];
    for (what, deed) in deeds {
        let home = tempfile::tempdir().unwrap();
        let place = place(&home);
        write_some(&place, 20);
        deed(&place);
        assert_ne!(faults(&place), [], "{what}");
        Writer::new(Arc::clone(&place), Arc::default()).write("{\"event\":\"terminal\"}");
        assert_ne!(faults(&place), [], "{what}, after the next life");
    }
}

#[test]
fn half_a_record_at_the_end_is_cut_off() {
    let home = tempfile::tempdir().unwrap();
    let place = place(&home);
    write_some(&place, 3);
    let path = place.path().join(CURRENT);
    let mut text = std::fs::read_to_string(&path).unwrap();
    text.push_str("{\"prev\":\"12");
    std::fs::write(&path, text).unwrap();
    assert_eq!(faults(&place), []);
    write_some(&place, 2);
    assert_eq!((faults(&place), lines(&place).len()), (Vec::new(), 5));
}

#[test]
fn two_services_never_write_one_trail() {
    let home = tempfile::tempdir().unwrap();
    let place = place(&home);
    let mut first = Writer::new(Arc::clone(&place), Arc::default());
    let mut second = Writer::new(Arc::clone(&place), Arc::default());
    assert!(first.write("{\"event\":\"terminal\"}"));
    assert!(!second.write("{\"event\":\"terminal\"}"));
    drop(first);
    assert!(second.write("{\"event\":\"terminal\"}"));
    assert_eq!(faults(&place), []);
}

#[test]
fn no_other_service_comes_between_two_steps_of_a_rotation() {
    let home = tempfile::tempdir().unwrap();
    let place = place(&home);
    let mut first = Writer::new(Arc::clone(&place), Arc::default()).full_at(300);
    assert!(first.write("{\"event\":\"terminal\"}"));
    let over = AtomicBool::new(false);
    let came_between = std::thread::scope(|scope| {
        let second = scope.spawn(|| {
            let mut second = Writer::new(Arc::clone(&place), Arc::default());
            std::iter::repeat_with(|| second.write("{\"event\":\"terminal\"}"))
                .take_while(|_| !over.load(Ordering::Relaxed))
                .any(|written| written)
        });
        let all = (0..1000).all(|_| first.write("{\"event\":\"terminal\"}"));
        over.store(true, Ordering::Relaxed);
        second.join().unwrap() || !all
    });
    assert!(!came_between);
    assert_eq!(faults(&place), []);
}

#[test]
fn whether_to_go_on_without_a_record_is_the_persons_setting_and_kept() {
    let home = tempfile::tempdir().unwrap();
    let place = place(&home);
    let audit = Audit::new(Arc::clone(&place), [1; 6]);
    assert!(!audit.may_proceed());
    for proceeds in [true, true, false, false] {
        set_proceeding(&place, proceeds).unwrap();
        assert_eq!((audit.may_proceed(), proceeding(&place)), (proceeds, proceeds));
    }
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
