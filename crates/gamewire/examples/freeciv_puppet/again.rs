//! Encodes every packet of the server again.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use gamewire::freeciv::packets::{self, Decoder, Encoder, Packet};
use gamewire::freeciv::raw::codec::ProtocolVersion;
use gamewire::freeciv::raw::delta::{
    DeltaLimits, Direction, EncodeOptions, RoleTracker, active_capabilities,
};
use gamewire::freeciv::raw::frame::{FrameLimits, FrameSplitter};
use gamewire::machine::StreamId;
use gamewire::net::{self, Tap, TapPacket};
use serde_json::json;

/// Results for all packets that crossed the socket.
pub(crate) struct Again {
    splitter: FrameSplitter,
    decoder: Decoder,
    encoder: Encoder,
    roles: RoleTracker,
    capabilities: String,
    body: Vec<u8>,
    packets: u64,
    different: BTreeMap<&'static str, u64>,
    errors: Vec<String>,
    received: Frames,
    sent: Frames,
}

/// Passes the driver's bytes to the shared results.
pub(crate) struct Tapped(pub(crate) Arc<Mutex<Again>>);

impl Tap for Tapped {
    fn on_datagram(&mut self, _: &TapPacket<'_>) {}

    fn on_stream_bytes(&mut self, _: StreamId, crossing: &TapPacket<'_>) {
        let Ok(mut again) = self.0.lock() else { return };
        match crossing.direction {
            net::Direction::Incoming => again.receive(crossing.bytes),
            net::Direction::Outgoing => again.sent.count(crossing.bytes),
        }
    }
}

impl Again {
    pub(crate) fn new(capabilities: &str) -> Self {
        let (direction, limits) = (Direction::ToClient, DeltaLimits::DEFAULT);
        Self {
            splitter: FrameSplitter::new(FrameLimits::DEFAULT),
            decoder: Decoder::new(direction, limits),
            encoder: Encoder::new(direction, limits),
            roles: RoleTracker::new(&packets::protocol(), RoleTracker::NO_PLAYER),
            capabilities: capabilities.to_owned(),
            body: Vec::new(),
            packets: 0,
            different: BTreeMap::new(),
            errors: Vec::new(),
            received: Frames::default(),
            sent: Frames::default(),
        }
    }

    pub(crate) fn summary(&self) -> serde_json::Value {
        json!({
            "packets": self.packets,
            "different": self.different,
            "errors": self.errors,
            "received": self.received.summary(),
            "sent": self.sent.summary(),
        })
    }

    fn receive(&mut self, mut bytes: &[u8]) {
        self.received.count(bytes);
        loop {
            match self.next(&mut bytes) {
                Ok(true) => self.packets = self.packets.saturating_add(1),
                Ok(false) => return,
                Err(error) => return self.errors.push(error),
            }
        }
    }

    fn next(&mut self, bytes: &mut &[u8]) -> Result<bool, String> {
        let Self { splitter, decoder, encoder, roles, body, .. } = self;
        let Some(framed) = splitter.next(bytes).map_err(|error| error.to_string())? else { return Ok(false) };
        let decoded =
            decoder.decode_with_bits(framed.number, framed.body).map_err(|error| error.to_string())?;
        body.clear();
        let sending = EncodeOptions { force: true, bits: decoded.bits };
        encoder.encode(decoded.packet, sending, body).map_err(|error| error.to_string())?;
        if body != framed.body {
            let count = self.different.entry(decoded.packet.name()).or_default();
            *count = count.saturating_add(1);
        }
        let active = match &decoded.packet {
            Packet::ServerJoinReply(reply) => Some(reply.capability.to_str_lossy().into_owned()),
            _ => None,
        };
        let (number, values) = (framed.number, decoded.values());
        if let Some(theirs) = active {
            // No earlier packet has a baseline, so the decoder and the encoder can be replaced.
            let version = ProtocolVersion::of_capabilities(&theirs).unwrap_or_default();
            let (direction, limits) = (Direction::ToClient, DeltaLimits::DEFAULT);
            *decoder = Decoder::new(direction, limits).version(version);
            *encoder = Encoder::new(direction, limits).version(version);
            let protocol = packets::protocol_of(version);
            *roles = RoleTracker::new(&protocol, version.no_player().into());
            let active = active_capabilities(&protocol.capabilities, &self.capabilities, &theirs);
            decoder.set_capabilities(&active);
            encoder.set_capabilities(&active);
        }
        if roles.observe_values(number, &values) {
            decoder.forget_game_info();
            encoder.forget_game_info();
        }
        Ok(true)
    }
}

/// Counts the bytes and the chunks of one direction by the length prefixes.
#[derive(Default)]
struct Frames {
    bytes: u64,
    chunks: u64,
    header: Vec<u8>,
    skip: usize,
}

impl Frames {
    /// Lengths from this value on belong to chunks. The chunk's length is the difference.
    const CHUNK: usize = 16385;
    /// Marks a length in the next four bytes.
    const LONG: usize = 65535;

    fn count(&mut self, mut bytes: &[u8]) {
        self.bytes = self.bytes.saturating_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        loop {
            let (past, rest) = bytes.split_at(self.skip.min(bytes.len()));
            self.skip = self.skip.saturating_sub(past.len());
            let Some((first, rest)) = rest.split_first() else { return };
            self.header.push(*first);
            bytes = rest;
            let length = match self.header.as_slice() {
                [high, low] => match usize::from(u16::from_be_bytes([*high, *low])) {
                    Self::LONG => continue,
                    length => length,
                },
                [_, _, a, b, c, d] => usize::try_from(u32::from_be_bytes([*a, *b, *c, *d]))
                    .unwrap_or(0)
                    .saturating_add(Self::CHUNK),
                _ => continue,
            };
            let is_chunk = length >= Self::CHUNK;
            self.chunks = self.chunks.saturating_add(is_chunk.into());
            let length = if is_chunk { length.saturating_sub(Self::CHUNK) } else { length };
            self.skip = length.saturating_sub(self.header.len());
            self.header.clear();
        }
    }

    fn summary(&self) -> serde_json::Value {
        json!({ "bytes": self.bytes, "chunks": self.chunks })
    }
}
