use core::time::Duration;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use gamewire_machine::{Instant, Transmit};

use crate::link::{CloseReason, Link, LinkConfig, LinkInput, LinkTokens, PacketError, Scratch};
use crate::shared::data::Token;

pub(super) const PEER: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8303);
/// The tokens that the tests put on the wire.
pub(super) const OURS: [u8; 4] = [0x11, 0x22, 0x33, 0x44];
pub(super) const THEIRS: [u8; 4] = [0x9a, 0x5b, 0x76, 0x77];

/// Milliseconds after the start.
pub(super) const fn at(millis: u64) -> Instant {
    Instant::from_micros(millis * 1000)
}

/// The tokens of each dialect, as one end sees them.
pub(super) fn every_dialect() -> [LinkTokens; 4] {
    let (ours, theirs) = (Token(u32::from_be_bytes(OURS)), Token(u32::from_be_bytes(THEIRS)));
    [LinkTokens::V06, LinkTokens::V065(theirs), LinkTokens::Tken(theirs), LinkTokens::V07 { ours, theirs }]
}

/// The tokens as the other end sees them.
pub(super) fn across(tokens: LinkTokens) -> LinkTokens {
    match tokens {
        LinkTokens::V07 { ours, theirs } => LinkTokens::V07 { ours: theirs, theirs: ours },
        other => other,
    }
}

/// A link with what its owner has.
pub(super) struct Side {
    pub(super) link: Link,
    pub(super) scratch: Scratch,
}

impl Side {
    /// A link of Teeworlds that was made at the start.
    pub(super) fn new(tokens: LinkTokens) -> Self {
        Self::with(tokens, LinkConfig::vanilla(tokens.dialect()))
    }

    pub(super) fn with(tokens: LinkTokens, config: LinkConfig) -> Self {
        Self { link: Link::new(tokens, PEER, config, Instant::ZERO), scratch: Scratch::new() }
    }

    /// A link and its peer's.
    pub(super) fn pair(tokens: LinkTokens) -> (Self, Self) {
        (Self::new(tokens), Self::new(across(tokens)))
    }

    /// The link, at a time.
    pub(super) fn link_at(&mut self, now: Instant) -> &mut Link {
        self.link.advance(now);
        &mut self.link
    }

    pub(super) fn send(&mut self, now: Instant, message: &[u8]) {
        self.link_at(now).send(true, message).unwrap();
    }

    /// The datagrams that wait.
    pub(super) fn sent(&mut self) -> Vec<Vec<u8>> {
        let mut sent = Vec::new();
        let mut buffer = Vec::new();
        while let Some(Transmit { to }) = self.link.poll_transmit(&mut buffer) {
            assert_eq!(to, PEER);
            sent.push(buffer.clone());
        }
        sent
    }

    /// What a flush sends, with all that waits.
    pub(super) fn flushed(&mut self, now: Instant) -> Vec<Vec<u8>> {
        self.link_at(now).flush();
        self.sent()
    }

    /// A vital message in a datagram of its own.
    pub(super) fn datagram(&mut self, now: Instant, message: &[u8]) -> Vec<u8> {
        self.send(now, message);
        let [datagram] = <[_; 1]>::try_from(self.flushed(now)).unwrap();
        datagram
    }

    /// The new messages of a datagram.
    pub(super) fn hear(&mut self, now: Instant, datagram: &[u8]) -> Result<Vec<Vec<u8>>, PacketError> {
        match self.link.receive(now, datagram, &mut self.scratch)? {
            LinkInput::Chunks(chunks) => Ok(chunks.map(|chunk| chunk.content.to_vec()).collect()),
            _ => Ok(Vec::new()),
        }
    }

    pub(super) fn time(&mut self, now: Instant) -> Result<Vec<Vec<u8>>, CloseReason> {
        self.link.handle_timeout(now)?;
        Ok(self.sent())
    }

    /// Lets time pass until `end` and gives what was sent, with the milliseconds at which it was.
    pub(super) fn until(&mut self, end: Instant) -> Result<Vec<(u64, Vec<u8>)>, CloseReason> {
        let mut sent = Vec::new();
        while let Some(wake) = self.link.poll_timeout().filter(|wake| wake.at <= end) {
            for datagram in self.time(wake.at)? {
                sent.push((wake.at.as_micros() / 1000, datagram));
            }
            assert!(self.link.poll_timeout().is_none_or(|next| next.at > wake.at), "{wake:?} again");
        }
        Ok(sent)
    }
}

/// So many milliseconds.
pub(super) const fn millis(count: u64) -> Duration {
    Duration::from_millis(count)
}
