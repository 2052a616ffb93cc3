use super::{Audience, ClientId, Input, Profile};
use crate::model::skin::Skin;
use crate::shared::data::Uuid;
use crate::shared::pack::Text;
use crate::shared::value::{Emoticon, Team};

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
        /// The number of the chunk (0.6). 0.7 does not send it.
        piece: Option<i32>,
    },
    /// The map is loaded.
    Ready,
    /// The name and looks, before entering the game.
    StartInfo(Profile<'a>),
    /// A new name or new looks (0.6). In 0.7 the name cannot change, and only the looks are sent.
    ChangeInfo(Profile<'a>),
    /// New looks (0.7).
    ChangeSkin(Skin<'a>),
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
        /// Requests the list of commands (0.6). A server of 0.7 always sends it.
        wants_commands: bool,
    },
    /// Requests an immediate answer.
    Ping,
    /// The answer to a ping.
    PingReply,
    /// Requests an immediate answer with an id (DDNet).
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
    /// The player to spectate; `None` for no player in particular.
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
    /// Toggles whether the player is ready (0.7).
    ReadyChange,
    /// The content of the chunk of a message that the model does not have. [`WireMessage`](crate::WireMessage) has its
    /// fields.
    Other(&'a [u8]),
}
