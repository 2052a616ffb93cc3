//! Both codecs behind one face: what is tested of one is tested of the other, and they must agree.

use std::sync::Arc;

use gamewire_freeciv::delta::{
    DeltaDecoder, DeltaEncoder, DeltaError, DeltaLimits, Direction, Sending, Value, Variants,
};
use gamewire_freeciv::v30;

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

/// One direction of one connection, read and written by the interpreter and by the generated codec.
#[derive(Clone)]
pub(crate) struct Both {
    direction: Direction,
    active: Option<Vec<String>>,
    interpreted: (DeltaDecoder, DeltaEncoder),
    generated: (v30::Decoder, v30::Encoder),
}

impl Both {
    /// At the start of a connection.
    pub(crate) fn new(direction: Direction) -> Self {
        let limits = DeltaLimits::DEFAULT;
        let variants = Arc::new(Variants::before_join(protocol()).unwrap());
        Self {
            direction,
            active: None,
            interpreted: (
                DeltaDecoder::new(Arc::clone(&variants), direction, limits),
                DeltaEncoder::new(variants, direction, limits),
            ),
            generated: (v30::Decoder::new(direction, limits), v30::Encoder::new(direction, limits)),
        }
    }

    /// The capabilities are agreed on.
    pub(crate) fn set_capabilities(&mut self, active: &[&str]) {
        let variants = Arc::new(Variants::new(protocol(), active).unwrap());
        self.interpreted.0.set_variants(Arc::clone(&variants));
        self.interpreted.1.set_variants(variants);
        self.generated.0.set_capabilities(active);
        self.generated.1.set_capabilities(active);
        self.active = Some(active.iter().map(|name| (*name).to_owned()).collect());
    }

    pub(crate) fn decode(&mut self, number: u16, body: &[u8]) -> Result<Row, Box<DeltaError>> {
        let interpreted = self.interpreted.0.decode(number, body).map(|decoded| Row {
            name: decoded.packet().name.clone(),
            values: decoded.values().to_vec(),
            bits: decoded.bits().to_vec(),
            is_known: decoded.is_known(),
        });
        let generated = self.generated.0.decode_with_bits(number, body).map(|decoded| Row {
            name: decoded.packet.definition().name.to_owned(),
            values: decoded.values(),
            bits: decoded.bits.to_vec(),
            is_known: decoded.is_known,
        });
        assert_eq!(generated, interpreted, "{number}: {body:02x?}");
        let remembered = (self.interpreted.0.remembered().0, self.generated.0.remembered().0);
        assert!(interpreted.is_err() || remembered.0 == remembered.1, "{remembered:?} remembered");
        interpreted
    }

    /// The body, unless the packet says nothing new, is of a type that is not sent then, and is not
    /// forced.
    pub(crate) fn encode(
        &mut self,
        number: u16,
        row: &Row,
        force: bool,
    ) -> Result<Option<Vec<u8>>, Box<DeltaError>> {
        let mut body = Vec::new();
        let sending = Sending { force, bits: &row.bits };
        let is_sent = self.interpreted.1.encode(number, &row.values, sending, &mut body)?;
        let mut again = Vec::new();
        let (mut other, full) = self.alone(number, &row.values);
        let packet = other.decode(number, &full).unwrap();
        let is_sent_again = self.generated.1.encode(packet, sending, &mut again).unwrap();
        assert_eq!((is_sent_again, &again), (is_sent, &body), "{}", row.name);
        assert_eq!(self.generated.1.remembered().0, self.interpreted.1.remembered().0);
        Ok(is_sent.then_some(body))
    }

    /// Values as the first packet of a connection, and who reads it: the way from values to a packet
    /// of the generated codec.
    fn alone(&self, number: u16, values: &[Value]) -> (v30::Decoder, Vec<u8>) {
        let mut decoder = v30::Decoder::new(self.direction, DeltaLimits::DEFAULT);
        if let Some(active) = &self.active {
            decoder.set_capabilities(&active.iter().map(String::as_str).collect::<Vec<_>>());
        }
        let variants = Arc::clone(self.interpreted.1.variants());
        let mut encoder = DeltaEncoder::new(variants, self.direction, DeltaLimits::DEFAULT);
        let mut body = Vec::new();
        encoder.encode(number, values, Sending::default(), &mut body).unwrap();
        (decoder, body)
    }

    pub(crate) fn forget_game_info(&mut self) {
        self.interpreted.0.forget_game_info();
        self.interpreted.1.forget_game_info();
        self.generated.0.forget_game_info();
        self.generated.1.forget_game_info();
    }
}
