use gamewire_riptide::raw::Payload;
use gamewire_riptide::{Format, Message, MessageSendMode};

use crate::support::messages::sent;

fn written() -> Message {
    let mut message = Message::create(MessageSendMode::Reliable, 3_u16);
    message.add_int(-5).add_bool(true).add_string("hello");
    message
}

#[test]
fn a_received_message_is_forwarded_bit_by_bit() {
    for format in Format::ALL {
        let first = written();
        let second = sent(&first, format);
        let third = sent(&second, format);
        assert_eq!(third.payload(format), first.payload(format));
        assert_eq!((third.mode(), third.id()), (first.mode(), first.id()));
    }
}

#[test]
fn reading_does_not_change_forwarded_bits() {
    let mut message = sent(&written(), Format::V21);
    message.get_int().unwrap();
    assert_eq!((message.read_bits(), message.unread_bits()), (32, 1 + 6 * 8));
    assert_eq!(message.payload(Format::V21), written().payload(Format::V21));
}

#[test]
fn bytes_are_forwarded_unchanged_to_the_other_format() {
    let mut numbers = Message::create(MessageSendMode::Unreliable, 1_u16);
    numbers.add_short(-2).add_string("short").add_floats_without_length(&[1.5, 2.5]);
    for (from, to) in [(Format::V20, Format::V21), (Format::V21, Format::V20)] {
        let received = sent(&numbers, from);
        let mut there = sent(&received, to);
        assert_eq!(there.get_short(), Ok(-2));
        assert_eq!(there.get_string().as_deref(), Ok("short"));
        assert_eq!(there.get_floats_of(2), Ok(vec![1.5, 2.5]));
        assert_eq!(there.unread_bits(), 0);
    }
}

#[test]
fn odd_bits_for_2_0_are_dropped_as_padding_or_padded() {
    let bytes = |bits: &[u8], count| {
        let payload = Payload::with_bits(bits, count);
        let received = Message::received(Format::V21, MessageSendMode::Reliable, Some(1), &payload);
        received.payload(Format::V20).unwrap().to_vec()
    };
    assert_eq!(bytes(&[0xab, 0xf0], 12), [0xab]);
    assert_eq!(bytes(&[0xab, 0x08], 12), [0xab, 0x08]);
    assert_eq!(bytes(&[0xff], 3), [0x07]);
    assert_eq!(bytes(&[], 0), [0; 0]);
}

#[test]
fn values_cannot_be_added_to_received_messages() {
    let mut received = sent(&written(), Format::V21);
    assert_eq!(received.unwritten_bits(), 0);
    received.add_byte(1);
    for format in Format::ALL {
        assert_eq!(received.error(format).unwrap().expected, "a message that was not received");
    }
    assert_eq!(received.get_int(), Ok(-5));
}

#[test]
fn add_message_appends_the_unread_values() {
    for format in Format::ALL {
        let mut received = sent(&written(), format);
        received.get_int().unwrap();
        let mut packed = Message::create(MessageSendMode::Reliable, 4_u16);
        packed.add_byte(7).add_message(&received).add_byte(8);
        let mut read = sent(&packed, format);
        assert_eq!((read.get_byte(), read.get_bool()), (Ok(7), Ok(true)));
        assert_eq!((read.get_string().as_deref(), read.get_byte()), (Ok("hello"), Ok(8)));
        assert_eq!(received.read_bits(), 32);
    }
}

#[test]
fn add_message_appends_the_encoding_of_each_format() {
    let mut packed = Message::create(MessageSendMode::Reliable, 4_u16);
    packed.add_bool(false).add_message(&written());
    for format in Format::ALL {
        let mut read = sent(&packed, format);
        assert_eq!((read.get_bool(), read.get_int(), read.get_bool()), (Ok(false), Ok(-5), Ok(true)));
        assert_eq!(read.get_string().as_deref(), Ok("hello"));
    }
    let mut half = written();
    half.get_int().unwrap();
    let mut packed = Message::create(MessageSendMode::Reliable, 4_u16);
    packed.add_message(&half);
    assert!(packed.error(Format::V20).is_some());
    assert_eq!(packed.get_bool(), Ok(true));
}

#[test]
fn add_message_bits_appends_a_range_of_the_values() {
    let values =
        Message::received(Format::V21, MessageSendMode::Reliable, Some(1), &Payload::new(&[0xab, 0xcd]));
    let mut packed = Message::create(MessageSendMode::Reliable, 4_u16);
    packed.add_bits(1, 3).add_message_bits(&values, 8, 4).add_message_bits(&values, 0, 16);
    let bits = packed.payload(Format::V21).unwrap();
    assert_eq!((bits.bit_len(), bits.to_vec()), (11, vec![0xda << 3 | 1, 0xda >> 5]));
    assert_eq!(packed.error(Format::V20).unwrap().expected, "a type that the byte format (2.0) has");

    for (count, at) in [(1, 16), (9, 8), (17, 0), (usize::MAX, 4), (1, usize::MAX)] {
        let mut beyond = Message::create(MessageSendMode::Reliable, 4_u16);
        beyond.add_message_bits(&values, count, at);
        assert_eq!(beyond.error(Format::V21).unwrap().expected, "bits of the other message");
    }
}

#[test]
fn odd_bits_become_whole_bytes_of_2_0_without_leftovers() {
    // Buffers are reused: their old content must not reappear.
    drop([(); 4].map(|()| {
        let mut message = Message::create_data();
        message.add_bytes_without_length(&[0xff; 100]);
        message
    }));
    let mut received =
        Message::received(Format::V21, MessageSendMode::Reliable, Some(1), &Payload::new(&[0xab, 0xcd]));
    received.get_bits(4).unwrap();
    let mut packed = Message::create(MessageSendMode::Reliable, 4_u16);
    packed.add_message(&received).add_payload(&Payload::with_bits(&[0xf5], 3)).add_byte(1);
    packed.add_payload(&Payload::with_bits(&[0xf8], 3)).add_ushort(2);
    let bytes = packed.payload(Format::V20).unwrap();
    assert_eq!((bytes.bit_len(), bytes.to_vec()), (6 * 8, vec![0xda, 0x0c, 0x05, 1, 2, 0]));
    let bits = packed.payload(Format::V21).unwrap();
    assert_eq!((bits.bit_len(), bits.to_vec()), (42, vec![0xda, 0xdc, 0, 0x08, 0, 0]));
}
