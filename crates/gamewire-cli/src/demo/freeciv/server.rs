use std::net::SocketAddr;
use std::time::Duration;

use gamewire_freeciv::codec::Text;
use gamewire_freeciv::packets::{
    BeginTurn, ChatMsg, EndTurn, FreezeClient, NewYear, OwnedPacket, Packet, StartPhase, ThawClient,
};
use gamewire_freeciv::session::PlayerRole;
use gamewire_freeciv::session::codec::Definition;
use gamewire_freeciv::session::server::{ClientId, Event, SendError, Server, ServerConfig};
use gamewire_machine::Instant;
use gamewire_net::blocking::Driver;
use gamewire_net::{DriverConfig, Transports};

use super::game::{Game, Summaries};
use super::rules;
use crate::exit_status::Failure;

/// Minimum duration of a turn.
const TURN: Duration = Duration::from_millis(800);
/// Years per turn.
const YEARS: i32 = 50;

/// The server of the demo's game.
pub(in crate::demo) struct FreecivDemoServer {
    host: Driver<Server>,
    game: Game,
    players: Vec<DemoPlayer>,
    /// Number of players at which the game starts.
    places: usize,
    /// Time at which the turn began, since the start of the demo.
    turned: Duration,
    summaries: Summaries,
}

/// A connected player.
struct DemoPlayer {
    client: ClientId,
    number: u16,
    name: String,
    /// True if the player has ended the turn.
    is_done: bool,
}

impl FreecivDemoServer {
    /// Opens a server with `places` slots on a free port.
    pub(in crate::demo) fn open(local: SocketAddr, places: u8) -> Result<Self, Failure> {
        let mut config = ServerConfig::new(Definition::default());
        config.welcome = "gamewire demo".into();
        config.compression = gamewire::freeciv::compression_level();
        config.max_per_ip = places.into();
        let server = Server::new(config, Instant::ZERO)
            .map_err(|error| Failure::no_socket("the Freeciv server", error))?;
        let host = Driver::listen_with(local, Transports::Tcp, server, DriverConfig::default())
            .map_err(|error| Failure::no_socket("the Freeciv server", error))?;
        Ok(Self {
            host,
            game: Game::new().map_err(|error| Failure::Failed(error.to_string()))?,
            players: Vec::new(),
            places: places.into(),
            turned: Duration::ZERO,
            summaries: Summaries::default(),
        })
    }

    /// Returns the summaries of the nations. The server writes to them.
    pub(in crate::demo) fn summaries(&self) -> Summaries {
        Summaries::clone(&self.summaries)
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
            // A failed send means that the client has disconnected. An event follows.
            self.take(event).ok();
        }
        let is_time = time.saturating_sub(self.turned) >= TURN;
        let is_begin = self.game.turn == 0 && self.players.len() >= self.places;
        let is_next = self.game.turn > 0 && self.players.iter().all(|player| player.is_done);
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
                let number = self.game.join(&name);
                self.players.push(DemoPlayer { client, number, name, is_done: false });
                send_all(server, client, &rules::packets())?;
                send_all(server, client, &self.game.nation_packets())?;
                server.set_role(client, PlayerRole::playing(number))?;
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
            Packet::PlayerPhaseDone(done) => player.is_done |= done.turn == self.game.turn,
            Packet::ChatMsgReq(chat) => {
                let line = format!("<{}> {}", player.name, chat.message.to_str_lossy());
                self.say(&line);
            }
            order => {
                let changes = self.game.order(player.number, order).unwrap_or_default();
                let server = self.host.machine_mut();
                for client in server.clients() {
                    // A failed send means that the client has disconnected. An event follows.
                    send_all(server, client, &changes).ok();
                }
            }
        }
        Ok(())
    }

    fn say(&mut self, line: &str) {
        let message = Text::try_from(line).unwrap_or_default();
        let chat = ChatMsg { message, tile: -1, turn: self.game.turn, conn_id: -1, ..ChatMsg::default() };
        let server = self.host.machine_mut();
        for client in server.clients() {
            server.send(client, &chat).ok();
        }
    }

    fn next_turn(&mut self) {
        let is_first = self.game.turn == 0;
        self.game.next_turn();
        self.players.iter_mut().for_each(|player| player.is_done = false);
        let summaries =
            self.players.iter().filter_map(|player| Some((player.number, self.game.summary(player.number)?)));
        *self.summaries.borrow_mut() = summaries.collect();
        let mut packets = if is_first { self.game.map_packets() } else { Vec::new() };
        packets.extend(self.game.packets());
        let clients = self.host.machine_mut().clients();
        for client in clients {
            // A failed send means that the client has disconnected. An event follows.
            self.send_turn(client, is_first, &packets).ok();
        }
    }

    /// Sends the changes of a turn in one chunk, compressed if that makes it smaller.
    fn send_turn(
        &mut self,
        client: ClientId,
        is_first: bool,
        packets: &[OwnedPacket],
    ) -> Result<(), SendError> {
        let (turn, server) = (self.game.turn, self.host.machine_mut());
        server.freeze(client)?;
        server.send(client, &FreezeClient)?;
        if !is_first {
            server.send(client, &EndTurn)?;
            let passed = i32::from(turn).saturating_sub(1).saturating_mul(YEARS);
            let year = passed.saturating_sub(4000);
            server.send(client, &NewYear { year, fragments: 0, turn })?;
        }
        send_all(server, client, packets)?;
        server.send(client, &StartPhase { phase: 0 })?;
        server.send(client, &BeginTurn)?;
        server.send(client, &ThawClient)?;
        server.thaw(client)
    }
}

fn send_all(server: &mut Server, client: ClientId, packets: &[OwnedPacket]) -> Result<(), SendError> {
    packets.iter().try_for_each(|packet| server.send(client, packet).map(drop))
}
