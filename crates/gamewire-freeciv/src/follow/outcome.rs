use std::sync::Arc;

use super::definition::Definition;
use super::direction::DirectionState;
use crate::delta::Variants;

/// The effect of a packet on both directions.
#[derive(Debug)]
pub(super) enum PacketEffect {
    /// No effect.
    Followed,
    /// The version is known.
    Version(Arc<Definition>),
    /// The capabilities are negotiated.
    Variants(Arc<Variants>),
    /// The version and the capabilities are known, where only one direction is seen.
    Both(Arc<Definition>, Arc<Variants>),
    /// The baselines of packets that describe the game are dropped.
    ForgetGame,
    /// The packet cannot be decoded, so later ones of its direction cannot either.
    GivenUp,
    /// Frames of its direction cannot be split any more.
    Lost,
}

impl PacketEffect {
    /// Applies the effect to the direction of the packet, and to the other one.
    pub(super) fn apply(self, direction: &mut DirectionState, other: Option<&mut DirectionState>) {
        match self {
            Self::GivenUp => return direction.give_up(),
            Self::Lost => return direction.mark_lost(),
            _ => {}
        }
        for direction in [Some(direction), other].into_iter().flatten() {
            match &self {
                Self::Followed | Self::GivenUp | Self::Lost => {}
                Self::Version(definition) => direction.set_definition(definition),
                Self::Variants(variants) => direction.decoder.set_variants(Arc::clone(variants)),
                Self::Both(definition, variants) => {
                    direction.set_definition(definition);
                    direction.decoder.set_variants(Arc::clone(variants));
                }
                Self::ForgetGame => direction.decoder.forget_game_info(),
            }
        }
    }
}
