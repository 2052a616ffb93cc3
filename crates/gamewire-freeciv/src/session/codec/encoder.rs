use gamewire_wire::{CodecError, Found};

use super::decoder::PacketRef;
use super::definition::{Definition, backend_methods};
use super::packet::{OwnedForm, PacketBuf};
use super::session_packet::SessionPacket;
use crate::codec::{ProtocolVersion, set_in_form};
use crate::delta::{DeltaEncoder, DeltaError, DeltaErrorKind, DeltaLimits, Direction, EncodeOptions, Value};
use crate::packets::{self, OwnedPacket};

/// An encoder for the packets of one direction of a connection.
#[derive(Debug)]
pub struct Encoder {
    definition: Definition,
    direction: Direction,
    backend: Backend,
}

#[derive(Debug)]
enum Backend {
    Generated(Box<packets::Encoder>),
    Interpreted { delta: Box<DeltaEncoder> },
}

impl Encoder {
    /// Creates an encoder for a new connection.
    pub fn new(definition: &Definition, direction: Direction, limits: DeltaLimits) -> Self {
        let backend = match definition.before_join() {
            None => Backend::Generated(Box::new(
                packets::Encoder::new(direction, limits).version(definition.version()),
            )),
            Some(variants) => Backend::Interpreted {
                delta: Box::new(DeltaEncoder::new(variants.clone(), direction, limits)),
            },
        };
        Self { definition: definition.clone(), direction, backend }
    }

    /// Returns the definition.
    pub const fn definition(&self) -> &Definition {
        &self.definition
    }

    backend_methods!();

    /// Writes the body of a packet to the end of `out`. Returns the number in the definition of the packet with this
    /// name. Returns `None` and writes nothing if the packet equals its baseline and its type is only sent with
    /// changes.
    ///
    /// # Errors
    /// [`DeltaError`] in the cases of [`DeltaEncoder::encode`], and [`DeltaErrorKind::Unknown`] if the definition lacks
    /// the packet.
    pub fn encode(
        &mut self,
        packet: packets::Packet<'_>,
        options: EncodeOptions<'_>,
        out: &mut Vec<u8>,
    ) -> Result<Option<u16>, Box<DeltaError>> {
        if let Backend::Generated(encoder) = &mut self.backend {
            let is_sent = encoder.encode(packet, options, out)?;
            return Ok(is_sent.then(|| packet.number()));
        }
        let (name, fields, definition) = (packet.name(), packet.fields(), packet.definition());
        let number = self.definition.number(name);
        let number = number.ok_or_else(|| error(packet.number(), name, DeltaErrorKind::Unknown))?;
        let names = definition.fields.iter().enumerate().flat_map(|(at, field)| {
            core::iter::once(&field.name).chain(field.aliases).map(move |name| (*name, at))
        });
        let values = names.map(|(name, at)| (name, fields.value(at)));
        let values: Vec<(&str, Value)> = values.filter(|(_, value)| *value != Value::Absent).collect();
        Ok(self.encode_fields(number, &values, options, out)?.then_some(number))
    }

    /// Writes the body of a packet to the end of `out`, given a value for each field. Returns false and writes nothing
    /// if the packet equals its baseline and its type is only sent with changes.
    ///
    /// # Errors
    /// [`DeltaError`] in the cases of [`DeltaEncoder::encode`].
    pub fn encode_values(
        &mut self,
        number: u16,
        values: &[Value],
        options: EncodeOptions<'_>,
        out: &mut Vec<u8>,
    ) -> Result<bool, Box<DeltaError>> {
        match &mut self.backend {
            Backend::Interpreted { delta } => delta.encode(number, values, options, out),
            Backend::Generated(encoder) => {
                let version = self.definition.version();
                let mut packet = blank(number, version)?;
                let fields = packet.as_packet().definition().of_version(version.bits());
                // A field can have other forms, and their values are absent.
                for ((at, _), value) in fields.zip(values).filter(|(_, value)| **value != Value::Absent) {
                    set_field(&mut packet, number, at, value)?;
                }
                encoder.encode(packet.as_packet(), options, out)
            }
        }
    }

