use std::net::SocketAddr;
use std::time::Duration;

use gamewire_freeciv::codec::{ProtocolVersion, Text};
use gamewire_freeciv::number::Action;
use gamewire_freeciv::packets::{
    BeginTurn, ChatMsg, EndTurn, FreezeClient, NewYear, Packet, StartPhase, ThawClient, UnitRemove,
};
use gamewire_freeciv::session::PlayerRole;
use gamewire_freeciv::session::codec::Definition;
use gamewire_freeciv::session::server::{ClientId, Event, SendError, Server, ServerConfig};
use gamewire_machine::Instant;
use gamewire_net::blocking::Driver;
use gamewire_net::{DriverConfig, Transports};

use super::player::DemoPlayer;
use super::rules;
use crate::exit_status::Failure;

/// Minimum duration of a turn.
const TURN: Duration = Duration::from_millis(800);
/// Years per turn.
const YEARS: i32 = 50;

/// The server of the demo's game.
pub(in crate::demo) struct FreecivDemoServer {
    host: Driver<Server>,
    players: Vec<DemoPlayer>,
    /// Number of players that start the game.
    places: usize,
    /// `None` before the game starts.
    turn: i16,
    turned: Duration,
}

impl FreecivDemoServer {
    /// Opens a server with `places` slots on a free port.
    pub(in crate::demo) fn open(local: SocketAddr, places: u8) -> Result<Self, Failure> {
        let mut config = ServerConfig::new(Definition::default());
        config.welcome = "gamewire demo".into();
        config.max_per_ip = places.into();
        let server = Server::new(config, Instant::ZERO)
            .map_err(|error| Failure::no_socket("the Freeciv server", error))?;
        let host = Driver::listen_with(local, Transports::Tcp, server, DriverConfig::default())
            .map_err(|error| Failure::no_socket("the Freeciv server", error))?;
        Ok(Self { host, players: Vec::new(), places: places.into(), turn: 0, turned: Duration::ZERO })
    }

    pub(in crate::demo) fn address(&self) -> SocketAddr {
        self.host.local_addr()
    }

    /// Handles all pending events, `time` after the start.
    pub(in crate::demo) fn play(&mut self, time: Duration) -> Result<(), Failure> {
        let events = self
            .host
            .update()
            .map_err(|error| Failure::Failed(format!("the Freeciv server's socket failed: {error}")))?;
        let events: Vec<Event> = events.collect();
        for event in events {
            // If sending fails, the client is gone and an event follows.
            self.take(event).ok();
        }
        let is_time = time.saturating_sub(self.turned) >= TURN;
        let is_begin = self.turn == 0 && self.players.len() >= self.places;
        let is_next = self.turn > 0 && self.players.iter().all(|player| player.is_done);
        if (is_begin || is_next) && is_time && !self.players.is_empty() {
            self.turned = time;
            self.next_turn();
        }
        Ok(())
    }

    /// Stops the server and disconnects its players.
    pub(in crate::demo) fn close(&mut self) -> Result<(), Failure> {
        self.host.machine_mut().shut_down();
        self.play(Duration::ZERO)
    }

    fn take(&mut self, event: Event) -> Result<(), SendError> {
        let server = self.host.machine_mut();
        match event {
            Event::Joined { client, name, .. } => {
                let number = u8::try_from(self.players.len()).unwrap_or(u8::MAX);
                let player = DemoPlayer { client, number: number.into(), name, city: None, is_done: false };
                rules::send_rules(server, client)?;
                server.send(client, &player.player(1))?;
                server.set_role(client, PlayerRole::playing(number.into()))?;
                self.players.push(player);
                server.finish_request(client)
            }
            Event::Packet { client, packet, .. } => {
                if let Some(packet) = packet.packet() {
                    self.handle_order(client, packet)?;
                }
                self.host.machine_mut().finish_request(client)
            }
            Event::Closed { client, .. } => {
                self.players.retain(|player| player.client != client);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Executes a player's order.
    fn handle_order(&mut self, client: ClientId, packet: Packet<'_>) -> Result<(), SendError> {
        let Some(player) = self.players.iter_mut().find(|player| player.client == client) else {
            return Ok(());
        };
        match packet {
            Packet::PlayerPhaseDone(done) => player.is_done |= done.turn == self.turn,
            Packet::ChatMsgReq(chat) => {
                let line = format!("<{}> {}", player.name, chat.message.to_str_lossy());
                self.say(&line);
            }
            Packet::UnitDoAction(order)
                if Some(order.action_type) == Action::FoundCity.number(ProtocolVersion::V3_0)
                    && order.actor_id == player.settlers_id()
                    && player.city.is_none() =>
            {
                player.city = Some(order.name.to_str_lossy().into_owned());
                let (gone, city) = (UnitRemove { unit_id: player.settlers_id() }, player.city(self.turn));
                let server = self.host.machine_mut();
                for client in server.clients() {
                    server.send(client, &gone)?;
                    if let Some(city) = &city {
                        server.send(client, city)?;
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn say(&mut self, line: &str) {
        let message = Text::try_from(line).unwrap_or_default();
        let chat = ChatMsg { message, tile: -1, turn: self.turn, conn_id: -1, ..ChatMsg::default() };
        let server = self.host.machine_mut();
        for client in server.clients() {
            server.send(client, &chat).ok();
        }
    }

    fn next_turn(&mut self) {
        let is_first = self.turn == 0;
        self.turn = self.turn.saturating_add(1);
        self.players.iter_mut().for_each(|player| player.is_done = false);
        let clients = self.host.machine_mut().clients();
        for client in clients {
            // If sending fails, the client is gone and an event follows.
            self.send_turn(client, is_first).ok();
        }
    }

    /// Sends the changes of a turn in one chunk, compressed if that makes it smaller.
    fn send_turn(&mut self, client: ClientId, is_first: bool) -> Result<(), SendError> {
        let (turn, server) = (self.turn, self.host.machine_mut());
        server.freeze(client)?;
        server.send(client, &FreezeClient)?;
        if is_first {
            rules::send_map(server, client)?;
        } else {
            server.send(client, &EndTurn)?;
            let passed = i32::from(turn).saturating_sub(1).saturating_mul(YEARS);
            let year = passed.saturating_sub(4000);
            server.send(client, &NewYear { year, fragments: 0, turn })?;
        }
        for player in &self.players {
            server.send(client, &player.player(turn))?;
            if let Some(settlers) = player.settlers() {
                server.send(client, &settlers)?;
            }
            server.send(client, &player.explorer(turn))?;
            if let Some(city) = player.city(turn) {
                server.send(client, &city)?;
            }
        }
        server.send(client, &StartPhase { phase: 0 })?;
        server.send(client, &BeginTurn)?;
        server.send(client, &ThawClient)?;
        server.thaw(client)
    }
}
