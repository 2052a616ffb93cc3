use std::time::Duration;

use gamewire_freeciv::opponent::Opponent;
use gamewire_freeciv::orders;
use gamewire_freeciv::packets::Packet;
use gamewire_freeciv::session::Capabilities;
use gamewire_freeciv::session::client::{Client, CloseReason, Event, Joined, PasswordRequest};
use gamewire_freeciv::session::codec::PacketBuf;
use gamewire_freeciv::world::{Change, Ending, World};
use gamewire_inspect::render::Escaped;
use gamewire_net::blocking::Driver;
use serde_json::json;

use super::command::Command;
use super::plan::{MAX_UNPROCESSED, PendingCommand, Plan};
use super::stats::{Bytes, FullSizeEncoder, PlayerStats, Turns};
use super::{describe, password};
use crate::controls::{CommandError, Controlled, from_json};
use crate::exit_status::{ExitStatus, Failure, warn};
use crate::freeciv::{describe as events, error_message};
use crate::output::{Output, OutputEvent, Value, event};

/// A session with a server.
pub(super) struct FreecivSession {
    driver: Driver<Client>,
    plan: Plan,
    output: Output,
    server: String,
    world: World,
    opponent: Opponent,
    scale: FullSizeEncoder,
    turns: Turns,
    /// True after the server has sent the initial packets.
    has_arrived: bool,
    /// True if the game has ended.
    is_played_out: bool,
    is_leaving: bool,
    /// The first command, until the server has handled it.
    pending: Option<PendingCommand>,
    packets: u64,
    pings: u64,
    end: Option<Result<ExitStatus, Failure>>,
}

impl FreecivSession {
    pub(super) fn new(
        driver: Driver<Client>,
        plan: Plan,
        output: Output,
        server: String,
    ) -> Result<Self, Failure> {
        let scale = FullSizeEncoder::new(&driver.machine().config().definition)
            .map_err(|error| Failure::Failed(error.to_string()))?;
        let opponent = Opponent::new(&driver.machine().config().name);
        Ok(Self {
            driver,
            plan,
            output,
            server,
            world: World::new(),
            opponent,
            scale,
            turns: Turns::default(),
            has_arrived: false,
            is_played_out: false,
            is_leaving: false,
            pending: None,
            packets: 0,
            pings: 0,
            end: None,
        })
    }

    /// Prints the summary and returns the outcome.
    pub(super) fn end(self) -> Result<ExitStatus, Failure> {
        let (bytes, turns, sent) = (self.bytes(), self.turns.over, self.driver.stats().streams.sent_bytes);
        let (packets, pings) = (self.packets, self.pings);
        let Bytes { wire, packets: uncompressed, without_delta } = bytes;
        self.output.print_summary(
            json!({
                "turns": turns,
                "packets": packets,
                "pings": pings,
                "bytes": { "sent": sent, "received": wire },
                "received": bytes,
            }),
            format_args!(
                "{turns} turns; received {packets} packets in {wire} bytes, {uncompressed} before compression,\n\
                 {without_delta} without delta; sent {sent} bytes, including {pings} ping replies",
            ),
        )?;
        self.end.unwrap_or(Ok(ExitStatus::Success))
    }

    fn emit(&self, event: &OutputEvent) -> Result<(), Failure> {
        self.output.emit(event)
    }

    fn bytes(&self) -> Bytes {
        self.scale.bytes(self.driver.machine(), self.driver.stats())
    }