    /// Writes the body of a packet, given the names and values of the fields that are not zero or empty. Returns the
    /// same as [`encode_values`](Self::encode_values). Names that the packet does not have are ignored.
    ///
    /// # Errors
    /// [`DeltaError`] in the cases of [`DeltaEncoder::encode`].
    pub fn encode_fields(
        &mut self,
        number: u16,
        fields: &[(&str, Value)],
        options: EncodeOptions<'_>,
        out: &mut Vec<u8>,
    ) -> Result<bool, Box<DeltaError>> {
        match &mut self.backend {
            Backend::Interpreted { delta } => {
                let variants = delta.variants().clone();
                let mut values = variants.default_values(number, self.direction).unwrap_or_default().to_vec();
                let packet = variants.packet(number);
                for (name, value) in fields {
                    let fields = packet.map_or(&[][..], |packet| &packet.fields);
                    let forms = fields.iter().zip(&mut values).filter(|(field, _)| field.is_named(name));
                    for (_, field) in forms.filter(|(_, field)| **field != Value::Absent) {
                        field.clone_from(value);
                    }
                }
                delta.encode(number, &values, options, out)
            }
            Backend::Generated(encoder) => {
                let mut packet = blank(number, self.definition.version())?;
                for (name, value) in fields {
                    if let Some(at) = packet.as_packet().definition().index_of(name) {
                        set_field(&mut packet, number, at, value)?;
                    }
                }
                encoder.encode(packet.as_packet(), options, out)
            }
        }
    }

    /// Writes the body of a packet that was decoded by the same definition.
    ///
    /// # Errors
    /// [`DeltaError`] in the cases of [`DeltaEncoder::encode`].
    pub fn forward(&mut self, packet: &PacketRef<'_>, out: &mut Vec<u8>) -> Result<bool, Box<DeltaError>> {
        let options = EncodeOptions { force: false, bits: packet.bits() };
        match (&mut self.backend, packet.packet()) {
            (Backend::Generated(encoder), Some(packet)) => encoder.encode(packet, options, out),
            _ => self.encode_values(packet.number(), &packet.values(), options, out),
        }
    }

    /// Writes the body of a copied packet that was decoded by the same definition. Returns whether it was written.
    ///
    /// # Errors
    /// [`DeltaError`] in the cases of [`DeltaEncoder::encode`].
    pub fn encode_buf(
        &mut self,
        packet: &PacketBuf,
        options: EncodeOptions<'_>,
        out: &mut Vec<u8>,
    ) -> Result<bool, Box<DeltaError>> {
        match (&mut self.backend, &packet.form) {
            (Backend::Generated(encoder), OwnedForm::Generated { packet, .. }) => {
                encoder.encode(packet.as_packet(), options, out)
            }
            (_, OwnedForm::Interpreted { number, values, .. }) => {
                self.encode_values(*number, values, options, out)
            }
            (Backend::Interpreted { .. }, OwnedForm::Generated { packet, .. }) => {
                Ok(self.encode(packet.as_packet(), options, out)?.is_some())
            }
        }
    }

    /// Writes the body of a session packet. Returns its number if it was written.
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

fn blank(number: u16, version: ProtocolVersion) -> Result<OwnedPacket, Box<DeltaError>> {
    OwnedPacket::blank(number, version).ok_or_else(|| error(number, "", DeltaErrorKind::Unknown))
}

fn set_field(packet: &mut OwnedPacket, number: u16, at: usize, value: &Value) -> Result<(), Box<DeltaError>> {
    set_in_form(packet.fields_mut(), at, value).map_err(|wrong| {
        let kind = CodecError::new(0, wrong.expected, Found::End).into();
        error(number, packet.as_packet().name(), kind)
    })
}

fn error(number: u16, name: &str, kind: DeltaErrorKind) -> Box<DeltaError> {
    Box::new(DeltaError::of_packet(number, Some(name), kind, None))
}
