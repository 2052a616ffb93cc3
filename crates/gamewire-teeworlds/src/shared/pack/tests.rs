use gamewire_machine::Record;
use proptest::prelude::*;

use super::*;

fn unpack(bytes: &[u8], fifth: FifthByte) -> (Result<i32>, usize, Vec<String>) {
    let mut record = Record::new();
    let mut unpacker = Unpacker::new(Reader::new(bytes), fifth);
    let value = unpacker.int("an integer", &mut record);
    let warnings = record.nodes().map(|node| node.name().to_owned()).collect();
    (value, unpacker.reader.offset(), warnings)
}

fn pack(value: i32) -> Vec<u8> {
    let mut buffer = [0; 5];
    let mut writer = Writer::new(&mut buffer);
    pack_int(value, &mut writer).unwrap();
    writer.written().to_vec()
}

#[test]
fn known_vectors() {
    for (value, bytes) in [
        (0, [0x00].as_slice()),
        (1, &[0x01]),
        (63, &[0x3f]),
        (64, &[0x80, 0x01]),
        (65, &[0x81, 0x01]),
        (-1, &[0x40]),
        (-64, &[0x7f]),
        (-65, &[0xc0, 0x01]),
        (-66, &[0xc1, 0x01]),
        (8191, &[0xbf, 0x7f]),
        (8192, &[0x80, 0x80, 0x01]),
        (i32::MAX, &[0xbf, 0xff, 0xff, 0xff, 0x0f]),
        (i32::MIN, &[0xff, 0xff, 0xff, 0xff, 0x0f]),
    ] {
        assert_eq!(pack(value), bytes);
        assert_eq!(unpack(bytes, FifthByte::Teeworlds), (Ok(value), bytes.len(), vec![]));
    }
}

#[test]
fn t6_overlong_forms_are_read_with_a_warning() {
    for (bytes, value) in [
        ([0x80, 0x00].as_slice(), 0),
        (&[0xc0, 0x00], -1),
        (&[0x83, 0x00], 3),
        (&[0x80, 0x80, 0x80, 0x80, 0x00], 0),
    ] {
        let (got, used, warnings) = unpack(bytes, FifthByte::Teeworlds);
        assert_eq!((got, used), (Ok(value), bytes.len()));
        assert_eq!(warnings, ["overlong_int"]);
    }
}

#[test]
fn t6_bits_beyond_the_32nd_are_read_as_each_game_reads_them() {
    let bytes = [0x80, 0x80, 0x80, 0x80, 0x10];
    assert_eq!(unpack(&bytes, FifthByte::Teeworlds).0, Ok(i32::MIN));
    assert_eq!(unpack(&bytes, FifthByte::DdNet).0, Ok(0));
    let bytes = [0x80, 0x80, 0x80, 0x80, 0xe1, 0x05];
    for fifth in [FifthByte::Teeworlds, FifthByte::DdNet] {
        let (value, used, warnings) = unpack(&bytes, fifth);
        assert_eq!((value, used), (Ok(1 << 27), 5), "a sixth byte is never read");
        assert_eq!(warnings, ["padded_int"]);
    }
}

#[test]
fn t6_an_integer_cut_anywhere_is_an_error() {
    for length in 0..5 {
        let (value, ..) = unpack(&[0xff; 5][..length], FifthByte::Teeworlds);
        assert_eq!(value.unwrap_err().expected, "an integer");
    }
}

/// Unpacks an integer as the games do, in a loop over the bytes.
#[allow(clippy::arithmetic_side_effects, reason = "a length of at most five")]
fn unpack_like_the_games(bytes: &[u8], fifth: FifthByte) -> Option<(i32, usize)> {
    let first = *bytes.first()?;
    let mut value = i32::from(first & 0x3f);
    let mut length = 1;
    let mut byte = first;
    while byte & 0x80 != 0 && length < 5 {
        byte = *bytes.get(length)?;
        let mask = if length == 4 { fifth.mask() } else { 0x7f };
        value |= i32::from(byte & mask) << (7 * length - 1);
        length += 1;
    }
    Some((if first & 0x40 != 0 { !value } else { value }, length))
}

#[test]
fn teeint_packs_and_unpacks_the_same_integers() {
    let near = (0..32).flat_map(|bits| (-1..=1).map(move |offset| (1_i32 << bits).wrapping_add(offset)));
    let spread = (i32::MIN..=i32::MAX).step_by(4093);
    for value in near.chain(spread) {
        let ours = pack(value);
        let mut theirs = Vec::new();
        teeint::pack(&mut theirs, value).unwrap();
        assert_eq!(ours, theirs, "{value}");
        assert_eq!(unpack(&theirs, FifthByte::Teeworlds).0, Ok(value));
        assert_eq!(teeint::unpack(&mut ours.as_slice()).unwrap(), value);
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_as_the_games_read_them(bytes in proptest::collection::vec(any::<u8>(), 0..8)) {
        for fifth in [FifthByte::Teeworlds, FifthByte::DdNet] {
            let (value, used, _) = unpack(&bytes, fifth);
            let expected = unpack_like_the_games(&bytes, fifth);
            prop_assert_eq!(value.ok(), expected.map(|(value, _)| value));
            prop_assert_eq!(used, expected.map_or(bytes.len(), |(_, length)| length));
        }
    }

    #[test]
    fn every_integer_round_trips(value in any::<i32>()) {
        let bytes = pack(value);
        prop_assert_eq!(unpack(&bytes, FifthByte::Teeworlds), (Ok(value), bytes.len(), vec![]));
        prop_assert_eq!(unpack(&bytes, FifthByte::DdNet).0, Ok(value));
    }
}

fn show(bytes: &[u8], sanitize: Sanitize) -> String {
    Text::received(bytes, sanitize).to_string()
}

#[test]
fn each_sanitizer_works_as_in_the_game() {
    let bytes = b"\t a\x01b\r\nc\x7f";
    assert_eq!(show(bytes, Sanitize::Lines), "\t a b\r\nc\x7f");
    assert_eq!(show(bytes, Sanitize::Controls), "  a b  c\x7f");
    assert_eq!(show(bytes, Sanitize::Strict), "a b  c\x7f");
    assert_eq!(show("\u{3000}\u{a0}x".as_bytes(), Sanitize::Strict), "x");
}

#[test]
fn t12_invalid_utf8_is_kept_and_shown_as_a_replacement() {
    let text = Text::received(b"a\xff\xfeb\xc3", Sanitize::Strict);
    assert_eq!(text.as_bytes(), b"a\xff\xfeb\xc3");
    assert_eq!(text.to_string(), "a\u{fffd}\u{fffd}b\u{fffd}");
}

#[test]
fn t12_a_string_without_its_zero_byte_is_rejected() {
    let mut from = Unpacker::new(Reader::new(b"no end"), FifthByte::Teeworlds);
    let error = Text::read(&mut from, &Sanitize::Strict, "text", &mut ()).unwrap_err();
    assert_eq!((error.field, error.found), ("text", Found::Bytes(6)));
}

#[test]
fn a_string_missing_at_the_end_reads_as_empty_with_a_warning() {
    let mut record = Record::new();
    let mut from = Unpacker::new(Reader::new(b""), FifthByte::Teeworlds);
    let text = Text::read(&mut from, &Sanitize::Strict, "text", &mut record).unwrap();
    assert_eq!((text.as_bytes(), record.warnings()), (b"".as_slice(), 1));
}

#[test]
fn a_zero_byte_inside_cannot_be_sent() {
    let mut buffer = [0; 16];
    assert!(Text::new("a\0b").write(&mut Writer::new(&mut buffer)).is_err());
}
