use core::time::Duration;

use gamewire_machine::{Instant, Wake};
use gamewire_wire::Writer;
use thiserror::Error;

use super::ServerConfig;
use super::peer_state::PeerState;
use super::snapshots::{Snapshots, View};
use super::ticks::Ticks;
use crate::link::{self, Link};
use crate::model::EncodeError;
use crate::model::message::{Audience, ClientId, ServerMessage};
use crate::model::world::World;
use crate::shared::pack::Text;
use crate::shared::packet::MAX_PAYLOAD;
use crate::shared::value::{Emoticon, Team};

/// Maximum time until INFO.
const LOGIN_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum time until ENTERGAME. It includes the download of the map.
const ENTER_TIMEOUT: Duration = Duration::from_secs(120);

/// A client with a connection. It changes only its own state, and returns effects on others as a [`PeerEffect`].
#[derive(Debug)]
pub(super) struct Peer {
    pub(super) id: ClientId,
    pub(super) link: Link,
    pub(super) state: PeerState,
    pub(super) rcon: RconState,
    /// Time at which the connection was established.
    since: Instant,
    /// A queued message must not wait for the next snapshot.
    is_urgent: bool,
}

/// A client's access to the remote console.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RconState {
    /// No access. Counts wrong passwords.
    Closed {
        tries: u8,
    },
    Open,
}

/// The data of the server that is needed to handle a message.
pub(super) struct PeerContext<'a> {
    pub(super) config: &'a ServerConfig,
    pub(super) ticks: Ticks,
    pub(super) now: Instant,
}

/// The effect of a message on the server or on other players.
pub(super) enum PeerEffect<'m> {
    None,
    Disconnect(String),
    /// The client has entered the game.
    Entered,
    /// The player changed its looks.
    Changed,
    /// A command for the remote console, from a client that has access.
    RconCommand(Text<'m>),
    Say {
        audience: Audience,
        text: Text<'m>,
    },
    SetTeam(Team),
    Kill,
    Emoticon(Emoticon),
}

/// The reason why a message to a client was not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SendError {
    /// There is no such client.
    #[error("no client has this id")]
    NoClient,
    /// The client's version does not have this message, a value is out of its range, or a text is too long or has a
    /// zero byte.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// The connection does not accept the message.
    #[error(transparent)]
    Send(#[from] link::SendError),
}

impl Peer {
    pub(super) const fn new(id: ClientId, link: Link, now: Instant) -> Self {
        let rcon = RconState::Closed { tries: 0 };
        Self { id, link, state: PeerState::AwaitInfo, rcon, since: now, is_urgent: false }
    }

    /// Returns the deadline of the login.
    fn deadline(&self) -> Option<Wake> {
        match self.state {
            PeerState::AwaitInfo => Some(Wake { at: self.since + LOGIN_TIMEOUT, reason: "login" }),
            PeerState::AwaitReady { .. } | PeerState::AwaitStartInfo | PeerState::AwaitEnterGame(_) => {
                Some(Wake { at: self.since + ENTER_TIMEOUT, reason: "entering" })
            }
            PeerState::Playing(_) => None,
        }
    }

    /// Returns whether the login has timed out.
    pub(super) fn login_timed_out(&self, now: Instant) -> bool {
        self.deadline().is_some_and(|deadline| deadline.at <= now)
    }

    /// Returns the next time at which the link or the login is due.
    pub(super) fn poll_timeout(&self) -> Option<Wake> {
        Wake::earliest([self.link.poll_timeout(), self.deadline()])
    }

    /// Returns the memory of the link and the snapshots, in bytes.
    pub(super) fn held_bytes(&self) -> usize {
        let snapshots = match &self.state {
            PeerState::Playing(playing) => playing.snapshots.held_bytes(),
            _ => 0,
        };
        self.link.held_bytes().saturating_add(snapshots)
    }

    /// Sends a snapshot of the world, if the client is in the game and a snapshot is due. `show` changes the part of the
    /// world that the client sees.
    pub(super) fn send_snapshot(
        &mut self,
        world: &World,
        snapshots: &mut Snapshots,
        show: impl FnOnce(&mut View<'_>),
    ) {
        let (viewer, dialect) = (self.id, self.link.dialect());
        let PeerState::Playing(playing) = &mut self.state else { return };
        if !playing.snapshots.acks.rate.is_due(world.tick) {
            return;
        }
        let Some(messages) = snapshots.send(&mut playing.snapshots, viewer, dialect, world, show) else {
            return;
        };
        for message in messages {
            // Snapshots are not vital, so the send buffer cannot be full.
            queue_message(&mut self.link, &ServerMessage::Snapshot(message)).ok();
        }
        self.link.flush();
    }

    /// Sends a message. It is dropped if the dialect does not have it or if it is too long. If the send buffer is full,
    /// the link is closed, because a client without the message would show a wrong state.
    pub(super) fn send(&mut self, message: &ServerMessage<'_>) {
        if !self.try_send(message) {
            self.link.close_out_of_buffer();
        }
    }

    /// Sends a message that the caller can also send later. Returns `false` if the send buffer is full.
    pub(super) fn try_send(&mut self, message: &ServerMessage<'_>) -> bool {
        let result = queue_message(&mut self.link, message);
        self.is_urgent |= result == Ok(true);
        result != Err(link::SendError::Full)
    }

    /// Sends a message, or returns the reason why it cannot be sent.
    pub(super) fn queue(&mut self, message: &ServerMessage<'_>) -> Result<(), SendError> {
        let mut buffer = [0; MAX_PAYLOAD];
        let mut to = Writer::new(&mut buffer);
        self.link.dialect().encode_server_message(message, &mut to)?;
        let SendFlags { vital, urgent } = SendFlags::of(message);
        self.link.send(vital, to.written())?;
        self.is_urgent |= urgent;
        Ok(())
    }

    /// Sends all queued messages if one of them is urgent. The server calls this once per received datagram, so that
    /// the answer is not split into many datagrams.
    pub(super) fn flush_urgent(&mut self) {
        if core::mem::take(&mut self.is_urgent) {
            self.link.flush();
        }
    }
}

/// Queues a message. Returns whether it is urgent.
fn queue_message(link: &mut Link, message: &ServerMessage<'_>) -> Result<bool, link::SendError> {
    let mut buffer = [0; MAX_PAYLOAD];
    let mut to = Writer::new(&mut buffer);
    if link.dialect().encode_server_message(message, &mut to).is_err() {
        return Ok(false);
    }
    let SendFlags { vital, urgent } = SendFlags::of(message);
    link.send(vital, to.written()).map(|()| urgent)
}

/// The flags of a sent message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SendFlags {
    /// The message is resent until it is acknowledged.
    vital: bool,
    /// The message is sent with the answer to the current datagram.
    urgent: bool,
}

impl SendFlags {
    /// Returns the flags that teeworlds-server 0.7.5 uses: answers of the login are sent immediately, and messages of
    /// the game wait for the next snapshot.
    const fn of(message: &ServerMessage<'_>) -> Self {
        match message {
            ServerMessage::Snapshot(_) | ServerMessage::PingReply => Self { vital: false, urgent: true },
            ServerMessage::InputTiming { .. } => Self { vital: false, urgent: false },
            ServerMessage::MapChange { .. }
            | ServerMessage::MapData { .. }
            | ServerMessage::ConReady
            | ServerMessage::ReadyToEnter
            | ServerMessage::PongEx(_) => Self { vital: true, urgent: true },
            _ => Self { vital: true, urgent: false },
        }
    }
}
