use super::World;

/// A named column of numbers.
pub type Column = (&'static str, Vec<i32>);

/// The number of no player.
const NOBODY: i32 = -1;

impl World {
    /// Describes the visible characters as columns of equal length, ordered by id: the fields of a
    /// [`Character`](super::Character), with `hook_` before the names of the hook's fields. `hook_player` is -1 if the hook
    /// holds no player.
    pub fn character_columns(&self) -> Vec<Column> {
        const NAMES: [&str; 20] = [
            "id",
            "tick",
            "x",
            "y",
            "vel_x",
            "vel_y",
            "angle",
            "direction",
            "jumped",
            "health",
            "armor",
            "ammo",
            "weapon",
            "emote",
            "attack_tick",
            "hook_state",
            "hook_player",
            "hook_x",
            "hook_y",
            "hook_tick",
        ];
        columns(
            NAMES,
            self.characters.iter().map(|it| {
                let hook = it.hook;
                [
                    it.id.0.into(),
                    it.tick,
                    it.x,
                    it.y,
                    it.vel_x,
                    it.vel_y,
                    it.angle,
                    it.direction,
                    it.jumped,
                    it.health,
                    it.armor,
                    it.ammo,
                    it.weapon.0,
                    it.emote.0,
                    it.attack_tick,
                    hook.state.0,
                    hook.player.map_or(NOBODY, |id| id.0.into()),
                    hook.x,
                    hook.y,
                    hook.tick,
                ]
            }),
        )
    }

    /// Describes the players as columns of equal length, ordered by id. `local` is 1 for the receiver's own player.
    pub fn player_columns(&self) -> Vec<Column> {
        const NAMES: [&str; 6] = ["id", "local", "team", "score", "latency", "country"];
        columns(
            NAMES,
            self.players
                .iter()
                .map(|it| [it.id.0.into(), it.local.into(), it.team.0, it.score, it.latency, it.country]),
        )
    }

    /// Describes the visible projectiles as columns of equal length. `owner` is -1 if it is not known.
    pub fn projectile_columns(&self) -> Vec<Column> {
        const NAMES: [&str; 8] = ["id", "x", "y", "vel_x", "vel_y", "weapon", "start_tick", "owner"];
        columns(
            NAMES,
            self.projectiles.iter().map(|it| {
                let owner = it.owner.map_or(NOBODY, |id| id.0.into());
                [it.id.into(), it.x, it.y, it.vel_x, it.vel_y, it.weapon.0, it.start_tick, owner]
            }),
        )
    }

    /// Describes the visible pickups as columns of equal length. `kind` is the number of the
    /// [`PickupKind`](super::PickupKind), from 0.
    pub fn pickup_columns(&self) -> Vec<Column> {
        columns(
            ["id", "x", "y", "kind"],
            self.pickups.iter().map(|it| [it.id.into(), it.x, it.y, it.kind as i32]),
        )
    }
}

/// Turns rows into named columns.
fn columns<const N: usize>(names: [&'static str; N], rows: impl Iterator<Item = [i32; N]>) -> Vec<Column> {
    let mut columns = names.map(|name| (name, Vec::new()));
    for row in rows {
        for ((_, column), value) in columns.iter_mut().zip(row) {
            column.push(value);
        }
    }
    columns.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::message::ClientId;
    use crate::model::world::Character;

    #[test]
    fn characters_are_columns_of_their_fields() {
        let characters =
            vec![Character::new(ClientId(2), 50, 320, 640), Character::new(ClientId(5), 50, 7, 8)];
        let world = World { characters, ..World::default() };
        let columns = world.character_columns();
        let column = |name: &str| &columns.iter().find(|(of, _)| *of == name).unwrap().1;
        assert_eq!((column("id"), column("x"), column("y")), (&vec![2, 5], &vec![320, 7], &vec![640, 8]));
        assert_eq!((column("hook_player"), column("health")), (&vec![-1, -1], &vec![10, 10]));
        assert!(World::default().player_columns().iter().all(|(_, column)| column.is_empty()));
    }
}
