//! The captures in `vectors/`, taken apart into the datagrams of their conversations.
#![allow(dead_code, unreachable_pub, reason = "each test binary uses a part of this")]

use std::fs::File;
use std::net::SocketAddr;
use std::path::PathBuf;

use gamewire::inspect::capture::Reader;
use gamewire::inspect::net::{Decoder, Payload};
use gamewire::machine::{End, Instant};

/// The captures and what is known of them.
pub const CAPTURES: [&str; 3] = ["tw-0.6-ddnet-tken", "tw-0.7-two-clients", "tw-0.6.5-tokens"];

/// One datagram of a conversation.
#[derive(Clone, Debug)]
pub struct Datagram {
    pub frame: u64,
    pub at: Instant,
    pub from: End,
    pub data: Vec<u8>,
}

/// The datagrams between two addresses, in order.
#[derive(Clone, Debug)]
pub struct Conversation {
    pub ends: [SocketAddr; 2],
    pub datagrams: Vec<Datagram>,
}

/// The folder of the test data.
pub fn vectors() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors/teeworlds")
}

/// The path of a capture.
pub fn path(capture: &str) -> PathBuf {
    vectors().join("captures").join(format!("{capture}.pcap"))
}

/// The conversations of a capture, in the order of their first datagrams.
pub fn conversations(capture: &str) -> Vec<Conversation> {
    let mut reader = Reader::new(File::open(path(capture)).unwrap()).unwrap();
    let mut decoder = Decoder::new();
    let mut conversations: Vec<Conversation> = Vec::new();
    while let Some(frame) = reader.next() {
        let frame = frame.unwrap();
        let Payload::Udp(udp) = decoder.decode(&frame).unwrap() else { panic!("every frame is UDP") };
        let (here, there) = (udp.source, udp.destination);
        let known = conversations.iter().position(|c| c.ends == [here, there] || c.ends == [there, here]);
        let index = known.unwrap_or_else(|| {
            conversations.push(Conversation { ends: [here, there], datagrams: Vec::new() });
            conversations.len() - 1
        });
        let conversation = &mut conversations[index];
        conversation.datagrams.push(Datagram {
            frame: frame.number,
            at: Instant::from_micros((frame.time / 1000) as u64),
            from: if conversation.ends[0] == here { End::First } else { End::Second },
            data: udp.data.to_vec(),
        });
    }
    conversations
}

/// A generator of numbers that are the same in every run (xorshift64*).
pub struct Random(u64);

impl Random {
    /// Starts from `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `limit`, or 0.
    pub fn below(&mut self, limit: usize) -> usize {
        if limit == 0 { 0 } else { (self.next() >> 11) as usize % limit }
    }
}

/// Changes `bytes` in one to four places: flipped, replaced, cut, repeated, inserted.
pub fn mutate(bytes: &mut Vec<u8>, random: &mut Random, limit: usize) {
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        match random.below(6) {
            0 if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
            1 if !bytes.is_empty() => bytes[at] = random.next() as u8,
            2 if !bytes.is_empty() => bytes[at] = [0, 0x7f, 0x80, 0xff, 0x40, 0x3f][random.below(6)],
            3 => bytes.truncate(at),
            4 => {
                let count = random.below(9);
                let inserted: Vec<u8> = (0..count).map(|_| random.next() as u8).collect();
                bytes.splice(at..at, inserted);
            }
            _ => {
                let end = (at + random.below(32)).min(bytes.len());
                let copied = bytes[at.min(end)..end].to_vec();
                bytes.splice(at..at, copied);
            }
        }
    }
    bytes.truncate(limit);
}
