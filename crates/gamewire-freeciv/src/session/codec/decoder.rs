use core::cell::OnceCell;

use super::definition::{Definition, backend_methods};
use super::packet::{PacketForm, PacketRef};
use crate::delta::{DeltaDecoder, DeltaError, DeltaLimits, Direction};
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
