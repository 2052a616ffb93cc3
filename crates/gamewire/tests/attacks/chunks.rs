//! T7: chunk headers with wrong sizes, and unexpected packets.

use gamewire::machine::{ConversationSide, Follow, Instant, Record};
use gamewire::teeworlds::Follower;

use super::build::{TOKEN, chunk, chunk_07, control, packet, packet_07, squeeze};
use super::watch::{connected_06, connected_07, connected_tken, show, survive};

/// READY of 0.6.
const READY: u8 = 14 << 1 | 1;

#[test]
fn t7_a_chunk_larger_than_what_is_left_is_rejected() {
    let reported = survive(connected_06, &[packet(1, &[0x3f, 0x0f, READY])]);
    assert_eq!(
        reported[0].error(),
        "chunk: expected as many bytes as the chunk's size at byte 5, found 1 byte"
    );
    let reported = survive(connected_07, &[packet_07(1, &[0x3f, 0x3f, READY])]);
    assert_eq!(
        reported[0].error(),
        "chunk: expected as many bytes as the chunk's size at byte 9, found 1 byte"
    );
    assert_eq!(reported[0].messages, [""; 0]);
}

#[test]
fn t7_chunks_before_one_that_is_too_large_are_reported() {
    let payload = [chunk(&[READY]), vec![0x3f, 0x0f], chunk(&[READY])].concat();
    let reported = survive(connected_06, &[packet(3, &payload)]);
    assert_eq!(
        (reported[0].messages.as_slice(), reported[0].errors.len()),
        (["ready".to_owned()].as_slice(), 1)
    );
}

#[test]
fn t7_a_header_cut_in_the_middle_is_rejected() {
    let reported = survive(connected_06, &[packet(1, &[0]), packet(1, &[0x40, 0x01])]);
    assert_eq!(reported[0].error(), "chunk: expected a chunk header of 2 bytes at byte 3, found 1 byte");
    assert_eq!(
        reported[1].error(),
        "chunk: expected the third byte of a vital chunk header at byte 5, found the end of the data"
    );
    for length in 0..7 {
        let reported = survive(connected_07, &[packet_07(1, &[])[..length].to_vec()]);
        assert!(
            reported[0].error().starts_with("packet: expected a header of 7 bytes at byte"),
            "{reported:?}"
        );
    }
    for length in 0..3 {
        let reported = survive(connected_06, &[packet(1, &[])[..length].to_vec()]);
        assert!(
            reported[0].error().starts_with("packet: expected a header of 3 bytes at byte 0"),
            "{reported:?}"
        );
    }
}

#[test]
fn t7_two_hundred_and_fifty_five_chunks_without_data_are_one_error() {
    let reported = survive(connected_06, &[packet(255, &[])]);
    assert_eq!(
        reported[0].error(),
        "chunk: expected a chunk header of 2 bytes at byte 3, found the end of the data"
    );
    let reported = survive(connected_07, &[packet_07(255, &[])]);
    assert_eq!(
        reported[0].error(),
        "chunk: expected a chunk header of 2 bytes at byte 7, found the end of the data"
    );
}

#[test]
fn t7_chunks_of_size_0_hold_no_message() {
    let reported = survive(connected_06, &[packet(255, &[0; 510])]);
    assert_eq!((reported[0].messages.len(), reported[0].errors.len()), (0, 255));
    assert_eq!(
        reported[0].errors[0],
        "message.id: expected a message id at byte 5, found the end of the data"
    );
    let reported = survive(connected_07, &[packet_07(1, &chunk_07(&[]))]);
    assert_eq!(reported[0].error(), "message.id: expected a message id at byte 9, found the end of the data");
}

#[test]
fn t7_chunks_before_any_connect_are_read_as_a_conversation_that_began_earlier() {
    let reported = survive(Follower::default, &[packet(1, &chunk(&[READY]))]);
    assert_eq!(reported[0].warnings, ["late_start"]);
    assert_eq!(reported[0].messages, ["ready"]);
    // If a chunk header exceeds the packet, the datagram is not a packet of Teeworlds.
    let reported = survive(Follower::default, &[packet(1, &[0x3f, 0x0f, READY]), packet(255, &[]), vec![]]);
    assert_eq!(reported[0].error(), "packet: expected a packet of Teeworlds at byte 0, found 6 bytes");
    assert_eq!(reported[1].error(), "packet: expected a packet of Teeworlds at byte 0, found 3 bytes");
    assert_eq!(reported[2].error(), "packet: expected a packet of Teeworlds at byte 0, found 0 bytes");
}

