//! What is kept of a tab's console and requests, and what goes.

use super::*;
use ghostlight_transport::limits::{TAB_LOG, TAB_LOG_BYTES};

fn start(url: &str) -> Seen {
    Seen::Start(Asked { hop: Hop::new("GET".into(), url, Vec::new()), ..Asked::default() })
}

fn line(text: &str) -> ConsoleLine {
    ConsoleLine::new("log".into(), text)
}

#[test]
fn the_oldest_lines_go_and_are_counted_by_kind() {
    let mut observed = Observed::default();
    for n in 0..TAB_LOG + 3 {
        observed.noted(&n.to_string(), start("http://a.test/"));
        observed.said(line(&n.to_string()));
    }
    assert_eq!(
        (observed.network.lines().len(), observed.console.lines().len()),
        (TAB_LOG, TAB_LOG)
    );
    assert_eq!((observed.network.dropped, observed.console.dropped), (3, 3));
    assert_eq!(observed.console.lines().next().unwrap().text, "3");
    observed.lost(5, 7);
    assert_eq!((observed.console.dropped, observed.network.dropped), (8, 10));
    observed.network.clear();
    assert_eq!((observed.network.lines().len(), observed.network.dropped), (0, 0));
    observed.noted("again", start("http://a.test/"));
    let number = observed.network.lines().next().unwrap().number;
    assert_eq!(number, TAB_LOG as u64 + 4, "a number is not given twice");
}

#[test]
fn a_log_is_bounded_by_bytes_also_when_its_lines_grow() {
    let mut observed = Observed::default();
    for n in 0..100 {
        observed.said(line(&format!("{n}{}", "x".repeat(TAB_LOG_BYTES / 50))));
        observed.noted(&n.to_string(), start("http://a.test/"));
    }
    assert!(observed.console.lines().len() < 50);
    for n in 0..100 {
        let headers = vec![("h".into(), "x".repeat(TAB_LOG_BYTES / 50))];
        let head = Head { status: 200, headers, ..Head::default() };
        observed.noted(&n.to_string(), Seen::Head(head, None));
    }
    assert!(observed.network.lines().len() < 50);
    assert!(observed.network.dropped > 50);
}

#[test]
fn a_repeated_line_counts_up_and_another_page_begins_anew() {
    let mut observed = Observed::default();
    observed.arrived("http://a.test/");
    for _ in 0..3 {
        observed.said(line("tick"));
    }
    observed.arrived("http://b.test/");
    observed.said(line("tick"));
    let lines: Vec<_> = observed.console.lines().map(|line| (line.times, &*line.page)).collect();
    assert_eq!(lines, [(3, "http://a.test/"), (1, "http://b.test/")]);
}

#[test]
fn a_request_keeps_its_number_over_redirects_to_its_end() {
    let mut observed = Observed::default();
    observed.noted("R", start("http://a.test/?token=s3cret"));
    let to = Hop::new("GET".into(), "http://b.test/", Vec::new());
    observed.noted("R", Seen::Redirect { status: 302, to });
    let head = Head { status: 404, at: Some(20), ..Head::default() };
    observed.noted("R", Seen::Head(head, Some("S".into())));
    observed.noted("R", Seen::End(End::Done { bytes: 9 }, Some(30)));
    observed.noted("unknown", Seen::End(End::Done { bytes: 1 }, None));
    let line = observed.network.lines().next().unwrap();
    assert_eq!((line.number, line.first().url.as_str()), (1, "http://a.test/?token=[redacted]"));
    assert_eq!(
        (line.hops.len(), line.hops[0].1, line.asked.url.as_str()),
        (1, 302, "http://b.test/")
    );
    assert_eq!(
        (line.head.as_ref().map(|head| head.status), line.session.as_deref()),
        (Some(404), Some("S"))
    );
    assert_eq!(line.end, Some(End::Done { bytes: 9 }));
    assert_eq!(line.after(line.ended), None, "the start had no time");
}
