//! Small packets against libtw2: `cargo bench --manifest-path bench/libtw2/Cargo.toml`. Both read whole datagrams down to
//! typed messages, in turns.
#![allow(clippy::unwrap_used, reason = "a bench may fail")]

#[path = "../../../crates/gamewire/tests/support/mod.rs"]
mod support;
#[path = "../../../crates/gamewire/benches/work/mod.rs"]
mod work;

use std::hint::black_box;

use gamewire::teeworlds::Dialect;
use gamewire::teeworlds::raw::packet::MAX_DATAGRAM;
use libtw2_net::{protocol, protocol7};
use libtw2_packer::Unpacker;
use libtw2_warn::Ignore;
use work::Packets;
use work::turns::compare;

fn main() {
    let (mut packets, mut room) = (Packets::small(), Vec::with_capacity(MAX_DATAGRAM));
    let datagrams: Vec<(Dialect, Vec<u8>)> =
        packets.iter().map(|(dialect, datagram, _)| (dialect, datagram.to_vec())).collect();
    let ours = || packets.typed();
    let theirs = || datagrams.iter().map(|(dialect, datagram)| typed(*dialect, datagram, &mut room)).sum();
    compare(&mut [("gamewire", Box::new(ours)), ("libtw2", Box::new(theirs))]);
}

/// Reads a datagram with libtw2 and returns the number of its messages. It refuses 141 of 182,808.
fn typed(dialect: Dialect, datagram: &[u8], room: &mut Vec<u8>) -> usize {
    room.clear();
    let mut messages = 0;
    if dialect == Dialect::V07 {
        let packet = protocol7::Packet::read(&mut Ignore, datagram, room).unwrap();
        let protocol7::Packet::Connected(packet) = packet else { return 0 };
        let protocol7::ConnectedPacketType::Chunks(_, count, payload) = packet.type_ else { return 0 };
        for chunk in protocol7::ChunksIter::new(payload, count) {
            let message =
                libtw2_gamenet_teeworlds_0_7::msg::decode(&mut Ignore, &mut Unpacker::new(chunk.data));
            _ = black_box(message);
            messages += 1;
        }
    } else {
        let packet = protocol::Packet::read(&mut Ignore, datagram, Some(false), room).unwrap();
        let protocol::Packet::Connected(packet) = packet else { return 0 };
        let protocol::ConnectedPacketType::Chunks(_, count, payload) = packet.type_ else { return 0 };
        for chunk in protocol::ChunksIter::new(payload, count) {
            let message = libtw2_gamenet_ddnet::msg::decode(&mut Ignore, &mut Unpacker::new(chunk.data));
            _ = black_box(message);
            messages += 1;
        }
    }
    messages
}
