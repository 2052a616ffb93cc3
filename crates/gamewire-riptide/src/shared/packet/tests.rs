//! The fast path encodes and decodes the same bytes as `Packet`.

use gamewire_machine::Role;

use super::fast_path::{self, ReliableHead};
use super::{Ack, Packet, Reliable};
use crate::shared::bits;
use crate::shared::message::Writer;
use crate::shared::payload::Payload;
use crate::shared::version::Version;
use crate::versions::{V20, V21};

const IDS: [u16; 9] = [0, 1, 0x7f, 0x80, 0x3fff, 0x4000, 0x7fff, 0x8000, 0xffff];

fn written<V: Version>(packet: &Packet<'_>) -> Vec<u8> {
    let mut buffer = [0; 32];
    let mut to = Writer::<V>::new(&mut buffer);
    packet.encode(&mut to).unwrap();
    to.written().to_vec()
}

/// Returns the first `count` bits of a number as bytes.
fn bytes(bits: u64, count: usize) -> Vec<u8> {
    bits.to_le_bytes()[..count.div_ceil(8)].to_vec()
}

fn writes_the_same<V: Version>() {
    for seq_id in IDS {
        for id in IDS {
            let (head, count) = fast_path::encode_reliable_head::<V>(id);
            let head = head | u64::from(seq_id) << V::HEADER_BITS;
            let packet = Reliable { seq_id, id, payload: Payload::EMPTY };
            assert_eq!(bytes(head, count), written::<V>(&packet.into()), "{seq_id} {id}");
            for for_seq_id in [None, Some(seq_id)] {
                let ack =
                    Ack { last_received_seq_id: id, received_seq_ids: !id, for_seq_id, ..Ack::default() };
                let (ack_bytes, count) = fast_path::encode_ack::<V>(&ack);
                assert_eq!(ack_bytes.to_le_bytes()[..count.into()], written::<V>(&ack.into()), "{ack:?}");
            }
        }
    }
}

fn reads_the_same<V: Version>(packet: &[u8]) {
    let (head, count) = (bits::load(packet, 0, 64), Payload::new(packet).bit_len());
    let read = Packet::decode::<V, _>(packet, Role::Client, &mut ());
    if let Some(ReliableHead { seq_id, id, start }) = fast_path::decode_reliable_head::<V>(head, count) {
        let payload = Payload::within(packet, start, count);
        assert_eq!(read, Ok(Reliable { seq_id, id, payload }.into()), "{packet:x?}");
    } else if let Some(ack) = fast_path::decode_ack::<V>(head, count) {
        let Ok(Packet::Ack(long)) = read else { panic!("{packet:x?}: {read:?}") };
        assert_eq!(ack, Ack { trailing: Payload::EMPTY, ..long }, "{packet:x?}");
    }
}

#[test]
fn the_fast_path_writes_the_same_bytes() {
    writes_the_same::<V20>();
    writes_the_same::<V21>();
}

#[test]
fn the_fast_path_reads_the_same_fields_or_nothing() {
    let mut random = gamewire_sim::random::Random::new(1);
    for round in 0..200_000_u64 {
        let mut packet = random.bytes(16);
        packet[0] = if round % 2 == 0 { packet[0] & 0xf0 | (packet[1] % 9) } else { packet[1] % 9 };
        packet.truncate(round as usize % 12);
        reads_the_same::<V20>(&packet);
        reads_the_same::<V21>(&packet);
    }
}

#[test]
fn the_fast_path_reads_common_packets() {
    for id in IDS.into_iter().filter(|id| *id < 0x4000) {
        let packet = Packet::from(Reliable { seq_id: 7, id, payload: Payload::EMPTY });
        for packet in [written::<V20>(&packet), written::<V21>(&packet)] {
            let (head, count) = (bits::load(&packet, 0, 64), packet.len() * 8);
            let decoded = if packet[0] == 7 {
                fast_path::decode_reliable_head::<V20>(head, count)
            } else {
                fast_path::decode_reliable_head::<V21>(head, count)
            };
            assert_eq!(decoded.map(|head| (head.seq_id, head.id)), Some((7, id)));
        }
    }
    for for_seq_id in [None, Some(3)] {
        let ack = Ack { last_received_seq_id: 5, received_seq_ids: 0x1f, for_seq_id, ..Ack::default() };
        let ((v20, v20_bytes), (v21, v21_bytes)) =
            (fast_path::encode_ack::<V20>(&ack), fast_path::encode_ack::<V21>(&ack));
        assert_eq!(fast_path::decode_ack::<V20>(v20, usize::from(v20_bytes) * 8), Some(ack));
        assert_eq!(fast_path::decode_ack::<V21>(v21, usize::from(v21_bytes) * 8), Some(ack));
    }
}
