//! Both codecs behind one interface, so that each test runs on both and compares them.

use std::sync::Arc;

use gamewire_freeciv::delta::{
    DeltaDecoder, DeltaEncoder, DeltaError, DeltaLimits, Direction, EncodeOptions, Value, Variants,
};
use gamewire_freeciv::packets;

use super::definition::protocol;

/// The result of decoding a packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) values: Vec<Value>,
    /// The bitvector as it was sent.
    pub(crate) bits: Vec<u8>,
    /// True if a packet of this type and key was remembered.
    pub(crate) is_known: bool,
}

/// The codec for any definition: a decoder and an encoder for one direction of one connection.
#[derive(Clone)]
pub(crate) struct Interpreter {
    decoder: DeltaDecoder,
    encoder: DeltaEncoder,
}

impl Interpreter {
    /// Creates a codec at the start of a connection.
    pub(crate) fn new(direction: Direction) -> Self {
        Self::of(&Arc::new(Variants::before_join(protocol()).unwrap()), direction)
    }

    fn of(variants: &Arc<Variants>, direction: Direction) -> Self {
        let limits = DeltaLimits::DEFAULT;
        Self {
            decoder: DeltaDecoder::new(Arc::clone(variants), direction, limits),
            encoder: DeltaEncoder::new(Arc::clone(variants), direction, limits),
        }
    }

    /// Sets the capabilities that both sides have.
    pub(crate) fn set_capabilities(&mut self, active: &[&str]) {
        let variants = Arc::new(Variants::new(protocol(), active).unwrap());
        self.decoder.set_variants(Arc::clone(&variants));
        self.encoder.set_variants(variants);
    }

    pub(crate) fn decode(&mut self, number: u16, body: &[u8]) -> Result<Row, Box<DeltaError>> {
        let decoded = self.decoder.decode(number, body)?;
        Ok(Row {
            name: decoded.packet().name.clone(),
            values: decoded.values().to_vec(),
            bits: decoded.bits().to_vec(),
            is_known: decoded.is_known(),
        })
    }

    /// Returns the encoded body. Returns `None` if the packet has no changes, its type is only sent with changes, and
    /// it is not forced.
    pub(crate) fn encode(
        &mut self,
        number: u16,
        row: &Row,
        force: bool,
    ) -> Result<Option<Vec<u8>>, Box<DeltaError>> {
        let mut body = Vec::new();
        let sending = EncodeOptions { force, bits: &row.bits };
        let is_sent = self.encoder.encode(number, &row.values, sending, &mut body)?;
        Ok(is_sent.then_some(body))
    }

    pub(crate) fn forget_game_info(&mut self) {
        self.decoder.forget_game_info();
        self.encoder.forget_game_info();
    }
}

/// The interpreter and the generated codec, whose results must be equal.
#[derive(Clone)]
pub(crate) struct Both {
    direction: Direction,
    active: Option<Vec<String>>,
    interpreted: Interpreter,
    decoder: packets::Decoder,
    encoder: packets::Encoder,
}

impl Both {
    /// Creates codecs at the start of a connection.
    pub(crate) fn new(direction: Direction) -> Self {
        let limits = DeltaLimits::DEFAULT;
        Self {
            direction,
            active: None,
            interpreted: Interpreter::new(direction),
            decoder: packets::Decoder::new(direction, limits),
            encoder: packets::Encoder::new(direction, limits),
        }
    }

    /// Sets the capabilities that both sides have.
    pub(crate) fn set_capabilities(&mut self, active: &[&str]) {
        self.interpreted.set_capabilities(active);
        self.decoder.set_capabilities(active);
        self.encoder.set_capabilities(active);
        self.active = Some(active.iter().map(|name| (*name).to_owned()).collect());
    }

    pub(crate) fn decode(&mut self, number: u16, body: &[u8]) -> Result<Row, Box<DeltaError>> {
        let interpreted = self.interpreted.decode(number, body);
        let row = agreed(interpreted, self.decoder.decode_with_bits(number, body))?.0;
        assert_eq!(self.decoder.memory_usage().packets, self.interpreted.decoder.memory_usage().packets);
        Ok(row)
    }

