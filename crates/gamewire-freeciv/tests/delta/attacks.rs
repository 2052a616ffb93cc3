//! Hostile bodies: attacks F6 to F8. The attacks on packets of 3.0 are in `packets/attacks.rs`.

use gamewire_freeciv::delta::{DeltaDecoder, DeltaErrorKind, DeltaLimits, Direction};
use gamewire_schema::ir::{ArrayDiff, Field, Packet, WireType};

use super::support::{Pair, bool_field, int, packet, refused, text_field, u8_field, variants};

fn assert_refused(packet: Packet, body: &[u8], expected: &str) {
    let message = refused(packet, body);
    assert!(message.contains(expected), "{message}");
}

#[test]
fn f6_padding_bits() {
    let two = || packet(1).field(u8_field("a")).field(u8_field("b"));
    assert_refused(two(), &[0b100], "expected no bit after those of the fields at byte 0, found 2");
    assert_refused(two(), &[0x80], "found 7");
    assert_refused(two(), &[], "expected the bits of the fields at byte 0");
}

#[test]
fn f6_an_unseen_key_starts_with_zeros() {
    let mut pair = Pair::new(vec![packet(1).field(u8_field("id").key()).field(text_field("t", 9))]);
    pair.decode(1, b"\x01\x05secret\0");
    assert_eq!(pair.decode(1, &[0, 6])[1].as_text(), Some(&b""[..]));
    assert!(pair.refuse(1, &[0]).to_string().contains("PACKET_1.id: expected a uint8 at byte 1"));
}

#[test]
fn f6_counts_over_the_declared_size() {
    let counted = |wire| packet(1).field(Field::new("n", wire)).field(u8_field("a").counted(3, 0));
    let expected = "a (bit 1): expected a count within the declared size";
    assert_refused(counted(WireType::Uint8), &[0b11, 4, 1, 2, 3, 4], expected);
    assert_refused(counted(WireType::Uint8), &[0b01, 4], "expected a count within the declared size");
    assert_refused(counted(WireType::Sint8), &[0b11, 0xff], expected);
    assert_refused(counted(WireType::Uint32), &[0b11, 0xff, 0xff, 0xff, 0xff], expected);
}

#[test]
fn f6_missing_elements() {
    let all = packet(1).field(Field::new("a", WireType::Uint32).array(1000));
    assert_refused(all, &[1, 0, 0, 0, 0], "expected all elements of an array at byte 1, found 4 bytes");
    let vector = packet(1).field(Field::new("v", WireType::Sint32).vector());
    assert_refused(vector, &[1, 0xff, 0xff, 0], "expected all elements of an array at byte 3");
}

#[test]
fn f6_changes_past_the_end_or_without_an_end_mark() {
    for form in [ArrayDiff::End255, ArrayDiff::EndLength] {
        let array = || packet(1).field(u8_field("a").array(10).diff(form));
        let past = "a[11] (bit 0): expected an index below the number of elements at byte 1, found 11";
        assert_refused(array(), &[1, 11, 0], past);
        assert_refused(array(), &[1, 3, 0], "expected the index of an element, or the end mark at byte 3");
        assert_refused(array(), &[1, 3], "a[3] (bit 0): expected a uint8 at byte 2");
    }
    let exact = packet(1).field(u8_field("a").array(10).diff(ArrayDiff::End255));
    assert_refused(exact, &[1, 10, 0, 255], "found 10");
}

#[test]
fn f6_texts_without_nul_and_too_long_ones() {
    let text = || packet(1).field(text_field("t", 4));
    let expected = "t (bit 0): expected a NUL at the end of a text, within its field at byte 1";
    assert_refused(text(), b"\x01abc", expected);
    assert_refused(text(), b"\x01abcd\0", expected);
    assert_refused(text(), b"\x01", expected);
}

#[test]
fn f6_a_folded_value_with_a_byte_is_a_byte_too_many() {
    let folded = packet(1).field(bool_field("b"));
    assert_refused(folded, &[1, 1], "expected the end of the packet at byte 1, found 1 byte");
}

