//! Both codecs next to each other.

use std::sync::Arc;

use gamewire_freeciv::codec::ProtocolVersion;
use gamewire_freeciv::delta::{
    DeltaDecoder, DeltaEncoder, DeltaError, DeltaLimits, Direction, EncodeOptions, RoleTracker, Value,
    Variants,
};
use gamewire_freeciv::frame::{FrameLimits, FrameSplitter};
use gamewire_freeciv::packets;

/// A generated and an interpreting decoder, with an encoder for each.
pub(crate) struct Both {
    pub(crate) generated: packets::Decoder,
    pub(crate) interpreter: DeltaDecoder,
    /// Decodes each body again, as the input of the encoder.
    copy: packets::Decoder,
    encoder: packets::Encoder,
    interpreting: DeltaEncoder,
    watch: RoleTracker,
    pub(crate) packets: usize,
}

/// The capabilities of Freeciv 3.0 that select variants.
pub(crate) const ALL: &[&str] = &["year32", "plrculture32", "pingfix", "cityculture32"];

/// Returns a recorded stream.
pub(crate) fn stream(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/freeciv/streams");
    std::fs::read(format!("{folder}/{name}.bin")).unwrap()
}

/// The parts of a packet that are compared.
type Row = (u16, &'static str, Vec<Value>, Vec<u8>, bool);

impl Both {
    /// Creates codecs for 3.0.
    pub(crate) fn new(direction: Direction, active: &[&'static str]) -> Self {
        Self::of_version(ProtocolVersion::V3_0, direction, active)
    }

    pub(crate) fn of_version(
        version: ProtocolVersion,
        direction: Direction,
        active: &[&'static str],
    ) -> Self {
        let protocol = Arc::new(packets::protocol_of(version));
        let variants = Arc::new(Variants::new(Arc::clone(&protocol), active).unwrap());
        let limits = DeltaLimits::DEFAULT;
        let mut generated = packets::Decoder::new(direction, limits).version(version);
        generated.set_capabilities(active);
        let mut copy = packets::Decoder::new(direction, limits).version(version);
        copy.set_capabilities(active);
        let mut encoder = packets::Encoder::new(direction, limits).version(version);
        encoder.set_capabilities(active);
        Self {
            generated,
            copy,
            interpreter: DeltaDecoder::new(Arc::clone(&variants), direction, limits),
            encoder,
            interpreting: DeltaEncoder::new(variants, direction, limits),
            watch: RoleTracker::new(&protocol, version.no_player().into()),
            packets: 0,
        }
    }

    /// Decodes a body with both codecs and checks that the results are equal. Returns the result.
    pub(crate) fn decode(&mut self, number: u16, body: &[u8]) -> Result<Row, Box<DeltaError>> {
        let is = decode(&mut self.generated, &self.interpreter, number, body);
        let should = self.interpreter.decode(number, body);
        let should = should.map(|decoded| {
            let values = decoded.values().to_vec();
            (values, decoded.bits().to_vec(), decoded.is_known())
        });
        match (is, should) {
            (Ok(is), Ok((values, bits, is_known))) => {
                assert_eq!(is.3, bits, "{}", is.1);
                assert_eq!(is.4, is_known, "{}", is.1);
                assert_eq!(is.2, values, "{}", is.1);
                Ok(is)
            }
            (Err(is), Err(should)) => {
                assert_eq!(is, should);
                Err(is)
            }
            (is, should) => panic!("packet {number}: {is:?} is not {should:?}"),
        }
    }

    /// Decodes the body with the generated decoder, and encodes the packet with the generated encoder.
    fn encode(&mut self, number: u16, body: &[u8]) -> Vec<u8> {
        let mut again = Vec::new();
        let decoded = self.copy.decode_with_bits(number, body).unwrap();
        let sending = EncodeOptions { force: false, bits: decoded.bits };
        assert!(self.encoder.encode(decoded.packet, sending, &mut again).unwrap());
        again
    }

    /// Decodes a body with both codecs, encodes the result with both, and checks that everything is equal.
    pub(crate) fn round(&mut self, number: u16, body: &[u8]) {
        let (number, name, values, bits, _) =
            self.decode(number, body).unwrap_or_else(|error| panic!("{error}"));
        let sending = EncodeOptions { force: false, bits: &bits };
        let mut again = Vec::new();
        assert!(self.interpreting.encode(number, &values, sending, &mut again).unwrap(), "{name}");
        assert_eq!(again, body, "{name} by the interpreter");
        assert_eq!(self.encode(number, body), body, "{name} by the generated encoder");
        self.packets += 1;
        if self.watch.observe_values(number, &values) {
            self.generated.forget_game_info();
            self.copy.forget_game_info();
            self.interpreter.forget_game_info();
            self.encoder.forget_game_info();
            self.interpreting.forget_game_info();
        }
    }
}

fn decode(
    decoder: &mut packets::Decoder,
    interpreter: &DeltaDecoder,
    number: u16,
    body: &[u8],
) -> Result<Row, Box<DeltaError>> {
    let decoded = decoder.decode_with_bits(number, body)?;
    let packet = decoded.packet;
    let definition = interpreter.variants().packet(number).unwrap();
    assert_eq!(decoded.values().len(), definition.fields.len());
    assert_eq!(packet.number(), number);
    assert_eq!(packet.name(), definition.name);
    Ok((number, packet.name(), decoded.values(), decoded.bits.to_vec(), decoded.is_known))
}

/// Returns every packet of a stream.
pub(crate) fn packets(stream: &[u8]) -> Vec<(u16, Vec<u8>)> {
    let mut splitter = FrameSplitter::new(FrameLimits::DEFAULT);
    let mut packets = Vec::new();
    let mut data = stream;
    while let Some(packet) = splitter.next(&mut data).unwrap() {
        packets.push((packet.number, packet.body.to_vec()));
    }
    assert_eq!(splitter.pending_bytes(), 0);
    packets
}
