//! Both ends of one direction.

use std::sync::Arc;

use gamewire_freeciv::delta::{
    DeltaDecoder, DeltaEncoder, DeltaError, DeltaLimits, Direction, EncodeOptions, Value, Variants,
};
use gamewire_schema::ir::{Directions, Field, Packet, Protocol, WireType};

/// Creates a packet that the server sends.
pub(crate) fn packet(number: u16) -> Packet {
    Packet::new(format!("PACKET_{number}"), number, Directions::TO_CLIENT)
}

pub(crate) fn u8_field(name: &str) -> Field {
    Field::new(name, WireType::Uint8)
}

pub(crate) fn bool_field(name: &str) -> Field {
    Field::new(name, WireType::Bool8)
}

pub(crate) fn text_field(name: &str, size: u32) -> Field {
    Field::new(name, WireType::String { size })
}

pub(crate) fn variants(packets: Vec<Packet>, active: &[&str]) -> Arc<Variants> {
    Arc::new(Variants::new(Arc::new(Protocol::new("by hand", packets)), active).unwrap())
}

pub(crate) fn int(value: i64) -> Value {
    Value::Int(value)
}

pub(crate) fn ints<const N: usize>(values: [i64; N]) -> Value {
    Value::List(values.map(Value::Int).to_vec())
}

pub(crate) fn text(text: &str) -> Value {
    Value::Text(text.as_bytes().to_vec())
}

/// A decoder, and an encoder for the decoded packets.
pub(crate) struct Pair {
    pub(crate) decoder: DeltaDecoder,
    pub(crate) encoder: DeltaEncoder,
}

impl Pair {
    pub(crate) fn new(packets: Vec<Packet>) -> Self {
        Self::of(variants(packets, &[]))
    }

    pub(crate) fn of(variants: Arc<Variants>) -> Self {
        let limits = DeltaLimits::DEFAULT;
        Self {
            decoder: DeltaDecoder::new(Arc::clone(&variants), Direction::ToClient, limits),
            encoder: DeltaEncoder::new(variants, Direction::ToClient, limits),
        }
    }

    /// Decodes a body, and checks that the values encode to the same bytes.
    pub(crate) fn decode(&mut self, number: u16, body: &[u8]) -> Vec<Value> {
        let values = self.decode_only(number, body);
        assert_eq!(self.encode(number, &values), Some(body.to_vec()), "encoded again");
        values
    }

    pub(crate) fn decode_only(&mut self, number: u16, body: &[u8]) -> Vec<Value> {
        match self.decoder.decode(number, body) {
            Ok(decoded) => decoded.values().to_vec(),
            Err(error) => panic!("{error}"),
        }
    }

    pub(crate) fn refuse(&mut self, number: u16, body: &[u8]) -> DeltaError {
        *self.decoder.decode(number, body).expect_err("a body that is wrong")
    }

    pub(crate) fn encode(&mut self, number: u16, values: &[Value]) -> Option<Vec<u8>> {
        self.send(number, values, EncodeOptions::default())
    }

    pub(crate) fn send(
        &mut self,
        number: u16,
        values: &[Value],
        sending: EncodeOptions<'_>,
    ) -> Option<Vec<u8>> {
        let mut body = Vec::new();
        self.encoder.encode(number, values, sending, &mut body).unwrap().then_some(body)
    }
}

/// Returns the error of decoding one body of one packet.
pub(crate) fn refused(packet: Packet, body: &[u8]) -> String {
    let number = packet.number;
    Pair::new(vec![packet]).refuse(number, body).to_string()
}
