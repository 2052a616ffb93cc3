use gamewire_wire::CodecError;

use super::{MapInfo, MapRefusal, TextBuf};
use crate::Dialect;
use crate::link::CloseReason;
use crate::session::message::{Audience, ClientId};
use crate::shared::value::{Emoticon, Team};

/// What happened. Text is as the server sent it: whoever shows it escapes it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// The connection stands; the login goes on by itself.
    Connected {
        /// The dialect that was agreed on.
        dialect: Dialect,
    },
    /// The server plays this map. Unless it is assumed to be there
    /// ([`MapPolicy::Assume`](super::MapPolicy::Assume)), [`Client::have_map`](super::Client::have_map) or
    /// [`Client::download_map`](super::Client::download_map) is waited for, and nothing else goes
    /// on until then. Comes again when the server changes the map: then the game, and who is in
    /// it, begin anew.
    MapNeeded(MapInfo),
    /// More of the map has come.
    MapProgress {
        /// Bytes that have come.
        received: usize,
        /// Bytes of the map.
        size: usize,
    },
    /// The map is there, and the login goes on.
    MapLoaded {
        /// Its bytes, if it was downloaded.
        bytes: Option<Vec<u8>>,
    },
    /// The map is not taken, or no more of it. [`Client::have_map`](super::Client::have_map) goes
    /// on without it.
    MapRefused(MapRefusal),
    /// The player is in the game: two snapshots have come.
    Entered,
    /// A snapshot was taken into [`Client::world`](super::Client::world).
    Snapshot {
        /// Its tick.
        tick: i32,
    },
    /// A player is there.
    Joined {
        /// Who.
        id: ClientId,
        /// The name.
        name: TextBuf,
        /// It is no arrival: the player was there before, or is not to be announced.
        silent: bool,
    },
    /// A player is gone.
    Left {
        /// Who it was.
        id: ClientId,
        /// The name it had.
        name: TextBuf,
        /// Why (0.7; 0.6 says it in a line of chat).
        reason: Option<TextBuf>,
    },
    /// A player has another name now, or left and another came between two snapshots of 0.6.
    Renamed {
        /// Who.
        id: ClientId,
        /// The name until now.
        before: TextBuf,
        /// The name from now on.
        name: TextBuf,
    },
    /// A line of chat.
    Chat {
        /// Who speaks; `None` is the server.
        from: Option<ClientId>,
        /// To whom.
        audience: Audience,
        /// The speaker's name, if it is known.
        name: Option<TextBuf>,
        /// What is said.
        text: TextBuf,
    },
    /// A player died.
    Kill {
        /// Who did it; `None` for the world.
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
    /// The message of the day.
    Motd(TextBuf),
    /// A text in the middle of everyone's screen.
    Broadcast(TextBuf),
    /// A vote began; one with a timeout of 0 ended.
    VoteSet {
        /// Seconds that are left.
        timeout: i32,
        /// What it is about.
        description: TextBuf,
        /// Why.
        reason: TextBuf,
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
    /// The remote console is open to the client, or closed.
    RconAuth {
        /// Whether it is open.
        granted: bool,
    },
    /// A line of the remote console's output.
    RconLine(TextBuf),
    /// What the server can do (DDNet).
    Capabilities {
        /// Version of the list of flags.
        version: i32,
        /// The flags.
        flags: i32,
    },
    /// The server wants the client to connect anew (DDNet): [`Client::reconnect`](super::Client::reconnect)
    /// does it.
    Reconnect,
    /// The server wants the client to connect to another port (DDNet):
    /// [`Client::reconnect`](super::Client::reconnect) does it.
    Redirect {
        /// The port.
        port: u16,
    },
    /// A message of the server cannot be read; it was dropped.
    Undecodable(CodecError),
    /// The connection is over, or never came to be. The last event, and the only one of its kind.
    Closed(CloseReason),
}

impl Event {
    /// Whether the machine or its driver waits for something to be done about it, so that it is
    /// not dropped for those that only tell.
    pub(super) const fn is_essential(&self) -> bool {
        matches!(
            self,
            Self::Connected { .. }
                | Self::MapNeeded(_)
                | Self::MapLoaded { .. }
                | Self::MapRefused(_)
                | Self::Entered
                | Self::Reconnect
                | Self::Redirect { .. }
                | Self::Closed(_)
        )
    }
}
