use core::cell::OnceCell;

use super::definition::Definition;
use super::received::PacketRef;
use crate::delta::{DeltaDecoder, DeltaError, DeltaLimits, Direction};
use crate::v30::{self, OwnedPacket};

/// Reads the packets of one direction of one connection.
#[derive(Debug)]
pub struct Decoder {
    definition: Definition,
    form: Backend,
}

#[derive(Debug)]
enum Backend {
    Generated(v30::Decoder),
    Interpreted { delta: Box<DeltaDecoder>, view: OnceCell<Option<OwnedPacket>> },
}

impl Decoder {
    /// At the start of a connection.
    #[must_use]
    pub fn new(definition: &Definition, direction: Direction, limits: DeltaLimits) -> Self {
        let form = match definition.before_join() {
            None => Backend::Generated(v30::Decoder::new(direction, limits)),
            Some(variants) => Backend::Interpreted {
                delta: Box::new(DeltaDecoder::new(variants.clone(), direction, limits)),
                view: OnceCell::new(),
            },
        };
        Self { definition: definition.clone(), form }
    }

    /// The capabilities that both sides have: from now on packets have the fields that go with them.
    pub fn set_capabilities(&mut self, active: &[&str]) {
        match &mut self.form {
            Backend::Generated(decoder) => decoder.set_capabilities(active),
            Backend::Interpreted { delta, .. } => {
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
            Backend::Generated(decoder) => decoder.forget_game_info(),
            Backend::Interpreted { delta, .. } => delta.forget_game_info(),
        }
    }

    /// How many packets are remembered, and about how many bytes they take.
    #[must_use]
    pub const fn remembered(&self) -> (usize, usize) {
        match &self.form {
            Backend::Generated(decoder) => decoder.remembered(),
            Backend::Interpreted { delta, .. } => delta.memory_usage(),
        }
    }

    /// Reads the body of a packet.
    ///
    /// # Errors
    /// As [`DeltaDecoder::decode`].
    pub fn decode<'a>(&'a mut self, number: u16, body: &'a [u8]) -> Result<PacketRef<'a>, Box<DeltaError>> {
        match &mut self.form {
            Backend::Generated(decoder) => decoder.decode_with_bits(number, body).map(PacketRef::generated),
            Backend::Interpreted { delta, view } => {
                view.take();
                let decoded = delta.decode(number, body)?;
                Ok(PacketRef::interpreted(&self.definition, decoded, view))
            }
        }
    }
}
