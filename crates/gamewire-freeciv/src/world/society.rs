use std::collections::BTreeMap;

use super::table::Table;
use super::world::World;
use crate::packets::{
    ConnPingInfo, Packet, PlayerAttributeChunk, SpaceshipInfo, WebPlayerInfoAddition,
    WebPlayerInfoAdditionPacket,
};

/// Facts about players and connections that are not in their main packets.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub(super) struct Society {
    pub(super) spaceships: Table<SpaceshipInfo>,
    achievements: BTreeMap<u8, Achievement>,
    teams: BTreeMap<u16, String>,
    expected_incomes: BTreeMap<u16, i32>,
    /// Round trip times in seconds, by connection.
    pings: BTreeMap<i16, f32>,
    attributes: Vec<u8>,
}

/// The own player's state of an achievement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Achievement {
    /// True if the own player has gained it.
    pub gained: bool,
    /// True if the own player was the first to gain it.
    pub first: bool,
}

/// Maximum bytes of a player's attributes, as on the server.
const MAX_ATTRIBUTES: usize = 256 << 10;

impl Society {
    /// Appends the next part of the attributes. The first part replaces the old attributes.
    fn add_attributes(&mut self, chunk: &PlayerAttributeChunk) {
        let Ok(offset) = usize::try_from(chunk.offset) else { return };
        if offset == 0 {
            self.attributes.clear();
        }
        let is_next = offset == self.attributes.len();
        if is_next && offset.saturating_add(chunk.data.len()) <= MAX_ATTRIBUTES {
            self.attributes.extend_from_slice(&chunk.data);
        }
    }

    fn set_pings(&mut self, info: &ConnPingInfo) {
        let connections =
            [&info.conn_id, &info.conn_id_old, &info.conn_id_new].into_iter().flatten().flatten();
        let times = info.ping_time.iter().flatten().map(|time| time.get());
        let times = times.chain(info.ping_time_7.iter().flatten().map(|time| time.get()));
        let times = times.chain(info.ping_time_6.iter().flatten().map(|time| time.get()));
        self.pings = connections.copied().zip(times).collect();
    }
}

impl World {
    /// Applies a packet about players or connections that is not their main packet. Returns false for other packets.
    pub(super) fn apply_society_packet(&mut self, packet: &Packet<'_>) -> bool {
        let Self { society, changes, .. } = self;
        match packet {
            Packet::SpaceshipInfo(it) => {
                society.spaceships.put(it);
                changes.players.insert(it.player_num);
            }
            Packet::AchievementInfo(it) => {
                let achievement = Achievement { gained: it.gained, first: it.first };
                society.achievements.insert(it.id, achievement);
                changes.achievements.insert(it.id);
            }
            Packet::TeamNameInfo(it) => {
                society.teams.insert(it.team_id, it.team_name.to_str_lossy().into_owned());
            }
            Packet::WebPlayerInfoAddition(WebPlayerInfoAddition { playerno, expected_income })
            | Packet::WebPlayerInfoAdditionPacket(WebPlayerInfoAdditionPacket {
                playerno,
                expected_income,
            }) => {
                // A loss is sent as the unsigned number with the same bits.
                society.expected_incomes.insert(*playerno, expected_income.cast_signed());
                changes.players.insert(*playerno);
            }
            Packet::ConnPingInfo(it) => society.set_pings(it),
            Packet::PlayerAttributeChunk(it) => society.add_attributes(it),
            _ => return false,
        }
        true
    }

    /// Returns a player's spaceship, if the server has sent it.
    pub fn spaceship(&self, player: u16) -> Option<&SpaceshipInfo> {
        self.society.spaceships.get(player)
    }

    /// Iterates over the achievements that the server has reported, by id.
    pub fn achievements(&self) -> impl Iterator<Item = (u8, Achievement)> {
        self.society.achievements.iter().map(|(id, achievement)| (*id, *achievement))
    }

    /// Returns the name of a team, if it has one.
    pub fn team_name(&self, team: u16) -> Option<&str> {
        self.society.teams.get(&team).map(String::as_str)
    }

    /// Returns the expected income of a player in a turn, negative for a loss. Only a server for Freeciv-web sends it.
    pub fn expected_income(&self, player: u16) -> Option<i32> {
        self.society.expected_incomes.get(&player).copied()
    }

    /// Returns the last round-trip time of a connection that the server measured, in seconds.
    pub fn ping(&self, connection: i16) -> Option<f32> {
        self.society.pings.get(&connection).copied()
    }

    /// Returns the attributes of the own player, which a client stored on the server. The server does not interpret
    /// them.
    pub fn attributes(&self) -> &[u8] {
        &self.society.attributes
    }
}
