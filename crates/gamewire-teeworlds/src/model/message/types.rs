use crate::model::skin::Skin;
pub use crate::shared::extended::value::CapabilityFlags;
use crate::shared::pack::Text;

/// The id of a player in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClientId(pub u8);

impl ClientId {
    /// Converts an id on the wire. Returns `None` for -1 and for ids that no game assigns.
    pub fn from_wire(id: i32) -> Option<Self> {
        u8::try_from(id).ok().filter(|id| *id < 128).map(Self)
    }

    /// Returns the id on the wire, which is -1 for `None`.
    pub fn to_wire(id: Option<Self>) -> i32 {
        id.map_or(-1, |id| i32::from(id.0))
    }
}

/// The audience of a line of chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Audience {
    /// All players.
    All,
    /// The author's team.
    Team,
    /// One player. `None` is the receiver itself, because 0.6 of DDNet does not send its id. A client of 0.6 whispers
    /// with a command in the text of a chat line.
    Whisper(Option<ClientId>),
}

/// The identity of a map file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct MapId<'a> {
    /// The name without folder or extension. It is not trusted as a path.
    pub name: Text<'a>,
    /// CRC-32 of the file.
    pub crc: u32,
    /// Size of the file in bytes according to the server; -1 if it is not sent.
    pub size: i32,
    /// SHA-256 of the file. It is always sent in 0.7, and by DDNet in `map_details` of 0.6.
    pub sha256: Option<[u8; 32]>,
}

/// The chunks of a map, as 0.7 announces them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MapChunking {
    /// Number of chunks per request.
    pub per_request: i32,
    /// Size of each chunk except the last, in bytes.
    pub size: i32,
}

/// The position of a map chunk, as 0.6 sends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MapChunkInfo {
    /// This is the last chunk.
    pub is_last: bool,
    /// CRC-32 of the whole file.
    pub crc: u32,
    /// The number of the chunk, from 0.
    pub piece: i32,
}

/// The name and looks of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Profile<'a> {
    /// The name.
    pub name: Text<'a>,
    /// The clan.
    pub clan: Text<'a>,
    /// Country by ISO 3166 number; -1 for none.
    pub country: i32,
    /// The looks.
    pub skin: Skin<'a>,
}

/// The kind and limits of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GameInfo {
    /// There are two teams.
    pub has_teams: bool,
    /// There are flags to carry.
    pub has_flags: bool,
    /// Players do not respawn in a round (0.7).
    pub is_survival: bool,
    /// The game is a race: scores are times (0.7).
    pub is_race: bool,
    /// The score at which a round ends; 0 for none.
    pub score_limit: i32,
    /// The minutes after which a round ends; 0 for none.
    pub time_limit: i32,
    /// Number of rounds or matches; 0 for no end.
    pub num_rounds: i32,
    /// The current round or match, from 1.
    pub round: i32,
}

/// Settings of a server that clients of 0.7 show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ServerSettings {
    /// Players can start votes to kick a player.
    pub kick_vote: bool,
    /// Minimum number of players for such a vote.
    pub kick_min: i32,
    /// Players can start votes to move a player to the spectators.
    pub spec_vote: bool,
    /// Players cannot change their team.
    pub team_lock: bool,
    /// Teams are balanced.
    pub team_balance: bool,
    /// Maximum number of players.
    pub player_slots: i32,
}

/// The end of a player's race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RaceFinish {
    /// The player.
    pub client: ClientId,
    /// The time in milliseconds.
    pub time: i32,
    /// Difference to the player's best time, in milliseconds.
    pub difference: i32,
    /// The time is the player's best time.
    pub is_personal_record: bool,
    /// The time is the best time on the server.
    pub is_server_record: bool,
}

/// A command of the remote console.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RconCommand<'a> {
    /// The name.
    pub name: Text<'a>,
    /// Its effect.
    pub help: Text<'a>,
    /// Its parameters, such as `i[id] ?r[reason]`.
    pub params: Text<'a>,
}

/// The input of a player in one tick. It has the same ten integers in both versions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "commands", derive(serde::Deserialize), serde(deny_unknown_fields, default))]
pub struct Input {
    /// -1 for left, 0 for none, 1 for right.
    pub direction: i32,
    /// The aim, in 32nds of a tile to the right of the character.
    pub target_x: i32,
    /// The aim, in 32nds of a tile below the character.
    pub target_y: i32,
    /// The jump key is down.
    pub jump: bool,
    /// Number of presses and releases of the fire key: odd while it is down.
    pub fire: i32,
    /// The hook key is down.
    pub hook: bool,
    /// Flags of the player, in the bits of its version.
    pub player_flags: i32,
    /// The requested weapon, from 1; 0 for none.
    pub wanted_weapon: i32,
    /// Number of presses of the key for the next weapon.
    pub next_weapon: i32,
    /// Number of presses of the key for the previous weapon.
    pub prev_weapon: i32,
}