#[test]
fn t7_a_control_packet_without_a_payload_is_rejected() {
    let expected = "control: expected the id of a control message at byte 3, found the end of the data";
    assert_eq!(survive(connected_06, &[control(&[])])[0].error(), expected);
    let reported = survive(connected_07, &[[&[4, 0, 0], TOKEN.to_be_bytes().as_slice()].concat()]);
    assert_eq!(reported[0].error(), expected.replace('3', "7"));
}

#[test]
fn t7_a_payload_shorter_than_the_token_at_its_end_is_rejected() {
    for length in 0..4_usize {
        let found = ["the end of the data", "1 byte", "2 bytes", "3 bytes"][length];
        let reported = survive(connected_tken, &[packet(1, &b"abc"[..length]), control(&b"abc"[..length])]);
        for reported in reported {
            let expected =
                format!("packet: expected the 4 bytes of a token at the end at byte 3, found {found}");
            assert_eq!(reported.error(), expected);
        }
    }
}

#[test]
fn t7_a_wrong_token_drops_the_packet_and_changes_nothing() {
    let mut follower = connected_tken();
    let reported = show(
        &mut follower,
        ConversationSide::Second,
        &packet(1, &[chunk(&[READY]), b"evil".to_vec()].concat()),
    );
    assert_eq!(reported.warnings, ["wrong_token"]);
    let reported = show(
        &mut follower,
        ConversationSide::Second,
        &packet(1, &[chunk(&[READY]), b"abcd".to_vec()].concat()),
    );
    assert_eq!((reported.warnings.len(), reported.errors.len()), (0, 0));
}

#[test]
fn t7_chunk_counts_in_control_packets_and_bytes_after_the_last_chunk_are_warnings() {
    let reported = survive(connected_06, &[[&[0x10, 0, 9], [0].as_slice()].concat(), packet(0, &[1, 2, 3])]);
    assert_eq!(
        (reported[0].warnings.as_slice(), reported[0].errors.len()),
        (["chunks_in_control".to_owned()].as_slice(), 0)
    );
    assert_eq!(
        (reported[1].warnings.as_slice(), reported[1].errors.len()),
        (["bytes_after_chunks".to_owned()].as_slice(), 0)
    );
}

#[test]
fn t7_unknown_control_messages_are_kept_with_a_warning() {
    let attack: Vec<Vec<u8>> = (5..=255).map(|id| control(&[id, 1, 2, 3])).collect();
    for reported in survive(connected_06, &attack) {
        assert_eq!(
            (reported.messages.as_slice(), reported.warnings.as_slice()),
            (["unknown_control".to_owned()].as_slice(), ["unknown_message".to_owned()].as_slice())
        );
    }
}

#[test]
fn t7_a_datagram_longer_than_any_game_sends_is_rejected() {
    let reported = survive(connected_06, &[packet(1, &[0; 1398]), packet(1, &[0; 65_000])]);
    assert_eq!(reported[0].error(), "packet: expected at most 1400 bytes at byte 0, found 1401 bytes");
    assert_eq!(reported[1].error(), "packet: expected at most 1400 bytes at byte 0, found 65003 bytes");
    assert_eq!(connected_06().dialect(), Some("tw-0.6"));
}

#[test]
fn t7_a_compressed_control_packet_reports_its_warnings_with_their_spans() {
    // The span of the chunk count is in the datagram, not in the decompressed byte.
    let mut record = Record::new();
    let datagram = [&[0x90, 0, 9], squeeze(&[0]).as_slice()].concat();
    connected_06().follow(Instant::from_micros(0), ConversationSide::Second, &datagram, &mut record);
    let odd = record.nodes().find(|node| node.name() == "chunks_in_control").unwrap();
    assert_eq!(record.source(odd.source()), Some(datagram.as_slice()));
}
