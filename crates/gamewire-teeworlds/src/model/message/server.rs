use super::{
    Audience, CapabilityFlags, ClientId, GameInfo, MapChunkInfo, MapChunking, MapId, Profile, RaceFinish,
    RconCommand, ServerSettings,
};
use crate::model::skin::Skin;
use crate::shared::data::{List, Uuid};
use crate::shared::pack::Text;
use crate::shared::value::{Emoticon, Team};
use crate::shared::version::SnapshotMessage;

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
        /// The position of the chunk (0.6). In 0.7 the chunks arrive in order.
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
    /// Requests an immediate answer.
    Ping,
    /// The answer to a ping.
    PingReply,
    /// Requests an immediate answer with an id (DDNet).
    PingEx(Uuid),
    /// The answer to a ping with an id (DDNet).
    PongEx(Uuid),
    /// Requests the name of a UUID (DDNet).
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
        /// The author; `None` if the server is the author, or if the receiver whispered the line itself (0.6 of DDNet).
        from: Option<ClientId>,
        /// The audience.
        audience: Audience,
        /// The text.
        text: Text<'a>,
    },
    /// A player died.
    Kill {
        /// The killer; `None` for the world (0.7). 0.6 sends the victim instead of `None`.
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
    /// A player joined or changed its looks (0.7). In 0.6 this is part of snapshots.
    ClientInfo {
        /// The player.
        client: ClientId,
        /// This is the receiver's own player.
        local: bool,
        /// The team.
        team: Team,
        /// The name and looks.
        profile: Profile<'a>,
        /// The client must not announce the player.
        silent: bool,
    },
    /// The kind and limits of the game (0.7). In 0.6 they are part of snapshots.
    GameInfo(GameInfo),
    /// A player left (0.7). In 0.6 this is part of snapshots.
    ClientDrop {
        /// The player.
        client: ClientId,
        /// The reason.
        reason: Text<'a>,
    },
    /// A vote began, or ended if the timeout is 0.
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
    /// Adds vote options, at most 15 in 0.6.
    VoteOptionListAdd(List<'a, Text<'a>>),
    /// Removes a vote option.
    VoteOptionRemove(Text<'a>),
    /// The physics of the game, in 100ths and in wire order. The number of values depends on the server's release.
    TuneParams(List<'a, i32>),
    /// Settings of the server that clients show (0.7).
    ServerSettings(ServerSettings),
    /// A player changed its looks (0.7). In 0.6 this is part of snapshots.
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
        /// Difference to the best run at the last checkpoint, in hundredths of a second; 0 without a checkpoint.
        checkpoint: i32,
        /// The race is finished.
        is_finish: bool,
    },
    /// The receiver passed a checkpoint of its race (0.7).
    Checkpoint {
        /// Difference to the best run, in milliseconds.
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
    /// The kind of login that the remote console requires (DDNet).
    RconType {
        /// A user name is needed.
        needs_user: bool,
    },
    /// The content of the chunk of a message that the model does not have. [`WireMessage`](crate::WireMessage) has its
    /// fields.
    Other(&'a [u8]),
}
