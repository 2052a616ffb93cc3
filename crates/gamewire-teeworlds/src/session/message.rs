//! What the two roles say to each other once they are connected, whatever the version.
//!
//! Only what a session needs to act on has a word here; everything else that is sent is
//! [`ServerMessage::Other`] or [`ClientMessage::Other`] and goes by.

use crate::shared::data::Uuid;
use crate::shared::pack::Text;
use crate::shared::value::{Emoticon, Team};
use crate::shared::version::SnapshotMessage;

/// The number of a player in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientId(pub u8);

impl ClientId {
    /// The number on the wire; `None` for what stands for nobody, and for what no game gives.
    #[must_use]
    pub fn from_wire(id: i32) -> Option<Self> {
        u8::try_from(id).ok().filter(|id| *id < 128).map(Self)
    }

    /// The number on the wire, where -1 stands for nobody.
    #[must_use]
    pub fn to_wire(id: Option<Self>) -> i32 {
        id.map_or(-1, |id| i32::from(id.0))
    }
}

/// To whom a line of chat goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Everyone.
    All,
    /// The speaker's team.
    Team,
    /// One player; `None` where DDNet's 0.6 leaves out that it is the one who hears it. A 0.6
    /// client whispers by a command in the text.
    Whisper(Option<ClientId>),
}

/// What identifies a map file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapId<'a> {
    /// Its name, without folder or ending, as the server calls it. Not to be trusted as a path.
    pub name: Text<'a>,
    /// CRC-32 of the file.
    pub crc: u32,
    /// Size of the file in bytes, as the server says; -1 where it does not.
    pub size: i32,
    /// SHA-256 of the file: always in 0.7, from DDNet's `map_details` in 0.6.
    pub sha256: Option<[u8; 32]>,
}

/// How a map is handed out, as 0.7 announces it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapChunking {
    /// How many pieces answer one request.
    pub per_request: i32,
    /// Bytes in each piece but the last.
    pub size: i32,
}

/// Which piece of the map this is, as 0.6 says beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapChunkInfo {
    /// Whether it is the last one.
    pub is_last: bool,
    /// CRC-32 of the whole file.
    pub crc: u32,
    /// Its number, from 0.
    pub piece: i32,
}

/// Name and looks of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile<'a> {
    /// The name.
    pub name: Text<'a>,
    /// The clan.
    pub clan: Text<'a>,
    /// Country by ISO 3166 number; -1 for none.
    pub country: i32,
    /// The skin by name in 0.6; in 0.7, where skins have parts, the name of the body.
    pub skin: Text<'a>,
}

