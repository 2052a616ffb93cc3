use core::cell::OnceCell;

use super::definition::{Definition, backend_methods};
use super::packet::{OwnedForm, PacketBuf, typed_fields};
use crate::delta::{Decoded, DeltaDecoder, DeltaError, DeltaLimits, Direction, Value};
use crate::packets::{self, OwnedPacket};

/// A decoder for the packets of one direction of a connection.
#[derive(Debug)]
pub struct Decoder {
    definition: Definition,
    backend: Backend,
}

#[derive(Debug)]
enum Backend {
    Generated(packets::Decoder),
    Interpreted { delta: Box<DeltaDecoder>, view: OnceCell<Option<OwnedPacket>> },
}

impl Decoder {
    /// Creates a decoder for a new connection.
    pub fn new(definition: &Definition, direction: Direction, limits: DeltaLimits) -> Self {
        let backend = match definition.before_join() {
            None => {
                Backend::Generated(packets::Decoder::new(direction, limits).version(definition.version()))
            }
            Some(variants) => Backend::Interpreted {
                delta: Box::new(DeltaDecoder::new(variants.clone(), direction, limits)),
                view: OnceCell::new(),
            },
        };
        Self { definition: definition.clone(), backend }
    }

    backend_methods!();

    /// Decodes the body of a packet.
    ///
    /// # Errors
    /// [`DeltaError`] in the cases of [`DeltaDecoder::decode`].
    pub fn decode<'a>(&'a mut self, number: u16, body: &'a [u8]) -> Result<PacketRef<'a>, Box<DeltaError>> {
        let form = match &mut self.backend {
            Backend::Generated(decoder) => PacketForm::Generated(decoder.decode_with_bits(number, body)?),
            Backend::Interpreted { delta, view } => {
                view.take();
                let decoded = delta.decode(number, body)?;
                PacketForm::Interpreted { definition: &self.definition, decoded, view }
            }
        };
        Ok(PacketRef { form })
    }
}

/// A packet borrowed from the decoder, with all its fields: received values, and baseline values of the fields that
/// were not sent.
#[derive(Clone, Copy, Debug)]
pub struct PacketRef<'a> {
    form: PacketForm<'a>,
}

#[derive(Clone, Copy, Debug)]
enum PacketForm<'a> {
    Generated(packets::Decoded<'a>),
    Interpreted {
        definition: &'a Definition,
        decoded: Decoded<'a>,
        /// The packet as a type of `packets`, converted at the first use.
        view: &'a OnceCell<Option<OwnedPacket>>,
    },
}

impl<'a> PacketRef<'a> {
    typed_fields!();

    /// Returns the number.
    pub fn number(&self) -> u16 {
        match &self.form {
            PacketForm::Generated(decoded) => decoded.packet.number(),
            PacketForm::Interpreted { decoded, .. } => decoded.packet().number,
        }
    }

    /// Returns the name in the definition.
    pub fn name(&self) -> &'a str {
        match &self.form {
            PacketForm::Generated(decoded) => decoded.packet.name(),
            PacketForm::Interpreted { decoded, .. } => &decoded.packet().name,
        }
    }

    /// Returns the packet as a type of [`packets`](crate::packets). If the definition is not a shipped one, only fields
    /// with the same names and fitting values are set. Returns `None` if there is no such packet type.
    pub fn packet(&self) -> Option<packets::Packet<'a>> {
        match self.form {
            PacketForm::Generated(decoded) => Some(decoded.packet),
            PacketForm::Interpreted { definition, decoded, view } => {
                let fill = || definition.view(decoded.packet().number)?.fill(decoded.values());
                view.get_or_init(fill).as_ref().map(OwnedPacket::as_packet)
            }
        }
    }

    /// Returns the names and values of the fields that exist with the capabilities of the connection.
    pub fn fields(&self) -> Vec<(&'a str, Value)> {
        let names: Vec<&'a str> = match &self.form {
            PacketForm::Generated(decoded) => {
                let fields = decoded.packet.definition().of_version(decoded.mask.0);
                fields.map(|(_, field)| field.name).collect()
            }
            PacketForm::Interpreted { decoded, .. } => {
                decoded.packet().fields.iter().map(|field| field.name.as_str()).collect()
            }
        };
        names.into_iter().zip(self.values()).filter(|(_, value)| *value != Value::Absent).collect()
    }

    /// Returns the value of a field. Searches linearly.
    pub fn value(&self, field: &str) -> Option<Value> {
        match &self.form {
            PacketForm::Generated(decoded) => {
                let packet = decoded.packet;
                packet.definition().value(packet.fields(), field, decoded.mask)
            }
            PacketForm::Interpreted { decoded, .. } => decoded.value(field).cloned(),
        }
    }

    /// Returns one value for each field of the definition, in order.
    pub fn values(&self) -> Vec<Value> {
        match &self.form {
            PacketForm::Generated(decoded) => decoded.values(),
            PacketForm::Interpreted { decoded, .. } => decoded.values().to_vec(),
        }
    }

    /// Returns the bitvector as it was sent. It is empty for packets without one.
    pub const fn bits(&self) -> &'a [u8] {
        match &self.form {
            PacketForm::Generated(decoded) => decoded.bits,
            PacketForm::Interpreted { decoded, .. } => decoded.bits(),
        }
    }

    /// Copies the packet.
    pub fn to_owned(&self) -> PacketBuf {
        let form = match &self.form {
            PacketForm::Generated(decoded) => {
                OwnedForm::Generated { packet: decoded.packet.into(), mask: decoded.mask }
            }
            PacketForm::Interpreted { definition, decoded, .. } => OwnedForm::Interpreted {
                definition: (*definition).clone(),
                number: decoded.packet().number,
                values: decoded.values().to_vec(),
                view: self.packet().map(OwnedPacket::from),
            },
        };
        PacketBuf { form }
    }
}
