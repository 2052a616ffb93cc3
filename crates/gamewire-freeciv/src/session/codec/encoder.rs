use super::definition::Definition;
use super::kind::Kind;
use super::received::Received;
use crate::delta::{DeltaEncoder, DeltaError, DeltaLimits, Direction, Sending, Value};

/// Writes the packets of one direction of one connection.
#[derive(Debug)]
pub struct Encoder {
    definition: Definition,
    direction: Direction,
    delta: DeltaEncoder,
}

impl Encoder {
    /// At the start of a connection.
    #[must_use]
    pub fn new(definition: &Definition, direction: Direction, limits: DeltaLimits) -> Self {
        let variants = definition.before_join().clone();
        let delta = DeltaEncoder::new(variants, direction, limits);
        Self { definition: definition.clone(), direction, delta }
    }

    /// The definition in use.
    #[must_use]
    pub const fn definition(&self) -> &Definition {
        &self.definition
    }

    /// The capabilities that both sides have: from now on packets have the fields that go with them.
    pub fn set_capabilities(&mut self, active: &[&str]) {
        if let Some(variants) = self.definition.variants(active) {
            self.delta.set_variants(variants);
        }
    }

    /// Forgets what tells of the game: the connection has another role.
    pub fn forget_game_info(&mut self) {
        self.delta.forget_game_info();
    }

    /// How many packets are remembered, and about how many bytes they take.
    #[must_use]
    pub const fn remembered(&self) -> (usize, usize) {
        self.delta.remembered()
    }

    /// Writes the body of a packet to the end of `out`, given a value for each field. False, and
    /// nothing is written, if it says nothing new and is of a type that is not sent then.
    ///
    /// # Errors
    /// As [`DeltaEncoder::encode`].
    pub fn encode_values(
        &mut self,
        number: u16,
        values: &[Value],
        sending: Sending<'_>,
        out: &mut Vec<u8>,
    ) -> Result<bool, Box<DeltaError>> {
        self.delta.encode(number, values, sending, out)
    }

    /// The same, given the fields that are not zero or empty by their names. Names that the packet
    /// does not have are left out.
    ///
    /// # Errors
    /// As [`DeltaEncoder::encode`].
    pub fn encode_fields(
        &mut self,
        number: u16,
        fields: &[(&str, Value)],
        sending: Sending<'_>,
        out: &mut Vec<u8>,
    ) -> Result<bool, Box<DeltaError>> {
        let variants = self.delta.variants().clone();
        let mut values = variants.blank(number, self.direction).unwrap_or_default().to_vec();
        let packet = variants.packet(number);
        for (name, value) in fields {
            let index = packet.and_then(|packet| packet.field_index(name));
            let place = index.and_then(|index| values.get_mut(index));
            if let Some(place) = place.filter(|place| **place != Value::Absent) {
                place.clone_from(value);
            }
        }
        self.delta.encode(number, &values, sending, out)
    }

    /// A packet that was decoded by the same definition.
    ///
    /// # Errors
    /// As [`DeltaEncoder::encode`].
    pub fn forward(
        &mut self,
        packet: &Received<'_>,
        sending: Sending<'_>,
        out: &mut Vec<u8>,
    ) -> Result<bool, Box<DeltaError>> {
        self.delta.encode(packet.number(), packet.values(), sending, out)
    }

    /// A packet that sessions deal with themselves: its number, if it was written.
    pub(in crate::session) fn encode_own(
        &mut self,
        kind: Kind,
        fields: &[(&str, Value)],
        out: &mut Vec<u8>,
    ) -> Result<Option<u16>, Box<DeltaError>> {
        let number = self.definition.number_of(kind);
        let is_sent = self.encode_fields(number, fields, Sending::default(), out)?;
        Ok(is_sent.then_some(number))
    }
}
