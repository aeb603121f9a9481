//! Tests of the line module.

use super::*;

const LIMIT: usize = 12;

fn read(chunks: &[&[u8]]) -> Vec<Option<Vec<u8>>> {
    let mut decoder = Decoder::with_limit(LIMIT);
    let mut lines = Vec::new();
    let own = |line: Line<'_>| match line {
        Line::Text(text) => Some(text.to_vec()),
        Line::TooLong => None,
    };
    for chunk in chunks {
        let mut rest = *chunk;
        while let Some(line) = decoder.next(&mut rest) {
            lines.push(own(line));
        }
    }
    lines.extend(decoder.finish().map(own));
    lines
}

fn check(stream: &[u8], expected: &[Option<&str>]) {
    let expected: Vec<_> =
        expected.iter().map(|line| line.map(|text| text.as_bytes().to_vec())).collect();
    assert_eq!(read(&[stream]), expected, "{stream:?} whole");
    for width in 1..stream.len() {
        let chunks: Vec<_> = stream.chunks(width).collect();
        assert_eq!(read(&chunks), expected, "{stream:?} in chunks of {width}");
    }
    for cut in 0..stream.len() {
        let (head, tail) = stream.split_at(cut);
        assert_eq!(read(&[head, tail]), expected, "{stream:?} cut at {cut}");
    }
}

#[test]
fn FB_07_only_a_line_feed_ends_a_line() {
    check(b"a\nb\n", &[Some("a"), Some("b")]);
    check(b"a\r\nb\rc\n", &[Some("a"), Some("b\rc")]);
    check(b"a\r\r\n", &[Some("a\r")]);
    check("a\u{2028}b\n\u{85}\n".as_bytes(), &[Some("a\u{2028}b"), Some("\u{85}")]);
}

#[test]
fn FB_07_blank_lines_and_one_mark_at_the_start_are_dropped() {
    check(b"\n\r\n \t\r\na\n\n", &[Some("a")]);
    check(b"\xEF\xBB\xBFa\n\xEF\xBB\xBFb\n", &[Some("a"), Some("\u{feff}b")]);
    check(b"\xEF\xBB\xBF\n\xEF\xBB\xBFb\n", &[Some("\u{feff}b")]);
    check(b"\n\xEF\xBB\xBFb\n", &[Some("\u{feff}b")]);
}

#[test]
fn FB_08_a_line_over_the_cap_is_reported_once_and_the_next_one_read() {
    check(b"123456789012\nx\n", &[Some("123456789012"), Some("x")]);
    check(b"1234567890123\nx\n", &[None, Some("x")]);
    check(b"1234567890123456789012345678901234567890\nx\n", &[None, Some("x")]);
    check(b"12345678901234567890", &[None]);
    check(b"1234567890123\n1234567890123\n", &[None, None]);
}

#[test]
fn a_last_line_without_an_end_is_read() {
    check(b"a\nb", &[Some("a"), Some("b")]);
    check(b"a\n \r", &[Some("a")]);
    check(b"", &[]);
}

#[test]
fn a_large_carried_line_gives_its_memory_back() {
    let mut decoder = Decoder::default();
    let mut big: &[u8] = &vec![b'x'; 1 << 20];
    assert_eq!(decoder.next(&mut big), None);
    let mut end: &[u8] = b"\ny\n";
    assert!(matches!(decoder.next(&mut end), Some(Line::Text(text)) if text.len() == 1 << 20));
    assert_eq!(decoder.next(&mut end), Some(Line::Text(b"y")));
    assert!(decoder.carry.capacity() <= KEPT_BYTES);
}
