//! Prediction of the client's own tee by the inputs that it has sent.

use gamewire_tee::core::Core;
use gamewire_tee::game_map::GameMap;
use gamewire_tee::tuning::Tuning;
use gamewire_tee::vector::Vec2;
use gamewire_tee::weapon::weapon_id;
use gamewire_tee::world::World as TeeWorld;

use super::SentInputs;
use super::convert::{core_of, set_core, tee_input};
use super::reckoning::MAX_AHEAD;
use crate::model::World;
use crate::model::message::ClientId;
use crate::model::world::Character;
use crate::shared::extended::object::DdnetCharacter;
use crate::shared::extended::value::CharacterFlags;

/// The data that a prediction is based on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Basis {
    /// The map and the sent inputs: the own tee moves by the inputs, and all others move without input.
    Inputs,
    /// The map, but there is no own tee: all tees move without input.
    Reckoning,
    /// There is no map: all tees move without input and without collision with the map.
    NoMap,
}

/// The world at the tick at which the server will use the next input.
#[derive(Clone, Debug, PartialEq)]
pub struct Predicted {
    /// The world.
    pub world: World,
    /// The data that the prediction is based on.
    pub basis: Basis,
}

/// Predicts the world at a tick, at most [`MAX_AHEAD`] ticks after the snapshot. Weapons, and tees that the snapshot
/// does not contain, are not predicted.
pub(crate) fn predict(
    shown: &World,
    tick: i32,
    map: Option<&GameMap>,
    tuning: impl FnOnce(&GameMap) -> Tuning,
    inputs: &SentInputs,
) -> Predicted {
    let Some(map) = map else {
        return Predicted { world: shown.at(tick, None), basis: Basis::NoMap };
    };
    let own = shown.own().map(|own| own.id).filter(|own| shown.character(*own).is_some());
    let Some(own) = own.filter(|_| !shown.game.is_paused) else {
        return Predicted { world: shown.at(tick, Some(map)), basis: Basis::Reckoning };
    };
    let mut world = shown.at(shown.tick, Some(map));
    let mut tees = tees_of(&world, map, tuning(map), own);
    let tick = tick.clamp(shown.tick, shown.tick.saturating_add(MAX_AHEAD));
    while tees.tick < tick {
        tees.set_input(usize::from(own.0), tee_input(&inputs.at(tees.tick.saturating_add(1))));
        tees.step();
    }
    world.tick = tick;
    // A tee that dies before the tick is not in the predicted world.
    world.characters.retain_mut(|character| {
        let core = tees.core(usize::from(character.id.0));
        if let Some(core) = core {
            set_core(character, &core.to_item(), tick);
        }
        core.is_some()
    });
    Predicted { world, basis: Basis::Inputs }
}

/// Returns the tees of a world. All characters must be at the tick of the world.
fn tees_of(world: &World, map: &GameMap, tuning: Tuning, own: ClientId) -> TeeWorld {
    let mut tees = map.world();
    tees.tick = world.tick;
    tees.tuning = tuning;
    if !map.rules().is_ddnet() {
        // A snapshot shows the pickups that are there, but weapons are not predicted.
        tees.pickups.clear();
    }
    for character in &world.characters {
        add_tee(&mut tees, character, own);
        if let Some(state) = world.ddnet_character(character.id) {
            set_ddnet_state(&mut tees, usize::from(character.id.0), state);
        }
    }
    // The games' clients use the order of ids, because servers do not send theirs. DDNet sends it.
    let mut order: Vec<(i32, usize)> = world
        .characters
        .iter()
        .map(|character| {
            let rank = world.ddnet_character(character.id).map_or(0, |state| state.strong_weak_id);
            (rank, usize::from(character.id.0))
        })
        .collect();
    order.sort_unstable();
    tees.set_order(order.into_iter().map(|(_, id)| id));
    tees
}

fn add_tee(tees: &mut TeeWorld, character: &Character, own: ClientId) {
    let id = usize::from(character.id.0);
    let core = core_of(character);
    tees.spawn(id, Vec2::new(core.x as f32, core.y as f32));
    if let Some(own_core) = tees.core_mut(id) {
        own_core.set_item(&core);
    }
    if let Some(tee) = tees.tee_mut(id) {
        tee.is_reckoned = character.id != own;
        tee.attack_tick = character.attack_tick;
    }
}

impl World {
    /// Returns the core of a character with the state that DDNet sends in addition, for computations with the movement of a
    /// tee. It is at the tick of the character.
    #[must_use]
    pub fn core(&self, id: ClientId) -> Option<Core> {
        let mut core = Core::new(Vec2::ZERO);
        core.set_item(&core_of(self.character(id)?));
        if let Some(state) = self.ddnet_character(id) {
            set_ddnet_core(&mut core, state);
        }
        Some(core)
    }
}

fn set_ddnet_core(core: &mut Core, state: &DdnetCharacter) {
    let has = |flag| state.flags.contains(flag);
    let own = &mut core.ddnet;
    own.jumps = state.jumps;
    own.jumped_total = state.jumped_total;
    own.is_solo = has(CharacterFlags::SOLO);
    own.has_jetpack = has(CharacterFlags::JETPACK);
    own.is_collision_disabled = has(CharacterFlags::COLLISION_DISABLED);
    own.has_endless_hook = has(CharacterFlags::ENDLESS_HOOK);
    own.has_endless_jump = has(CharacterFlags::ENDLESS_JUMP);
    own.is_hook_hit_disabled = has(CharacterFlags::HOOK_HIT_DISABLED);
}

