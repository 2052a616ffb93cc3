//! Queries about users and computer players, and about the ways to win.

use super::world::World;
use crate::number::{AccessLevel, SpaceshipState};
use crate::packets::{ConnInfo, SpaceshipInfo};

/// A way to win a game before its last turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum VictoryCondition {
    /// The spaceship of a player arrives first.
    SpaceRace,
    /// All surviving players are allies.
    Allied,
    /// The culture of a player has enough points and a sufficient lead.
    Culture,
}

impl VictoryCondition {
    /// All conditions, in the order of their bits.
    pub const ALL: [Self; 3] = [Self::SpaceRace, Self::Allied, Self::Culture];
}

impl World {
    /// Returns whether the server's AI controls a player. Otherwise a person does, who may be absent.
    pub fn is_ai(&self, player: u16) -> bool {
        /// The flag of a player that the AI controls.
        const AI: usize = 0;
        self.player(player).is_some_and(|player| player.flags.get(AI))
    }

    /// Returns whether a player is a barbarian or an animal.
    pub fn is_barbarian(&self, player: u16) -> bool {
        self.player(player).is_some_and(|player| player.barbarian_type != 0)
    }

    /// Iterates over the connections that play as a player, without its observers. A server allows at most one.
    pub fn connections_of(&self, player: u16) -> impl Iterator<Item = &ConnInfo> {
        self.connections().filter(move |connection| connection.player_num == player && !connection.observer)
    }

    /// Iterates over the connections that observe a player, or all players for `None`.
    pub fn observers_of(&self, player: Option<u16>) -> impl Iterator<Item = &ConnInfo> {
        let player = player.unwrap_or_else(|| self.version().no_player());
        self.connections().filter(move |connection| connection.player_num == player && connection.observer)
    }

    /// Returns the level of commands that the own connection may use.
    pub fn my_access_level(&self) -> Option<AccessLevel> {
        self.my_connection().map(|connection| AccessLevel(connection.access_level))
    }

    /// Iterates over the spaceships that have been started, by player.
    pub fn spaceships(&self) -> impl Iterator<Item = &SpaceshipInfo> {
        let ships = self.players().filter_map(|player| self.spaceship(player.playerno));
        ships.filter(|ship| SpaceshipState(ship.sship_state) != SpaceshipState::NONE)
    }

    /// Iterates over the enabled ways to win before the last turn.
    pub fn victory_conditions(&self) -> impl Iterator<Item = VictoryCondition> {
        let bits = self.game().map_or(0, |game| game.victory_conditions);
        (0_u32..)
            .zip(VictoryCondition::ALL)
            .filter(move |(bit, _)| bits >> bit & 1 != 0)
            .map(|(_, condition)| condition)
    }
}
