use gamewire_riptide::message::{VarLong, VarULong, Vector3};
use gamewire_riptide::{Format, Message, MessageId, MessageSendMode, MessageType, Sendable, Value};
use proptest::prelude::*;

/// Message ids of the application, as in the examples of the C# library.
#[derive(Clone, Copy, Debug, PartialEq, MessageId)]
enum Id {
    Move = 300,
    Chat,
}

#[derive(Clone, Debug, PartialEq, Message)]
#[message(id = Id::Move as u16, mode = "unreliable")]
struct Move {
    tick: u32,
    position: Vector,
    path: Vec<Vector>,
    jumps: bool,
    flags: [bool; 11],
    target: Option<u16>,
}

#[derive(Clone, Copy, Debug, PartialEq, Value)]
struct Vector {
    x: f32,
    y: f32,
}

#[derive(Clone, Debug, PartialEq, Message)]
#[message(id = Id::Chat)]
enum Chat {
    Joined,
    Line(String, Channel),
    Moved { from: (i8, i16), r#to: [u8; 3] },
}

#[derive(Clone, Copy, Debug, PartialEq, Value)]
enum Channel {
    All,
    Team = 4,
    Whisper,
    Admin = 0xfe,
    Nobody,
}

#[derive(Clone, Debug, PartialEq, Message)]
#[message(id = 5)]
struct Pair<A, B: Copy>(A, B)
where
    A: Clone;

#[derive(Clone, Debug, PartialEq, Message)]
#[message(id = 6, crate = "gamewire_riptide")]
struct Empty;

/// Encodes a message and returns it as its receiver decodes it.
fn through<T: MessageType>(format: Format, sent: &T) -> T {
    let mut scratch = [0xee; 1225];
    let payload = sent.payload(format, &mut scratch).unwrap();
    Message::received(format, T::MODE, T::ID, &payload).read_as().unwrap()
}

fn bytes<T: MessageType>(format: Format, sent: &T) -> Vec<u8> {
    sent.payload(format, &mut [0; 1225]).unwrap().to_vec()
}

fn example() -> Move {
    let vector = Vector { x: 0.5, y: -1.0 };
    Move {
        tick: 7,
        position: vector,
        path: vec![vector; 3],
        jumps: true,
        flags: std::array::from_fn(|n| n % 3 == 0),
        target: Some(9),
    }
}

#[test]
fn derived_types_have_an_id_and_mode() {
    assert_eq!((Move::ID, Move::MODE), (Some(300), MessageSendMode::Unreliable));
    assert_eq!((Chat::ID, Chat::MODE), (Some(301), MessageSendMode::Reliable));
    assert_eq!((Pair::<u8, u8>::ID, Empty::ID), (Some(5), Some(6)));
}

#[test]
fn a_struct_encodes_as_its_fields_in_order() {
    let mut message = Message::create(MessageSendMode::Unreliable, Id::Move as u16);
    message.add_uint(7).add_floats_without_length(&[0.5, -1.0]);
    message.add_byte(3).add_floats_without_length(&[0.5, -1.0, 0.5, -1.0, 0.5, -1.0]);
    message.add_bool(true).add_bools_without_length(&example().flags).add_bool(true).add_ushort(9);
    for format in Format::ALL {
        assert_eq!(bytes(format, &example()), message.payload(format).unwrap().to_vec());
        assert_eq!(through(format, &example()), example());
    }
    assert_eq!(message.read_as(), Ok(example()));
}

#[test]
fn an_enum_encodes_as_a_variant_byte_and_its_fields() {
    let line = Chat::Line("hi".into(), Channel::Team);
    let moved = Chat::Moved { from: (-1, 2), to: [7, 8, 9] };
    for format in Format::ALL {
        assert_eq!(bytes(format, &Chat::Joined), [0]);
        assert_eq!(bytes(format, &line), *b"\x01\x02hi\x04");
        assert_eq!(bytes(format, &moved), [2, 0xff, 2, 0, 7, 8, 9]);
        for chat in [&Chat::Joined, &line, &moved] {
            assert_eq!(through(format, chat), *chat);
        }
    }
}

#[test]
fn variants_use_their_discriminants() {
    let numbers = [Channel::All, Channel::Team, Channel::Whisper, Channel::Admin, Channel::Nobody];
    for (channel, number) in numbers.into_iter().zip([0, 4, 5, 0xfe, 0xff]) {
        assert_eq!(bytes(Format::V21, &Pair(channel, 1_u8)), [number, 1]);
        assert_eq!(through(Format::V21, &Pair(channel, 1_u8)).0, channel);
    }
}

#[test]
fn an_unknown_variant_is_an_error_with_an_offset() {
    let mut message = Message::create(MessageSendMode::Reliable, Id::Chat as u16);
    message.add_byte(1).add_string("hi").add_byte(3);
    let error = message.read_as::<Chat>().unwrap_err();
    let said = "Channel.1: expected a variant of Channel at byte 4, found 3";
    assert_eq!(error.to_string(), said);
}

#[test]
fn missing_fields_are_named() {
    let mut message = Message::create(MessageSendMode::Reliable, Id::Move as u16);
    message.add_uint(1).add_float(2.0).add_byte(3);
    let error = message.read_as::<Move>().unwrap_err();
    assert_eq!((error.packet, error.field, error.offset), ("Vector", "y", 8));
}

#[test]
fn types_may_be_generic_or_empty() {
    for format in Format::ALL {
        let pair = Pair(vec![Some("a".to_owned()), None], -5_i64);
        assert_eq!(through(format, &pair), pair);
        assert_eq!((through(format, &Empty), bytes(format, &Empty)), (Empty, vec![]));
    }
    let numbers = Pair(VarULong(300), VarLong(i64::MIN));
    assert_eq!(through(Format::V21, &numbers), numbers);
    assert!(numbers.payload(Format::V20, &mut [0; 99]).is_err());
}

#[test]
fn bits_after_a_message_are_ignored() {
    let mut message = Message::create(MessageSendMode::Reliable, 5_u16);
    message.add_byte(1).add_byte(2).add_byte(0);
    message.get_byte().unwrap();
    assert_eq!(message.read_as(), Ok(Pair(1_u8, 2_u8)));
}

/// Fields of each type that can be a message value.
#[derive(Clone, Debug, PartialEq, Message)]
#[message(id = 7)]
struct Everything {
    whole: (u8, i8, u16, i16, u32, i32),
    long: (u64, i64),
    real: (f32, f64),
    text: String,
    lists: (Vec<bool>, Vec<String>, Vec<Vec<i16>>, Vec<Vector3>),
    arrays: ([bool; 9], [u16; 0], [Option<String>; 2]),
}

fn everything() -> impl Strategy<Value = Everything> {
    let whole = any::<(u8, i8, u16, i16, u32, i32)>();
    let long = any::<(u64, i64)>();
    let real = (-1e30_f32..1e30, -1e300_f64..1e300);
    let vectors = prop::collection::vec(any::<(i16, i16, i16)>(), 0..9);
    let lists = (
        prop::collection::vec(any::<bool>(), 0..200),
        prop::collection::vec("\\PC{0,5}", 0..9),
        prop::collection::vec(prop::collection::vec(any::<i16>(), 0..9), 0..9),
        vectors,
    );
    let arrays = (any::<[bool; 9]>(), any::<[Option<u8>; 2]>());
    (whole, long, real, "\\PC{0,50}", lists, arrays).prop_map(|(whole, long, real, text, lists, arrays)| {
        let vectors = lists.3.iter().map(|(x, y, z)| Vector3::new((*x).into(), (*y).into(), (*z).into()));
        Everything {
            whole,
            long,
            real,
            text,
            lists: (lists.0, lists.1, lists.2, vectors.collect()),
            arrays: (arrays.0, [], arrays.1.map(|number| number.map(|number| number.to_string()))),
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]
    #[test]
    fn whatever_is_written_is_read(value in everything()) {
        for format in Format::ALL {
            prop_assert_eq!(&through(format, &value), &value);
        }
        let mut message = Message::create(MessageSendMode::Reliable, 1_u16).with_max_payload_size(4000);
        message.add_serializables(&[value.clone(), value.clone()]);
        prop_assert_eq!(message.get_serializables(), Ok(vec![value.clone(), value]));
    }
}

#[test]
fn an_enum_is_the_id_of_messages() {
    assert_eq!((Move::ID, Chat::ID), (Some(300), Some(301)));
    assert_eq!(Message::create(MessageSendMode::Reliable, Id::Chat).id(), Some(301));
    assert_eq!([300, 301, 302].map(Id::try_from), [Ok(Id::Move), Ok(Id::Chat), Err(302)]);
}
