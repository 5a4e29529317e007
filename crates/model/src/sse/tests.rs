//! Framing: line ends, cuts, and bodies that are no event stream.

use super::*;

/// What the reader makes of `body` when it arrives in reads of `size` bytes.
fn frames(body: &[u8], size: usize) -> Vec<String> {
    let mut found = Vec::new();
    let mut each = |frame: Frame<'_>| {
        let (name, data) = match frame {
            Frame::Data(data) => ("data", data),
            Frame::Error(data) => ("error", data),
            Frame::Body(data) => ("body", data),
        };
        found.push(format!("{name} {}", String::from_utf8_lossy(data)));
        Ok(())
    };
    let mut reader = Reader::default();
    let outcome = body
        .chunks(size)
        .try_for_each(|chunk| reader.feed(chunk, &mut each))
        .and_then(|()| reader.end(&mut each));
    if let Err(error) = outcome {
        found.push(format!("{:?}", error.kind));
    }
    found
}

#[track_caller]
fn check(body: &[u8], expected: &[&str]) {
    for size in [1, 2, 3, 7, 1024] {
        assert_eq!(frames(body, size), expected, "in reads of {size}");
    }
}

#[test]
fn every_kind_of_line_end() {
    check(b"data: a\n\ndata: b\n\n", &["data a", "data b"]);
    check(b"data: a\r\n\r\ndata: b\r\n\r\n", &["data a", "data b"]);
    check(b"data: a\r\rdata: b\r\r", &["data a", "data b"]);
}

#[test]
fn fields_that_say_nothing_are_passed_over() {
    check(
        b": ping\n\nid: 1\nretry: 5\nevent: ping\n\ndata:x\n\n",
        &["data x"],
    );
    check(b"data:\n\ndata: \n\ndata: x\n\n", &["data x"]);
    check(b": only a comment\n\n", &[]);
}

#[test]
fn data_lines_of_one_event_are_joined() {
    check(b"data: {\ndata: }\n\n", &["data {\n}"]);
}

#[test]
fn what_is_pending_at_the_end_counts() {
    check(b"data: a\n\ndata: b", &["data a", "data b"]);
}

#[test]
fn a_byte_order_mark_is_dropped() {
    check(b"\xef\xbb\xbfdata: a\n\n", &["data a"]);
}

#[test]
fn errors_are_told_apart() {
    check(
        b"event: error\ndata: boom\n\ndata: a\n\n",
        &["error boom", "data a"],
    );
}

#[test]
fn a_json_body_comes_whole() {
    check(b"\n[{\"a\":1},\n{}]", &["body [{\"a\":1},\n{}]"]);
}

#[test]
fn a_page_is_no_event_stream() {
    check(b"<html>\n", &["NotSse"]);
    check(b"hello\nworld", &["NotSse"]);
    check(b"", &[]);
}

#[test]
fn memory_is_bounded() {
    let mut reader = Reader::default();
    let mut each = |_: Frame<'_>| Ok(());
    reader.feed(b"data: ", &mut each).unwrap();
    let block = vec![b'x'; 1024 * 1024];
    let outcome = (0..64).try_for_each(|_| reader.feed(&block, &mut each));
    assert_eq!(outcome.unwrap_err().kind, ErrorKind::LineTooLong);
}

proptest::proptest! {
    #[test]
    fn cuts_change_nothing(
        lines in proptest::collection::vec(("(data: |data:|:|event: error|x)", "[a-zé]{0,4}", "(\n|\r\n|\r|\n\n|\r\n\r\n|\r\r)"), 0..12),
        size in 1usize..9,
    ) {
        let body: String = lines.iter().flat_map(|(a, b, c)| [a.as_str(), b, c]).collect();
        assert_eq!(frames(body.as_bytes(), size), frames(body.as_bytes(), 4096));
    }
}
