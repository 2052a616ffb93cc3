//! Changes of terrain.

use super::subject::Subject;
use crate::number::TerrainFlag;
use crate::rules::Answer;

/// The class of an ocean.
const OCEAN: u8 = 1;

/// Returns whether the terrain of the unit's tile can become another one: a tile with a city stays habitable, and
/// land and water change only next to enough tiles of the other kind (Freeciv's `terrain_surroundings_allow_change`).
pub(super) fn can_become(subject: &Subject<'_>, result: u8) -> Answer {
    let world = subject.world;
    let rulesets = world.rulesets();
    let (Some(from), Some(to)) = (world.terrain_of(subject.tile), rulesets.terrains.get(result)) else {
        return Answer::No;
    };
    let no_cities = TerrainFlag::NoCities.number(subject.version()).map(usize::from);
    if no_cities.is_some_and(|bit| to.flags.get(bit)) && subject.is_in_city() {
        return Answer::No;
    }
    if from.tclass == to.tclass {
        return Answer::Yes;
    }
    let Some(control) = rulesets.terrain_control.as_ref() else { return Answer::Unknown };
    let required = if to.tclass == OCEAN {
        control.land_channel_requirement_pct
    } else {
        control.ocean_reclaim_requirement_pct
    };
    let Some(geometry) = world.map().geometry() else { return Answer::Unknown };
    let (mut all, mut same) = (0_u32, 0_u32);
    for (_, number) in geometry.neighbors(subject.tile.tile) {
        let Some(terrain) = world.map().tile(number).and_then(|tile| world.terrain_of(tile)) else {
            return Answer::Unknown;
        };
        all = all.saturating_add(1);
        same = same.saturating_add(u32::from(terrain.tclass == to.tclass));
    }
    let share = same.saturating_mul(100).checked_div(all).unwrap_or(0);
    // Servers send 101 for terrain that never changes in this way.
    (share > 0 && share >= u32::from(required)).into()
}
