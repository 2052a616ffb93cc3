//! The work that both benches measure, based on the datagrams of the captures.

#![allow(dead_code, reason = "each bench uses a part of this")]

pub(crate) mod games;
pub(crate) mod link;
mod recombined;
pub(crate) mod turns;

use std::ops::RangeInclusive;

use gamewire::machine::Follow;
use gamewire::teeworlds::raw::huffman::{TrailingByte, compress, decompress};
use gamewire::teeworlds::raw::message::Message;
use gamewire::teeworlds::raw::packet::{MAX_PAYLOAD, Packet, inflate};
use gamewire::teeworlds::raw::v06::V06;
use gamewire::teeworlds::raw::v07::V07;
use gamewire::teeworlds::raw::version::{MessageOf, SystemSet, Version};
use gamewire::teeworlds::{Dialect, Follower};
use gamewire::wire::Reader;

use crate::support::{self, Datagram};

/// A packet of a capture, and the dialect it was sent in.
struct Sample {
    dialect: Dialect,
    datagram: Vec<u8>,
    compressed: Vec<u8>,
    raw: Vec<u8>,
}

/// Compressed packets, and scratch space.
pub(crate) struct Packets {
    samples: Vec<Sample>,
    room: [u8; 2 * MAX_PAYLOAD],
}

impl Packets {
    /// The compressed packets of the captures that hold a snapshot with items.
    pub(crate) fn snapshots() -> Self {
        let mut samples = Vec::new();
        for capture in support::BENCH_CAPTURES {
            for conversation in support::conversations(capture) {
                let mut follower = Follower::default();
                for datagram in conversation.datagrams {
                    follower.follow(datagram.at, datagram.from, &datagram.data, &mut ());
                    let dialect = follower.dialect_kind().unwrap();
                    let sample = match dialect {
                        Dialect::V07 => sample::<V07>(dialect, datagram.data),
                        _ => sample::<V06>(dialect, datagram.data),
                    };
                    samples.extend(sample);
                }
            }
        }
        assert!(samples.len() > 1000, "the captures hold over a thousand such packets");
        Self { samples, room: [0; 2 * MAX_PAYLOAD] }
    }

    /// Packets of 20 to 80 bytes before compression, built from the messages of the captures. Their number exceeds the
    /// capacity of a processor's branch predictor.
    pub(crate) fn small() -> Self {
        Self::recombined(20..=80)
    }

    /// Packets of 1,000 to 1,380 bytes before compression, which are nearly full, built from the messages of the
    /// captures.
    pub(crate) fn large() -> Self {
        Self::recombined(1_000..=1_380)
    }

    fn recombined(sizes: RangeInclusive<usize>) -> Self {
        Self { samples: recombined::samples(sizes, 2_500_000), room: [0; 2 * MAX_PAYLOAD] }
    }

    /// Returns the packets, one by one: dialect, datagram, compressed payload.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Dialect, &[u8], &[u8])> {
        self.samples.iter().map(|sample| (sample.dialect, &*sample.datagram, &*sample.compressed))
    }

    /// Returns the bytes of the payloads before compression.
    pub(crate) fn raw_bytes(&self) -> usize {
        self.samples.iter().map(|sample| sample.raw.len()).sum()
    }

    /// Decompresses every payload.
    pub(crate) fn decompress(&mut self) -> usize {
        let room = &mut self.room;
        self.samples.iter().map(|sample| decompress(&sample.compressed, room).unwrap()).sum()
    }

    /// Compresses every payload.
    pub(crate) fn compress(&mut self) -> usize {
        let room = &mut self.room;
        self.samples.iter().map(|sample| compress(&sample.raw, room, TrailingByte::ExtraByte).unwrap()).sum()
    }

    /// Decodes every packet to typed messages.
    pub(crate) fn typed(&mut self) -> usize {
        let mut messages = 0;
        for sample in &self.samples {
            messages += match sample.dialect {
                Dialect::V07 => typed::<V07>(sample, &mut self.room),
                _ => typed::<V06>(sample, &mut self.room),
            };
        }
        messages
    }
}

// Inlined, because the cost of a call for each packet must not be measured.
#[inline(always)]
fn typed<V: Version>(sample: &Sample, room: &mut [u8]) -> usize {
    let Ok(Packet::Connected { header, payload }) = V::parse(&sample.datagram, &mut ()) else { return 0 };
    let payload = inflate(payload.remaining(), room).unwrap();
    let mut from = Reader::new(payload);
    let mut messages = 0;
    for _ in 0..header.chunks {
        let chunk = V::read_chunk(&mut from, &mut ()).unwrap();
        let message = MessageOf::<V>::decode(chunk.content, sample.dialect.fifth_byte(), &mut ());
        messages += usize::from(std::hint::black_box(&message).is_ok());
    }
    messages
}

fn sample<V: Version>(dialect: Dialect, datagram: Vec<u8>) -> Option<Sample> {
    let mut room = [0; MAX_PAYLOAD];
    let Ok(Packet::Connected { header, payload }) = V::parse(&datagram, &mut ()) else { return None };
    if !header.compressed {
        return None;
    }
    let compressed = payload.remaining().to_vec();
    let raw = inflate(&compressed, &mut room).unwrap().to_vec();
    let mut from = Reader::new(&raw);
    let has_snapshot = (0..header.chunks).any(|_| {
        let chunk = V::read_chunk(&mut from, &mut ()).unwrap();
        match MessageOf::<V>::decode(chunk.content, dialect.fifth_byte(), &mut ()) {
            Ok(Message::System(system)) => system.snapshot().is_some(),
            _ => false,
        }
    });
    has_snapshot.then_some(Sample { dialect, datagram, compressed, raw })
}

/// The datagrams of every conversation of the captures.
pub(crate) fn all_datagrams() -> Vec<Vec<Datagram>> {
    support::BENCH_CAPTURES
        .into_iter()
        .flat_map(support::conversations)
        .map(|conversation| conversation.datagrams)
        .collect()
}

/// Follows all conversations, and returns the number of datagrams.
pub(crate) fn follow(conversations: &[Vec<Datagram>], followers: &mut [Follower]) -> usize {
    for (datagrams, follower) in conversations.iter().zip(followers) {
        for datagram in datagrams {
            follower.follow(datagram.at, datagram.from, &datagram.data, &mut ());
        }
    }
    conversations.iter().map(Vec::len).sum()
}
