use std::collections::HashMap;

use gamewire_freeciv::agent::view::EventView;
use gamewire_freeciv::agent::{Agent, Command, CommandId, CommandOutcome, Event, Reply};
use gamewire_freeciv::opponent::Opponent;
use gamewire_freeciv::orders;
use gamewire_freeciv::packets::Packet;
use gamewire_freeciv::session::client::{Client, CloseReason, Joined, PasswordRequest};
use gamewire_freeciv::session::codec::PacketBuf;
use gamewire_freeciv::session::{Capabilities, PlayerRole};
use gamewire_freeciv::world::{Ending, GameState, World};
use gamewire_inspect::render::Escaped;
use gamewire_net::blocking::Driver;
use serde_json::{Value as Json, json};

use super::plan::Plan;
use super::stats::{Bytes, Date, FullSizeEncoder, PlayerStats, Turns};
use super::{describe, password};
use crate::controls::Controlled as _;
use crate::exit_status::{ExitStatus, Failure, warn};
use crate::freeciv::describe::{self as events, ReplyLine};
use crate::freeciv::error_message;
use crate::output::{Output, OutputEvent, Summary, event};

/// A session with a server.
pub(super) struct FreecivSession {
    pub(super) driver: Driver<Agent>,
    pub(super) plan: Plan,
    pub(super) output: Output,
    pub(super) server: String,
    opponent: Opponent,
    scale: FullSizeEncoder,
    pub(super) turns: Turns,
    /// The date of the packets so far.
    date: Date,
    /// The ids of the lines without a reply.
    pub(super) ids: HashMap<CommandId, Json>,
    /// True after the state at the entry was handled.
    pub(super) has_entered: bool,
    /// True if the game has ended.
    pub(super) is_played_out: bool,
    pub(super) is_leaving: bool,
    packets: u64,
    pings: u64,
    pub(super) end: Option<Result<ExitStatus, Failure>>,
}

