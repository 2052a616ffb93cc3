//! Attacks F1 and F6 to F8 on the packets of 3.0, on every packet to which they apply.

use gamewire_freeciv::delta::{DeltaError, DeltaErrorKind, Direction};
use gamewire_schema::ir::{Count, Directions, Field, Packet, Variant, WireType};

use super::codec::Both;
use super::definition::protocol;

const BOTH: [Direction; 2] = [Direction::ToClient, Direction::ToServer];

/// Returns codecs with all capabilities, at the start of a connection.
fn codec(direction: Direction) -> Both {
    let mut codec = Both::new(direction);
    codec.set_capabilities(&protocol().capabilities.iter().map(String::as_str).collect::<Vec<_>>());
    codec
}

/// Returns whether a packet is sent in a direction.
fn goes(packet: &Packet, direction: Direction) -> bool {
    let Directions { to_client, to_server } = packet.directions;
    if direction == Direction::ToClient { to_client } else { to_server }
}

/// Returns the error for one packet at the start of a connection, if it is rejected.
fn refused(direction: Direction, number: u16, body: &[u8]) -> Option<DeltaError> {
    codec(direction).decode(number, body).err().map(|error| *error)
}

#[test]
fn f1_types_that_nobody_or_only_the_other_side_sends_are_refused() {
    let protocol = protocol();
    for direction in BOTH {
        let fresh = codec(direction);
        let mut faults = [0, 0];
        for number in 0..=u16::MAX {
            let known = protocol.packet(number);
            if known.is_some_and(|packet| goes(packet, direction)) {
                continue;
            }
            let error = fresh.clone().decode(number, &[]).unwrap_err();
            let expected = if known.is_some() { DeltaErrorKind::Direction } else { DeltaErrorKind::Unknown };
            assert_eq!((error.number, error.kind, &error.field), (number, expected, &None));
            faults[usize::from(known.is_some())] += 1;
        }
        let others = if direction == Direction::ToClient { 68 } else { 115 };
        assert_eq!(faults, [65_536 - 187, others]);
    }
}

