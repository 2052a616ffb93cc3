use std::sync::Arc;

use gamewire_wire::{Layer, Span, Trace};

use super::definition::Definitions;
use super::half::{DirectionState, FollowState};
use super::limits::FollowLimits;
use super::outcome::PacketEffect;
use super::packet::packet;
use super::run::frame_error;
use super::talk::{Client, SharedState};
use crate::delta::Direction;
use crate::frame::StreamOffset;

/// Follows one direction of a connection packet by packet, from its bytes as they were read from
/// the socket.
#[derive(Debug)]
pub struct StreamFollower {
    half: DirectionState,
    talk: SharedState,
}

/// A packet that a [`StreamFollower`] has told, or where it had to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamPacket {
    /// Where it begins.
    pub place: StreamOffset,
    /// How many bytes it has, its header included.
    pub length: usize,
}

/// The end that sends a stream that begins so: a client begins with its request to be let in.
/// `None` if these are too few bytes to say.
#[must_use]
pub fn sender(start: &[u8]) -> Option<Direction> {
    match start {
        [high, _, 4, ..] if *high < 0x40 => Some(Direction::ToServer),
        [_, _, _, ..] => Some(Direction::ToClient),
        _ => None,
    }
}

impl StreamFollower {
    /// Of a direction. What a client can is not in what a server sends: it is `capabilities`, or
    /// all that the server can.
    #[must_use]
    pub fn new(
        definitions: &Arc<Definitions>,
        direction: Direction,
        capabilities: Option<String>,
        limits: FollowLimits,
    ) -> Self {
        let client = capabilities.map_or(Client::Unknown, Client::Configured);
        let talk = SharedState::new(Arc::clone(definitions), false, client);
        Self { half: DirectionState::new(direction, &talk.definition, limits), talk }
    }

    /// Tells `trace` the next packet that ends in `data`, which loses what is used. `None` when all of
    /// it is. After an error the rest is counted.
    pub fn next<T: Trace>(&mut self, data: &mut &[u8], trace: &mut T) -> Option<StreamPacket> {
        let Self { half, talk } = self;
        let (packet, outcome) = loop {
            if let FollowState::Lost { .. } = half.state {
                half.count_skipped(data.len());
                *data = &[];
                return None;
            }
            break match half.splitter.next(data) {
                Ok(None) => return None,
                Ok(Some(found)) if half.state != FollowState::Followed => {
                    let begins_chunk = found.offset.inflated == Some(0);
                    half.count(begins_chunk);
                    continue;
                }
                Err(_) if half.state != FollowState::Followed => {
                    half.mark_lost();
                    continue;
                }
                Ok(Some(found)) => {
                    let told = StreamPacket { place: found.offset, length: found.bytes.len() };
                    trace.enter_source("packet", found.bytes);
                    let outcome = packet(&mut half.decoder, half.direction, talk, &found, 0, trace);
                    trace.exit();
                    (told, outcome)
                }
                Err(error) => {
                    trace.enter_source("packet", &[]);
                    trace.enter(Layer::Group, "frame", Span::default());
                    frame_error(&error, 0, trace);
                    trace.exit();
                    trace.exit();
                    (StreamPacket { place: error.place, length: 0 }, PacketEffect::Lost)
                }
            };
        };
        if packet.length > 0 {
            half.count(packet.place.inflated == Some(0));
        }
        outcome.apply(half, None);
        Some(packet)
    }

    /// Who sends it.
    #[must_use]
    pub const fn direction(&self) -> Direction {
        self.half.direction
    }

    /// The dialect, as far as it has shown.
    #[must_use]
    pub const fn dialect(&self) -> Option<&'static str> {
        self.talk.dialect
    }

    /// How many packets, and chunks of them, there were so far.
    #[must_use]
    pub const fn counted(&self) -> (u64, u64) {
        (self.half.counts.packets, self.half.counts.chunks)
    }

    /// How many packets behind an error in one were only counted.
    #[must_use]
    pub const fn packets_not_decoded(&self) -> u64 {
        self.half.counts.packets_not_decoded
    }

    /// How many bytes behind an error in a frame were only counted.
    #[must_use]
    pub const fn bytes_not_decoded(&self) -> u64 {
        self.half.counts.bytes_not_decoded
    }

    /// How many bytes of an unfinished frame there are: not 0 at the end of a stream means that it
    /// was cut off.
    #[must_use]
    pub fn unfinished(&self) -> u64 {
        self.half.splitter.pending_bytes()
    }
}
