//! Actions that the server offers.

use super::entry::{Entries, LegalEntry};
use super::key::Part;
use super::kind::LegalKind;
use crate::number::Action;
use crate::world::{LegalAction, SubTarget, Unit, World};

/// Maximum probability, in half percent.
const MAX_PROBABILITY: u8 = 200;

/// Returns the tiles about which the server must be asked for the actions of a unit: its own, and those around it with
/// a city or a unit.
pub(super) fn tiles(world: &World, unit: &Unit) -> Vec<i32> {
    let own = unit.tile();
    let around = world.map().geometry().filter(|_| unit.moves_left() > Some(0));
    let around = around.into_iter().flat_map(|geometry| geometry.neighbors(own)).map(|(_, tile)| tile);
    let has_target =
        |tile: &i32| world.cities().at(*tile).is_some() || world.units_at(*tile).next().is_some();
    core::iter::once(own).chain(around.filter(has_target)).collect()
}

/// Adds the actions of an answer about a tile.
pub(super) fn collect(actions: &[LegalAction], entries: &mut Entries) {
    for legal in actions {
        let Some(action) = legal.action.filter(|action| !is_other_kind(*action)) else { continue };
        let is_extra = matches!(legal.sub_target, SubTarget::Extra | SubTarget::NewExtra);
        let part = legal.extra.filter(|_| is_extra).map_or(Part::None, Part::Extra);
        let entry = entries.entry(LegalKind::Act(action), legal.target.into(), part);
        let succeeds = legal.probability.is_none_or(|it| it.min == MAX_PROBABILITY);
        let is_certain = succeeds && !has_price(action);
        entries.push(LegalEntry { probability: legal.probability, is_certain, ..entry });
    }
}

/// Returns whether an action has a price that the player must ask for. The server's probability ignores it (3.2.6).
const fn has_price(action: Action) -> bool {
    matches!(action, Action::BribeUnit | Action::InciteCity | Action::InciteCityEscape)
}

/// Returns whether the list has an action under another kind: work on tiles, and moves, which also embark, disembark,
/// enter huts and take bases.
const fn is_other_kind(action: Action) -> bool {
    use Action::*;
    matches!(
        action,
        Fortify
            | Cultivate
            | Plant
            | TransformTerrain
            | BuildRoad
            | BuildIrrigation
            | BuildMine
            | BuildBase
            | Pillage
            | Clean
            | CleanPollution
            | CleanFallout
            | ConvertUnit
            | UnitMove
            | UnitMove2
            | UnitMove3
            | TransportBoard
            | TransportBoard2
            | TransportBoard3
            | TransportDeboard
            | TransportEmbark
            | TransportEmbark2
            | TransportEmbark3
            | TransportEmbark4
            | TransportDisembark
            | TransportDisembark2
            | TransportDisembark3
            | TransportDisembark4
            | EnterHut
            | EnterHut2
            | EnterHut3
            | EnterHut4
            | FrightenHut
            | FrightenHut2
            | FrightenHut3
            | FrightenHut4
            | ConquerExtras
            | ConquerExtras2
            | ConquerExtras3
            | ConquerExtras4
    )
}
