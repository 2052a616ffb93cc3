use std::net::SocketAddr;

use super::machine::Client;
use super::state::ClientState;
use super::{ClientConfig, ClientStats};
use crate::Dialect;
use crate::session::World;
use crate::session::message::ClientId;
use crate::session::world::{Game, Player};

/// What the world looks like where there is none.
static NOWHERE: World = World {
    tick: 0,
    game: Game {
        start_tick: 0,
        is_over: false,
        is_sudden_death: false,
        is_paused: false,
        has_teams: false,
        has_flags: false,
        score_limit: 0,
        time_limit: 0,
    },
    players: Vec::new(),
    characters: Vec::new(),
    pickups: Vec::new(),
};

impl Client {
    /// What the latest snapshot shows; nothing before the first, and after a change of the map.
    #[must_use]
    pub fn world(&self) -> &World {
        match &self.state {
            ClientState::Online(_, stage) => stage.world().unwrap_or(&NOWHERE),
            ClientState::Connecting(_) | ClientState::Closed => &NOWHERE,
        }
    }

    /// The players of the latest snapshot.
    #[must_use]
    pub fn players(&self) -> &[Player] {
        &self.world().players
    }

    /// The number of this client's own player, once a snapshot has said it.
    #[must_use]
    pub fn local_player_id(&self) -> Option<ClientId> {
        self.world().own().map(|player| player.id)
    }

    /// The dialect of the connection; `None` when there is none.
    #[must_use]
    pub const fn dialect(&self) -> Option<Dialect> {
        match &self.state {
            ClientState::Online(line, _) => Some(line.link.dialect()),
            ClientState::Connecting(_) | ClientState::Closed => None,
        }
    }

    /// Where the client stands: `connecting`, `logging in`, `map needed`, `downloading`,
    /// `map refused`, `readying`, `greeting`, `joining`, `playing` or `closed`.
    #[must_use]
    pub const fn state(&self) -> &'static str {
        self.state.name()
    }

    /// What has been counted so far.
    #[must_use]
    pub const fn stats(&self) -> ClientStats {
        let desk = &self.desk;
        let link = match &self.state {
            ClientState::Online(line, _) => *line.link.stats(),
            ClientState::Connecting(_) | ClientState::Closed => desk.counts.link,
        };
        ClientStats {
            link,
            snapshots: desk.receiver.counts(),
            dropped_events: desk.events.dropped(),
            dropped_datagrams: desk.out.dropped(),
            ..desk.counts
        }
    }

    /// The server.
    #[must_use]
    pub const fn server(&self) -> SocketAddr {
        self.server
    }

    /// About how much memory is held for what the server sent, in bytes; text in events is not
    /// counted.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        let online = match &self.state {
            ClientState::Online(line, stage) => line.link.held_bytes().saturating_add(stage.held_bytes()),
            ClientState::Connecting(_) | ClientState::Closed => 0,
        };
        self.desk.receiver.held_bytes().saturating_add(self.desk.events.held_bytes()).saturating_add(online)
    }

    /// How it is to play.
    #[must_use]
    pub const fn config(&self) -> &ClientConfig {
        &self.desk.config
    }
}
