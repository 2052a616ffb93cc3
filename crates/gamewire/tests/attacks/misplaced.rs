//! T10: unexpected packets, and replies that no server sends.

use gamewire::machine::{ConversationSide, Follow};
use gamewire::teeworlds::Follower;
use gamewire::teeworlds::raw::huffman::decompress;
use gamewire::wire::Found;

use super::build::{
    TOKEN, chunk, chunk_07, control, from_empty, ints, message, packet, packet_07, snap_single, squeeze,
};
use super::watch::{cheap, connected_06, connected_07, connected_tken, show, survive};

/// READY of 0.6.
const READY: u8 = 14 << 1 | 1;
/// READY of 0.7.
const READY_07: u8 = 18 << 1 | 1;
/// The four bytes before the letters of a browsing message.
const PREFIX: [u8; 4] = [0xff; 4];

/// Returns a browsing message of 0.6.
fn connless(letters: &[u8; 4], body: &[u8]) -> Vec<u8> {
    [[0xff; 6].as_slice(), &PREFIX, letters, body].concat()
}

/// Returns a browsing message of 0.7.
fn connless_07(letters: &[u8; 4], body: &[u8]) -> Vec<u8> {
    [[0x21].as_slice(), &[7; 8], &PREFIX, letters, body].concat()
}

/// Adds `datagram` to a conversation from either end, and checks that tokens and snapshots are
/// unchanged.
fn changes_nothing(start: fn() -> Follower, datagram: &[u8], packet: fn(Vec<u8>) -> Vec<u8>) {
    for from in [ConversationSide::First, ConversationSide::Second] {
        let mut follower = start();
        let (dialect, client) = (follower.dialect(), follower.client());
        let first = packet(snap_single(10, from_empty(10), 0, &ints(&[0, 0, 0])));
        assert_eq!(show(&mut follower, ConversationSide::Second, &first).errors, [""; 0]);
        show(&mut follower, from, datagram);
        assert_eq!((follower.dialect(), follower.client()), (dialect, client), "{datagram:02x?}");
        let reported =
            show(&mut follower, ConversationSide::Second, &packet(snap_single(12, 2, 0, &ints(&[0, 0, 0]))));
        assert_eq!(
            (reported.warnings.len(), reported.errors.len()),
            (0, 0),
            "{reported:?} after {datagram:02x?}"
        );
    }
}

#[test]
fn t10_packets_of_0_7_do_not_turn_a_conversation_of_0_6() {
    let token = TOKEN.to_be_bytes();
    let asks = [&[4, 0, 0, 0xff, 0xff, 0xff, 0xff, 5], token.as_slice(), &[0; 508]].concat();
    let gives = [&[4, 0, 0], token.as_slice(), &[5], &token].concat();
    let connect = [&[4, 0, 0], token.as_slice(), &[1], &token, &[0; 508]].concat();
    let accept = [&[4, 0, 0], token.as_slice(), &[2]].concat();
    for datagram in [asks, gives, connect, accept, packet_07(1, &chunk_07(&[READY_07]))] {
        changes_nothing(connected_06, &datagram, |snap| message(&snap));
        changes_nothing(connected_tken, &datagram, |snap| [message(&snap), b"abcd".to_vec()].concat());
    }
}

#[test]
fn t10_packets_of_0_6_do_not_turn_a_conversation_of_0_7() {
    let ready = packet(1, &chunk(&[READY]));
    let tken = control(b"\x01TKEN\xff\xff\xff\xff");
    for datagram in [control(&[1]), control(&[2]), tken, control(b"\x02TKENabcd"), control(&[4]), ready] {
        // SNAPSINGLE is 8 in 0.7, not 7.
        changes_nothing(connected_07, &datagram, |mut snap| {
            snap[0] = 8 << 1 | 1;
            packet_07(1, &chunk_07(&snap))
        });
    }
}

