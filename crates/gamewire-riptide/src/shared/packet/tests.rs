//! The quick way to read and write packets does what the long one does.

use gamewire_machine::Role;

use super::{Ack, Packet, Reliable};
use crate::shared::bits;
use crate::shared::message::Writer;
use crate::shared::payload::Payload;
use crate::shared::version::Version;
use crate::v20::V20;
use crate::v21::V21;

const IDS: [u16; 9] = [0, 1, 0x7f, 0x80, 0x3fff, 0x4000, 0x7fff, 0x8000, 0xffff];

fn written<V: Version>(packet: &Packet<'_>) -> Vec<u8> {
    let mut room = [0; 32];
    let mut to = Writer::<V>::new(&mut room);
    packet.encode(&mut to).unwrap();
    to.written().to_vec()
}

/// The first `count` bits of a number as bytes.
fn bytes(bits: u64, count: usize) -> Vec<u8> {
    bits.to_le_bytes()[..count.div_ceil(8)].to_vec()
}

fn writes_the_same<V: Version>() {
    for seq_id in IDS {
        for id in IDS {
            let (head, count) = V::reliable_head(id);
            let head = head | u64::from(seq_id) << V::HEADER_BITS;
            let packet = Reliable { seq_id, id, payload: Payload::EMPTY };
            assert_eq!(bytes(head, count), written::<V>(&packet.into()), "{seq_id} {id}");
            for for_seq_id in [None, Some(seq_id)] {
                let ack =
                    Ack { last_received_seq_id: id, received_seq_ids: !id, for_seq_id, ..Ack::default() };
                let (ack_bytes, count) = V::encode_ack_fast(&ack);
                assert_eq!(ack_bytes.to_le_bytes()[..count.into()], written::<V>(&ack.into()), "{ack:?}");
            }
        }
    }
}

fn reads_the_same<V: Version>(packet: &[u8]) {
    let (head, count) = (bits::load(packet, 0, 64), Payload::new(packet).bit_len());
    let read = Packet::decode::<V, _>(packet, Role::Client, &mut ());
    if let Some((seq_id, id, start)) = V::read_reliable_head(head, count) {
        let payload = Payload::within(packet, start, count);
        assert_eq!(read, Ok(Reliable { seq_id, id, payload }.into()), "{packet:x?}");
    } else if let Some(ack) = V::read_quick_ack(head, count) {
        let Ok(Packet::Ack(long)) = read else { panic!("{packet:x?}: {read:?}") };
        assert_eq!(ack, Ack { trailing: Payload::EMPTY, ..long }, "{packet:x?}");
    }
}

#[test]
fn the_quick_way_writes_what_the_long_way_writes() {
    writes_the_same::<V20>();
    writes_the_same::<V21>();
}

#[test]
fn the_quick_way_reads_what_the_long_way_reads_or_nothing() {
    let mut random = 1_u64;
    for round in 0..200_000_u64 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let mut packet = [random.rotate_left(29).to_le_bytes(), random.to_le_bytes()].concat();
        packet[0] = if round % 2 == 0 { packet[0] & 0xf0 | (packet[1] % 9) } else { packet[1] % 9 };
        packet.truncate(round as usize % 12);
        reads_the_same::<V20>(&packet);
        reads_the_same::<V21>(&packet);
    }
}

#[test]
fn the_quick_way_takes_what_peers_commonly_send() {
    for id in IDS.into_iter().filter(|id| *id < 0x4000) {
        let packet = Packet::from(Reliable { seq_id: 7, id, payload: Payload::EMPTY });
        for packet in [written::<V20>(&packet), written::<V21>(&packet)] {
            let (head, count) = (bits::load(&packet, 0, 64), packet.len() * 8);
            let quick = if packet[0] == 7 {
                V20::read_reliable_head(head, count)
            } else {
                V21::read_reliable_head(head, count)
            };
            assert_eq!(quick.map(|(seq_id, id, _)| (seq_id, id)), Some((7, id)));
        }
    }
    for for_seq_id in [None, Some(3)] {
        let ack = Ack { last_received_seq_id: 5, received_seq_ids: 0x1f, for_seq_id, ..Ack::default() };
        let ((v20, v20_bytes), (v21, v21_bytes)) = (V20::encode_ack_fast(&ack), V21::encode_ack_fast(&ack));
        assert_eq!(V20::read_quick_ack(v20, usize::from(v20_bytes) * 8), Some(ack));
        assert_eq!(V21::read_quick_ack(v21, usize::from(v21_bytes) * 8), Some(ack));
    }
}
