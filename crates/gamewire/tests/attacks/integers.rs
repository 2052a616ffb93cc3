//! T6: packed integers that no packer writes.

use gamewire::machine::ConversationSide;
use gamewire::teeworlds::raw::pack::{FifthByte, Unpacker, pack_int};
use gamewire::wire::{Reader, Writer};

use super::build::{chunk, message, packet};
use super::watch::{cheap, connected_06, connected_tken, survive};
use crate::support::Random;

/// Returns an INPUT_TIMING, which consists of two integers.
fn timing(integers: &[u8]) -> Vec<u8> {
    [&[9 << 1 | 1], integers].concat()
}

fn unpack(bytes: &[u8], fifth_byte: FifthByte) -> Option<(i32, usize)> {
    let mut from = Unpacker::new(Reader::new(bytes), fifth_byte);
    let value = from.int("an integer", &mut ()).ok()?;
    Some((value, from.reader.offset()))
}

#[test]
fn t6_a_sixth_byte_belongs_to_the_next_field() {
    let reported = survive(connected_06, &[message(&timing(&[0xff, 0xff, 0xff, 0xff, 0xff, 0x07]))]);
    assert_eq!(
        (reported[0].warnings.as_slice(), reported[0].errors.len()),
        (["padded_int".to_owned()].as_slice(), 0)
    );
    let bytes = [0xff, 0xff, 0xff, 0xff, 0xff, 0x07];
    assert_eq!(unpack(&bytes, FifthByte::Teeworlds), Some((0, 5)));
    assert_eq!(unpack(&bytes, FifthByte::DdNet), Some((i32::MIN, 5)));
}

#[test]
fn t6_overlong_forms_are_decoded_with_a_warning() {
    for overlong in [[0xc0, 0x00].as_slice(), &[0x80, 0x00], &[0x80, 0x80, 0x80, 0x80, 0x00]] {
        let reported = survive(connected_06, &[message(&timing(&[overlong, &[1]].concat()))]);
        assert_eq!(
            (reported[0].messages.as_slice(), reported[0].errors.len()),
            (["input_timing".to_owned()].as_slice(), 0)
        );
        assert_eq!(reported[0].warnings, ["overlong_int"]);
    }
}

#[test]
fn t6_bits_past_the_32nd_are_read_as_the_dialects_games_read_them() {
    let content = timing(&[0x80, 0x80, 0x80, 0x80, 0x7f, 0x00]);
    for reported in [
        survive(connected_06, &[message(&content)]),
        survive(connected_tken, &[[message(&content), b"abcd".to_vec()].concat()]),
    ] {
        assert_eq!(reported[0].messages, ["input_timing"]);
        assert_eq!(reported[0].warnings, ["padded_int"]);
    }
    let bytes = [0x80, 0x80, 0x80, 0x80, 0x7f];
    assert_eq!(unpack(&bytes, FifthByte::Teeworlds), Some((i32::MIN | 0x7800_0000, 5)));
    assert_eq!(unpack(&bytes, FifthByte::DdNet), Some((0x7800_0000, 5)));
}

#[test]
fn t6_an_integer_cut_anywhere_is_an_error_with_its_place() {
    for length in 0..5 {
        let reported = survive(connected_06, &[message(&timing(&[0xff; 5][..length]))]);
        let at = 6 + length;
        let end = format!(
            "input_timing.input_pred_tick: expected an integer at byte {at}, found the end of the data"
        );
        assert_eq!(reported[0].error(), end);
    }
    // A truncated integer in the message id: there is no message yet.
    let reported = survive(connected_06, &[packet(1, &chunk(&[0x80, 0x80]))]);
    assert_eq!(reported[0].error(), "message.id: expected a message id at byte 7, found the end of the data");
}

#[test]
fn t6_no_five_bytes_are_read_beyond_their_end_or_come_out_as_another_number() {
    let mut random = Random::new(6);
    cheap("random integers", 1, 1000, || {
        let mut buffer = [0; 5];
        for _ in 0..500_000 {
            let bytes: [u8; 5] = core::array::from_fn(|_| random.byte());
            for fifth_byte in [FifthByte::Teeworlds, FifthByte::DdNet] {
                let (value, used) = unpack(&bytes, fifth_byte).unwrap();
                let mut to = Writer::new(&mut buffer);
                pack_int(value, &mut to).unwrap();
                assert!(to.len() <= used || bytes[4] & 0xf0 != 0);
                assert_eq!(unpack(to.written(), fifth_byte), Some((value, to.len())));
            }
        }
    });
}

#[test]
fn t6_every_integer_field_of_a_message_of_nothing_but_ff_is_survived() {
    // Every message id, system and game, with a body of integers that overflow.
    let attack: Vec<Vec<u8>> =
        (2..64).map(|id| message(&[[id].as_slice(), [0xff; 600].as_slice()].concat())).collect();
    let reported = survive(connected_06, &attack);
    assert!(reported.iter().all(|reported| reported.messages.len() == 1));
    let mut follower = connected_06();
    for datagram in &attack {
        super::watch::show(&mut follower, ConversationSide::First, datagram);
    }
}
