//! Captures that are cut off or overwritten: what is good is shown, and the exit status says so.

use crate::support::{SAMPLE, from_frame, inspect, text};

const TWO_CLIENTS: &[u8] = include_bytes!("../../../../vectors/teeworlds/captures/tw-0.7-two-clients.pcap");

#[test]
fn g1_a_capture_cut_off_anywhere_yields_every_whole_frame() {
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
fn g1_overwritten_bytes_are_told_and_passed_over() {
    let mut capture = SAMPLE.to_vec();
    capture[3000..3600].fill(0xff);
    let output = inspect(&capture, &["-q"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output).lines().count() > 50, "{}", text(&output));
    assert!(text(&output).trim_end().ends_with(r#"close reason="bye""#));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("warning: standard input: "));
}

#[test]
fn complaints_about_a_file_in_ruins_are_few() {
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
fn a_capture_that_begins_in_a_conversation_is_explained_as_far_as_it_goes() {
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
fn datagrams_that_the_capture_holds_in_part_are_told() {
    let output = inspect(&from_frame(TWO_CLIENTS, 1, 60), &["-q", "-c", "2"]);
    let shown = text(&output);
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines[0].ends_with("token token=4abfd206"), "{shown}");
    let missing = "ERROR expected the rest of the datagram, cut by the snap length at byte 18, found the end of the data";
    assert!(lines[1].ends_with(missing), "{shown}");
    assert_eq!(output.status.code(), Some(3));
}
