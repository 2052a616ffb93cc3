//! The tees of a snapshot at its tick. A server sends a tee again only when it differs from what clients compute.

use gamewire_tee::game_map::GameMap;
use gamewire_teeworlds::model::world::{Character, Hook, HookState};
use gamewire_teeworlds::model::{ClientId, World};

use super::snapshot::{SnapshotItem, SnapshotView};

/// A tee of a snapshot, at the tick of the snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PresentTee {
    /// Id of its player.
    pub(crate) id: i64,
    /// Position to the right and downwards.
    pub(crate) position: (i32, i32),
    /// Ticks since the server sent the tee.
    pub(crate) age: i32,
}

impl SnapshotView {
    /// Computes where the tees are. Without the map, they do not collide with it.
    pub(crate) fn present_tees(&self, map: Option<&GameMap>) -> Vec<PresentTee> {
        let Ok(tick) = i32::try_from(self.tick) else { return Vec::new() };
        let sent = self.items.iter().filter(|(_, item)| item.name == "character");
        let characters: Vec<_> = sent.filter_map(|((_, id), item)| character(*id, item)).collect();
        let ages: Vec<_> = characters.iter().map(|character| character.age(tick)).collect();
        let present = World { tick, characters, ..World::default() }.at(tick, map);
        let tees = present.characters.iter().zip(ages);
        tees.map(|(tee, age)| PresentTee { id: tee.id.0.into(), position: (tee.x, tee.y), age }).collect()
    }
}

fn character(id: i64, item: &SnapshotItem) -> Option<Character> {
    let id = ClientId::from_wire(i32::try_from(id).ok()?)?;
    let number = |name| i32::try_from(item.number(name)?).ok();
    let hook = Hook {
        player: number("hooked_player").and_then(ClientId::from_wire),
        state: HookState(number("hook_state")?),
        tick: number("hook_tick")?,
        x: number("hook_x")?,
        y: number("hook_y")?,
        dx: number("hook_dx")?,
        dy: number("hook_dy")?,
    };
    Some(Character {
        vel_x: number("vel_x")?,
        vel_y: number("vel_y")?,
        angle: number("angle")?,
        direction: number("direction")?,
        jumped: number("jumped")?,
        hook,
        ..Character::new(id, number("tick")?, number("x")?, number("y")?)
    })
}
