use std::sync::Arc;

use super::definition::Definition;
use super::half::DirectionState;
use crate::delta::Variants;

/// What a packet changes for both directions.
#[derive(Debug)]
pub(super) enum PacketEffect {
    /// Nothing.
    Followed,
    /// It has shown the version.
    Version(Arc<Definition>),
    /// It has settled the capabilities.
    Variants(Arc<Variants>),
    /// Version and capabilities at once, where only one direction is seen.
    Both(Arc<Definition>, Arc<Variants>),
    /// The client has got another player.
    ForgetGame,
    /// No packet behind it in its direction can be decoded.
    GivenUp,
    /// Nothing behind it in its direction can be read.
    Lost,
}

impl PacketEffect {
    /// Lets it take effect on the direction that it came in, and on the other one.
    pub(super) fn apply(self, half: &mut DirectionState, other: Option<&mut DirectionState>) {
        match self {
            Self::GivenUp => return half.give_up(),
            Self::Lost => return half.mark_lost(),
            _ => {}
        }
        for half in [Some(half), other].into_iter().flatten() {
            match &self {
                Self::Followed | Self::GivenUp | Self::Lost => {}
                Self::Version(definition) => half.set_definition(definition),
                Self::Variants(variants) => half.decoder.set_variants(Arc::clone(variants)),
                Self::Both(definition, variants) => {
                    half.set_definition(definition);
                    half.decoder.set_variants(Arc::clone(variants));
                }
                Self::ForgetGame => half.decoder.forget_game_info(),
            }
        }
    }
}
