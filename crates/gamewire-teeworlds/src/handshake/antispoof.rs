//! The handshake of 0.6.5 for older clients. They do not have a token, but their input contains the tick of the last
//! snapshot.

use std::net::SocketAddr;
use std::time::Duration;

use gamewire_machine::Instant;
use gamewire_wire::{Reader, Result, Writer};

use crate::link::Outbox;
use crate::shared::data::Token;
use crate::shared::pack::{FifthByte, Text, Unpacker};
use crate::shared::packet::{ChunkHeader, Header};
use crate::shared::version::Version as _;
use crate::v06::V06;
use crate::v06::packet;
use crate::v06::system::{ConReady, MapChange, SnapEmpty};
use crate::v06::{Message, System};

/// Number of vital messages in the packet. The connection continues with the next sequence number.
pub(super) const VITAL_MESSAGES: u16 = 2;
/// The id of INPUT as written, with the bit of a system message.
const INPUT: i32 = 16 << 1 | 1;

/// A map that every client has, so that it does not request a download.
const MAP: MapChange<'static> =
    MapChange { name: Text::new("dm1"), crc: 0xf215_9e6e_u32.cast_signed(), size: 5805 };

/// The rate limit of the packets, for all addresses together.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AntispoofLimiter {
    since: Instant,
    requests: u32,
}

impl AntispoofLimiter {
    const INTERVAL: Duration = Duration::from_secs(20);
    const THEN_ONE_IN: u32 = 20;

    /// Counts a request. Returns whether to answer it: the first `burst` requests of an interval, then one in twenty.
    pub(super) fn try_acquire(&mut self, now: Instant, burst: u32) -> bool {
        if now - self.since >= Self::INTERVAL {
            *self = Self { since: now, requests: 0 };
        }
        self.requests = self.requests.saturating_add(1);
        self.requests <= burst || self.requests.is_multiple_of(Self::THEN_ONE_IN)
    }
}

/// Sends a packet with `token` as a tick: MAP_CHANGE, CON_READY and three empty snapshots. An older client needs all of
/// them before it sends an input.
pub(super) fn send(token: Token, to: SocketAddr, out: &mut Outbox) {
    let mut buffer = [0; 64];
    let mut writer = Writer::new(&mut buffer);
    let written = write(token.0.cast_signed(), &mut writer);
    debug_assert!(written.is_ok(), "53 bytes fit");
    if written.is_ok() {
        out.push(to, writer.written());
    }
}

fn write(tick: i32, to: &mut Writer<'_>) -> Result<()> {
    let (second, first) = (tick.saturating_sub(1), tick.saturating_sub(2));
    packet::write(&Header { chunks: 5, ..Header::default() }, to)?;
    write_chunk(Some(1), MAP.into(), to)?;
    write_chunk(Some(2), ConReady {}.into(), to)?;
    // The base of the first snapshot is the empty snapshot. The base of each other snapshot is the one before it.
    write_chunk(None, SnapEmpty { tick: first, delta: second }.into(), to)?;
    write_chunk(None, SnapEmpty { tick: second, delta: 1 }.into(), to)?;
    write_chunk(None, SnapEmpty { tick, delta: 1 }.into(), to)
}

fn write_chunk(sequence: Option<u16>, message: System<'_>, to: &mut Writer<'_>) -> Result<()> {
    let mut buffer = [0; 24];
    let mut content = Writer::new(&mut buffer);
    Message::System(message).encode(&mut content)?;
    V06::write_chunk(&ChunkHeader { resend: false, sequence }, content.len(), to)?;
    to.bytes(content.written())
}

/// Returns the token of the first input in a packet's `payload`, if there is one.
pub(super) fn decode_input_token(header: &Header, payload: &[u8]) -> Option<Token> {
    let mut from = Reader::new(payload);
    for _ in 0..header.chunks {
        let chunk = V06::read_chunk(&mut from, &mut ()).ok()?;
        let mut content = Unpacker::new(chunk.content, FifthByte::Teeworlds);
        if content.int("an id", &mut ()).ok()? == INPUT {
            let tick = content.int("a tick", &mut ()).ok()?;
            return Some(Token(tick.cast_unsigned()));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handshake::AcceptorConfig;

    #[test]
    fn t3_five_packets_are_sent_in_twenty_seconds_and_then_one_in_twenty() {
        let mut limit = AntispoofLimiter::default();
        let mut answered = |second: u64, requests: u32| {
            let now = Instant::from_micros(second.saturating_mul(1_000_000));
            (0..requests)
                .filter(|_| limit.try_acquire(now, AcceptorConfig::vanilla().antispoof_burst))
                .count()
        };
        assert_eq!(answered(0, 8), 5);
        assert_eq!(answered(19, 1000), 50);
        assert_eq!(answered(20, 8), 5);
        assert_eq!(answered(3600, 5), 5);
    }
}
