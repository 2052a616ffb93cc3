//! The captures in `vectors/` as the datagrams of their conversations.
#![allow(dead_code, unused_imports, unreachable_pub, reason = "each test binary uses a part of this")]

use std::fs::File;
use std::net::SocketAddr;
use std::path::PathBuf;

use gamewire::inspect::capture::Reader;
use gamewire::inspect::net::{Decoder, Payload};
use gamewire::machine::{ConversationSide, Instant};
pub use gamewire_sim::random::{Random, mutate, rounds};

/// The names of the captures.
pub const CAPTURES: [&str; 6] = [
    "tw-0.6-ddnet-tken",
    "tw-0.7-two-clients",
    "tw-0.6.5-tokens",
    "tw-0.6-ddnet-20",
    "tw-0.6-ddnet-20-tken",
    "tw-0.7-ddnet-20",
];

/// The captures of the benches. Their limits hold for these datagrams, so captures that are added do not count.
pub const BENCH_CAPTURES: [&str; 3] = ["tw-0.6-ddnet-tken", "tw-0.7-two-clients", "tw-0.6.5-tokens"];

/// One datagram of a conversation.
#[derive(Clone, Debug)]
pub struct Datagram {
    pub frame: u64,
    pub at: Instant,
    pub from: ConversationSide,
    pub data: Vec<u8>,
}

/// The datagrams between two addresses, in order.
#[derive(Clone, Debug)]
pub struct Conversation {
    pub ends: [SocketAddr; 2],
    pub datagrams: Vec<Datagram>,
}

/// Returns the folder of the test data.
pub fn vectors() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors/teeworlds")
}

/// Returns the path of a capture.
pub fn path(capture: &str) -> PathBuf {
    vectors().join("captures").join(format!("{capture}.pcap"))
}

/// Returns the conversations of a capture, in the order of their first datagrams.
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
            from: if conversation.ends[0] == here {
                ConversationSide::First
            } else {
                ConversationSide::Second
            },
            data: udp.data.to_vec(),
        });
    }
    conversations
}
