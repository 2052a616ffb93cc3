//! A headless player in all dialects: [`Client`] logs in, downloads the map, plays and leaves.
//!
//! The application sends commands, receives [`Event`]s, and reads the game from [`Client::world`].
//! [`gamewire_machine::pump`] drives the client with bytes and the time.

mod announced;
mod antispoof;
mod command;
mod commands;
mod config;
mod context;
mod download;
mod error;
mod event;
mod input_clock;
mod line_queue;
mod machine;
mod map_info;
mod online;
mod planned_inputs;
mod player_tracker;
mod present;
mod receive;
mod session;
mod stall;
mod state;
mod stats;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test's own numbers")]
mod tests;
#[cfg(feature = "serde")]
pub mod view;

pub use announced::{Announced, Announcement, RconCommandBuf, Records, Vote};
pub use command::Command;
pub use config::{ClientConfig, MapPolicy};
pub use download::MapRefusal;
pub use error::CommandError;
pub use event::Event;
pub use input_clock::TimingStats;
pub use map_info::MapInfo;
pub use session::{Session, SessionConfig, SessionEnd, SessionNotice};
pub use stats::ClientStats;

use std::net::SocketAddr;
use std::sync::LazyLock;

use gamewire_machine::Instant;

use self::context::{ClientShared, Context};
use self::online::OnlineLink;
use self::state::LoginState;
use crate::Dialect;
use crate::handshake::{Connecting, SeededRng};
use crate::link::{CloseReason, Link, Outbox, Scratch};
use crate::model::World;
use crate::model::message::ClientId;
use crate::model::world::Player;
use crate::shared::data::Uuid;
use crate::shared::snapshot::Snapshot;

/// A headless player on one server.
///
/// Nothing that the server sends makes the client panic or use unbounded memory. A message that cannot be decoded is
/// dropped and counted. The client queues at most 1024 events and rejects a map that is larger than the configuration
/// allows.
#[derive(Debug)]
pub struct Client {
    shared: ClientShared,
    state: ClientState,
    server: SocketAddr,
    /// Datagrams of closed connections. They are sent first.
    transmits: Outbox,
    scratch: Scratch,
    rng: SeededRng,
}

#[allow(clippy::large_enum_variant, reason = "there is one, and it is rarely moved")]
#[derive(Debug)]
enum ClientState {
    /// The handshake is in progress.
    Connecting(Connecting),
    /// There is a connection and a session on it.
    Online(OnlineLink, LoginState),
    Closed,
}

/// The world without a snapshot.
static EMPTY_WORLD: LazyLock<World> = LazyLock::new(World::default);

impl Client {
    /// Creates a client and starts to connect to `server`.
    pub fn connect(server: SocketAddr, config: ClientConfig, now: Instant) -> Self {
        let mut rng = SeededRng::new(config.seed);
        let shared = ClientShared::new(config, now);
        let state = ClientState::Connecting(connecting(&shared, server, &mut rng));
        Self { shared, state, server, transmits: Outbox::new(), scratch: Scratch::new(), rng }
    }

    /// Returns the world of the latest snapshot. It is empty before the first one and after a change of the map.
    pub fn world(&self) -> &World {
        match &self.state {
            ClientState::Online(_, state) => state.world().unwrap_or(&EMPTY_WORLD),
            ClientState::Connecting(_) | ClientState::Closed => &EMPTY_WORLD,
        }
    }

    /// Returns the players of the latest snapshot.
    pub fn players(&self) -> &[Player] {
        &self.world().players
    }

    /// Returns the id of this client's own player, after a snapshot has contained it.
    pub fn local_player_id(&self) -> Option<ClientId> {
        self.world().own().map(|player| player.id)
    }

    /// Returns the data that the server has announced in messages, such as tune params, vote options and teams. A
    /// change of the map clears it, except for the data about the remote console.
    pub const fn announced(&self) -> &Announced {
        &self.shared.announced
    }

    /// Returns the items of the latest snapshot as they were received, if there is one.
    pub fn snapshot(&self) -> Option<&Snapshot> {
        self.shared.receiver.latest()
    }

    /// Returns the dialect of the connection, or `None` without a connection.
    pub const fn dialect(&self) -> Option<Dialect> {
        match &self.state {
            ClientState::Online(online, _) => Some(online.link.dialect()),
            ClientState::Connecting(_) | ClientState::Closed => None,
        }
    }

    /// Returns why a connecting client has no connection yet, or `None` if the client is not connecting.
    /// [`Event::Closed`] has this reason if the handshake times out.
    pub fn connect_failure(&self) -> Option<CloseReason> {
        match &self.state {
            ClientState::Connecting(connecting) => Some(connecting.failure()),
            ClientState::Online(..) | ClientState::Closed => None,
        }
    }