/// Calls `with` for every packet with a bitvector, in each direction in which it is sent.
fn delta_packets(mut with: impl FnMut(Direction, &Packet, &Variant<'_>)) {
    let protocol = protocol();
    for direction in BOTH {
        for packet in protocol.packets.iter().filter(|packet| packet.is_delta() && goes(packet, direction)) {
            let variant = packet.variant(packet.mask(protocol.capabilities.iter().map(String::as_str)));
            with(direction, packet, &variant);
        }
    }
}

/// Returns the start of a body: a bitvector with one set bit, and keys of 0.
fn start(packet: &Packet, variant: &Variant<'_>, bit: usize) -> Vec<u8> {
    let mut body = vec![0; variant.bitvector_bytes()];
    body[bit / 8] |= 1 << (bit % 8);
    for key in variant.keys() {
        body.extend(vec![0; packet.fields[key].wire.fixed_bytes().unwrap() as usize]);
    }
    body
}

#[test]
fn f6_bits_that_no_field_has_are_refused_in_every_packet() {
    let mut bits = 0;
    delta_packets(|direction, packet, variant| {
        for bit in variant.bits().count()..variant.bitvector_bytes() * 8 {
            let error = refused(direction, packet.number, &start(packet, variant, bit)).unwrap();
            assert!(error.to_string().contains("no bit after those of the fields"), "{error}");
            assert_eq!(error.packet, packet.name);
            bits += 1;
        }
    });
    println!("{bits} bits");
    assert!(bits > 500);
}

#[test]
fn f6_every_field_that_is_cut_off_is_named() {
    let (mut named, mut empty) = (0, 0);
    delta_packets(|direction, packet, variant| {
        for (bit, index) in variant.bits().enumerate() {
            let field = &packet.fields[index];
            if packet.is_folded(field) {
                continue;
            }
            match refused(direction, packet.number, &start(packet, variant, bit)) {
                // The count is 0, so the array needs no bytes.
                None => {
                    assert!(matches!(field.dims.first().unwrap().count, Count::Field(_)), "{}", field.name);
                    empty += 1;
                }
                Some(error) => {
                    let context = error.field.as_ref().unwrap();
                    let names = (error.packet.as_str(), context.name.as_str(), context.bit);
                    assert_eq!(names, (packet.name.as_str(), field.name.as_str(), Some(bit)), "{error}");
                    named += 1;
                }
            }
        }
    });
    println!("{named} fields named, {empty} arrays of nothing");
    assert!(named > 750 && empty > 30, "{named}, {empty}");
}

#[test]
fn f6_every_text_without_an_end_and_every_one_that_is_too_long_is_refused() {
    let mut texts = 0;
    delta_packets(|direction, packet, variant| {
        for (bit, index) in variant.bits().enumerate() {
            let field = &packet.fields[index];
            let (WireType::String { size } | WireType::Estring { size }, []) = (field.wire, &field.dims[..])
            else {
                continue;
            };
            let body = |letters: u32, end: &[u8]| {
                [&start(packet, variant, bit), vec![b'x'; letters as usize].as_slice(), end].concat()
            };
            assert_eq!(refused(direction, packet.number, &body(size - 1, &[0])), None, "{}", field.name);
            for body in [body(size - 1, &[]), body(size, &[0]), body(size + 50, &[0])] {
                let error = refused(direction, packet.number, &body).unwrap();
                assert_eq!(error.field.as_ref().unwrap().name, field.name, "{error}");
                assert!(error.to_string().contains("a NUL at the end of a text"), "{error}");
            }
            texts += 1;
        }
    });
    println!("{texts} texts");
    assert!(texts > 120);
}

/// Returns the arrays whose count is in another field, each with the bit of the count and the bit of the array.
fn counted(packet: &Packet, variant: &Variant<'_>) -> Vec<(usize, usize, Field)> {
    let bit_of = |field: usize| variant.bits().position(|index| index == field);
    let arrays = variant.bits().enumerate().filter_map(|(bit, index)| {
        let field = &packet.fields[index];
        let Count::Field(count) = field.dims.first()?.count else { return None };
        Some((bit_of(count)?, bit, field.clone()))
    });
    arrays.collect()
}

#[test]
fn f6_counts_beyond_the_declared_size_are_refused_in_every_array() {
    let mut arrays = 0;
    delta_packets(|direction, packet, variant| {
        for (count, array, field) in counted(packet, variant) {
            let width =
                packet.fields[variant.bits().nth(count).unwrap()].wire.fixed_bytes().unwrap() as usize;
            let most = if width == 1 { u32::from(u8::MAX) } else { u32::from(u16::MAX) };
            let limit = field.dims[0].limit;
            for wrong in [limit + 1, most].into_iter().filter(|wrong| *wrong > limit && *wrong <= most) {
                let mut body = start(packet, variant, count);
                body[array / 8] |= 1 << (array % 8);
                body.extend(&wrong.to_be_bytes()[4 - width..]);
                body.extend([0; 4000]);
                let error = refused(direction, packet.number, &body).unwrap();
                assert!(error.to_string().contains("a count within the declared size"), "{error}");
                arrays += 1;
            }
        }
    });
    println!("{arrays} counts");
    assert!(arrays > 50);
}

#[test]
fn f7_a_million_keys_end_at_the_cap() {
    // Each packet is one tile. The keys have different patterns, and no pattern may be slower than the others.
    for step in [1_u32, 1 << 10, 1 << 20, 0x0101_0101] {
        let mut codec = codec(Direction::ToClient);
        let kept = (0..1_000_000_u32).find_map(|number| {
            let body = [&[0, 0][..], &number.wrapping_mul(step).to_be_bytes()].concat();
            let error = codec.decode(15, &body).err()?;
            Some((number, error.kind, error.packet))
        });
        let keys = if step == 1 << 20 { None } else { Some(1 << 18) };
        assert_eq!(kept.as_ref().map(|(number, ..)| *number), keys, "{step}");
        if let Some((_, fault, packet)) = kept {
            assert_eq!(
                (fault, packet.as_str()),
                (DeltaErrorKind::Baselines { limit: 1 << 18 }, "PACKET_TILE_INFO")
            );
        }
    }
}

#[test]
fn f8_a_chunk_of_attributes_holds_no_more_than_it_may() {
    let number = protocol().packet_named("PACKET_PLAYER_ATTRIBUTE_CHUNK").unwrap().number;
    let body = |length: u16, bytes: usize| {
        [&[0b111][..], &[0xff; 8], &length.to_be_bytes(), &vec![7; bytes]].concat()
    };
    for direction in BOTH {
        for (length, bytes) in [(1401, 1401), (0x8000, 10), (u16::MAX, 10), (1400, 1399), (0, 1)] {
            let error = refused(direction, number, &body(length, bytes)).unwrap();
            assert_eq!(error.packet, "PACKET_PLAYER_ATTRIBUTE_CHUNK", "{length}");
            assert!(error.field.is_some(), "{error}");
        }
        assert_eq!(
            refused(direction, number, &body(1400, 1400)),
            None,
            "its offset is the application's to judge"
        );
    }
}

#[test]
fn f8_orders_of_a_unit_are_no_longer_than_a_route() {
    let number = protocol().packet_named("PACKET_UNIT_ORDERS").unwrap().number;
    let protocol = protocol();
    let packet = protocol.packet(number).unwrap();
    let variant = packet.variant(packet.mask([]));
    let at = packet.field_index("length").unwrap();
    let bit = variant.bits().position(|index| index == at).unwrap();
    let mut body = start(packet, &variant, bit);
    body.extend(2001_u16.to_be_bytes());
    let error = refused(Direction::ToServer, number, &body).unwrap().to_string();
    assert!(error.contains("a count within the declared size") && error.contains("found 2001"), "{error}");
}