    fn handle_event(&mut self, event: Event) -> Result<(), Failure> {
        match event {
            Event::Closed(reason) => self.closed(&reason),
            // Events after the disconnect are ignored.
            _ if self.is_leaving => Ok(()),
            Event::Packet(packet) => self.handle_packet(&packet),
            Event::PasswordRequested { request, message } => self.password(request, &message),
            Event::Joined(joined) => self.joined(&joined),
            Event::RoleChanged(role) => self.emit(&events::role(role, &self.world)),
            Event::Finished(_) if !self.has_arrived => {
                self.on_ready();
                self.play_turn()
            }
            Event::Finished(request) => {
                self.plan.unprocessed.pop_front_if(|first| *first == request);
                if let Some(command) = self.pending.take_if(|command| command.request == request) {
                    self.command_finished(&command);
                }
                self.play_turn()
            }
            Event::Missed { count } => {
                self.fail(format!("lost {count} packets: the command was too slow"));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn handle_packet(&mut self, packet: &PacketBuf) -> Result<(), Failure> {
        self.packets = self.packets.saturating_add(1);
        self.scale.add(packet);
        // Packets of other versions do not change the world.
        let Some(packet) = packet.packet() else { return Ok(()) };
        self.world.apply(&packet);
        if let Some(event) = describe::message(&packet) {
            if let (Some(command), Some((_, Value::Text(text)))) = (&mut self.pending, event.fields.first()) {
                command.check(text);
            }
            return self.emit(&event);
        }
        match packet {
            Packet::ConnPing(_) => {
                self.pings = self.pings.saturating_add(1);
                Ok(())
            }
            Packet::StartPhase(_) if !self.turns.is_running() => {
                self.begin();
                self.emit(&event!("game_started"))
            }
            Packet::BeginTurn(_) => self.turn_begins(),
            Packet::ThawClient(_) => self.play_turn(),
            Packet::EndgameReport(_) | Packet::EndgamePlayer(_) | Packet::PlayerInfo(_) => {
                self.check_ending()
            }
            _ => Ok(()),
        }
    }

    fn joined(&mut self, joined: &Joined) -> Result<(), Failure> {
        let config = self.driver.machine().config();
        if let Ok(ours) = Capabilities::parse(&config.capabilities) {
            self.scale.agree(&config.definition, &ours, &joined.capabilities);
        }
        self.emit(&events::joined(joined))
    }

    /// Handles the end of the initial packets.
    fn on_ready(&mut self) {
        self.has_arrived = self.driver.machine().connection().is_some();
        if !self.has_arrived {
            return;
        }
        if let Some(command) = self.plan.command(self.turns.is_running()) {
            match self.driver.machine_mut().chat(&command) {
                Ok(request) => self.pending = Some(PendingCommand { request, command, answer: None }),
                Err(error) => warn(format_args!("cannot send {command}: {error}")),
            }
        } else if self.plan.observe.is_none() && self.plan.say.is_empty() && self.has_no_player() {
            warn(self.advice());
        }
    }

    /// Handles the end of the first command.
    fn command_finished(&mut self, command: &PendingCommand) {
        let Some(answer) = &command.answer else { return };
        if self.plan.observe.is_some() {
            if !self.driver.machine().role().is_observer {
                self.fail(format!("cannot observe on {}: `{answer}`{}", self.server, self.players()));
            }
        } else if self.has_no_player() {
            self.fail(self.advice());
        } else if self.world.turn() == 0 {
            warn(format_args!("cannot start the game on {}: `{answer}`", self.server));
        }
    }

    /// Returns true if the game is running and the client has no player in it.
    fn has_no_player(&self) -> bool {
        self.world.turn() > 0 && self.driver.machine().role().player.is_none()
    }

    /// Returns advice for the user of a client without a player.
    fn advice(&self) -> String {
        format!(
            "the game on {} is already running, and {} has no player in it: use --observe, or take over a player \
             with --say '/take NAME'{}",
            self.server,
            Escaped(self.driver.machine().config().name.as_bytes()),
            self.players()
        )
    }

    /// Returns the names of the players, as the end of a message.
    fn players(&self) -> String {
        let names = self.world.players().filter(|player| player.is_alive);
        let names: Vec<_> =
            names.map(|player| Escaped(player.name.to_str_lossy().as_bytes()).to_string()).collect();
        if names.is_empty() { String::new() } else { format!("; players: {}", names.join(", ")) }
    }

    fn begin(&mut self) {
        let bytes = self.bytes();
        self.turns.begin((self.world.turn().into(), self.world.year().into()), bytes);
    }

    /// Prints the line of a turn, if a turn has ended.
    fn end_turn(&mut self) -> Result<(), Failure> {
        let Some(turn) = self.turns.end(self.world.turn().into()) else { return Ok(()) };
        let figures = PlayerStats::of(&self.world);
        let bytes = self.bytes().since(turn.before);
        self.emit(&describe::turn(&turn, &figures, bytes, &self.world))
    }

    fn turn_begins(&mut self) -> Result<(), Failure> {
        self.end_turn()?;
        self.begin();
        if self.plan.turns.is_some_and(|most| self.turns.over >= most) {
            self.leave();
        }
        Ok(())
    }

    /// Acts once per turn, after the initial packets of the turn.
    fn play_turn(&mut self) -> Result<(), Failure> {
        self.emit_cities()?;
        let role = self.driver.machine().role();
        let is_player = !role.is_observer && role.player.is_some();
        if !is_player || !self.has_arrived || self.turns.act().is_none() || self.plan.is_manual {
            return Ok(());
        }
        for order in self.opponent.turn(&self.world) {
            if let Err(error) = self.driver.machine_mut().send(&order) {
                warn(format_args!("cannot send an order: {error}"));
            }
        }
        if let Err(error) = self.driver.machine_mut().send(&orders::end_turn(&self.world)) {
            self.fail(format!("cannot end the turn on {}: {error}", self.server));
        }
        Ok(())
    }

    /// Leaves when the game has ended, because a server sends no more turns after it.
    fn check_ending(&mut self) -> Result<(), Failure> {
        let Some(ending) = events::known_ending(&self.world).filter(|_| !self.is_played_out) else {
            return Ok(());
        };
        self.is_played_out = true;
        if ending == Ending::GameOver {
            self.end_turn()?;
        }
        self.emit(&events::ending(ending, &self.world))?;
        if let Some(turns) = self.plan.turns.filter(|turns| self.turns.over < *turns) {
            warn(format_args!("{ending}: {} of {turns} turns were played", self.turns.over));
        }
        self.leave();
        Ok(())
    }

    fn emit_cities(&mut self) -> Result<(), Failure> {
        for change in self.world.take_changes() {
            let Change::CityFounded { city } = change else { continue };
            let city = self.world.city(city).filter(|city| Some(city.owner()) == self.world.my_number());
            if let Some(city) = city {
                self.emit(&describe::city("city_founded", city))?;
            }
        }
        Ok(())
    }

    /// Answers a password request. A second request means that the first password was wrong.
    fn password(&mut self, request: PasswordRequest, words: &str) -> Result<(), Failure> {
        let name = self.driver.machine().config().name.clone();
        let given = self.plan.password.take();
        if request.is_retry() && !password::can_be_asked() {
            self.fail(format!("{} rejected the password of {name}", self.server));
            return Ok(());
        }
        let password = given.map_or_else(|| password::ask(request, &name, words), Ok)?;
        if let Err(error) = self.driver.machine_mut().send_password(&password) {
            self.fail(format!("cannot send a password to {}: {error}", self.server));
        }
        Ok(())
    }

    fn closed(&mut self, reason: &CloseReason) -> Result<(), Failure> {
        let received = self.driver.stats().streams.received_bytes;
        let sentence = error_message(reason, &self.server, received).filter(|_| !self.is_played_out);
        self.emit(&events::closed(*reason == CloseReason::Left, &reason.to_string()))?;
        let end = sentence.map_or(Ok(ExitStatus::Success), |sentence| Err(Failure::Failed(sentence)));
        self.end.get_or_insert(end);
        Ok(())
    }

    /// Disconnects, and ends the session with this error.
    fn fail(&mut self, sentence: String) {
        let end = Err(Failure::Failed(sentence));
        self.end.get_or_insert(end);
        self.leave();
    }
}

impl Controlled for FreecivSession {
    type Command = Command;

    fn poll(&mut self, wait: Duration) -> Result<(), Failure> {
        let event = self.driver.next_event(wait).map_err(Failure::socket)?;
        if self.has_arrived
            && !self.is_leaving
            && let Err(error) = self.plan.send_lines(self.driver.machine_mut())
        {
            self.fail(error);
        }
        event.map_or(Ok(()), |event| self.handle_event(event))
    }

    fn takes_lines(&self) -> bool {
        self.has_arrived && self.plan.unprocessed.len() < MAX_UNPROCESSED && self.plan.say.is_empty()
    }

    fn parse(&self, line: &str, is_json: bool) -> Result<Command, String> {
        if is_json { from_json(line) } else { Ok(Command::Say { text: line.to_owned() }) }
    }

    fn execute(&mut self, command: Command) -> Result<(), CommandError> {
        match command {
            Command::Leave {} => return Err(CommandError::Leave),
            Command::Units {} => {
                for unit in self.world.my_units() {
                    self.emit(&describe::unit(unit, &self.world))?;
                }
            }
            Command::Cities {} => {
                for city in self.world.my_cities() {
                    self.emit(&describe::city("city", city))?;
                }
            }
            command => {
                let sent = command.send(&self.world, self.driver.machine_mut());
                self.plan.unprocessed.extend(sent.map_err(CommandError::Rejected)?);
            }
        }
        Ok(())
    }

    fn output(&self) -> &Output {
        &self.output
    }

    fn unsent(&self) -> usize {
        let planned = if self.has_arrived { self.plan.say.len() } else { 0 };
        if self.is_leaving { 0 } else { self.plan.unprocessed.len().saturating_add(planned) }
    }

    fn leave(&mut self) {
        self.is_leaving = true;
        self.driver.machine_mut().close();
    }

    fn is_over(&self) -> bool {
        self.end.is_some()
    }

    fn unfinished(&self) -> Option<String> {
        let (server, role) = (&self.server, self.driver.machine().role());
        if !self.has_arrived {
            return Some(format!("the player did not join {server} in time"));
        }
        if self.plan.observe.is_some() && !role.is_observer {
            return Some(format!("the server did not allow observing on {server} in time"));
        }
        if self.plan.start && !self.turns.is_running() && self.world.turn() == 0 {
            return Some(format!("the game on {server} did not start in time"));
        }
        let turns = self.plan.turns.filter(|turns| self.turns.over < *turns && !self.is_played_out)?;
        Some(format!("{} of {turns} turns ended on {server} in time", self.turns.over))
    }
}