    /// Returns the name of the client's state: `connecting`, `logging in`, `map needed`, `downloading`, `map refused`,
    /// `readying`, `greeting`, `joining`, `playing` or `closed`.
    pub const fn state(&self) -> &'static str {
        match &self.state {
            ClientState::Connecting(_) => "connecting",
            ClientState::Online(_, state) => state.name(),
            ClientState::Closed => "closed",
        }
    }

    /// Returns the counters.
    pub const fn stats(&self) -> ClientStats {
        let stats = &self.shared.stats;
        let (link, dropped_datagrams) = match &self.state {
            ClientState::Online(online, _) => (*online.link.stats(), online.link.transmits.dropped()),
            ClientState::Connecting(connecting) => (stats.link, connecting.transmits.dropped()),
            ClientState::Closed => (stats.link, 0),
        };
        ClientStats {
            link,
            snapshots: self.shared.receiver.counts(),
            dropped_events: self.shared.events.missed(),
            dropped_datagrams: self.transmits.dropped().saturating_add(dropped_datagrams),
            ..*stats
        }
    }

    /// Returns the number of lines that [`Client::queue_chat`] and [`Client::queue_rcon`] have not sent yet. They outlive
    /// a connection.
    pub fn queued_lines(&self) -> usize {
        self.shared.lines.len()
    }

    /// Returns the number of vital messages that the server has not acknowledged.
    pub const fn unacked(&self) -> usize {
        match &self.state {
            ClientState::Online(online, _) => online.link.unacked_count(),
            ClientState::Connecting(_) | ClientState::Closed => 0,
        }
    }

    /// Returns the address of the server.
    pub const fn server(&self) -> SocketAddr {
        self.server
    }

    /// Returns the approximate memory in bytes of data that the server sent, without the texts of events.
    pub fn held_bytes(&self) -> usize {
        let online = match &self.state {
            ClientState::Online(online, state) => online.link.held_bytes().saturating_add(state.held_bytes()),
            ClientState::Connecting(_) | ClientState::Closed => 0,
        };
        let shared = self.shared.receiver.held_bytes().saturating_add(self.shared.events.held_bytes());
        let shared = shared.saturating_add(self.shared.announced.held_bytes());
        shared.saturating_add(online)
    }

    /// Returns the configuration.
    pub const fn config(&self) -> &ClientConfig {
        &self.shared.config
    }

    /// Calls `act` with the state of the session, if there is one.
    fn with_session<T>(
        &mut self,
        act: impl FnOnce(&mut LoginState, &mut Context<'_>) -> Result<T, CommandError>,
    ) -> Result<T, CommandError> {
        let ClientState::Online(online, state) = &mut self.state else {
            return Err(CommandError::NotConnected);
        };
        act(state, &mut Context { shared: &mut self.shared, online })
    }

    /// Starts a handshake with the server.
    fn start_connecting(&mut self) {
        let closing = match &self.state {
            ClientState::Online(online, _) if online.link.peer() == self.server => online.link.close_header(),
            _ => None,
        };
        let connecting = connecting(&self.shared, self.server, &mut self.rng).closing(closing);
        self.leave_state(ClientState::Connecting(connecting));
    }

    /// Starts the session on a connection.
    fn start_session(&mut self, link: Link) {
        self.shared.announced = Announced::default();
        self.shared.lines.is_ddnet = false;
        self.shared.emit(Event::Connected { dialect: link.dialect() });
        let connection_id = Uuid(self.rng.key());
        let mut online = OnlineLink::new(link, self.shared.config.link.is_none());
        let mut context = Context { shared: &mut self.shared, online: &mut online };
        let state = LoginState::begin(connection_id, &mut context);
        self.leave_state(ClientState::Online(online, state));
    }

    /// Closes the client and emits its last event.
    fn close(&mut self, reason: CloseReason) {
        self.leave_state(ClientState::Closed);
        self.shared.events.close(Event::Closed(reason));
    }

    /// Replaces the state. The counters and the unsent datagrams of the old state are kept.
    fn leave_state(&mut self, next: ClientState) {
        let mut waiting = match core::mem::replace(&mut self.state, next) {
            ClientState::Connecting(connecting) => connecting.transmits,
            ClientState::Online(online, _) => {
                self.shared.stats.link = *online.link.stats();
                online.link.transmits
            }
            ClientState::Closed => return,
        };
        self.transmits.append(&mut waiting);
    }
}

fn connecting(shared: &ClientShared, server: SocketAddr, rng: &mut SeededRng) -> Connecting {
    Connecting::new(shared.config.offer, server, shared.config.link, rng, shared.clock.now())
}
