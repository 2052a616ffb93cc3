//! Packets of a given size, built from the messages of the captures.

use std::ops::RangeInclusive;

use gamewire::machine::Follow;
use gamewire::teeworlds::raw::data::Token;
use gamewire::teeworlds::raw::huffman::{TrailingByte, compress_if_smaller};
use gamewire::teeworlds::raw::packet::{Header, MAX_PAYLOAD, Packet, inflate};
use gamewire::teeworlds::raw::v06::V06;
use gamewire::teeworlds::raw::v07::V07;
use gamewire::teeworlds::raw::version::Version;
use gamewire::teeworlds::{Dialect, Follower};
use gamewire::wire::{Reader, Writer};

use super::Sample;
use crate::support::{self, Random};

/// The chunks of a capture, with their headers.
struct Chunks {
    dialect: Dialect,
    chunks: Vec<Vec<u8>>,
}

/// Returns compressed packets, `bytes` bytes in total, with payloads of `sizes` bytes before compression. The chunks of
/// a packet are from one capture, in random order.
pub(super) fn samples(sizes: RangeInclusive<usize>, bytes: usize) -> Vec<Sample> {
    let captures = support::BENCH_CAPTURES.map(chunks);
    let mut random = Random::new(1);
    let (mut samples, mut total) = (Vec::new(), 0);
    while total < bytes {
        let Chunks { dialect, chunks } = &captures[random.below(captures.len())];
        let aim = sizes.start() + random.below(sizes.end() - sizes.start() + 1);
        let (mut raw, mut count) = (Vec::new(), 0);
        while raw.len() < aim {
            let chunk = &chunks[random.below(chunks.len())];
            if raw.len() + chunk.len() > *sizes.end() {
                break;
            }
            raw.extend_from_slice(chunk);
            count += 1;
        }
        let sample = match dialect {
            Dialect::V07 => sample::<V07>(*dialect, raw, count),
            _ => sample::<V06>(*dialect, raw, count),
        };
        if let Some(sample) = sample.filter(|sample| sizes.contains(&sample.raw.len())) {
            total += sample.raw.len();
            samples.push(sample);
        }
    }
    samples
}

/// Returns a packet, unless compression does not make it smaller.
fn sample<V: Version>(dialect: Dialect, raw: Vec<u8>, chunks: u8) -> Option<Sample> {
    let mut room = [0; MAX_PAYLOAD];
    let length = compress_if_smaller(&raw, &mut room, TrailingByte::ExtraByte)?;
    let compressed = room[..length].to_vec();
    let token = (dialect == Dialect::V07).then_some(Token(7));
    let mut datagram = [0; MAX_PAYLOAD];
    let mut to = Writer::new(&mut datagram);
    V::write(&Header { compressed: true, chunks, token, ..Header::default() }, &mut to).unwrap();
    to.bytes(&compressed).unwrap();
    let datagram = to.written().to_vec();
    Some(Sample { dialect, datagram, compressed, raw })
}

/// Returns all chunks of a capture.
fn chunks(capture: &str) -> Chunks {
    let (mut dialect, mut chunks) = (Dialect::V06, Vec::new());
    for conversation in support::conversations(capture) {
        let mut follower = Follower::default();
        for datagram in conversation.datagrams {
            follower.follow(datagram.at, datagram.from, &datagram.data, &mut ());
            dialect = follower.dialect_kind().unwrap();
            match dialect {
                Dialect::V07 => split::<V07>(&datagram.data, &mut chunks),
                _ => split::<V06>(&datagram.data, &mut chunks),
            }
        }
    }
    Chunks { dialect, chunks }
}

/// Appends the chunks of a datagram.
fn split<V: Version>(datagram: &[u8], chunks: &mut Vec<Vec<u8>>) {
    let Ok(Packet::Connected { header, payload }) = V::parse(datagram, &mut ()) else { return };
    if header.control {
        return;
    }
    let mut room = [0; MAX_PAYLOAD];
    let payload = payload.remaining();
    let payload = if header.compressed { inflate(payload, &mut room).unwrap() } else { payload };
    let mut from = Reader::new(payload);
    for _ in 0..header.chunks {
        let start = from.offset();
        V::read_chunk(&mut from, &mut ()).unwrap();
        chunks.push(payload[start..from.offset()].to_vec());
    }
}
