//! Truncated and overwritten captures: valid frames are shown, and the exit status reports damage.

use crate::support::{SAMPLE, from_frame, inspect, text};

const TWO_CLIENTS: &[u8] = include_bytes!("../../../../vectors/teeworlds/captures/tw-0.7-two-clients.pcap");

#[test]
fn g1_a_truncated_capture_yields_every_whole_frame() {
    let whole = text(&inspect(SAMPLE, &["-q"]));
    for cut in (24..SAMPLE.len()).step_by(331) {
        let output = inspect(&SAMPLE[..cut], &["-q"]);
        let shown = text(&output);
        assert!(whole.starts_with(&shown), "cut at {cut}");
        let is_between_records = output.status.code() == Some(0);
        assert_eq!(is_between_records, output.stderr.is_empty(), "cut at {cut}");
        assert!(matches!(output.status.code(), Some(0 | 3)), "cut at {cut}");
    }
}

#[test]
fn g1_overwritten_bytes_are_reported_and_skipped() {
    let mut capture = SAMPLE.to_vec();
    capture[3000..3600].fill(0xff);
    let output = inspect(&capture, &["-q"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output).lines().count() > 50, "{}", text(&output));
    assert!(text(&output).trim_end().ends_with(r#"close reason="bye""#));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("warning: standard input: "));
}

#[test]
fn a_badly_damaged_file_has_few_warnings() {
    let mut capture = SAMPLE.to_vec();
    for at in (500..capture.len()).step_by(97) {
        capture[at] ^= 0xff;
    }
    let output = inspect(&capture, &[]);
    let complaints = String::from_utf8(output.stderr).unwrap();
    assert!(complaints.lines().count() <= 12, "{complaints}");
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn a_capture_that_starts_in_a_conversation_is_decoded_as_far_as_possible() {
    let output = inspect(&from_frame(TWO_CLIENTS, 200, usize::MAX), &[]);
    let shown = text(&output);
    assert_eq!(shown.lines().count(), 4697);
    let first = shown.lines().next().unwrap();
    assert!(first.contains("→ tw-0.7      input ack_snapshot="), "{first}");
    assert!(first.ends_with("! late_start"), "{first}");
    assert!(shown.contains("! missing_base"));
    assert!(shown.contains("\"hello\""));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn truncated_datagrams_are_reported() {
    let output = inspect(&from_frame(TWO_CLIENTS, 1, 60), &["-q", "-c", "2"]);
    let shown = text(&output);
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines[0].ends_with("token token=4abfd206"), "{shown}");
    let missing = "ERROR expected the rest of the datagram, cut by the snap length at byte 18, found the end of the data";
    assert!(lines[1].ends_with(missing), "{shown}");
    assert_eq!(output.status.code(), Some(3));
}