/// Sets the state of a tee that DDNet sends in addition to its core.
fn set_ddnet_state(tees: &mut TeeWorld, id: usize, state: &DdnetCharacter) {
    let tick = tees.tick;
    let has = |flag| state.flags.contains(flag);
    if let Some(core) = tees.core_mut(id) {
        set_ddnet_core(core, state);
    }
    let Some(tee) = tees.tee_mut(id) else { return };
    tee.set_freeze(tick, state.freeze_end.0, state.freeze_start.0);
    tee.ddnet.is_live_frozen = has(CharacterFlags::MOVEMENTS_DISABLED);
    tee.ddnet.tele_checkpoint = u8::try_from(state.tele_checkpoint).unwrap_or(0);
    for (weapon, flag) in [
        (weapon_id::HAMMER, CharacterFlags::HAMMER_HIT_DISABLED),
        (weapon_id::SHOTGUN, CharacterFlags::SHOTGUN_HIT_DISABLED),
        (weapon_id::GRENADE, CharacterFlags::GRENADE_HIT_DISABLED),
        (weapon_id::LASER, CharacterFlags::LASER_HIT_DISABLED),
    ] {
        tee.ddnet.hit_disabled |= u8::from(has(flag)) << weapon;
    }
}

#[cfg(test)]
mod tests {
    use gamewire_tee::grid::GridLayers;
    use gamewire_tee::rules::Rules;
    use gamewire_tee::tile::MapTile;

    use super::*;
    use crate::model::Input;
    use crate::model::world::Player;

    /// Returns a room of 40 x 10 tiles with a floor in its last row.
    fn room(rules: Rules) -> GameMap {
        let game = (0..400).map(|at| MapTile { index: u8::from(at >= 360), flags: 0 }).collect();
        GameMap::new(rules, GridLayers { width: 40, height: 10, game, ..GridLayers::default() }).unwrap()
    }

    /// Returns a world at tick 1000 with the own tee, sent 100 ticks ago, and another one that has just jumped.
    fn shown() -> World {
        let own = Character { direction: 1, vel_x: 2560, ..Character::new(ClientId(1), 900, 100, 273) };
        let other = Character { vel_y: -256 * 13, ..Character::new(ClientId(2), 1000, 700, 273) };
        let local = Player { local: true, ..Player::new(ClientId(1)) };
        World { tick: 1000, players: vec![local], characters: vec![own, other], ..World::default() }
    }

    fn predict_at(tick: i32, map: Option<&GameMap>, inputs: &SentInputs) -> Predicted {
        predict(&shown(), tick, map, |map| *map.defaults(), inputs)
    }

    #[test]
    fn the_own_tee_follows_the_sent_inputs_and_others_go_on() {
        for rules in [Rules::Teeworlds07, Rules::Teeworlds06, Rules::Ddnet20] {
            let map = room(rules);
            let mut inputs = SentInputs::default();
            let now = shown().at(1000, Some(&map));
            let start = now.character(ClientId(1)).unwrap();
            assert_eq!((start.x, start.y, start.tick), (1100, 273, 1000), "100 ticks to the right");
            inputs.push(1003, Input { direction: -1, target_y: -1, jump: true, ..Input::default() });
            let predicted = predict_at(1010, Some(&map), &inputs);
            assert_eq!((predicted.basis, predicted.world.tick), (Basis::Inputs, 1010));
            let own = predicted.world.character(ClientId(1)).unwrap();
            assert!(own.y < 273 && own.direction == -1 && own.tick == 1010, "{own:?}");
            let other = predicted.world.character(ClientId(2)).unwrap();
            let reckoned = shown().at(1010, Some(&map));
            assert_eq!(other, reckoned.character(ClientId(2)).unwrap(), "it is far away");
            assert!(other.y < 200);
        }
    }

    #[test]
    fn without_a_map_the_basis_says_so() {
        let predicted = predict_at(1010, None, &SentInputs::default());
        assert_eq!(predicted.basis, Basis::NoMap);
        let own = predicted.world.character(ClientId(1)).unwrap();
        assert_eq!(own.y, 273, "a tee that does not fall stands");
        assert_eq!(own.x, 100 + 500, "no more than 50 ticks");
        let other = predicted.world.character(ClientId(2)).unwrap();
        assert!(other.y < 200, "it rises");
    }

    #[test]
    fn a_spectator_sees_all_tees_go_on() {
        let (map, mut world) = (room(Rules::Teeworlds07), shown());
        world.players.clear();
        let predicted = predict(&world, 1005, Some(&map), |map| *map.defaults(), &SentInputs::default());
        assert_eq!(predicted, Predicted { world: world.at(1005, Some(&map)), basis: Basis::Reckoning });
    }

    #[test]
    fn p1_no_world_is_advanced_without_bound() {
        let map = room(Rules::Ddnet20);
        let mut world = shown();
        world.characters[0] = Character {
            tick: i32::MIN,
            vel_x: i32::MAX,
            vel_y: i32::MIN,
            x: i32::MAX,
            hook: crate::model::world::Hook { x: i32::MIN, dx: i32::MAX, ..Default::default() },
            ..world.characters[0]
        };
        for map in [None, Some(&map)] {
            for tick in [i32::MIN, 0, 1000, i32::MAX] {
                let expected = tick.clamp(1000, 1000 + MAX_AHEAD);
                assert_eq!(world.at(tick, map).tick, expected);
                let inputs = SentInputs::default();
                assert_eq!(predict(&world, tick, map, |map| *map.defaults(), &inputs).world.tick, expected);
            }
        }
    }
}
