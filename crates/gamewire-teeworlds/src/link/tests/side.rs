use core::time::Duration;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use gamewire_machine::{Instant, Transmit};

use crate::link::{CloseReason, Link, LinkConfig, LinkInput, LinkTokens, PacketError, Scratch};
use crate::shared::data::Token;

pub(super) const PEER: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8303);
/// The tokens of the tests as bytes.
pub(super) const OURS: [u8; 4] = [0x11, 0x22, 0x33, 0x44];
pub(super) const THEIRS: [u8; 4] = [0x9a, 0x5b, 0x76, 0x77];

/// Returns a time in milliseconds.
pub(super) const fn at(millis: u64) -> Instant {
    Instant::from_micros(millis * 1000)
}

/// Returns the tokens of each dialect, as one side sees them.
pub(super) fn every_dialect() -> [LinkTokens; 4] {
    let (ours, theirs) = (Token(u32::from_be_bytes(OURS)), Token(u32::from_be_bytes(THEIRS)));
    [LinkTokens::V06, LinkTokens::V065(theirs), LinkTokens::Tken(theirs), LinkTokens::V07 { ours, theirs }]
}

/// Returns the tokens as the other side sees them.
pub(super) fn across(tokens: LinkTokens) -> LinkTokens {
    match tokens {
        LinkTokens::V07 { ours, theirs } => LinkTokens::V07 { ours: theirs, theirs: ours },
        other => other,
    }
}

/// A link with a scratch buffer.
pub(super) struct Side {
    pub(super) link: Link,
    pub(super) scratch: Scratch,
}

impl Side {
    /// Creates a link of Teeworlds at time 0.
    pub(super) fn new(tokens: LinkTokens) -> Self {
        Self::with(tokens, LinkConfig::vanilla(tokens.dialect()))
    }

    pub(super) fn with(tokens: LinkTokens, config: LinkConfig) -> Self {
        Self { link: Link::new(tokens, PEER, config, Instant::ZERO), scratch: Scratch::new() }
    }

    /// Creates a link and the link of its peer.
    pub(super) fn pair(tokens: LinkTokens) -> (Self, Self) {
        (Self::new(tokens), Self::new(across(tokens)))
    }

    /// Returns the link after advancing its time.
    pub(super) fn link_at(&mut self, now: Instant) -> &mut Link {
        self.link.advance(now);
        &mut self.link
    }

    pub(super) fn send(&mut self, now: Instant, message: &[u8]) {
        self.link_at(now).send(true, message).unwrap();
    }

    /// Returns the unsent datagrams.
    pub(super) fn sent(&mut self) -> Vec<Vec<u8>> {
        let mut sent = Vec::new();
        let mut buffer = Vec::new();
        while let Some(Transmit { to }) = self.link.poll_transmit(&mut buffer) {
            assert_eq!(to, PEER);
            sent.push(buffer.clone());
        }
        sent
    }

    /// Flushes and returns all unsent datagrams.
    pub(super) fn flushed(&mut self, now: Instant) -> Vec<Vec<u8>> {
        self.link_at(now).flush();
        self.sent()
    }

    /// Sends a vital message and returns its datagram.
    pub(super) fn datagram(&mut self, now: Instant, message: &[u8]) -> Vec<u8> {
        self.send(now, message);
        let [datagram] = <[_; 1]>::try_from(self.flushed(now)).unwrap();
        datagram
    }

    /// Receives a datagram and returns its new messages.
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

    /// Fires the timers until `end`. Returns the sent datagrams, each with its time in milliseconds.
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

/// Returns a duration in milliseconds.
pub(super) const fn millis(count: u64) -> Duration {
    Duration::from_millis(count)
}