impl FreecivSession {
    pub(super) fn new(
        driver: Driver<Agent>,
        plan: Plan,
        output: Output,
        server: String,
    ) -> Result<Self, Failure> {
        let config = driver.machine().player().client().config();
        let scale =
            FullSizeEncoder::new(&config.definition).map_err(|error| Failure::Failed(error.to_string()))?;
        let opponent = Opponent::new(&config.name);
        Ok(Self {
            driver,
            plan,
            output,
            server,
            opponent,
            scale,
            turns: Turns::default(),
            date: Date::default(),
            ids: HashMap::new(),
            has_entered: false,
            is_played_out: false,
            is_leaving: false,
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
        self.output.print_summary(Summary {
            fields: json!({
                "turns": turns,
                "packets": packets,
                "pings": pings,
                "bytes": { "sent": sent, "received": wire },
                "received": bytes,
            }),
            text: format!(
                "{turns} turns; received {packets} packets in {wire} bytes, {uncompressed} before compression,\n\
                 {without_delta} without delta; sent {sent} bytes, including {pings} ping replies",
            ),
        })?;
        self.end.unwrap_or(Ok(ExitStatus::Success))
    }

    pub(super) fn agent(&self) -> &Agent {
        self.driver.machine()
    }

    fn client(&self) -> &Client {
        self.agent().player().client()
    }

    pub(super) fn world(&self) -> &World {
        self.agent().world()
    }

    pub(super) fn role(&self) -> PlayerRole {
        self.client().role()
    }

    fn emit(&self, event: &OutputEvent) -> Result<(), Failure> {
        self.output.emit(event)
    }

    /// Prints an event as the library describes it.
    fn emit_view(&self, event: &Event) -> Result<(), Failure> {
        let Some(view) = EventView::new(self.world(), event) else { return Ok(()) };
        if self.output.is_json() {
            return self.output.emit_view(&view);
        }
        events::text_form(&view).map_or(Ok(()), |line| self.emit(&line))
    }

    fn bytes(&self) -> Bytes {
        self.scale.bytes(self.client(), self.driver.stats())
    }

    pub(super) fn handle_event(&mut self, event: Event) -> Result<(), Failure> {
        match &event {
            Event::Closed(reason) => {
                self.emit_view(&event)?;
                self.closed(reason);
                Ok(())
            }
            Event::Reply { command, reply } => self.on_reply(*command, reply),
            // Other events after the disconnect are ignored.
            _ if self.is_leaving => Ok(()),
            Event::Packet(packet) => self.on_packet(packet),
            Event::PasswordRequested { request, message } => self.password(*request, message),
            Event::Joined(joined) => {
                self.joined(joined);
                self.emit_view(&event)
            }
            Event::RoleChanged(_) | Event::Message(_) => self.emit_view(&event),
            Event::Page(page) if page.event.is_none() => self.emit(&events::message(&page.text)),
            Event::Entered => {
                self.emit_view(&event)?;
                self.entered()
            }
            Event::Changed(changes) => {
                let me = self.world().my_number();
                let founded = changes.founded.iter().filter_map(|city| self.world().city(*city));
                let mut own = founded.filter(|city| Some(city.owner()) == me);
                own.try_for_each(|city| self.emit(&describe::city_founded(city)))
            }
            Event::TurnBegan { .. } => self.play_turn(),
            Event::Ended(ending) => {
                if *ending == Ending::GameOver {
                    self.end_turn()?;
                }
                self.emit_view(&event)?;
                self.ended(*ending);
                Ok(())
            }
            Event::Missed { count } => {
                self.fail(format!("lost {count} packets: the command was too slow"));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Counts a packet and the turns that it begins and ends. The world may be some turns ahead of it.
    fn on_packet(&mut self, packet: &PacketBuf) -> Result<(), Failure> {
        self.packets = self.packets.saturating_add(1);
        self.scale.add(packet);
        match packet.packet() {
            Some(Packet::ConnPing(_)) => self.pings = self.pings.saturating_add(1),
            Some(Packet::GameInfo(info)) => {
                let year = info.year.map_or(self.date.year, i64::from);
                self.date = Date { turn: info.turn.into(), year };
            }
            Some(Packet::NewYear(date)) => {
                self.date = Date { turn: date.turn.into(), year: date.year.into() };
            }
            Some(Packet::StartPhase(_)) if !self.turns.is_running() => {
                self.begin();
                return self.emit(&event!("game_started"));
            }
            Some(Packet::BeginTurn(_)) => return self.turn_begins(),
            // The server has sent all that a turn changes.
            Some(Packet::ThawClient(_)) => return self.play_turn(),
            _ => {}
        }
        Ok(())
    }

    fn joined(&mut self, joined: &Joined) {
        let config = self.driver.machine().player().client().config();
        if let Ok(ours) = Capabilities::parse(&config.capabilities) {
            self.scale.agree(&config.definition, &ours, &joined.capabilities);
        }
    }

    /// Handles the end of the initial packets.
    fn entered(&mut self) -> Result<(), Failure> {
        self.has_entered = true;
        let is_pregame = self.world().state() == GameState::Pregame;
        if let Some(text) = self.plan.command(is_pregame) {
            match self.driver.machine_mut().execute(&Command::Say { text: text.clone() }) {
                Ok(command) => self.plan.first = Some(command),
                Err(error) => warn(format_args!("cannot send {text}: {error}")),
            }
        } else if self.plan.observe.is_none() && self.plan.say.is_empty() && self.has_no_player() {
            warn(self.advice());
        }
        self.play_turn()
    }

    fn on_reply(&mut self, command: CommandId, reply: &Reply) -> Result<(), Failure> {
        if self.plan.first.take_if(|first| *first == command).is_some() {
            self.first_command_finished(reply);
        }
        if let Some(id) = self.ids.remove(&command) {
            self.reply(id, reply)?;
        }
        if self.is_leaving { Ok(()) } else { self.play_turn() }
    }

    /// Prints the reply to a line: as JSON always, as text if the line failed.
    pub(super) fn reply(&self, id: Json, reply: &Reply) -> Result<(), Failure> {
        if self.output.is_json() {
            return self.output.emit_view(&ReplyLine::new(id, reply, self.world()));
        }
        if let (CommandOutcome::Error, Some(text)) = (reply.outcome, &reply.text) {
            warn(Escaped(text.as_bytes()));
        }
        Ok(())
    }

    fn first_command_finished(&mut self, reply: &Reply) {
        if self.is_leaving || reply.outcome == CommandOutcome::Unanswered {
            return;
        }
        let answer = Escaped(reply.text.as_deref().unwrap_or_default().as_bytes()).to_string();
        if self.plan.observe.is_some() {
            if !self.role().is_observer {
                self.fail(format!("cannot observe on {}: `{answer}`{}", self.server, self.players()));
            }
        } else if self.has_no_player() {
            self.fail(self.advice());
        } else if reply.outcome == CommandOutcome::Answered && self.world().state() == GameState::Pregame {
            warn(format_args!("cannot start the game on {}: `{answer}`", self.server));
        }
    }

    /// Returns true if the game has started and the client has no player in it.
    fn has_no_player(&self) -> bool {
        self.world().turn() > 0 && self.role().player.is_none()
    }

    /// Returns advice for the user of a client without a player.
    fn advice(&self) -> String {
        format!(
            "the game on {} has started, and {} has no player in it: use --observe, or take over a player \
             with --say '/take NAME'{}",
            self.server,
            Escaped(self.client().config().name.as_bytes()),
            self.players()
        )
    }

    /// Returns the names of the players, as the end of a message.
    fn players(&self) -> String {
        let names = self.world().players().filter(|player| player.is_alive);
        let names: Vec<_> =
            names.map(|player| Escaped(player.name.to_str_lossy().as_bytes()).to_string()).collect();
        if names.is_empty() { String::new() } else { format!("; players: {}", names.join(", ")) }
    }

    fn begin(&mut self) {
        let bytes = self.bytes();
        self.turns.begin(self.date, bytes);
    }

    /// Prints the line of a turn, if a turn has ended.
    fn end_turn(&mut self) -> Result<(), Failure> {
        let Some(turn) = self.turns.end(self.date.turn) else { return Ok(()) };
        let figures = PlayerStats::of(self.world());
        let bytes = self.bytes().since(turn.before);
        self.emit(&describe::turn(&turn, &figures, bytes, self.world()))
    }

    fn turn_begins(&mut self) -> Result<(), Failure> {
        self.end_turn()?;
        self.begin();
        if self.plan.turns.is_some_and(|most| self.turns.over >= most) {
            self.leave();
        }
        Ok(())
    }

    /// Acts once per turn.
    fn play_turn(&mut self) -> Result<(), Failure> {
        let role = self.role();
        let is_player = !role.is_observer && role.player.is_some();
        if !is_player || !self.agent().has_entered() || self.turns.act().is_none() || self.plan.is_manual {
            return Ok(());
        }
        let agent = self.driver.machine_mut();
        for order in self.opponent.turn(agent.world()) {
            if let Err(error) = agent.order(&order) {
                warn(format_args!("cannot send an order: {error}"));
            }
        }
        if let Err(error) = agent.order(&orders::end_turn(agent.world())) {
            self.fail(format!("cannot end the turn on {}: {error}", self.server));
        }
        Ok(())
    }

    /// Leaves when the game has ended, because a server sends no more turns after it.
    fn ended(&mut self, ending: Ending) {
        self.is_played_out = true;
        if let Some(turns) = self.plan.turns.filter(|turns| self.turns.over < *turns) {
            warn(format_args!("{ending}: {} of {turns} turns were played", self.turns.over));
        }
        self.leave();
    }

    /// Answers a password request. A second request means that the first password was wrong.
    fn password(&mut self, request: PasswordRequest, words: &str) -> Result<(), Failure> {
        let name = self.client().config().name.clone();
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

    fn closed(&mut self, reason: &CloseReason) {
        let received = self.driver.stats().streams.received_bytes;
        let sentence = error_message(reason, &self.server, received).filter(|_| !self.is_played_out);
        let end = sentence.map_or(Ok(ExitStatus::Success), |sentence| Err(Failure::Failed(sentence)));
        self.end.get_or_insert(end);
    }

    /// Disconnects, and ends the session with this error.
    fn fail(&mut self, sentence: String) {
        let end = Err(Failure::Failed(sentence));
        self.end.get_or_insert(end);
        self.leave();
    }
}
