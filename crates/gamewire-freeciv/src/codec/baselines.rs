use super::definition::PacketRow;
use super::fields::Fields;
use super::state::CodecState;
use crate::delta::{DeltaError, EncodeOptions};

/// What is remembered of all types of a protocol: generated code has one [`PacketBaselines`](super::PacketBaselines)
/// for each.
pub trait Baselines: Default {
    /// Any packet of the protocol.
    type Packet<'a>: PacketView;

    /// The name of the packet with a number.
    fn name(number: u16) -> Option<&'static str>;

    /// Takes the capabilities that both sides have.
    fn set_capabilities(&mut self, active: &[&str]);

    /// Forgets all packets of the types that tell of the game.
    fn forget_game_info(&mut self, state: &mut CodecState);

    /// Reads a body.
    ///
    /// # Errors
    /// When it is not what the definition and the packets before say, or over the limits.
    fn decode<'a>(
        &'a mut self,
        state: &mut CodecState,
        number: u16,
        body: &[u8],
    ) -> Result<Self::Packet<'a>, Box<DeltaError>>;

    /// Writes a body.
    ///
    /// # Errors
    /// When a field holds what cannot be said on the wire, or there would be too many packets to remember.
    fn encode(
        &mut self,
        state: &mut CodecState,
        packet: Self::Packet<'_>,
        sending: EncodeOptions<'_>,
        out: &mut Vec<u8>,
    ) -> Result<bool, Box<DeltaError>>;
}

/// Any packet of a protocol.
pub trait PacketView: Copy {
    /// What the definition says of it.
    fn definition(&self) -> &'static PacketRow;

    /// Its fields.
    fn fields(&self) -> &dyn Fields;
}