#[test]
fn f7_a_million_keys_end_at_the_cap() {
    let keyed = packet(1).field(Field::new("id", WireType::Uint32).key()).field(u8_field("n"));
    let limits = DeltaLimits { baselines: 5000, ..DeltaLimits::DEFAULT };
    let mut decoder = DeltaDecoder::new(variants(vec![keyed], &[]), Direction::ToClient, limits);
    let info = allocation_counter::measure(|| {
        let mut kept = 0_u32;
        for id in 0..1_000_000_u32 {
            let [a, b, c, d] = id.to_be_bytes();
            match decoder.decode(1, &[1, a, b, c, d, 7]) {
                Ok(_) => kept += 1,
                Err(error) => {
                    assert_eq!(error.kind, DeltaErrorKind::Baselines { limit: 5000 });
                    break;
                }
            }
        }
        assert_eq!(kept, 5000);
    });
    assert!(info.bytes_max < 3 << 20, "{} bytes", info.bytes_max);
}

#[test]
fn f7_a_few_bytes_cannot_fill_the_memory_with_large_packets() {
    let large = packet(1)
        .field(Field::new("id", WireType::Uint16).key())
        .field(u8_field("a").array(200))
        .field(text_field("t", 1500));
    let limits = DeltaLimits { bytes: 1 << 20, ..DeltaLimits::DEFAULT };
    let mut decoder = DeltaDecoder::new(variants(vec![large], &[]), Direction::ToClient, limits);
    let info = allocation_counter::measure(|| {
        let fault = (0..u16::MAX).find_map(|id| {
            let [high, low] = id.to_be_bytes();
            decoder.decode(1, &[0, high, low]).err().map(|error| error.kind)
        });
        assert_eq!(fault, Some(DeltaErrorKind::Memory { limit: 1 << 20 }));
    });
    assert!(info.bytes_max < 3 << 19, "{} bytes", info.bytes_max);
}

#[test]
fn f7_growing_texts_are_counted() {
    let text = packet(1).field(u8_field("id").key()).field(text_field("t", 4000));
    let limits = DeltaLimits { bytes: 100_000, ..DeltaLimits::DEFAULT };
    let mut decoder = DeltaDecoder::new(variants(vec![text], &[]), Direction::ToClient, limits);
    let fault = (0..=255_u8).find_map(|id| {
        decoder.decode(1, &[&[1, id], &[b'x'; 3000][..], &[0]].concat()).err().map(|error| error.kind)
    });
    assert_eq!(fault, Some(DeltaErrorKind::Memory { limit: 100_000 }));
}

#[test]
fn f8_an_attribute_chunk_cannot_claim_more_than_it_holds() {
    let chunk = || {
        packet(1)
            .field(Field::new("offset", WireType::Uint32))
            .field(Field::new("total_length", WireType::Uint32))
            .field(Field::new("chunk_length", WireType::Uint32))
            .field(Field::new("data", WireType::Memory).counted(1400, 2))
    };
    let body = |length: u32| [&[0b1111][..], &[0xff; 8], &length.to_be_bytes(), &[1, 2]].concat();
    for length in [1401, 0x8000_0000, 0xffff_ffff] {
        assert_refused(chunk(), &body(length), "data (bit 3): expected a count within the declared size");
    }
    assert_refused(chunk(), &body(1400), "data (bit 3): expected raw bytes at byte 13, found 2 bytes");
    let values = Pair::new(vec![chunk()]).decode(1, &body(2));
    assert_eq!(values[0], int(0xffff_ffff), "the offset is the application's to judge");
}

#[test]
fn f8_unit_orders_over_their_length() {
    let orders = packet(1)
        .field(Field::new("length", WireType::Uint16))
        .field(Field::new("orders", WireType::UnitOrder).counted(2000, 0));
    assert_refused(orders, &[0b11, 0x07, 0xd1], "orders (bit 1): expected a count within the declared size");
}