    /// Decodes a packet and encodes it again.
    pub(crate) fn echo(&mut self, number: u16, body: &[u8], force: bool) -> Result<Echo, Box<DeltaError>> {
        let interpreted = self.interpreted.decode(number, body);
        let (row, packet) = agreed(interpreted, self.decoder.decode_with_bits(number, body))?;
        let sent = self.interpreted.encode(number, &row, force).unwrap_or_else(|error| panic!("{error}"));
        let sending = EncodeOptions { force, bits: &row.bits };
        assert_eq!(generated(&mut self.encoder, packet, sending), sent, "{}", row.name);
        assert_eq!(self.encoder.memory_usage().packets, self.interpreted.encoder.memory_usage().packets);
        Ok((row, sent))
    }

    /// Returns the encoded body. Returns `None` if the packet has no changes, its type is only sent with changes, and
    /// it is not forced.
    pub(crate) fn encode(
        &mut self,
        number: u16,
        row: &Row,
        force: bool,
    ) -> Result<Option<Vec<u8>>, Box<DeltaError>> {
        let sent = self.interpreted.encode(number, row, force)?;
        let (mut other, full) = self.alone(number, row);
        let packet = other.decode(number, &full).unwrap();
        let sending = EncodeOptions { force, bits: &row.bits };
        assert_eq!(generated(&mut self.encoder, packet, sending), sent, "{}", row.name);
        assert_eq!(self.encoder.memory_usage().packets, self.interpreted.encoder.memory_usage().packets);
        Ok(sent)
    }

    /// Encodes the values as the first packet of a connection. Returns the body and a decoder for it, which converts
    /// the values to a packet of the generated codec.
    fn alone(&self, number: u16, row: &Row) -> (packets::Decoder, Vec<u8>) {
        let mut decoder = packets::Decoder::new(self.direction, DeltaLimits::DEFAULT);
        if let Some(active) = &self.active {
            decoder.set_capabilities(&active.iter().map(String::as_str).collect::<Vec<_>>());
        }
        let mut alone = Interpreter::of(self.interpreted.encoder.variants(), self.direction);
        (decoder, alone.encode(number, row, false).unwrap().unwrap())
    }

    pub(crate) fn forget_game_info(&mut self) {
        self.interpreted.forget_game_info();
        self.decoder.forget_game_info();
        self.encoder.forget_game_info();
    }
}

/// A decoded packet, and the body that it encodes to if it is sent.
pub(crate) type Echo = (Row, Option<Vec<u8>>);

/// Checks that both codecs decoded a body to the same result, and returns it.
fn agreed<'a>(
    interpreted: Result<Row, Box<DeltaError>>,
    generated: Result<packets::Decoded<'a>, Box<DeltaError>>,
) -> Result<(Row, packets::Packet<'a>), Box<DeltaError>> {
    match (interpreted, generated) {
        (Ok(row), Ok(decoded)) => {
            assert_eq!(decoded.packet.definition().name, row.name);
            assert_eq!(decoded.values(), row.values, "{}", row.name);
            assert_eq!((decoded.bits, decoded.is_known), (row.bits.as_slice(), row.is_known), "{}", row.name);
            Ok((row, decoded.packet))
        }
        (interpreted, generated) => {
            let (interpreted, generated) = (interpreted.map(|row| row.name), generated.map(|_| ()));
            let error = generated.expect_err("an error as of the interpreter");
            assert_eq!(Err(&error), interpreted.as_ref());
            Err(error)
        }
    }
}

fn generated(
    encoder: &mut packets::Encoder,
    packet: packets::Packet<'_>,
    sending: EncodeOptions<'_>,
) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    let is_sent = encoder.encode(packet, sending, &mut body).unwrap_or_else(|error| panic!("{error}"));
    is_sent.then_some(body)
}
