use std::collections::BTreeMap;
use std::io;
use std::task::Waker;
use std::time::{Duration, Instant};

use gamewire_freeciv::packets::Packet;
use gamewire_freeciv::session::codec::PacketBuf;
use gamewire_freeciv::session::server::{
    ClientId, Event, Replay, ReplayError, ReplayProgress, SendError, Server,
};
use gamewire_net::Stats;
use gamewire_net::blocking::Driver;
use serde::Deserialize;
use serde_json::json;

use super::recording::Recording;
use crate::controls::{CommandError, Controlled};
use crate::driving::next_event;
use crate::exit_status::Failure;
use crate::json_command::from_json;
use crate::output::{Output, Summary, event};

/// A server that replays the recording to clients.
pub(super) struct ReplayServer<'r> {
    host: Driver<Server>,
    recording: &'r Recording,
    turn_time: Duration,
    output: Output,
    replays: BTreeMap<ClientId, ClientReplay>,
    stats: ReplayStats,
    is_over: bool,
}

/// A client's position in the recording.
struct ClientReplay {
    position: Replay,
    turn: u64,
    /// The time of the next turn; `None` after the last one.
    next: Option<Instant>,
}

impl<'r> ReplayServer<'r> {
    pub(super) fn new(
        host: Driver<Server>,
        recording: &'r Recording,
        turn_time: Duration,
        output: Output,
    ) -> Self {
        let (replays, stats) = (BTreeMap::new(), ReplayStats::default());
        Self { host, recording, turn_time, output, replays, stats, is_over: false }
    }

    /// Reports the clients that have left, and prints the summary.
    pub(super) fn end(mut self) -> Result<(), Failure> {
        while let Some(event) = self.next_event(Duration::ZERO)? {
            self.handle_event(event)?;
        }
        Ok(self.output.print_summary(self.stats.summary(self.host.stats()))?)
    }

    fn next_event(&mut self, wait: Duration) -> Result<Option<Event>, Failure> {
        next_event(&mut self.host, wait).map_err(Failure::server_socket)
    }

    fn handle_event(&mut self, event: Event) -> Result<(), Failure> {
        match event {
            Event::Joined { client, name, capabilities } => {
                self.stats.clients = self.stats.clients.saturating_add(1);
                let mut event = event!("joined", client: client.0, name: name);
                event.human_fields = Some(event.fields.clone());
                event.fields.push(("capabilities", capabilities.to_string().into()));
                self.output.emit(&event)?;
                let definition = &self.host.machine().config().definition;
                let position = Replay::new(definition, self.recording.bytes.clone(), capabilities);
                self.replays.insert(client, ClientReplay { position, turn: 0, next: None });
                self.send_turn(client)?;
                self.finish(client);
                Ok(())
            }
            Event::Packet { client, packet, .. } => {
                self.stats.requests = self.stats.requests.saturating_add(1);
                self.finish(client);
                self.handle_packet(client, &packet)
            }
            Event::Closed { client, reason } => {
                self.replays.remove(&client);
                self.output.emit(&event!("closed", client: client.0, reason: reason.to_string()))
            }
            // Every client is accepted without a password.
            _ => Ok(()),
        }
    }

    fn handle_packet(&mut self, client: ClientId, packet: &PacketBuf) -> Result<(), Failure> {
        match packet.packet() {
            Some(Packet::ChatMsgReq(chat)) => self
                .output
                .emit(&event!("chat", client: client.0, text: chat.message.to_str_lossy().into_owned())),
            Some(Packet::PlayerPhaseDone(_)) => {
                let is_waiting = self.replays.get(&client).is_some_and(|replay| replay.next.is_some());
                if is_waiting { self.send_turn(client) } else { Ok(()) }
            }
            _ => Ok(()),
        }
    }

