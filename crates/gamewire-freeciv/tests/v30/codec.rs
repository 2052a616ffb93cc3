//! Both codecs behind one face.

use std::sync::Arc;

use gamewire_freeciv::delta::{
    DeltaDecoder, DeltaEncoder, DeltaError, DeltaLimits, Direction, Sending, Value, Variants,
};

use crate::definition::protocol;

/// What a packet decodes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) values: Vec<Value>,
    /// The bitvector as it was sent.
    pub(crate) bits: Vec<u8>,
    /// Whether a packet of this type and key was remembered.
    pub(crate) is_known: bool,
}

/// One direction of one connection, read and written.
pub(crate) trait Codec: Clone {
    /// At the start of a connection.
    fn new(direction: Direction) -> Self;
    /// The capabilities are agreed on.
    fn set_capabilities(&mut self, active: &[&str]);
    fn decode(&mut self, number: u16, body: &[u8]) -> Result<Row, Box<DeltaError>>;
    /// The body, unless the packet says nothing new, is of a type that is not sent then, and is not
    /// forced.
    fn encode(&mut self, number: u16, row: &Row, force: bool) -> Result<Option<Vec<u8>>, Box<DeltaError>>;
    fn forget_game_info(&mut self);
}

/// What the tests run.
pub(crate) type Tested = Interpreter;

/// The one for any definition.
#[derive(Clone)]
pub(crate) struct Interpreter {
    decoder: DeltaDecoder,
    encoder: DeltaEncoder,
}

impl Codec for Interpreter {
    fn new(direction: Direction) -> Self {
        let variants = Arc::new(Variants::before_join(protocol()).unwrap());
        Self {
            decoder: DeltaDecoder::new(Arc::clone(&variants), direction, DeltaLimits::DEFAULT),
            encoder: DeltaEncoder::new(variants, direction, DeltaLimits::DEFAULT),
        }
    }

    fn set_capabilities(&mut self, active: &[&str]) {
        let variants = Arc::new(Variants::new(protocol(), active).unwrap());
        self.decoder.set_variants(Arc::clone(&variants));
        self.encoder.set_variants(variants);
    }

    fn decode(&mut self, number: u16, body: &[u8]) -> Result<Row, Box<DeltaError>> {
        let decoded = self.decoder.decode(number, body)?;
        Ok(Row {
            name: decoded.packet().name.clone(),
            values: decoded.values().to_vec(),
            bits: decoded.bits().to_vec(),
            is_known: decoded.is_known(),
        })
    }

    fn encode(&mut self, number: u16, row: &Row, force: bool) -> Result<Option<Vec<u8>>, Box<DeltaError>> {
        let mut body = Vec::new();
        let sending = Sending { force, bits: &row.bits };
        let is_sent = self.encoder.encode(number, &row.values, sending, &mut body)?;
        Ok(is_sent.then_some(body))
    }

    fn forget_game_info(&mut self) {
        self.decoder.forget_game_info();
        self.encoder.forget_game_info();
    }
}