/// What a server says to a client.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ServerMessage<'a> {
    /// The client must load this map now.
    MapChange {
        /// Which map.
        map: MapId<'a>,
        /// How it is handed out (0.7).
        pieces: Option<MapChunking>,
    },
    /// More of the map that the next `MapChange` names (DDNet).
    MapDetails {
        /// Which map.
        map: MapId<'a>,
        /// Where it can be downloaded.
        url: Option<Text<'a>>,
    },
    /// A piece of the map file.
    MapData {
        /// Which piece (0.6); in 0.7 they come in order.
        place: Option<MapChunkInfo>,
        /// Its bytes.
        data: &'a [u8],
    },
    /// The server takes the client on.
    ConReady,
    /// The game is ready for the client.
    ReadyToEnter,
    /// A snapshot, or a part of one.
    Snapshot(SnapshotMessage<'a>),
    /// How early or late an input arrived.
    InputTiming {
        /// The tick that the input was meant for.
        intended_tick: i32,
        /// Milliseconds that were left when it arrived; negative when it came too late.
        time_left: i32,
    },
    /// The remote console is open to the client, or closed.
    RconAuth {
        /// Whether it is open.
        granted: bool,
    },
    /// A line of the remote console's output.
    RconLine(Text<'a>),
    /// Asks for an answer at once.
    Ping,
    /// The answer to a ping.
    PingReply,
    /// Asks for an answer at once, with an id (DDNet).
    PingEx(Uuid),
    /// The answer to a ping with an id (DDNet).
    PongEx(Uuid),
    /// Asks what a UUID means (DDNet).
    WhatIs(Uuid),
    /// What the server can do (DDNet).
    Capabilities {
        /// Version of the list of flags.
        version: i32,
        /// The flags.
        flags: i32,
    },
    /// The client is to connect anew (DDNet).
    Reconnect,
    /// The client is to go to another port (DDNet).
    Redirect {
        /// The port.
        port: i32,
    },
    /// The message of the day.
    Motd(Text<'a>),
    /// A text in the middle of everyone's screen.
    Broadcast(Text<'a>),
    /// A line of chat.
    Chat {
        /// Who speaks; `None` is the server, or the hearer of its own whisper in DDNet's 0.6.
        from: Option<ClientId>,
        /// To whom.
        audience: Audience,
        /// What is said.
        text: Text<'a>,
    },
    /// A player died.
    Kill {
        /// Who did it; `None` for the world (0.7; 0.6 names the victim).
        killer: Option<ClientId>,
        /// Who died.
        victim: ClientId,
        /// With what: a weapon, or a negative number for death by world, by oneself, by leaving.
        weapon: i32,
    },
    /// A player shows an emoticon.
    Emoticon {
        /// Who.
        from: ClientId,
        /// Which.
        emoticon: Emoticon,
    },
    /// A player changed team (0.7).
    Team {
        /// Who.
        client: ClientId,
        /// Where to.
        team: Team,
    },
    /// A player is there, or looks otherwise now (0.7; 0.6 tells it in snapshots).
    ClientInfo {
        /// Who.
        client: ClientId,
        /// Whether it is this client's own player.
        local: bool,
        /// The team.
        team: Team,
        /// Name and looks.
        profile: Profile<'a>,
        /// Whether it is not to be shown as an arrival.
        silent: bool,
    },
    /// Kind and limits of the game (0.7; 0.6 tells it in snapshots).
    GameInfo {
        /// Whether there are two teams.
        has_teams: bool,
        /// Whether flags are carried.
        has_flags: bool,
        /// The score that ends a round; 0 for none.
        score_limit: i32,
        /// The minutes that end a round; 0 for none.
        time_limit: i32,
    },
    /// A player left (0.7; 0.6 tells it in snapshots).
    ClientDrop {
        /// Who.
        client: ClientId,
        /// Why.
        reason: Text<'a>,
    },
    /// A vote began; one with a timeout of 0 ended.
    VoteSet {
        /// Seconds that are left.
        timeout: i32,
        /// What it is about.
        description: Text<'a>,
        /// Why.
        reason: Text<'a>,
    },
    /// How the vote stands.
    VoteStatus {
        /// Votes for it.
        yes: i32,
        /// Votes against it.
        no: i32,
        /// Who may vote.
        total: i32,
    },
    /// All vote options are void.
    VoteClearOptions,
    /// A message that asks nothing of a session.
    Other,
}

/// What a client says to a server.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClientMessage<'a> {
    /// Which client this is (DDNet, before `Info`).
    ClientVersion {
        /// Names this connection.
        connection_id: Uuid,
        /// The version as a number, such as 16040.
        version: i32,
        /// The version as a text.
        text: Text<'a>,
    },
    /// Which protocol the client speaks, and the password.
    Info {
        /// The version of the protocol.
        version: Text<'a>,
        /// The password; empty for none.
        password: Text<'a>,
        /// The version of the client's program, such as 0x0705 (0.7).
        client_version: Option<i32>,
    },
    /// Asks for a piece of the map.
    RequestMapData {
        /// Which piece; 0.7 does not say it.
        piece: Option<i32>,
    },
    /// The map is loaded.
    Ready,
    /// Name and looks, before entering.
    StartInfo(Profile<'a>),
    /// New name or looks (0.6; in 0.7 the name cannot change).
    ChangeInfo(Profile<'a>),
    /// The client wants to play now.
    EnterGame,
    /// What the player does.
    Input {
        /// Tick of the last snapshot that arrived whole; -1 for none.
        ack_snapshot: i32,
        /// The tick that the input is meant for.
        intended_tick: i32,
        /// The keys and the aim.
        input: Input,
        /// Milliseconds by which the client corrects its ping (0.7); 0 in 0.6.
        ping_correction: i32,
    },
    /// A line for the remote console.
    RconCmd(Text<'a>),
    /// Asks for the remote console.
    RconAuth {
        /// Its password.
        password: Text<'a>,
    },
    /// Asks for an answer at once.
    Ping,
    /// The answer to a ping.
    PingReply,
    /// Asks for an answer at once, with an id (DDNet).
    PingEx(Uuid),
    /// The answer to a ping with an id (DDNet).
    PongEx(Uuid),
    /// What a UUID means (DDNet).
    ItIs {
        /// The UUID that was asked for.
        uuid: Uuid,
        /// Its name.
        name: Text<'a>,
    },
    /// The UUID is not known here (DDNet).
    IDontKnow(Uuid),
    /// A line of chat to send.
    Say {
        /// To whom.
        audience: Audience,
        /// What is said.
        text: Text<'a>,
    },
    /// Asks to change team.
    SetTeam(Team),
    /// Whom a spectator watches; `None` for nobody.
    Spectate(Option<ClientId>),
    /// The player gives up this life.
    Kill,
    /// The player shows an emoticon.
    Emoticon(Emoticon),
    /// Votes yes (1), no (-1), or takes it back (0).
    Vote(i32),
    /// Starts a vote.
    CallVote {
        /// `kick`, `spectate` or `option`.
        kind: Text<'a>,
        /// Whom, or which option.
        value: Text<'a>,
        /// Why.
        reason: Text<'a>,
    },
    /// A message that asks nothing of a session.
    Other,
}

/// What a player does in one tick; the same ten integers in both versions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// -1 left, 0 nowhere, 1 right.
    pub direction: i32,
    /// Where the player aims, in 32nds of a tile to the right of the character.
    pub target_x: i32,
    /// Where the player aims, in 32nds of a tile below the character.
    pub target_y: i32,
    /// Whether the jump key is down.
    pub jump: bool,
    /// Counts presses and releases of the fire key: odd while it is down.
    pub fire: i32,
    /// Whether the hook key is down.
    pub hook: bool,
    /// What the player is about, in the bits of its version.
    pub player_flags: i32,
    /// The weapon asked for, from 1; 0 for none.
    pub wanted_weapon: i32,
    /// Counts presses of the key for the next weapon.
    pub next_weapon: i32,
    /// Counts presses of the key for the weapon before.
    pub prev_weapon: i32,
}
