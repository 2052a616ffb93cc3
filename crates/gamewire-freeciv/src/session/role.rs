use super::codec::{Definition, PacketRef};

/// Whom a connection plays for, or watches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PlayerRole {
    /// The number of its player; an observer with one sees what that player sees.
    pub player: Option<u16>,
    /// Whether it only watches.
    pub is_observer: bool,
}

impl PlayerRole {
    /// Attached to nothing.
    pub const DETACHED: Self = Self { player: None, is_observer: false };

    /// Plays a player.
    #[must_use]
    pub const fn playing(player: u16) -> Self {
        Self { player: Some(player), is_observer: false }
    }

    /// Watches one player, or everything.
    #[must_use]
    pub const fn observing(player: Option<u16>) -> Self {
        Self { player, is_observer: true }
    }

    /// As a server tells of a connection.
    pub(super) fn of(info: &PacketRef<'_>, definition: &Definition) -> Self {
        let player = Some(info.int("player_num")).filter(|player| *player != definition.no_player());
        let player = player.and_then(|player| u16::try_from(player).ok());
        Self { player, is_observer: info.flag("observer") }
    }

    /// Whether the game is forgotten on both sides when `self` becomes `next`.
    pub(super) fn forgets_game_for(self, next: Self) -> bool {
        self != next && next != Self::DETACHED
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_game_is_forgotten_with_a_new_role_but_not_by_detaching() {
        let (three, watch) = (PlayerRole::playing(3), PlayerRole::observing(None));
        assert!(PlayerRole::DETACHED.forgets_game_for(three));
        assert!(three.forgets_game_for(watch) && watch.forgets_game_for(three));
        assert!(!three.forgets_game_for(PlayerRole::DETACHED));
        assert!(!three.forgets_game_for(three));
    }
}
