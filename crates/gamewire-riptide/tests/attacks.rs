//! Hostile input to the codecs. Test names start with the id of the attack. The tests of the roles cover attacks on
//! connections.

use gamewire_machine::Role;

use gamewire_riptide::raw::{
    FrameSplitter, Packet, Payload, Reader, Reliable, Unreliable, V20, V21, Version, Writer,
};
use gamewire_wire::Found;

/// Minimum bits of a packet by header, including the header: from a client, and from a server.
const FEWEST_V21: [(u8, [usize; 2]); 12] = [
    (0, [12, 12]),
    (1, [37, 37]),
    (2, [4, 4]),
    (3, [12, 12]),
    (4, [28, 12]),
    (5, [4, 12]),
    (6, [44, 44]),
    (7, [28, 28]),
    (8, [36, 36]),
    (9, [36, 36]),
    (10, [36, 36]),
    (11, [20, 20]),
];
const FEWEST_V20: [(u8, [usize; 2]); 12] = [
    (0, [24, 24]),
    (1, [40, 40]),
    (2, [56, 56]),
    (3, [8, 8]),
    (4, [16, 16]),
    (5, [32, 16]),
    (6, [8, 16]),
    (7, [40, 40]),
    (8, [40, 40]),
    (9, [40, 40]),
    (10, [40, 40]),
    (11, [24, 24]),
];

fn is_read<V: Version>(bytes: &[u8], sender: Role) -> bool {
    Packet::decode::<V, _>(bytes, sender, &mut ()).is_ok()
}

#[test]
fn r2_an_empty_datagram_is_an_error() {
    let error = Packet::decode::<V21, _>(&[], Role::Client, &mut ()).unwrap_err();
    assert_eq!((error.offset, error.found), (0, Found::End));
    assert!(!is_read::<V20>(&[], Role::Client));
}

#[test]
fn r2_datagrams_decode_only_with_all_fields() {
    for (side, sender) in [Role::Client, Role::Server].into_iter().enumerate() {
        for length in 1..=8 {
            for number in 0..=255_u8 {
                let mut bytes = vec![0; length];
                bytes[0] = number;
                let fewest =
                    |table: &[(u8, [usize; 2])], number: u8| table[usize::from(number.min(11))].1[side];
                let v21 = length * 8 >= fewest(&FEWEST_V21, number & 15);
                let v20 = length * 8 >= fewest(&FEWEST_V20, number);
                assert_eq!(is_read::<V21>(&bytes, sender), v21, "2.1 {sender:?} {bytes:02x?}");
                assert_eq!(is_read::<V20>(&bytes, sender), v20, "2.0 {sender:?} {bytes:02x?}");
            }
        }
    }
}

#[test]
fn r2_unknown_headers_round_trip() {
    let bytes = [0x1c, 0x00, 0xa0, 0xff, 0x3c];
    let packet = Packet::decode::<V21, _>(&bytes, Role::Server, &mut ()).unwrap();
    let Packet::Unknown(12, unknown) = packet else { panic!("{packet:?}") };
    assert_eq!((unknown.seq_id, unknown.payload.bit_len()), (1, 20));
    let mut buffer = [0; 8];
    let mut writer = Writer::<V21>::new(&mut buffer);
    Packet::encode::<V21>(&packet, &mut writer).unwrap();
    assert_eq!(writer.written(), bytes);

    // The encoder rejects an unknown header number that is a known one or does not fit.
    for number in [0, 7, 10, 16, 255] {
        let packet = Packet::Unknown(number, unknown);
        let mut writer = Writer::<V21>::new(&mut buffer);
        assert!(Packet::encode::<V21>(&packet, &mut writer).is_err(), "{number}");
        assert!(writer.written().is_empty());
    }
}

#[test]
fn r4_every_sequence_id_round_trips() {
    for seq_id in [0, 1, 2, 1024, 1025, 32767, 32768, 32769, 65535] {
        let packet = Packet::from(Reliable { seq_id, id: 300, payload: Payload::new(&[7]) });
        check_seq_id::<V20>(&packet, seq_id);
        check_seq_id::<V21>(&packet, seq_id);
    }
}

fn check_seq_id<V: Version>(packet: &Packet<'_>, seq_id: u16) {
    let mut buffer = [0; 16];
    let mut writer = Writer::<V>::new(&mut buffer);
    packet.encode(&mut writer).unwrap();
    let Ok(Packet::Reliable(read)) = Packet::decode::<V, _>(writer.written(), Role::Client, &mut ()) else {
        panic!("not reliable")
    };
    assert_eq!(read.seq_id, seq_id);
    gamewire_riptide::raw::set_seq_id(&mut writer, !seq_id).unwrap();
    let Ok(Packet::Reliable(read)) = Packet::decode::<V, _>(writer.written(), Role::Client, &mut ()) else {
        panic!("not reliable")
    };
    assert_eq!((read.seq_id, read.id, read.payload.bytes().next()), (!seq_id, 300, Some(7)));
}

