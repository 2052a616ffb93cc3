use gamewire_riptide::message::{VarULong, max_payload_bits};
use gamewire_riptide::raw::{Notify, Packet, Payload, Reliable, Unreliable, V20, V21, Version, Writer};
use gamewire_riptide::{Format, Message, MessageSendMode, MessageType, Sendable};

use MessageSendMode::{Reliable as ByReliable, Unreliable as ByUnreliable};

/// Returns the size in bytes of the packet that contains `message`.
fn packet_size<V: Version>(message: &Message, format: Format) -> usize {
    let payload = message.payload(format).unwrap();
    let packet: Packet<'_> = match (message.mode(), message.id()) {
        (ByUnreliable, Some(id)) => Unreliable { id, payload }.into(),
        (ByReliable, Some(id)) => Reliable { seq_id: 1, id, payload }.into(),
        _ => Notify { payload, ..Notify::default() }.into(),
    };
    let mut buffer = [0; 1300];
    let mut writer = Writer::<V>::new(&mut buffer);
    packet.encode(&mut writer).unwrap();
    writer.written().len()
}

#[test]
fn the_maximum_size_is_that_of_the_csharp_library() {
    let create: [(_, _, fn() -> Message); 5] = [
        (1229, 1227, || Message::create(ByUnreliable, 127_u16)),
        (1228, 1227, || Message::create(ByUnreliable, 128_u16)),
        (1227, 1225, || Message::create(ByReliable, 127_u16)),
        (1226, 1225, || Message::create(ByReliable, 128_u16)),
        (1225, 0, Message::create_notify),
    ];
    for (most_21, most_20, create) in create {
        let with = |count| {
            let mut message = create();
            message.add_bytes_without_length(&vec![7; count]);
            message
        };
        assert_eq!(packet_size::<V21>(&with(most_21), Format::V21), 1231);
        assert!(with(most_21 + 1).error(Format::V21).is_some());
        if most_20 > 0 {
            assert_eq!(packet_size::<V20>(&with(most_20), Format::V20), 1230);
        }
        assert!(with(most_20 + 1).error(Format::V20).is_some());
    }
}

#[test]
fn a_message_is_full_at_the_last_bit_of_its_packet() {
    for id in [0_u16, 127, 128, 16_383, 16_384, u16::MAX] {
        let mut message = Message::create(ByUnreliable, id);
        let room = message.unwritten_bits();
        assert_eq!(room % 8, 4);
        message.add_bytes_without_length(&vec![0xff; room / 8]).add_bits(0xf, 4);
        assert_eq!((message.unwritten_bits(), message.error(Format::V21)), (0, None));
        assert_eq!(packet_size::<V21>(&message, Format::V21), 1231);
        message.add_bool(true);
        assert!(message.error(Format::V21).is_some());
    }
}

#[test]
fn a_value_that_does_not_fit_drops_all_later_values() {
    let mut message = Message::create(ByReliable, 1_u16);
    message.add_bytes(&[1; 1200]).add_longs(&[2; 10]).add_byte(3);
    for format in Format::ALL {
        let error = message.error(format).unwrap();
        assert_eq!((error.expected, message.payload(format)), ("room in the message", Err(error)));
    }
    assert_eq!((message.written_bits(), message.get_bytes()), (1202 * 8, Ok(vec![1; 1200])));
}

#[test]
fn values_of_one_format_are_kept_for_the_other() {
    let lacking: [fn(&mut Message) -> &mut Message; 6] = [
        |message| message.add_var_long(-3),
        |message| message.add_var_ulong(300),
        |message| message.add_bits(5, 3),
        |message| message.reserve_bits(9),
        |message| message.add_serializable(&VarULong(1)),
        |message| message.add_byte(0).set_bits(1, 1, 0),
    ];
    for add in lacking {
        let mut message = Message::create(ByReliable, 1_u16);
        add(&mut message).add_byte(9);
        assert!(message.error(Format::V20).is_some());
        assert_eq!(message.error(Format::V21), None);
    }
    assert!(Message::create_notify().error(Format::V20).is_some());
    let mut read = Message::received(Format::V20, ByReliable, Some(1), &Payload::new(&[1; 20]));
    assert!(read.get_var_long().is_err() && read.get_var_ulong().is_err() && read.get_bits(3).is_err());
    assert!(read.peek_bits(3, 0).is_err() && read.skip_bits(8).is_err());
    assert_eq!(read.read_bits(), 0);
}

#[test]
fn the_maximum_size_is_configurable() {
    let mut small = Message::create(ByUnreliable, 1_u16).with_max_payload_size(8);
    assert_eq!(small.unwritten_bits(), 14 * 8 - 12);
    assert!(small.add_bytes_without_length(&[0; 13]).error(Format::V21).is_some());
    let mut large = Message::create(ByReliable, 1_u16).with_max_payload_size(60_000);
    large.add_bytes_without_length(&vec![3; 60_000]);
    for format in Format::ALL {
        assert_eq!(large.payload(format).map(|payload| payload.byte_len()), Ok(60_000));
    }
    assert_eq!(Message::create_notify().with_max_payload_size(10).unwritten_bits(), 16 * 8 - 44);
    assert_eq!(Message::create_data().with_max_payload_size(10).unwritten_bits(), 16 * 8 - 4);
    assert_eq!(max_payload_bits(Format::V20, MessageSendMode::Notify, None, 1225), 0);
    assert_eq!(max_payload_bits(Format::V20, ByReliable, Some(1), 1225), 1225 * 8);
}

#[derive(gamewire_riptide::Message)]
#[message(id = 9, mode = "unreliable")]
struct Bytes(Vec<u8>);

#[derive(gamewire_riptide::Message)]
#[message(mode = "notify")]
struct Position(f32);

#[test]
fn a_type_is_limited_to_the_maximum_size_of_the_peer() {
    let mut scratch = [0xee; 16];
    let sent = Bytes(vec![1, 2, 3]);
    assert_eq!((Sendable::mode(&sent), Sendable::id(&sent)), (ByUnreliable, Some(9)));
    for format in Format::ALL {
        let payload = sent.payload(format, &mut scratch).unwrap();
        assert_eq!(payload.to_vec(), [3, 1, 2, 3]);
        assert!(Bytes(vec![0; 16]).payload(format, &mut scratch).is_err());
    }
    assert_eq!((Position::ID, Position::MODE), (None, MessageSendMode::Notify));
    assert!(Position(0.5).payload(Format::V20, &mut scratch).is_err());
    assert_eq!(Position(0.5).payload(Format::V21, &mut scratch).unwrap().to_vec(), 0.5_f32.to_le_bytes());
}
