use gamewire_wire::{CodecError, Found};

use super::definition::Definition;
use super::kind::SessionPacket;
use super::received::PacketRef;
use crate::delta::{DeltaEncoder, DeltaError, DeltaErrorKind, DeltaLimits, Direction, EncodeOptions, Value};
use crate::v30::{self, OwnedPacket};

/// Writes the packets of one direction of one connection.
#[derive(Debug)]
pub struct Encoder {
    definition: Definition,
    direction: Direction,
    form: Backend,
}

#[derive(Debug)]
enum Backend {
    Generated(v30::Encoder),
    Interpreted(Box<DeltaEncoder>),
}

impl Encoder {
    /// At the start of a connection.
    #[must_use]
    pub fn new(definition: &Definition, direction: Direction, limits: DeltaLimits) -> Self {
        let form = match definition.before_join() {
            None => Backend::Generated(v30::Encoder::new(direction, limits)),
            Some(variants) => {
                Backend::Interpreted(Box::new(DeltaEncoder::new(variants.clone(), direction, limits)))
            }
        };
        Self { definition: definition.clone(), direction, form }
    }

    /// The definition in use.
    #[must_use]
    pub const fn definition(&self) -> &Definition {
        &self.definition
    }

    /// The capabilities that both sides have: from now on packets have the fields that go with them.
    pub fn set_capabilities(&mut self, active: &[&str]) {
        match &mut self.form {
            Backend::Generated(encoder) => encoder.set_capabilities(active),
            Backend::Interpreted(delta) => {
                self.definition
                    .variants(active)
                    .into_iter()
                    .for_each(|variants| delta.set_variants(variants));
            }
        }
    }

    /// Forgets what tells of the game: the connection has another role.
    pub fn forget_game_info(&mut self) {
        match &mut self.form {
            Backend::Generated(encoder) => encoder.forget_game_info(),
            Backend::Interpreted(delta) => delta.forget_game_info(),
        }
    }

    /// How many packets are remembered, and about how many bytes they take.
    #[must_use]
    pub const fn remembered(&self) -> (usize, usize) {
        match &self.form {
            Backend::Generated(encoder) => encoder.remembered(),
            Backend::Interpreted(delta) => delta.remembered(),
        }
    }

    /// Writes the body of a packet to the end of `out`; its number there is that of the packet with
    /// this name in the definition. `None`, and nothing is written, if it says nothing new and is of
    /// a type that is not sent then.
    ///
    /// # Errors
    /// As [`DeltaEncoder::encode`]; a packet that the definition does not have is unknown.
    pub fn encode(
        &mut self,
        packet: v30::Packet<'_>,
        sending: EncodeOptions<'_>,
        out: &mut Vec<u8>,
    ) -> Result<Option<u16>, Box<DeltaError>> {
        if let Backend::Generated(encoder) = &mut self.form {
            let is_sent = encoder.encode(packet, sending, out)?;
            return Ok(is_sent.then(|| packet.number()));
        }
        let (name, fields) = (packet.name(), packet.fields());
        let number = self.definition.number(name);
        let number = number.ok_or_else(|| wrong(packet.number(), name, DeltaErrorKind::Unknown))?;
        let values: Vec<(&str, Value)> =
            fields.names().iter().enumerate().map(|(at, name)| (*name, fields.value(at))).collect();
        Ok(self.encode_fields(number, &values, sending, out)?.then_some(number))
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
        sending: EncodeOptions<'_>,
        out: &mut Vec<u8>,
    ) -> Result<bool, Box<DeltaError>> {
        match &mut self.form {
            Backend::Interpreted(delta) => delta.encode(number, values, sending, out),
            Backend::Generated(encoder) => {
                let mut packet = blank(number)?;
                for (at, value) in values.iter().enumerate() {
                    set(&mut packet, number, at, value)?;
                }
                encoder.encode(packet.as_packet(), sending, out)
            }
        }
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
        sending: EncodeOptions<'_>,
        out: &mut Vec<u8>,
    ) -> Result<bool, Box<DeltaError>> {
        match &mut self.form {
            Backend::Interpreted(delta) => {
                let variants = delta.variants().clone();
                let mut values = variants.default_values(number, self.direction).unwrap_or_default().to_vec();
                let packet = variants.packet(number);
                for (name, value) in fields {
                    let index = packet.and_then(|packet| packet.field_index(name));
                    let place = index.and_then(|index| values.get_mut(index));
                    if let Some(place) = place.filter(|place| **place != Value::Absent) {
                        place.clone_from(value);
                    }
                }
                delta.encode(number, &values, sending, out)
            }
            Backend::Generated(encoder) => {
                let mut packet = blank(number)?;
                for (name, value) in fields {
                    let names = packet.as_packet().fields().names();
                    if let Some(at) = names.iter().position(|known| known == name) {
                        set(&mut packet, number, at, value)?;
                    }
                }
                encoder.encode(packet.as_packet(), sending, out)
            }
        }
    }

    /// A packet that was decoded by the same definition, to be said again as it was.
    ///
    /// # Errors
    /// As [`DeltaEncoder::encode`].
    pub fn forward(&mut self, packet: &PacketRef<'_>, out: &mut Vec<u8>) -> Result<bool, Box<DeltaError>> {
        let sending = EncodeOptions { force: false, bits: packet.bits() };
        match (&mut self.form, packet.packet()) {
            (Backend::Generated(encoder), Some(packet)) => encoder.encode(packet, sending, out),
            _ => self.encode_values(packet.number(), &packet.values(), sending, out),
        }
    }

    /// A packet that sessions deal with themselves: its number, if it was written.
    pub(in crate::session) fn encode_own(
        &mut self,
        kind: SessionPacket,
        fields: &[(&str, Value)],
        out: &mut Vec<u8>,
    ) -> Result<Option<u16>, Box<DeltaError>> {
        let number = self.definition.number_of(kind);
        let is_sent = self.encode_fields(number, fields, EncodeOptions::default(), out)?;
        Ok(is_sent.then_some(number))
    }
}

fn blank(number: u16) -> Result<OwnedPacket, Box<DeltaError>> {
    OwnedPacket::blank(number).ok_or_else(|| wrong(number, "", DeltaErrorKind::Unknown))
}

fn set(packet: &mut OwnedPacket, number: u16, at: usize, value: &Value) -> Result<(), Box<DeltaError>> {
    let done = packet.fields_mut().map_or(Ok(()), |fields| fields.set_value(at, value));
    done.map_err(|error| {
        let fault = CodecError::new(0, error.expected, Found::End).into();
        wrong(number, packet.as_packet().name(), fault)
    })
}

fn wrong(number: u16, name: &str, fault: DeltaErrorKind) -> Box<DeltaError> {
    Box::new(DeltaError { number, packet: name.to_owned(), field: None, fault, previous: None })
}