#[test]
fn r6_reads_past_the_end_fail_without_moving() {
    let mut reader = Reader::<V21>::new(&[0xff; 3]);
    reader.bits(5).unwrap();
    assert!(reader.u32().is_err() && reader.f64().is_err() && reader.bits(20).is_err());
    assert!(reader.bits(0).is_err() && reader.bits(65).is_err() && reader.peek_bits(usize::MAX, 8).is_err());
    assert_eq!(reader.u32().unwrap_err().found, Found::Bits(19));
    assert_eq!((reader.position(), reader.unread_bits()), (5, 19));
    assert_eq!((reader.bits(19), reader.bool().unwrap_err().found), (Ok(0x7_ffff), Found::End));

    let mut reader = Reader::<V20>::new(&[1, 2]);
    assert!(reader.u32().is_err());
    assert_eq!((reader.bool(), reader.bool(), reader.bool().is_err()), (Ok(true), Ok(false), true));
}

#[test]
fn r6_numbers_over_64_bits_or_unterminated_are_errors() {
    let mut longest = [0xff; 10];
    longest[9] = 1;
    assert_eq!(Reader::<V21>::new(&longest).var_ulong(), Ok(u64::MAX));
    for last in [2, 0x7f, 0x80, 0xff] {
        longest[9] = last;
        assert!(Reader::<V21>::new(&longest).var_ulong().is_err(), "{last:#x}");
    }
    for length in 0..64 {
        let mut reader = Reader::<V21>::new(&[0x80; 64][..length]);
        assert!(reader.var_ulong().is_err() && reader.string().is_err());
        assert_eq!(reader.position(), 0);
    }
    // A packet whose message id is an endless number is dropped.
    assert!(!is_read::<V21>(&[0xf0; 1], Role::Client));
    assert!(!is_read::<V21>(
        &[0xf0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
        Role::Client
    ));
}

#[test]
fn r6_numbers_that_the_csharp_library_misreads_are_decoded() {
    for value in [i64::MAX, i64::MIN, 1 << 62, -(1 << 62), -(1 << 62) - 1, (1 << 62) - 1, 0, -1] {
        let mut buffer = [0; 16];
        let mut writer = Writer::<V21>::new(&mut buffer);
        writer.var_long(value).unwrap();
        assert_eq!(Reader::<V21>::new(writer.written()).var_long(), Ok(value));
    }
}

#[test]
fn r6_claimed_lengths_are_errors_and_allocate_nothing() {
    let claims: [u64; 6] = [u64::MAX, i64::MAX as u64, u32::MAX.into(), i32::MAX as u64, 1 << 61, 100];
    let mut buffer = [0; 64];
    for claim in claims {
        let mut writer = Writer::<V21>::new(&mut buffer);
        writer.var_ulong(claim).unwrap();
        writer.bytes_without_length(&[0; 12]).unwrap();
        let message = writer.written().to_vec();
        assert_allocates_nothing::<V21>(&message);
    }
    assert_allocates_nothing::<V20>(&[0xff, 0xff, 1, 2, 3]);
    assert_allocates_nothing::<V20>(&[0x7f, 1, 2, 3]);
    assert_allocates_nothing::<V20>(&[0x80]);
}

fn assert_allocates_nothing<V: Version>(message: &[u8]) {
    let info = allocation_counter::measure(|| {
        let mut reader = Reader::<V>::new(message);
        assert!(reader.bytes().is_err() && reader.string().is_err() && reader.strings().is_err());
        assert!(reader.array::<u8>().is_err() && reader.array::<u64>().is_err());
        assert!(reader.bools().is_err() || V::HAS_BITS, "bools");
        assert!(reader.serializables::<[f32; 3]>(drop).is_err());
        assert!(reader.serializables::<[f32; 0]>(drop).is_err() || message.len() > 12);
        assert!(reader.array_of::<u64>(usize::MAX).is_err() && reader.bools_of(usize::MAX).is_err());
    });
    assert_eq!(info.count_total, 0, "{message:02x?}");
}

#[test]
fn r6_a_message_is_full_exactly_at_its_last_bit() {
    // The maximum of 1231 bytes, and multiples of 8, at which the C# library once failed.
    for size in [V21::MAX_SIZE, 1232, 64, 8, 1] {
        let mut buffer = vec![0xff; size + 8];
        let mut writer = Writer::<V21>::with_max_size(&mut buffer, size);
        assert_eq!(writer.unwritten_bits(), size * 8);
        for bit in 0..size * 8 {
            writer.bool(bit % 3 == 0).unwrap();
        }
        assert!(writer.bool(true).is_err() && writer.u8(0).is_err() && writer.reserve_bits(1).is_err());
        assert_eq!((writer.written().len(), writer.unwritten_bits()), (size, 0));
        assert!(buffer[size..].iter().all(|byte| *byte == 0xff));
    }
    assert_eq!((V20::MAX_SIZE, V21::MAX_SIZE), (1230, 1231));
}

#[test]
fn r6_payloads_can_use_all_bits_after_the_header() {
    for (id, most) in [(127, 1229), (128, 1228)] {
        let mut buffer = [0; 2000];
        let mut writer = Writer::<V21>::new(&mut buffer);
        Packet::from(Unreliable { id, payload: Payload::EMPTY }).encode(&mut writer).unwrap();
        assert!(writer.bytes_without_length(&vec![0; most + 1]).is_err());
        writer.bytes_without_length(&vec![0; most]).unwrap();
        assert!(writer.written().len() <= V21::MAX_SIZE);
    }
}

#[test]
fn r6_a_value_that_does_not_fit_writes_nothing() {
    let mut buffer = [0; 4];
    let mut writer = Writer::<V21>::new(&mut buffer);
    writer.bits(3, 0b101).unwrap();
    assert!(writer.string("too long").is_err());
    assert!(writer.array(&[u64::MAX]).is_err() && writer.strings(&["a", "b", "c"]).is_err());
    assert_eq!((writer.written_bits(), writer.written()), (3, [0b101].as_slice()));
    assert!(writer.set_bits(2, 2, 3).is_err());

    let mut buffer = [0; 40000];
    let mut writer = Writer::<V20>::with_max_size(&mut buffer, 40000);
    assert_eq!(writer.bytes(&[0; 32768]).unwrap_err().found, Found::Value(32768));
    assert_eq!(writer.written_bits(), 0);
    writer.bytes(&[0; 32767]).unwrap();
    assert_eq!(writer.written()[..2], [0xff, 0xff]);
}

#[test]
fn r7_invalid_frame_lengths_end_the_stream() {
    let size = i32::try_from(V21::MAX_SIZE).unwrap();
    for length in [0, -1, i32::MIN, i32::MAX, size + 1] {
        let mut splitter = FrameSplitter::new(V21::FORMAT, V21::MAX_SIZE);
        let stream = [[1, 0, 0, 0, 9].as_slice(), &length.to_le_bytes(), &[0; 64]].concat();
        let mut data = stream.as_slice();
        assert_eq!(splitter.next(&mut data), Ok(Some([9].as_slice())));
        let error = splitter.next(&mut data).unwrap_err();
        assert_eq!((error.offset, error.field, error.found), (5, "length", Found::Value(length.into())));
        let mut data: &[u8] = &[1, 0, 0, 0, 9];
        assert_eq!(splitter.next(&mut data), Err(error), "it stays so");
    }
    for length in [0, V20::MAX_SIZE as u16 + 1, u16::MAX] {
        let mut splitter = FrameSplitter::new(V20::FORMAT, V20::MAX_SIZE);
        assert!(splitter.next(&mut length.to_le_bytes().as_slice()).is_err(), "{length}");
    }
}

#[test]
fn r7_a_frame_received_byte_by_byte_is_buffered_alone() {
    slowly::<V20>();
    slowly::<V21>();
}

fn slowly<V: Version>() {
    let packets: Vec<Vec<u8>> =
        [1, 2, 100, V::MAX_SIZE].iter().map(|size| vec![*size as u8; *size]).collect();
    let mut buffer = vec![0; 4000];
    let mut stream = gamewire_wire::Writer::new(&mut buffer);
    for packet in &packets {
        gamewire_riptide::raw::write_frame(V::FORMAT, packet, &mut stream).unwrap();
    }
    let mut splitter = FrameSplitter::new(V::FORMAT, V::MAX_SIZE);
    let mut found = Vec::new();
    for byte in stream.written() {
        let mut data = std::slice::from_ref(byte);
        if let Some(packet) = splitter.next(&mut data).unwrap() {
            found.push(packet.to_vec());
        }
        assert!(data.is_empty() && splitter.buffered() < 4 + V::MAX_SIZE);
    }
    assert_eq!((found, splitter.buffered()), (packets, 0));
}

#[test]
fn r7_a_claimed_length_allocates_nothing() {
    let mut splitter = FrameSplitter::new(V21::FORMAT, V21::MAX_SIZE);
    let info = allocation_counter::measure(|| {
        let mut data: &[u8] = &[0xcf, 4, 0, 0];
        assert_eq!(splitter.next(&mut data), Ok(None));
    });
    assert_eq!(info.count_total, 0);
    assert!(
        gamewire_riptide::raw::write_frame(V20::FORMAT, &[], &mut gamewire_wire::Writer::new(&mut [0; 9]))
            .is_err()
    );
}
