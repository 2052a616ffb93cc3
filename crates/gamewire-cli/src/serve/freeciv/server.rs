use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use gamewire_freeciv::session::codec::PacketBuf;
use gamewire_freeciv::session::server::{
    ClientId, Event, Replay, ReplayError, ReplayProgress, SendError, Server,
};
use gamewire_freeciv::v30::Packet;
use gamewire_net::blocking::Driver;

use super::describe;
use super::recording::Recording;
use super::totals::ReplayStats;
use crate::exit_status::Failure;
use crate::output::Output;

/// Replays the recording to clients.
pub(super) struct ReplayServer<'r> {
    host: Driver<Server>,
    recording: &'r Recording,
    pace: Duration,
    output: Output,
    audience: BTreeMap<ClientId, ClientReplay>,
    totals: ReplayStats,
    is_over: bool,
}

/// A client's position in the recording.
struct ClientReplay {
    replay: Replay,
    turn: u64,
    /// The time of the next turn; `None` after the last one.
    next: Option<Instant>,
}

impl<'r> ReplayServer<'r> {
    pub(super) fn new(
        host: Driver<Server>,
        recording: &'r Recording,
        pace: Duration,
        output: Output,
    ) -> Self {
        let (audience, totals) = (BTreeMap::new(), ReplayStats::default());
        Self { host, recording, pace, output, audience, totals, is_over: false }
    }

    pub(super) const fn is_over(&self) -> bool {
        self.is_over
    }

    /// Waits at most `wait` for the next event and handles it; sends the turns that are due.
    pub(super) fn turn(&mut self, time: Duration) -> Result<(), Failure> {
        if let Some(event) = self.next_event(time)? {
            self.take(event)?;
        }
        let now = Instant::now();
        let due = |seat: &ClientReplay| seat.next.is_some_and(|next| next <= now);
        let due: Vec<ClientId> =
            self.audience.iter().filter(|(_, seat)| due(seat)).map(|(client, _)| *client).collect();
        due.into_iter().try_for_each(|client| self.show(client))
    }

    /// Stops the server.
    pub(super) fn stop(&mut self) {
        self.host.machine_mut().shut_down();
        self.is_over = true;
    }

    /// Reports the clients that left, and returns the summary.
    pub(super) fn end(mut self) -> Result<(), Failure> {
        while let Some(event) = self.next_event(Duration::ZERO)? {
            self.take(event)?;
        }
        let (socket, time) = (self.host.stats(), self.output.elapsed());
        Ok(self.output.print_summary(self.totals.json(socket, time), self.totals.text(socket, time))?)
    }

    fn next_event(&mut self, time: Duration) -> Result<Option<Event>, Failure> {
        self.host
            .next_event(time)
            .map_err(|error| Failure::Failed(format!("the server socket failed: {error}")))
    }

    fn take(&mut self, event: Event) -> Result<(), Failure> {
        match event {
            Event::Joined { client, name, capabilities } => {
                self.totals.clients = self.totals.clients.saturating_add(1);
                self.output.emit(&describe::joined(client, &name, &capabilities))?;
                let definition = &self.host.machine().config().definition;
                let replay = Replay::new(definition, self.recording.bytes.clone(), capabilities);
                self.audience.insert(client, ClientReplay { replay, turn: 0, next: None });
                self.show(client)?;
                self.finish(client);
                Ok(())
            }
            Event::Packet { client, packet, .. } => {
                self.totals.requests = self.totals.requests.saturating_add(1);
                self.finish(client);
                self.handle_packet(client, &packet)
            }
            Event::Closed { client, reason } => {
                self.audience.remove(&client);
                self.output.emit(&describe::closed(client, reason.to_string()))
            }
            // Every client is accepted without a password.
            _ => Ok(()),
        }
    }

    fn handle_packet(&mut self, client: ClientId, packet: &PacketBuf) -> Result<(), Failure> {
        match packet.packet() {
            Some(Packet::ChatMsgReq(chat)) => {
                self.output.emit(&describe::chat(client, chat.message.to_str_lossy().into_owned()))
            }
            Some(Packet::PlayerPhaseDone(_)) => {
                let is_waiting = self.audience.get(&client).is_some_and(|seat| seat.next.is_some());
                if is_waiting { self.show(client) } else { Ok(()) }
            }
            _ => Ok(()),
        }
    }

    /// Sends a client everything up to the next turn.
    fn show(&mut self, client: ClientId) -> Result<(), Failure> {
        let Some(seat) = self.audience.get_mut(&client) else { return Ok(()) };
        match seat.replay.next_turn(self.host.machine_mut(), client) {
            Ok(ReplayProgress::Turn) => {
                seat.turn = seat.turn.saturating_add(1);
                seat.next = Instant::now().checked_add(self.pace);
                self.totals.turns = self.totals.turns.saturating_add(1);
                self.output.emit(&describe::shown(client, seat.turn))
            }
            Ok(ReplayProgress::Finished) => {
                seat.next = None;
                self.totals.whole = self.totals.whole.saturating_add(1);
                self.output.emit(&describe::whole(client))
            }
            // If sending fails, the client is gone and an event follows.
            Err(ReplayError::Send(SendError::NoSuchClient)) => Ok(()),
            Err(error) => {
                self.stop();
                Err(Failure::Failed(format!("cannot replay {}: {error}", self.recording.name)))
            }
        }
    }

    /// Ignores a client that is already gone.
    fn finish(&mut self, client: ClientId) {
        self.host.machine_mut().finish_request(client).ok();
    }
}
