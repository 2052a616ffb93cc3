//! A warm connection allocates nothing when it sends, receives or resends.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use allocation_counter::measure;
use gamewire::machine::Instant;
use gamewire::teeworlds::raw::data::Token;
use gamewire::teeworlds::raw::link::{Link, LinkConfig, LinkInput, LinkTokens, Scratch};

const PEER: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8303);
const DIALECTS: [LinkTokens; 4] = [
    LinkTokens::V06,
    LinkTokens::V065(Token(7)),
    LinkTokens::Tken(Token(7)),
    LinkTokens::V07 { ours: Token(7), theirs: Token(7) },
];

/// One end of a conversation.
struct End {
    link: Link,
    scratch: Scratch,
    buffer: Vec<u8>,
    heard: usize,
}

impl End {
    fn new(tokens: LinkTokens) -> Self {
        let config = LinkConfig::vanilla(tokens.dialect());
        Self {
            link: Link::new(tokens, PEER, config, Instant::ZERO),
            scratch: Scratch::new(),
            buffer: Vec::new(),
            heard: 0,
        }
    }

    fn say(&mut self, now: Instant, size: usize, count: usize) {
        let message = [0x55; 900];
        self.link.advance(now);
        for number in 0..count {
            self.link.send(number % 3 != 0, &message[..size]).unwrap();
        }
        self.link.handle_timeout(now).unwrap();
        self.link.flush();
    }

    /// Delivers queued datagrams to `other`. If `lossy`, every third datagram is lost.
    fn give(&mut self, now: Instant, other: &mut Self, lossy: bool) {
        let mut number = 0;
        while self.link.poll_transmit(&mut self.buffer).is_some() {
            number += 1;
            if lossy && number % 3 == 0 {
                continue;
            }
            let received = other.link.receive(now, &self.buffer, &mut other.scratch);
            if let LinkInput::Chunks(chunks) = received.unwrap() {
                other.heard += chunks.map(|chunk| usize::from(chunk.content[0] == 0x55)).sum::<usize>();
            }
        }
    }
}

/// Exchanges messages of many sizes for two seconds.
fn talk(one: &mut End, other: &mut End, start: u64, lossy: bool) {
    for step in 0..100_u64 {
        let now = Instant::from_micros((start + step * 20) * 1000);
        one.say(now, 1 + step as usize * 89 % 900, 1 + step as usize % 9);
        other.say(now, 64, 2);
        one.give(now, other, lossy && step % 7 == 0);
        other.give(now, one, lossy && step % 5 == 0);
    }
}

#[test]
fn a_warm_link_allocates_nothing_in_either_direction() {
    for tokens in DIALECTS {
        for lossy in [false, true] {
            let (mut one, mut other) = (End::new(tokens), End::new(tokens));
            talk(&mut one, &mut other, 0, lossy);
            let (sent, heard) = (one.link.stats().datagrams_out, other.heard);
            let counted = measure(|| talk(&mut one, &mut other, 2000, lossy));
            assert_eq!(counted.count_total, 0, "{tokens:?}, lossy {lossy}: {} bytes", counted.bytes_total);
            assert!(one.link.stats().datagrams_out > sent + 100 && other.heard > heard + 300);
            assert_eq!(one.link.stats().resent > 0, lossy);
        }
    }
}