    /// Sends all packets up to the next turn to a client.
    fn send_turn(&mut self, client: ClientId) -> Result<(), Failure> {
        let Some(replay) = self.replays.get_mut(&client) else { return Ok(()) };
        match replay.position.next_turn(self.host.machine_mut(), client) {
            Ok(ReplayProgress::Turn) => {
                replay.turn = replay.turn.saturating_add(1);
                replay.next = Instant::now().checked_add(self.turn_time);
                self.stats.turns = self.stats.turns.saturating_add(1);
                self.output.emit(&event!("turn_replayed", client: client.0, turn: replay.turn))
            }
            Ok(ReplayProgress::Finished) => {
                replay.next = None;
                self.stats.finished = self.stats.finished.saturating_add(1);
                self.output.emit(&event!("replay_finished", client: client.0))
            }
            // A failed send means that the client has disconnected. An event follows.
            Err(ReplayError::Send(SendError::NoSuchClient)) => Ok(()),
            Err(error) => {
                self.leave();
                Err(Failure::Failed(format!("cannot replay {}: {error}", self.recording.name)))
            }
        }
    }

    /// Finishes the request of a client. Ignores a client that has disconnected.
    fn finish(&mut self, client: ClientId) {
        self.host.machine_mut().finish_request(client).ok();
    }
}

/// A command of standard input.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Command {
    Stop {},
}

impl Controlled for ReplayServer<'_> {
    type Command = Command;

    fn waker(&mut self) -> io::Result<Waker> {
        self.host.waker()
    }

    /// Handles the next event, and sends the turns that are due.
    fn poll(&mut self, wait: Duration) -> Result<(), Failure> {
        if let Some(event) = self.next_event(wait)? {
            self.handle_event(event)?;
        }
        let now = Instant::now();
        let due = self.replays.iter().filter(|(_, replay)| replay.next.is_some_and(|next| next <= now));
        let due: Vec<ClientId> = due.map(|(client, _)| *client).collect();
        due.into_iter().try_for_each(|client| self.send_turn(client))
    }

    fn wake_at(&self) -> Option<Instant> {
        self.replays.values().filter_map(|replay| replay.next).min()
    }

    fn takes_lines(&self) -> bool {
        true
    }

    fn parse(&self, line: &str, is_json: bool) -> Result<Command, String> {
        match line.trim() {
            _ if is_json => from_json(line),
            "stop" => Ok(Command::Stop {}),
            other => Err(format!("unknown command {other:?}; use stop")),
        }
    }

    fn execute(&mut self, Command::Stop {}: Command) -> Result<(), CommandError> {
        self.leave();
        Ok(())
    }

    fn output(&self) -> &Output {
        &self.output
    }

    fn leave(&mut self) {
        self.host.machine_mut().shut_down();
        self.is_over = true;
    }

    fn is_over(&self) -> bool {
        self.is_over
    }
}

/// The totals of a server that replays a recording.
#[derive(Clone, Copy, Debug, Default)]
struct ReplayStats {
    /// Clients that connected.
    clients: u64,
    /// Turns that were sent to clients.
    turns: u64,
    /// Clients that received the whole recording.
    finished: u64,
    /// Packets that clients sent.
    requests: u64,
}

impl ReplayStats {
    /// Returns the summary.
    fn summary(self, socket: &Stats) -> Summary {
        let Self { clients, turns, finished, requests } = self;
        let (sent, received) = (socket.streams.sent_bytes, socket.streams.received_bytes);
        let fields = json!({
            "clients": clients,
            "turns": turns,
            "replays_finished": finished,
            "requests": requests,
            "bytes": { "sent": sent, "received": received },
            "streams": socket.streams.opened,
        });
        let text = format!(
            "{clients} clients, {turns} turns replayed; sent {sent} bytes; received {requests} requests, {received} bytes"
        );
        Summary { fields, text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_has_the_commands() {
        crate::json_command::check_commands::<Command>(include_str!(
            "../../../../../docs/schema/replay-freeciv.commands.json"
        ));
    }
}
