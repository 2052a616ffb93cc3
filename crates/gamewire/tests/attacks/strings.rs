//! T12: strings that are not UTF-8. A record stores their bytes unchanged.

use gamewire::machine::{ConversationSide, Follow, Instant, Record};
use gamewire::teeworlds::raw::pack::FifthByte;
use gamewire::teeworlds::raw::{v06, v07};
use gamewire::wire::{Reader, Value, Writer};

use super::build::{TOKEN, chunk_07, ints, message, packet_07};
use super::watch::{connected_06, connected_07, survive};

/// Escape sequences, a bell, direction overrides, joiners, invalid UTF-8, a lone surrogate.
const NASTY: &[u8] = b"\x1b]0;owned\x07\x1b[2J\xe2\x80\xae\xe2\x81\xa6\xe2\x80\x8d\xff\xfe\xc0\xaf\xed\xa0\x80\x7f\r\n\t<b>&amp;\"'";

/// Returns a CHAT of 0.6 from the server with the raw bytes `text`.
fn chat(text: &[u8]) -> Vec<u8> {
    [ints(&[3 << 1, 0, -1]).as_slice(), text].concat()
}

/// Returns an RCON_LINE of 0.6.
fn rcon_line(text: &[u8]) -> Vec<u8> {
    [[11 << 1 | 1].as_slice(), text].concat()
}

/// Returns the texts that a follower reports for `datagram`.
fn texts(mut follower: gamewire::teeworlds::Follower, datagram: &[u8]) -> Vec<Vec<u8>> {
    let mut record = Record::new();
    follower.follow(Instant::from_micros(0), ConversationSide::Second, datagram, &mut record);
    assert_eq!(record.errors(), 0);
    let texts = record.nodes().filter_map(|node| match node.value() {
        Some(Value::Text(text)) => Some(text.to_vec()),
        _ => None,
    });
    texts.collect()
}

fn ended(text: &[u8]) -> Vec<u8> {
    [text, &[0]].concat()
}

#[test]
fn t12_a_string_without_its_zero_byte_is_rejected() {
    let reported = survive(connected_06, &[message(&chat(b"no end"))]);
    assert_eq!(
        reported[0].error(),
        "chat.text: expected a zero byte at the end of the string at byte 8, found 6 bytes"
    );
    let reported = survive(connected_06, &[message(&rcon_line(&[b'x'; 1000]))]);
    assert_eq!(
        reported[0].error(),
        "rcon_line.line: expected a zero byte at the end of the string at byte 6, found 1000 bytes"
    );
}

#[test]
fn t12_a_missing_string_is_a_warning() {
    let reported = survive(connected_06, &[message(&rcon_line(&[]))]);
    assert_eq!(
        (reported[0].warnings.as_slice(), reported[0].errors.len()),
        (["missing_string".to_owned()].as_slice(), 0)
    );
}

#[test]
fn t12_control_and_direction_characters_and_invalid_utf8_are_kept_as_bytes() {
    for content in [chat(&ended(NASTY)), rcon_line(&ended(NASTY))] {
        assert_eq!(texts(connected_06(), &message(&content)), [NASTY]);
        assert_eq!(survive(connected_06, &[message(&content)])[0].errors, [""; 0]);
    }
}

#[test]
fn t12_every_byte_but_zero_is_kept() {
    let all: Vec<u8> = (1..=255).collect();
    assert_eq!(texts(connected_06(), &message(&chat(&ended(&all)))), [all]);
}

#[test]
fn t12_names_and_reasons_keep_their_bytes_too() {
    // CLIENT_INFO of 0.7: a name, a clan, and a skin of six parts.
    let (head, tail) = (ints(&[18 << 1, 1, 0, 0]), ints(&[0; 14]));
    let strings = [ended(NASTY), ended(b"clan"), ints(&[-1])].concat();
    let parts = ended(NASTY).repeat(6);
    let content = [head, strings, parts, tail].concat();
    let reported = texts(connected_07(), &packet_07(1, &chunk_07(&content)));
    assert_eq!(reported.iter().filter(|text| *text == NASTY).count(), 7, "{reported:02x?}");
    let close = [&[4, 0, 0], TOKEN.to_be_bytes().as_slice(), &[4], &ended(NASTY)].concat();
    assert_eq!(texts(connected_07(), &close), [NASTY]);
}

#[test]
fn t12_what_was_read_is_written_again_to_the_same_bytes() {
    let mut buffer = [0; 1400];
    for content in [chat(&ended(NASTY)), rcon_line(&ended(NASTY))] {
        let read = v06::Message::decode(Reader::new(&content), FifthByte::Teeworlds, &mut ());
        let mut to = Writer::new(&mut buffer);
        read.unwrap().encode(&mut to).unwrap();
        assert_eq!(to.written(), content);
    }
}

#[test]
fn t12_a_game_shows_invalid_bytes_as_replacements_and_control_characters_as_spaces() {
    let content = chat(&ended(b" \x1b[2J\xffok\xc3"));
    let read = v06::Message::decode(Reader::new(&content), FifthByte::Teeworlds, &mut ()).unwrap();
    let v06::Message::Game(v06::Game::SvChat(chat)) = read else { panic!("{read:?}") };
    assert_eq!(chat.text.to_string(), "[2J\u{fffd}ok\u{fffd}");
}

#[test]
fn t12_strings_as_long_as_a_packet_are_read_in_a_moment() {
    let long = ended(&[b'x'; 1300]);
    let content = [[7 << 1 | 1].as_slice(), &long].concat();
    let reported = survive(connected_07, &[packet_07(1, &chunk_07(&content))]);
    assert!(reported[0].errors.len() <= 1);
    let empty = v07::Message::decode(Reader::new(&[]), FifthByte::Teeworlds, &mut ());
    assert_eq!(empty.unwrap_err().field, "id");
}
