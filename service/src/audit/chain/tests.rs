//! What a chain shows, and what it does not.

use super::*;

fn trail(records: usize) -> (Vec<String>, Head) {
    let mut head = Head::default();
    let lines = (0..records).map(|number| {
        let line = seal(&format!("{{\"event\":\"terminal\",\"id\":\"x-{number}\"}}"), head.last);
        head.last = Link::of(line.as_bytes());
        line
    });
    let lines = lines.collect();
    (lines, head)
}

fn faults(lines: &[String], head: Option<Head>) -> Vec<Fault> {
    let mut verifier = Verifier::new(head, false, !lines.is_empty());
    for (number, line) in (1..).zip(lines) {
        verifier.take(Part::Current, number, line.as_bytes());
    }
    verifier.finish();
    verifier.faults
}

#[test]
fn an_untouched_trail_has_no_fault() {
    for records in [0, 1, 2, 50] {
        let (lines, head) = trail(records);
        assert_eq!(faults(&lines, Some(head)), []);
    }
}

#[test]
fn each_record_that_is_taken_away_changed_or_moved_shows() {
    const RECORDS: usize = 12;
    let (lines, head) = trail(RECORDS);
    for at in 0..RECORDS {
        let mut without = lines.clone();
        without.remove(at);
        assert_ne!(faults(&without, Some(head)), [], "without {at}");
        let mut changed = lines.clone();
        changed[at] = changed[at].replace("terminal", "terminaL");
        assert_ne!(faults(&changed, Some(head)), [], "changed {at}");
        let mut twice = lines.clone();
        twice.insert(at, lines[at].clone());
        assert_ne!(faults(&twice, Some(head)), [], "twice {at}");
        if at > 0 {
            let mut moved = lines.clone();
            moved.swap(at - 1, at);
            assert_ne!(faults(&moved, Some(head)), [], "moved {at}");
        }
    }
    assert_eq!(faults(&[], Some(head)), [Fault::End]);
    assert_eq!(faults(&lines, None), [Fault::NoHead]);
}

#[test]
fn what_a_kill_between_record_and_head_leaves_is_no_fault() {
    let (lines, _) = trail(6);
    let (_, head) = trail(5);
    assert_eq!(faults(&lines, Some(head)), []);
}

#[test]
fn many_faults_are_counted_and_few_are_kept() {
    let lines = vec!["{}".to_owned(); 100];
    let mut verifier = Verifier::new(Some(Head::default()), false, true);
    lines.iter().for_each(|line| verifier.take(Part::Current, 1, line.as_bytes()));
    assert_eq!((verifier.faults.len(), verifier.more), (FAULTS, 90));
}

#[test]
fn links_and_heads_are_read_back_and_nothing_else_is() {
    let head = Head { rotated: Link::of(b"a"), current: Link::of(b"b"), last: Link::of(b"c") };
    assert_eq!(Head::parse(&head.text()), Some(head));
    let text = head.text();
    for bad in ["", "\n", text.trim_end(), &text.to_uppercase(), &format!("{text}{text}")] {
        assert_eq!(Head::parse(bad), None, "{bad:?}");
    }
    assert_eq!(prev(seal("{\"event\":\"x\"}", Link::of(b"a")).as_bytes()), Some(Link::of(b"a")));
    for bad in ["", "{}", "{\"prev\":7}", "{\"prev\":\"00\"}", "[]"] {
        assert_eq!(prev(bad.as_bytes()), None, "{bad:?}");
    }
}
