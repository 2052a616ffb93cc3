//! Server information in a form for all versions.

use super::text::TextBuf;

/// The description of a server. Texts contain the bytes that were sent. Escape them before they are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ServerInfo {
    /// The version of the game.
    pub version: TextBuf,
    /// The name.
    pub name: TextBuf,
    /// The name of the host, if it is configured (0.7).
    pub hostname: TextBuf,
    /// The name of the map.
    pub map: TextBuf,
    /// The file of the map (extended format of DDNet).
    pub map_file: Option<MapFile>,
    /// The game type.
    pub game_type: TextBuf,
    /// A password is required.
    pub password: bool,
    /// Scores are times (0.7).
    pub scores_are_times: bool,
    /// The skill level: 0 beginners, 1 normal players, 2 experts (0.7).
    pub skill_level: Option<i32>,
    /// Number of players.
    pub num_players: i32,
    /// Maximum number of players.
    pub max_players: i32,
    /// Number of clients: players and spectators.
    pub num_clients: i32,
    /// Maximum number of clients.
    pub max_clients: i32,
    /// The clients that the server lists, at most [`MAX_CLIENTS`].
    pub clients: Vec<ClientEntry>,
}

/// Maximum number of clients of a server in any dialect.
pub const MAX_CLIENTS: usize = 128;

/// The identity of a map file, in addition to its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MapFile {
    /// CRC-32 of the file.
    pub crc: u32,
    /// Size of the file in bytes, according to the server.
    pub size: i32,
}

/// A client on a server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClientEntry {
    /// The name.
    pub name: TextBuf,
    /// The clan.
    pub clan: TextBuf,
    /// Country by ISO 3166 number; -1 for none.
    pub country: i32,
    /// The score.
    pub score: i32,
    /// The client is a player, not a spectator.
    pub is_player: bool,
    /// The client is a bot (0.7).
    pub is_bot: bool,
}

impl ServerInfo {
    /// Returns the memory of the texts and the list, in bytes.
    pub fn held_bytes(&self) -> usize {
        let texts = [&self.version, &self.name, &self.hostname, &self.map, &self.game_type];
        let texts = texts.into_iter().map(TextBuf::held_bytes);
        texts.chain(self.clients.iter().map(ClientEntry::held_bytes)).sum()
    }
}

impl ClientEntry {
    /// Returns the memory of the entry, in bytes.
    pub fn held_bytes(&self) -> usize {
        let texts = self.name.held_bytes().saturating_add(self.clan.held_bytes());
        texts.saturating_add(size_of::<Self>())
    }
}
