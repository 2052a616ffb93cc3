//! Two connections in memory, and their Huffman work.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use gamewire::machine::Instant;
use gamewire::teeworlds::raw::data::Token;
use gamewire::teeworlds::raw::huffman::{TrailingByte, compress_if_smaller, decompress};
use gamewire::teeworlds::raw::link::{Link, LinkConfig, LinkInput, LinkTokens, Scratch};
use gamewire::teeworlds::raw::packet::{MAX_PAYLOAD, Packet};
use gamewire::teeworlds::raw::v06::V06;
use gamewire::teeworlds::raw::v07::V07;
use gamewire::teeworlds::raw::version::Version;

const PEER: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8303);
const MESSAGE: usize = 64;
const MESSAGES_IN_A_FLUSH: usize = 10;
const DIALECTS: [LinkTokens; 4] = [
    LinkTokens::V06,
    LinkTokens::V065(Token(0x9a5b_7677)),
    LinkTokens::Tken(Token(0x9a5b_7677)),
    LinkTokens::V07 { ours: Token(0x9a5b_7677), theirs: Token(0x9a5b_7677) },
];

struct End {
    link: Link,
    scratch: Scratch,
}

/// Two ends of a connection in each dialect, and their messages.
pub(crate) struct Conversation {
    ends: Vec<[End; 2]>,
    /// The data of snapshots, split into messages.
    messages: Vec<u8>,
    buffer: Vec<u8>,
    now: u64,
}

impl Conversation {
    pub(crate) fn new() -> Self {
        let end = |tokens: LinkTokens| End {
            link: Link::new(tokens, PEER, LinkConfig::vanilla(tokens.dialect()), Instant::ZERO),
            scratch: Scratch::new(),
        };
        let samples = super::Packets::snapshots().samples;
        let messages = samples.into_iter().flat_map(|sample| sample.raw).collect();
        let ends = DIALECTS.into_iter().map(|tokens| [end(tokens), end(tokens)]).collect();
        let mut conversation = Self { ends, messages, buffer: Vec::new(), now: 0 };
        // Run until the buffers have grown to their final size.
        conversation.talk(&mut |_, _| ());
        conversation
    }

    /// Returns the number of messages of one [`talk`](Self::talk).
    pub(crate) fn len(&self) -> usize {
        let flush = MESSAGE * MESSAGES_IN_A_FLUSH;
        self.messages.len() / flush / 2 * 2 * MESSAGES_IN_A_FLUSH * self.ends.len()
    }

    /// In each dialect, both ends alternately send ten messages, which acknowledge the previous ten. Passes every
    /// datagram to `see`, and returns the number of messages that arrived.
    pub(crate) fn talk(&mut self, see: &mut impl FnMut(LinkTokens, &[u8])) -> usize {
        let Self { ends, messages, buffer, now } = self;
        let mut arrived = 0;
        for [one, other] in ends {
            for pair in messages.chunks_exact(2 * MESSAGE * MESSAGES_IN_A_FLUSH) {
                *now += 20_000;
                let (question, answer) = pair.split_at(MESSAGE * MESSAGES_IN_A_FLUSH);
                arrived += pass(one, other, question, Instant::from_micros(*now), buffer, see);
                arrived += pass(other, one, answer, Instant::from_micros(*now), buffer, see);
            }
        }
        arrived
    }
}

fn pass(
    from: &mut End,
    to: &mut End,
    messages: &[u8],
    now: Instant,
    buffer: &mut Vec<u8>,
    see: &mut impl FnMut(LinkTokens, &[u8]),
) -> usize {
    from.link.advance(now);
    for message in messages.chunks_exact(MESSAGE) {
        from.link.send(true, message).unwrap();
    }
    from.link.flush();
    let mut arrived = 0;
    while from.link.poll_transmit(buffer).is_some() {
        see(from.link.tokens(), buffer);
        let received = to.link.receive(now, buffer, &mut to.scratch);
        let Ok(LinkInput::Chunks(chunks)) = received else { panic!("{received:?}") };
        for chunk in chunks {
            arrived += usize::from(std::hint::black_box(chunk.content).len() == MESSAGE);
        }
    }
    arrived
}

/// A payload, and its compressed form if that is smaller.
struct Payload {
    raw: Vec<u8>,
    compressed: Option<Vec<u8>>,
}

/// The payloads of all datagrams of a conversation.
pub(crate) struct Payloads(Vec<Payload>);

impl Payloads {
    pub(crate) fn new() -> Self {
        let mut payloads = Vec::new();
        Conversation::new().talk(&mut |tokens, datagram| {
            payloads.push(match tokens {
                LinkTokens::V07 { .. } => payload::<V07>(datagram),
                _ => payload::<V06>(datagram),
            });
        });
        let compressed = payloads.iter().filter(|payload| payload.compressed.is_some()).count();
        assert!(compressed * 10 > payloads.len() * 9, "nearly all packets of a game are compressed");
        Self(payloads)
    }

    /// Compresses every payload and decompresses the compressed ones, as sender and receiver do.
    pub(crate) fn huffman(&self) -> usize {
        let mut room = [0; MAX_PAYLOAD];
        let mut bytes = 0;
        for payload in &self.0 {
            let place = &mut room[..payload.raw.len()];
            bytes += compress_if_smaller(&payload.raw, place, TrailingByte::ExtraByte).unwrap_or(0);
            if let Some(compressed) = &payload.compressed {
                bytes += decompress(compressed, &mut room).unwrap();
            }
            std::hint::black_box(&room);
        }
        bytes
    }
}

fn payload<V: Version>(datagram: &[u8]) -> Payload {
    let Ok(Packet::Connected { header, payload }) = V::parse(datagram, &mut ()) else { panic!("a packet") };
    let payload = payload.remaining().to_vec();
    if !header.compressed {
        return Payload { raw: payload, compressed: None };
    }
    let mut room = [0; MAX_PAYLOAD];
    let length = decompress(&payload, &mut room).unwrap();
    Payload { raw: room[..length].to_vec(), compressed: Some(payload) }
}
