use gamewire_riptide::raw::{
    Connect, Disconnect, Notify, Packet, Reject, Reliable, Unreliable, V20, V21, Version, Writer,
};
use gamewire_riptide::{Format, Message, MessageSendMode};

use crate::support::messages::{add, get, sent};
use crate::support::values::parse;
use crate::support::vectors::vectors;

fn encoded<V: Version>(packet: Packet<'_>) -> Vec<u8> {
    let mut buffer = [0xff; 1300];
    let mut writer = Writer::<V>::new(&mut buffer);
    packet.encode(&mut writer).unwrap();
    writer.written().to_vec()
}

#[test]
fn messages_have_the_bytes_of_the_csharp_library() {
    let mut message = Message::create(MessageSendMode::Unreliable, 11_u16);
    message.add_int(0x1122_3344).add_bool(true).add_string("Hi");
    let payload = message.payload(Format::V21).unwrap();
    let packet = encoded::<V21>(Unreliable { id: 11, payload }.into());
    assert_eq!(packet, [0xb0, 0x40, 0x34, 0x23, 0x12, 0x51, 0x00, 0x29, 0x0d]);

    let mut message = Message::create(MessageSendMode::Reliable, 10_u16);
    message.add_int(0x1122_3344);
    let payload = message.payload(Format::V21).unwrap();
    let packet = encoded::<V21>(Reliable { seq_id: 2, id: 10, payload }.into());
    assert_eq!(packet, [0x27, 0x00, 0xa0, 0x40, 0x34, 0x23, 0x12, 0x01]);

    let mut message = Message::create_notify();
    message.add_int(0x1122_3344);
    let payload = message.payload(Format::V21).unwrap();
    let packet = encoded::<V21>(Notify { seq_id: 1, payload, ..Notify::default() }.into());
    assert_eq!(packet, [0x06, 0x00, 0x00, 0x10, 0x00, 0x40, 0x34, 0x23, 0x12, 0x01]);
}

#[test]
fn handshake_user_data_has_the_bytes_of_the_csharp_library() {
    let mut hey = Message::create_data();
    hey.add_byte(1).add_string("hey");
    let data = hey.payload(Format::V21).unwrap();
    assert_eq!(encoded::<V21>(Connect { data }.into()), [0x12, 0x30, 0x80, 0x56, 0x96, 0x07]);
    let data = hey.payload(Format::V20).unwrap();
    assert_eq!(encoded::<V20>(Connect { data }.into()), *b"\x03\x01\x03hey");

    let mut nope = Message::create_data();
    nope.add_string("nope");
    let data = nope.payload(Format::V21).unwrap();
    let reject = encoded::<V21>(Reject { reason: 4, data }.into());
    assert_eq!(reject, [0x43, 0x40, 0xe0, 0xf6, 0x06, 0x57, 0x06]);

    let mut bye = Message::create_data();
    bye.add_string("bye");
    let data = bye.payload(Format::V21).unwrap();
    let kick = encoded::<V21>(Disconnect { reason: 4, data }.into());
    assert_eq!(kick, [0x45, 0x30, 0x20, 0x96, 0x57, 0x06]);
}

/// Encodes the values of every encoder vector with the methods of the same names.
#[test]
fn every_value_of_the_csharp_library_has_a_method() {
    let mut count = 0;
    for vector in vectors().iter().filter(|vector| vector.sender.is_none() && !vector.has_note) {
        let format = if vector.is_v20() { Format::V20 } else { Format::V21 };
        let id = u16::try_from(vector.number("message_id").unwrap()).unwrap_or_default();
        let mut message = match vector.kind.as_str() {
            "encode:Unreliable" => Message::create(MessageSendMode::Unreliable, id),
            "encode:Reliable" => Message::create(MessageSendMode::Reliable, id),
            _ => Message::create_notify(),
        };
        let values = parse(vector.value());
        values.iter().for_each(|value| add(value, &mut message));
        let payload = message.payload(format).unwrap();
        let packet: Packet<'_> = match message.mode() {
            MessageSendMode::Unreliable => Unreliable { id, payload }.into(),
            MessageSendMode::Reliable => Reliable { seq_id: 0, id, payload }.into(),
            MessageSendMode::Notify => Notify { payload, ..Notify::default() }.into(),
        };
        let bytes = if vector.is_v20() { encoded::<V20>(packet) } else { encoded::<V21>(packet) };
        assert_eq!(bytes, vector.bytes, "{vector:?}");

        let mut read = sent(&message, format);
        values.iter().for_each(|value| get(value, &mut read));
        assert_eq!((read.unread_bits(), read.format()), (0, Some(format)), "{vector:?}");
        count += 1;
    }
    assert_eq!(count, 54 + 81 + 83);
}
