use super::World;

/// A named column of numbers.
pub type Column = (&'static str, Vec<i32>);

/// The number of no player.
const NOBODY: i32 = -1;

/// Describes rows as columns. Each column has its name and the value of a row.
macro_rules! columns {
    ($rows:expr, $row:ident, $($name:literal: $value:expr,)+) => {
        columns([$($name),+], $rows.iter().map(|$row| [$($value),+]))
    };
}

impl World {
    /// Describes the visible characters as columns of equal length, ordered by id: the fields of a
    /// [`Character`](super::Character), with `hook_` before the names of the hook's fields. `hook_player` is -1 if the hook
    /// holds no player.
    pub fn character_columns(&self) -> Vec<Column> {
        columns! {
            self.characters, it,
            "id": it.id.0.into(),
            "tick": it.tick,
            "x": it.x,
            "y": it.y,
            "vel_x": it.vel_x,
            "vel_y": it.vel_y,
            "angle": it.angle,
            "direction": it.direction,
            "jumped": it.jumped,
            "health": it.health,
            "armor": it.armor,
            "ammo": it.ammo,
            "weapon": it.weapon.0,
            "emote": it.emote.0,
            "attack_tick": it.attack_tick,
            "hook_state": it.hook.state.0,
            "hook_player": it.hook.player.map_or(NOBODY, |id| id.0.into()),
            "hook_x": it.hook.x,
            "hook_y": it.hook.y,
            "hook_tick": it.hook.tick,
        }
    }

    /// Describes the players as columns of equal length, ordered by id. `local` is 1 for the receiver's own player.
    pub fn player_columns(&self) -> Vec<Column> {
        columns! {
            self.players, it,
            "id": it.id.0.into(),
            "local": it.local.into(),
            "team": it.team.0,
            "score": it.score,
            "latency": it.latency,
            "country": it.country,
        }
    }

    /// Describes the visible projectiles as columns of equal length. `owner` is -1 if it is not known.
    pub fn projectile_columns(&self) -> Vec<Column> {
        columns! {
            self.projectiles, it,
            "id": it.id.into(),
            "x": it.x,
            "y": it.y,
            "vel_x": it.vel_x,
            "vel_y": it.vel_y,
            "weapon": it.weapon.0,
            "start_tick": it.start_tick,
            "owner": it.owner.map_or(NOBODY, |id| id.0.into()),
        }
    }

    /// Describes the visible pickups as columns of equal length. `kind` is the number of the
    /// [`PickupKind`](super::PickupKind), from 0.
    pub fn pickup_columns(&self) -> Vec<Column> {
        columns! {
            self.pickups, it,
            "id": it.id.into(),
            "x": it.x,
            "y": it.y,
            "kind": it.kind as i32,
        }
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
