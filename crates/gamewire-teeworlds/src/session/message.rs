//! The messages of an established connection, the same for all versions.
//!
//! A message that only one version has, and that no session acts on, is [`ServerMessage::Other`] or
//! [`ClientMessage::Other`], with the message of that version in it.

use crate::session::skin::Skin;
use crate::shared::data::{List, Uuid};
pub use crate::shared::extended::value::CapabilityFlags;
use crate::shared::pack::Text;
use crate::shared::value::{Emoticon, Team};
use crate::shared::version::SnapshotMessage;
use crate::{v06, v07};

/// The id of a player in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClientId(pub u8);

impl ClientId {
    /// Converts an id on the wire. Returns `None` for -1 and for ids that no game assigns.
    pub fn from_wire(id: i32) -> Option<Self> {
        u8::try_from(id).ok().filter(|id| *id < 128).map(Self)
    }

    /// Returns the id on the wire, and -1 for `None`.
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
    /// One player. `None` is the receiver itself, which 0.6 of DDNet does not send. A client of 0.6 whispers with a command
    /// in the text.
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
    /// SHA-256 of the file: always in 0.7, and from `map_details` of DDNet in 0.6.
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

/// A message of a server to a client.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum ServerMessage<'a> {
    /// Asks the client to load a map.
    MapChange {
        /// The map.
        map: MapId<'a>,
        /// The chunks of its download (0.7).
        chunking: Option<MapChunking>,
    },
    /// Details of the map of the next `MapChange` (DDNet).
    MapDetails {
        /// The map.
        map: MapId<'a>,
        /// A URL for its download.
        url: Option<Text<'a>>,
    },
    /// A chunk of the map file.
    MapData {
        /// The position of the chunk (0.6). In 0.7 they arrive in order.
        info: Option<MapChunkInfo>,
        /// The bytes of the chunk.
        data: &'a [u8],
    },
    /// Accepts the client.
    ConReady,
    /// Allows the client to enter the game.
    ReadyToEnter,
    /// A snapshot, or a part of one.
    Snapshot(SnapshotMessage<'a>),
    /// The timing of an input.
    InputTiming {
        /// The tick of the input.
        intended_tick: i32,
        /// Milliseconds from its arrival to the tick; negative if it was too late.
        time_left: i32,
    },
    /// Grants or revokes access to the remote console.
    RconAuth {
        /// `true` grants access.
        granted: bool,
    },
    /// A line of the remote console's output.
    RconLine(Text<'a>),
    /// Asks for an immediate answer.
    Ping,
    /// The answer to a ping.
    PingReply,
    /// Asks for an immediate answer with an id (DDNet).
    PingEx(Uuid),
    /// The answer to a ping with an id (DDNet).
    PongEx(Uuid),
    /// Asks for the name of a UUID (DDNet).
    WhatIs(Uuid),
    /// The abilities of the server (DDNet).
    Capabilities {
        /// Version of the list of flags.
        version: i32,
        /// The flags.
        flags: CapabilityFlags,
    },
    /// Asks the client to reconnect (DDNet).
    Reconnect,
    /// Asks the client to reconnect to another port (DDNet).
    Redirect {
        /// The port.
        port: i32,
    },
    /// The message of the day.
    Motd(Text<'a>),
    /// A text for the middle of the screen.
    Broadcast(Text<'a>),
    /// A line of chat.
    Chat {
        /// The author; `None` is the server, or the receiver for its own whisper in 0.6 of DDNet.
        from: Option<ClientId>,
        /// The audience.
        audience: Audience,
        /// The text.
        text: Text<'a>,
    },
    /// A player died.
    Kill {
        /// The killer; `None` for the world (0.7; 0.6 sends the victim).
        killer: Option<ClientId>,
        /// The player that died.
        victim: ClientId,
        /// The weapon, or a negative number for death by the world, by oneself, or by leaving.
        weapon: i32,
    },
    /// A player showed an emoticon.
    Emoticon {
        /// The player.
        from: ClientId,
        /// The emoticon.
        emoticon: Emoticon,
    },
    /// A player changed team (0.7).
    Team {
        /// The player.
        client: ClientId,
        /// The new team.
        team: Team,
    },
    /// A player joined or changed its looks (0.7; in 0.6 part of snapshots).
    ClientInfo {
        /// The player.
        client: ClientId,
        /// This is the receiver's own player.
        local: bool,
        /// The team.
        team: Team,
        /// The name and looks.
        profile: Profile<'a>,
        /// Do not announce the player.
        silent: bool,
    },
    /// The kind and limits of the game (0.7; in 0.6 part of snapshots).
    GameInfo {
        /// There are two teams.
        has_teams: bool,
        /// There are flags to carry.
        has_flags: bool,
        /// Players do not respawn in a round.
        is_survival: bool,
        /// The game is a race.
        is_race: bool,
        /// The score that ends a round; 0 for none.
        score_limit: i32,
        /// The minutes that end a round; 0 for none.
        time_limit: i32,
        /// Number of matches; 0 for no end.
        num_rounds: i32,
        /// The present match.
        round: i32,
    },
    /// A player left (0.7; in 0.6 part of snapshots).
    ClientDrop {
        /// The player.
        client: ClientId,
        /// The reason.
        reason: Text<'a>,
    },
    /// A vote began; one with a timeout of 0 ended.
    VoteSet {
        /// Seconds left.
        timeout: i32,
        /// The subject.
        description: Text<'a>,
        /// The reason.
        reason: Text<'a>,
    },
    /// The votes so far.
    VoteStatus {
        /// Votes for yes.
        yes: i32,
        /// Votes for no.
        no: i32,
        /// Players that may vote.
        total: i32,
    },
    /// Removes all vote options.
    VoteClearOptions,
    /// Adds a vote option.
    VoteOptionAdd(Text<'a>),
    /// Adds vote options; in 0.6 at most 15.
    VoteOptionListAdd(List<'a, Text<'a>>),
    /// Removes a vote option.
    VoteOptionRemove(Text<'a>),
    /// The physics of the game, in 100ths and wire order. Their number depends on the server's release.
    TuneParams(List<'a, i32>),
    /// Settings of the server that clients show (0.7).
    ServerSettings(ServerSettings),
    /// A player changed its looks (0.7; in 0.6 part of snapshots).
    SkinChange {
        /// The player.
        client: ClientId,
        /// The new looks.
        skin: Skin<'a>,
    },
    /// The DDNet team of each player, by id.
    Teams(List<'a, i32>),
    /// The time in the receiver's race (0.6 of DDNet).
    RaceTime {
        /// Hundredths of a second since the start.
        time: i32,
        /// Hundredths of a second from the time of the best run at the last checkpoint; 0 without one.
        checkpoint: i32,
        /// The race is finished.
        is_finish: bool,
    },
    /// The receiver passed a checkpoint of its race (0.7).
    Checkpoint {
        /// Milliseconds from the time of the best run.
        difference: i32,
    },
    /// A player finished its race.
    RaceFinish(RaceFinish),
    /// The best times of the race (0.6 of DDNet).
    Records {
        /// The best time on the server in hundredths of a second; 0 for none.
        server: i32,
        /// The best time of the receiver in hundredths of a second; 0 for none.
        player: i32,
    },
    /// A description of the map (DDNet).
    MapInfo(Text<'a>),
    /// A command of the remote console exists.
    RconCommandAdd(RconCommand<'a>),
    /// A command of the remote console no longer exists.
    RconCommandRemove(Text<'a>),
    /// Tells whether the remote console needs a user name (DDNet).
    RconType {
        /// A user name is needed.
        needs_user: bool,
    },
    /// A message that a session does not model.
    Other(WireMessage<'a>),
}

/// Settings of a server that clients of 0.7 show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ServerSettings {
    /// Players can start votes to kick a player.
    pub kick_vote: bool,
    /// The number of players from which they can.
    pub kick_min: i32,
    /// Players can start votes to move a player to the spectators.
    pub spec_vote: bool,
    /// Players cannot change the team.
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
    /// Milliseconds from the player's best time.
    pub difference: i32,
    /// It is the player's best time.
    pub is_personal_record: bool,
    /// It is the best time on the server.
    pub is_server_record: bool,
}

/// A command of the remote console.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RconCommand<'a> {
    /// The name.
    pub name: Text<'a>,
    /// What it does.
    pub help: Text<'a>,
    /// Its parameters, such as `i[id] ?r[reason]`.
    pub params: Text<'a>,
}

/// A message of one version, with all of its fields.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum WireMessage<'a> {
    /// A message of 0.6.
    V06(v06::message::Message<'a>),
    /// A message of 0.7.
    V07(v07::message::Message<'a>),
}

/// A message of a client to a server.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum ClientMessage<'a> {
    /// The client's version (DDNet, before `Info`).
    ClientVersion {
        /// An id of this connection.
        connection_id: Uuid,
        /// The version as a number, such as 16040.
        version: i32,
        /// The version as a text.
        text: Text<'a>,
    },
    /// The version of the protocol and the password.
    Info {
        /// The version of the protocol.
        version: Text<'a>,
        /// The password; empty for none.
        password: Text<'a>,
        /// The version of the client program, such as 0x0705 (0.7).
        client_version: Option<i32>,
    },
    /// Requests a chunk of the map.
    RequestMapData {
        /// The number of the chunk. 0.7 does not send it.
        piece: Option<i32>,
    },
    /// The map is loaded.
    Ready,
    /// The name and looks, before entering the game.
    StartInfo(Profile<'a>),
    /// A new name or new looks (0.6; in 0.7 the name cannot change).
    ChangeInfo(Profile<'a>),
    /// Enters the game.
    EnterGame,
    /// The input of the player.
    Input {
        /// Tick of the last complete snapshot; -1 for none.
        ack_snapshot: i32,
        /// The tick of the input.
        intended_tick: i32,
        /// The keys and the aim.
        input: Input,
        /// Correction of the ping in milliseconds (0.7); 0 in 0.6.
        ping_correction: i32,
    },
    /// A command for the remote console.
    RconCmd(Text<'a>),
    /// Logs in to the remote console.
    RconAuth {
        /// The name of the user (0.6 of DDNet).
        user: Text<'a>,
        /// The password.
        password: Text<'a>,
        /// Send the list of commands (0.6; 0.7 always does).
        wants_commands: bool,
    },
    /// Asks for an immediate answer.
    Ping,
    /// The answer to a ping.
    PingReply,
    /// Asks for an immediate answer with an id (DDNet).
    PingEx(Uuid),
    /// The answer to a ping with an id (DDNet).
    PongEx(Uuid),
    /// The name of a UUID (DDNet).
    ItIs {
        /// The UUID.
        uuid: Uuid,
        /// Its name.
        name: Text<'a>,
    },
    /// The UUID is unknown (DDNet).
    IDontKnow(Uuid),
    /// A line of chat.
    Say {
        /// The audience.
        audience: Audience,
        /// The text.
        text: Text<'a>,
    },
    /// Requests a change of the team.
    SetTeam(Team),
    /// The player to spectate; `None` for none in particular.
    Spectate(Option<ClientId>),
    /// Kills the player's character.
    Kill,
    /// Shows an emoticon.
    Emoticon(Emoticon),
    /// Votes yes (1) or no (-1), or withdraws the vote (0).
    Vote(i32),
    /// Starts a vote.
    CallVote {
        /// `kick`, `spectate` or `option`.
        kind: Text<'a>,
        /// The player or the option.
        value: Text<'a>,
        /// The reason.
        reason: Text<'a>,
    },
    /// The player is ready, or no longer (0.7).
    ReadyChange,
    /// A message that a session does not model.
    Other(WireMessage<'a>),
}

/// The input of a player in one tick; the same ten integers in both versions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
