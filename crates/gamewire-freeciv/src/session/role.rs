use super::codec::PacketRef;

/// The player that a connection plays or observes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlayerRole {
    /// Number of the player. An observer of a player sees the same as that player.
    pub player: Option<u16>,
    /// True if the connection only observes.
    pub is_observer: bool,
}

impl PlayerRole {
    /// The role of a connection that neither plays nor observes.
    pub const DETACHED: Self = Self { player: None, is_observer: false };

    /// Returns the role that plays `player`.
    pub const fn playing(player: u16) -> Self {
        Self { player: Some(player), is_observer: false }
    }

    /// Returns the role that observes `player`, or all players.
    pub const fn observing(player: Option<u16>) -> Self {
        Self { player, is_observer: true }
    }

    /// Returns the role in a CONN_INFO packet.
    pub fn from_conn_info(info: &PacketRef<'_>, no_player: u16) -> Self {
        let player = u16::try_from(info.int("player_num")).ok().filter(|player| *player != no_player);
        Self { player, is_observer: info.flag("observer") }
    }

    /// Returns whether both sides remove the baselines that describe the game when the role changes from `self` to
    /// `next`.
    pub fn forgets_game_for(self, next: Self) -> bool {
        self != next && next != Self::DETACHED
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_role_forgets_the_game_and_detaching_does_not() {
        let (three, observer) = (PlayerRole::playing(3), PlayerRole::observing(None));
        assert!(PlayerRole::DETACHED.forgets_game_for(three));
        assert!(three.forgets_game_for(observer) && observer.forgets_game_for(three));
        assert!(!three.forgets_game_for(PlayerRole::DETACHED));
        assert!(!three.forgets_game_for(three));
    }
}
