//! False lengths and counts in messages (hostile-input R6).

use allocation_counter::measure;
use gamewire_riptide::message::Vector3;
use gamewire_riptide::raw::{Payload, V21, Writer};
use gamewire_riptide::{Format, Message, MessageSendMode};

fn received(format: Format, bytes: &[u8]) -> Message {
    Message::received(format, MessageSendMode::Reliable, Some(1), &Payload::new(bytes))
}

/// Returns a length prefix in 2.1, and bytes after it.
fn claim(count: u64, behind: usize) -> Vec<u8> {
    let mut buffer = [0; 16];
    let mut writer = Writer::<V21>::new(&mut buffer);
    writer.var_ulong(count).unwrap();
    [writer.written(), &vec![1; behind]].concat()
}

/// Reads an array.
type Read = fn(&mut Message) -> Result<(), gamewire_wire::CodecError>;

const ARRAYS: [Read; 16] = [
    |message| message.get_bytes().map(drop),
    |message| message.get_sbytes().map(drop),
    |message| message.get_bools().map(drop),
    |message| message.get_shorts().map(drop),
    |message| message.get_ushorts().map(drop),
    |message| message.get_ints().map(drop),
    |message| message.get_uints().map(drop),
    |message| message.get_longs().map(drop),
    |message| message.get_ulongs().map(drop),
    |message| message.get_floats().map(drop),
    |message| message.get_doubles().map(drop),
    |message| message.get_string().map(drop),
    |message| message.get_strings().map(drop),
    |message| message.get_serializables::<Vector3>().map(drop),
    |message| message.get_serializables::<Vec<u64>>().map(drop),
    |message| message.get_serializable::<(Vec<String>, u8)>().map(drop),
];

#[test]
fn r6_a_claimed_length_allocates_no_memory() {
    for count in [1 << 14, 1 << 31, (1 << 31) - 1, u64::MAX / 8, u64::MAX] {
        for (number, read) in ARRAYS.iter().enumerate() {
            let mut message = received(Format::V21, &claim(count, 1200));
            let used = measure(|| assert!(read(&mut message).is_err(), "{number} of {count}"));
            // The reads may allocate for the values that arrived before the end of the data.
            assert!(used.bytes_total < 300_000, "{number} of {count}: {used:?}");
            assert_eq!(message.read_bits(), 0, "a failed read moves nothing");
        }
    }
    for read in ARRAYS {
        let mut message = received(Format::V20, &[&[0xff, 0xff], [1; 1200].as_slice()].concat());
        let used = measure(|| assert!(read(&mut message).is_err()));
        assert!(used.bytes_total < 300_000, "{used:?}");
    }
}

#[test]
fn r6_a_count_of_the_application_allocates_no_memory() {
    let mut message = received(Format::V21, &[1; 100]);
    let used = measure(|| {
        assert!(message.get_ints_of(usize::MAX).is_err() && message.get_bools_of(usize::MAX / 4).is_err());
        assert!(message.get_strings_of(usize::MAX).is_err());
        assert!(message.get_serializables_of::<Vector3>(usize::MAX).is_err());
    });
    assert!(used.bytes_max < 20_000, "{used:?}");
}

#[test]
fn r6_reading_past_the_end_fails_without_advancing() {
    for format in Format::ALL {
        for length in 0..8 {
            let bytes = vec![0xff; length];
            let mut message = received(format, &bytes);
            assert!(message.get_ulong().is_err() && message.get_double().is_err());
            assert!(message.get_var_ulong().is_err() && message.get_var_long().is_err());
            assert!(message.get_quaternion().is_err() && message.get_string().is_err());
            assert_eq!((message.read_bits(), message.unread_bits()), (0, length * 8));
        }
    }
    let mut bits = received(Format::V21, &[0xff; 2]);
    bits.skip_bits(3).unwrap();
    assert!(bits.get_ushort().is_err() && bits.get_bits(14).is_err() && bits.skip_bits(usize::MAX).is_err());
    assert!(
        bits.get_bits(0).is_err() && bits.get_bits(65).is_err() && bits.peek_bits(1, usize::MAX).is_err()
    );
    assert_eq!((bits.read_bits(), bits.get_bits(13)), (3, Ok(0x1fff)));
}

#[test]
fn r6_an_unterminated_number_is_an_error() {
    let mut message = received(Format::V21, &[0x80; 100]);
    assert!(message.get_var_ulong().is_err() && message.get_bytes().is_err());
    let mut large = received(Format::V21, &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02]);
    assert!(large.get_var_ulong().is_err());
}

#[derive(Debug, gamewire_riptide::Value)]
struct Tree {
    children: Vec<Self>,
}

#[test]
fn r6_recursive_types_are_limited_to_32_levels() {
    let deepest = [vec![1; 31], vec![0]].concat();
    for format in Format::ALL {
        let error = received(format, &[1; 1200]).get_serializable::<Tree>().unwrap_err();
        assert_eq!(error.expected, "arrays nested at most 32 deep");
        let mut fits = received(format, &deepest);
        let mut tree = fits.get_serializable::<Tree>().unwrap();
        let mut levels = 1;
        while let Some(child) = tree.children.pop() {
            (tree, levels) = (child, levels + 1);
        }
        assert_eq!((levels, fits.unread_bits()), (32, 0));
    }
}

#[derive(Debug, gamewire_riptide::Value)]
struct Nothing;

#[test]
fn r6_empty_values_are_limited_by_the_unread_bits() {
    let mut message = received(Format::V21, &claim(1 << 31, 100));
    assert!(message.get_serializables::<Nothing>().is_err());
    let mut few = received(Format::V21, &claim(5, 1));
    assert_eq!(few.get_serializables::<Nothing>().map(|values| values.len()), Ok(5));
}

#[test]
fn invalid_utf_8_becomes_replacement_characters() {
    let mut message = received(Format::V20, &[3, b'a', 0xff, b'b']);
    assert_eq!(message.get_string().as_deref(), Ok("a\u{fffd}b"));
}

#[test]
fn any_bytes_are_read_as_anything_without_a_panic() {
    let mut random = gamewire_sim::random::Random::new(7);
    for round in 0..20_000 {
        let length = (random.number() % 40) as usize;
        let bytes: Vec<u8> = random.bytes(length);
        let mut message = received(Format::ALL[round % 2], &bytes);
        while message.unread_bits() > 0 {
            let before = message.read_bits();
            let read = ARRAYS[(random.number() % 16) as usize](&mut message);
            assert_eq!(read.is_err(), message.read_bits() == before);
            if read.is_err() && message.get_byte().is_err() {
                break;
            }
        }
    }
}
