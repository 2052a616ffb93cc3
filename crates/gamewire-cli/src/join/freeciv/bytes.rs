use gamewire_freeciv::delta::{DeltaLimits, Direction, EncodeOptions, Value};
use gamewire_freeciv::session::Capabilities;
use gamewire_freeciv::session::client::Client;
use gamewire_freeciv::session::codec::{Definition, DefinitionError, Encoder, PacketBuf};
use gamewire_net::Stats;

/// Number of bytes that a server has sent, and the number without compression and delta.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bytes {
    /// Bytes on the wire.
    pub(super) wire: u64,
    /// Bytes without compression.
    pub(super) packets: u64,
    /// Bytes if every packet contained all its fields.
    pub(super) without_delta: u64,
}

impl Bytes {
    pub(super) const fn since(self, before: Self) -> Self {
        Self {
            wire: self.wire.saturating_sub(before.wire),
            packets: self.packets.saturating_sub(before.packets),
            without_delta: self.without_delta.saturating_sub(before.without_delta),
        }
    }
}

/// Counts the size of packets without delta, by encoding them.
#[derive(Debug)]
pub(super) struct FullSizeEncoder {
    encoder: Encoder,
    whole: u64,
    body: Vec<u8>,
}

impl FullSizeEncoder {
    pub(super) fn new(definition: &Definition) -> Result<Self, DefinitionError> {
        let mut protocol = definition.protocol().clone();
        for packet in &mut protocol.packets {
            packet.no_delta = true;
            packet.fields.iter_mut().for_each(|field| field.diff = None);
        }
        let definition = Definition::interpreted(protocol)?;
        let encoder = Encoder::new(&definition, Direction::ToClient, DeltaLimits::DEFAULT);
        Ok(Self { encoder, whole: 0, body: Vec::new() })
    }

    /// The capabilities of both sides, which decide which fields packets have.
    pub(super) fn agree(&mut self, ours: &Capabilities, theirs: &Capabilities) {
        let functional = self.encoder.definition().protocol().capabilities.clone();
        self.encoder.set_capabilities(&ours.active(theirs, &functional));
    }

    pub(super) fn add(&mut self, packet: &PacketBuf) {
        /// Length and type.
        const HEADER: usize = 4;
        self.body.clear();
        let number = packet.number();
        let definition = self.encoder.definition().clone();
        let fields = definition.protocol().packet(number).map(|packet| packet.fields.as_slice());
        let fields = fields.unwrap_or_default().iter().map(|field| field.name.as_str());
        let values: Vec<(&str, Value)> =
            fields.filter_map(|name| packet.value(name).map(|value| (name, value))).collect();
        // Without an encoding only the header's size is known.
        let _ = self.encoder.encode_fields(number, &values, EncodeOptions::default(), &mut self.body);
        let length = self.body.len().saturating_add(HEADER);
        self.whole = self.whole.saturating_add(u64::try_from(length).unwrap_or(u64::MAX));
    }

    /// Returns the bytes so far.
    pub(super) const fn bytes(&self, client: &Client, socket: &Stats) -> Bytes {
        Bytes {
            wire: socket.streams.received_bytes,
            packets: client.packet_bytes(),
            without_delta: self.whole,
        }
    }
}
