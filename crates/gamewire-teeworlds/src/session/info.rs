//! What a server says of itself to whoever asks, whatever the version.

/// A server, as it describes itself. Text is bytes as they were sent, which may be anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerInfo {
    /// The version of the game it runs.
    pub version: Vec<u8>,
    /// Its name.
    pub name: Vec<u8>,
    /// The name of its host, if it was told one (0.7).
    pub hostname: Vec<u8>,
    /// The name of its map.
    pub map: Vec<u8>,
    /// The file of its map (DDNet's extended form).
    pub map_file: Option<MapFile>,
    /// What is played.
    pub game_type: Vec<u8>,
    /// Whether a password is needed.
    pub password: bool,
    /// Whether scores are times (0.7).
    pub scores_are_times: bool,
    /// For whom it is: 0 beginners, 1 normal players, 2 experts (0.7).
    pub skill_level: Option<i32>,
    /// How many play.
    pub num_players: i32,
    /// How many may play.
    pub max_players: i32,
    /// How many are connected, playing or watching.
    pub num_clients: i32,
    /// How many may be connected.
    pub max_clients: i32,
    /// Who is connected, as far as the server says: at most [`MAX_CLIENTS`].
    pub clients: Vec<ClientEntry>,
}

/// No server of any dialect has more clients.
pub const MAX_CLIENTS: usize = 128;

/// What identifies a map file beside its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapFile {
    /// CRC-32 of the file.
    pub crc: u32,
    /// Size of the file in bytes, as the server says.
    pub size: i32,
}

/// Somebody on a server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientEntry {
    /// The name.
    pub name: Vec<u8>,
    /// The clan.
    pub clan: Vec<u8>,
    /// Country by ISO 3166 number; -1 for none.
    pub country: i32,
    /// The score.
    pub score: i32,
    /// Whether it plays; otherwise it watches.
    pub is_player: bool,
    /// Whether it is a bot (0.7).
    pub is_bot: bool,
}

impl ServerInfo {
    /// The memory that its texts and its list hold, in bytes.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        let texts = [&self.version, &self.name, &self.hostname, &self.map, &self.game_type];
        let texts = texts.into_iter().map(Vec::capacity);
        texts.chain(self.clients.iter().map(ClientEntry::held_bytes)).sum()
    }
}

impl ClientEntry {
    /// The memory that it holds, in bytes.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        let texts = self.name.capacity().saturating_add(self.clan.capacity());
        texts.saturating_add(size_of::<Self>())
    }
}