#[test]
fn t10_a_handshake_of_one_end_alone_does_not_end_a_conversation() {
    for datagram in
        [control(&[1]), control(&[2]), control(b"\x01TKEN\xff\xff\xff\xff"), control(b"\x02TKENevil")]
    {
        changes_nothing(connected_06, &datagram, |snap| message(&snap));
        changes_nothing(connected_tken, &datagram, |snap| [message(&snap), b"abcd".to_vec()].concat());
    }
}

#[test]
fn t10_flags_of_the_other_version_are_errors_or_warnings() {
    // Control of 0.7 is an unused bit of 0.6; compression of 0.7 is control of 0.6.
    let reported = survive(connected_06, &[vec![0x04, 0, 1, 0x00, 0x01, READY]]);
    assert_eq!(reported[0].warnings, ["unused_bits"]);
    let reported = survive(connected_07, &[vec![0x80, 0, 0, 0x11, 0x22, 0x33, 0x44]]);
    assert_eq!(reported[0].warnings, ["unused_bits"]);
    let reported = survive(connected_07, &[vec![0x22; 20]]);
    assert_eq!(reported[0].error(), "packet: expected version 1 of connless packets at byte 0, found 2");
}

#[test]
fn t10_a_new_handshake_that_both_ends_take_part_in_is_followed() {
    let mut follower = connected_06();
    show(&mut follower, ConversationSide::First, &control(b"\x01TKEN\xff\xff\xff\xff"));
    show(&mut follower, ConversationSide::Second, &control(b"\x02TKENwxyz"));
    assert_eq!(follower.dialect(), Some("tw-0.6-tken"));
    let reported = show(
        &mut follower,
        ConversationSide::First,
        &packet(1, &[chunk(&[READY]), b"wxyz".to_vec()].concat()),
    );
    assert_eq!(
        (reported.messages.as_slice(), reported.warnings.len(), reported.errors.len()),
        (["ready".to_owned()].as_slice(), 0, 0)
    );
}

#[test]
fn t10_info_replies_with_odd_strings_and_numbers_are_kept_as_they_are() {
    let odd = b"99999999999\0ver\x1b[31m\0\xff\xfe name\0../../map\0DM\0-\0x\0\0-9\0 1\0";
    let reported = survive(connected_06, &[connless(b"inf3", odd)]);
    assert_eq!(reported[0].messages, ["info_reply"]);
    assert_eq!(reported[0].errors, [""; 0]);
    assert!(reported[0].warnings.iter().all(|name| name == "not_a_number"), "{reported:?}");
    // A string without an end, and a list that ends in the middle of a player.
    let reported = survive(connected_06, &[connless(b"inf3", b"1\0no end")]);
    assert_eq!(
        reported[0].error(),
        "info_reply.version: expected a zero byte at the end of the string at byte 16, found 6 bytes"
    );
    let players = b"1\0v\0n\0m\0t\x000\x001\x001\x001\x001\0name\0clan";
    let reported = survive(connected_06, &[connless(b"inf3", players)]);
    assert!(
        reported[0].error().starts_with("info_reply.clan: expected a zero byte at the end of the string"),
        "{reported:?}"
    );
}

#[test]
fn t10_info_replies_of_thousands_of_players_are_read_in_a_moment() {
    let head = b"1\0v\0n\0m\0t\x000\x001\x001\x001\x001\0";
    let reported = survive(connected_06, &[connless(b"inf3", &[head.as_slice(), &[0; 1300]].concat())]);
    assert_eq!((reported[0].messages.len(), reported[0].errors.len()), (1, 0));
    let head = [1].iter().chain(b"v\0n\0h\0m\0t\0\0\0\0\0\0\0").copied().collect::<Vec<u8>>();
    let reported = survive(connected_07, &[connless_07(b"inf3", &[head.as_slice(), &[0; 1300]].concat())]);
    assert_eq!(reported[0].messages.len(), 1);
}

#[test]
fn t10_server_lists_of_odd_addresses_are_read_to_the_last_whole_one() {
    let mapped = [[0; 10].as_slice(), &[0xff; 2], &[255; 4], &[0, 0]].concat();
    let (unspecified, multicast) = ([0; 18], [0xff; 18]);
    let list = [mapped.as_slice(), &unspecified, &multicast].concat();
    let reported = survive(connected_06, &[connless(b"lis2", &list), connless(b"lis2", &list[..40])]);
    assert_eq!(
        (reported[0].messages.as_slice(), reported[0].errors.len()),
        (["server_list".to_owned()].as_slice(), 0)
    );
    assert_eq!(
        reported[1].error(),
        "server_list.servers: expected the 16 bytes of an address at byte 50, found 4 bytes"
    );
    let reported = survive(connected_06, &[connless(b"siz2", &[1])]);
    assert_eq!(reported[0].error(), "server_count.count: expected a 16-bit number at byte 14, found 1 byte");
}

#[test]
fn t10_info_requests_with_bad_tokens_are_errors_or_warnings() {
    let reported = survive(Follower::default, &[connless(b"gie3", &[])]);
    assert_eq!(
        reported[0].error(),
        "request_info.token: expected a byte at byte 14, found the end of the data"
    );
    let reported = survive(Follower::default, &[connless(b"gie3", &[5, 1, 2, 3])]);
    assert_eq!(
        (reported[0].warnings.as_slice(), reported[0].errors.len()),
        (["extra_bytes".to_owned()].as_slice(), 0)
    );
    let reported = survive(Follower::default, &[connless_07(b"gie3", &[0x80, 0x80])]);
    assert_eq!(
        reported[0].error(),
        "request_info.token: expected an integer at byte 19, found the end of the data"
    );
    // Cut inside the 0.7 header with the tokens, or inside the letters.
    let whole = connless_07(b"gie3", &[0]);
    for length in 2..13 {
        let reported = survive(connected_07, &[whole[..length].to_vec()]);
        assert_eq!(reported[0].errors.len(), 1, "{length}");
    }
    let reported = survive(connected_06, &[connless(b"gie3", &[])[..12].to_vec()]);
    assert_eq!(reported[0].error(), "connless: expected four letters at byte 10, found 2 bytes");
    let reported = survive(connected_06, &[connless(b"????", &[1, 2, 3])]);
    assert_eq!(
        (reported[0].warnings.as_slice(), reported[0].errors.len()),
        (["unknown_message".to_owned()].as_slice(), 0)
    );
}

#[test]
fn t10_browsing_messages_do_not_turn_a_conversation() {
    for (start, message) in [
        (connected_06 as fn() -> Follower, connless_07(b"gie3", &[0])),
        (connected_tken, connless(b"gie3", &[0])),
        (connected_07, connless(b"inf3", b"1\0")),
    ] {
        let mut follower = start();
        let before = follower.dialect();
        show(&mut follower, ConversationSide::Second, &message);
        assert_eq!((follower.dialect(), follower.client()), (before, Some(ConversationSide::First)));
    }
}

#[test]
fn t10_payloads_that_end_in_a_wrong_code_are_rejected() {
    let mut output = [0; 64];
    cheap("every payload of up to two bytes", 1, 66_000, || {
        for bytes in 0..=u16::MAX {
            let payload = bytes.to_le_bytes();
            for payload in [&payload[..1], &payload] {
                match decompress(payload, &mut output) {
                    Ok(length) => assert!(length <= 1),
                    Err(error) => assert_eq!((error.offset, error.found), (payload.len(), Found::End)),
                }
            }
        }
    });
    // A valid payload with an overwritten end symbol.
    let good = squeeze(b"a payload that was right once");
    for bit in 0..16 {
        let mut wrong = good.clone();
        let end = wrong.len() - 1 - bit / 8;
        wrong[end] ^= 1 << (bit % 8);
        let reported = survive(connected_06, &[[&[0x80, 0, 1], wrong.as_slice()].concat()]);
        assert!(reported[0].errors.len() <= 1, "{reported:?}");
    }
}
