use std::collections::HashMap;
use std::time::Duration;

use gamewire_freeciv::orders;
use gamewire_freeciv::packets::Packet;
use gamewire_freeciv::play::{Answer, Event, OrderId, OrderOutcome, OrderReply, Player};
use gamewire_freeciv::session::client::CloseReason;
use gamewire_freeciv::world::{Change, LegalActions, World};
use gamewire_inspect::render::Escaped;
use gamewire_net::blocking::Driver;
use serde_json::{Value as Json, json};

use super::changes::Changes;
use super::describe;
use super::order::packet;
use super::pending::{Pending, Step, find};
use super::request::{Command, Request};
use crate::controls::{CommandError, Controlled};
use crate::exit_status::{ExitStatus, Failure};
use crate::freeciv::{describe as events, error_message};
use crate::output::{Output, Value, event};

/// A player that a program controls.
pub(super) struct PlaySession {
    driver: Driver<Player>,
    output: Output,
    server: String,
    password: Option<String>,
    starts: bool,
    pending: HashMap<OrderId, Pending>,
    /// The legal actions that the server has sent so far for the tiles of a query. The server replies in order.
    legal: Vec<Json>,
    changes: Changes,
    /// The turn that has begun, until it is printed.
    began: Option<i16>,
    turns: u64,
    orders: u64,
    is_played_out: bool,
    /// True after the end of standard input. The client leaves after the last reply.
    has_input_ended: bool,
    is_leaving: bool,
    end: Option<Result<ExitStatus, Failure>>,
}

impl PlaySession {
    pub(super) fn new(
        driver: Driver<Player>,
        output: Output,
        server: String,
        password: Option<String>,
        starts: bool,
    ) -> Self {
        Self {
            driver,
            output,
            server,
            password,
            starts,
            pending: HashMap::new(),
            legal: Vec::new(),
            changes: Changes::default(),
            began: None,
            turns: 0,
            orders: 0,
            is_played_out: false,
            has_input_ended: false,
            is_leaving: false,
            end: None,
        }
    }

    /// Prints the summary and returns the outcome.
    pub(super) fn end(self) -> Result<ExitStatus, Failure> {
        let (turns, orders) = (self.turns, self.orders);
        self.output.print_summary(
            json!({ "turns": turns, "orders": orders }),
            format_args!("{turns} turns, {orders} orders"),
        )?;
        self.end.unwrap_or(Ok(ExitStatus::Success))
    }

    fn world(&self) -> &World {
        self.driver.machine().world()
    }

    fn handle_event(&mut self, event: Event) -> Result<(), Failure> {
        match event {
            Event::Closed(reason) => self.closed(&reason),
            _ if self.is_leaving => Ok(()),
            Event::PasswordRequested { .. } => {
                let password = self.password.take();
                let sent =
                    password.map(|password| self.driver.machine_mut().send_password(&password).is_ok());
                if sent != Some(true) {
                    self.fail(format!("{} requests a password of the player: use --password", self.server));
                }
                Ok(())
            }
            Event::Joined(joined) => self.output.emit(&events::joined(&joined)),
            Event::Ready => self.ready(),
            Event::RoleChanged(role) => self.output.emit(&events::role(role, self.world())),
            Event::OrderFinished(order) => {
                self.collect()?;
                let reply = self.driver.machine_mut().take_reply(order);
                if let (Some(pending), Some(reply)) = (self.pending.remove(&order), reply) {
                    self.finished(pending, reply)?;
                }
                // The order may have ended a turn. Its reply is printed before the new turn.
                self.updated()
            }
            Event::Updated => self.updated(),
            Event::Missed { count } => {
                self.fail(format!("lost {count} events: the command was too slow"));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Handles the end of the initial packets.
    fn ready(&mut self) -> Result<(), Failure> {
        if self.starts
            && self.world().turn() == 0
            && let Ok(start) = orders::start_game()
        {
            // An event reports the outcome.
            let _ = self.driver.machine_mut().order(&start);
        }
        self.updated()?;
        self.output.emit(&event!("ready"))
    }

    /// Prints messages, and records the other changes of the world.
    fn collect(&mut self) -> Result<(), Failure> {
        for change in self.driver.machine_mut().take_changes() {
            match &change {
                Change::TurnBegan { turn } => self.began = Some(*turn),
                Change::Message(message) => self.output.emit(&events::news(message))?,
                _ => self.changes.add(&change),
            }
        }
        Ok(())
    }

    /// Prints the changes of the world, and the new turn if one has begun.
    fn updated(&mut self) -> Result<(), Failure> {
        self.collect()?;
        // Print the reply to the end of the last turn first, even if the server sent both together.
        let is_ending = self.pending.values().any(|pending| matches!(pending.step, Step::Turn));
        if let Some(turn) = self.began.take_if(|_| !is_ending) {
            self.turns = self.turns.saturating_add(1);
            self.flush()?;
            let me = self.world().me();
            let (score, gold) = (me.map(|me| me.score), me.map(|me| me.gold));
            self.output
                .emit(&event!("turn", turn: turn, year: self.world().year(), score: score, gold: gold))?;
        }
        self.check_ending()
    }

    /// Prints the changes since the last call.
    fn flush(&mut self) -> Result<(), Failure> {
        match self.changes.take(self.driver.machine().world()) {
            Some(event) => self.output.emit(&event),
            None => Ok(()),
        }
    }

    /// Leaves when the game has ended, because a server sends no more turns after it.
    fn check_ending(&mut self) -> Result<(), Failure> {
        let Some(ending) = events::known_ending(self.world()).filter(|_| !self.is_played_out) else {
            return Ok(());
        };
        self.is_played_out = true;
        self.flush()?;
        self.output.emit(&events::ending(ending, self.world()))?;
        self.leave();
        Ok(())
    }

    /// Handles the server's reply to a packet of a command.
    fn finished(&mut self, pending: Pending, mut reply: OrderReply) -> Result<(), Failure> {
        let Pending { id, step } = pending;
        let legal = match (reply.answer.take(), &step) {
            (Some(Answer::LegalActions(legal)), _) => legal,
            // The server no longer has the unit.
            (_, Step::Legal { unit, tile, .. }) => {
                LegalActions { unit: *unit, tile: *tile, actions: Vec::new() }
            }
            (answer, _) => return self.reply(id, &reply, answer),
        };
        let (unit, tile) = (legal.unit, legal.tile);
        match step {
            Step::Reply | Step::Turn => self.reply(id, &reply, None),
            Step::Legal { tile, is_last, .. } => {
                self.legal.extend(legal.actions.iter().map(|action| describe::legal_action(action, tile)));
                if !is_last {
                    return Ok(());
                }
                let actions = core::mem::take(&mut self.legal);
                self.answer(id, "done", None, &json!({ "unit": unit, "actions": actions }))
            }
            Step::Perform { action, sub_target, name } => match find(&legal.actions, &action) {
                None => self.illegal(id, &action, tile),
                Some(found) => {
                    let order = match name {
                        Some(name) => {
                            orders::perform_found_city(unit, found, &name).map_err(|error| error.to_string())
                        }
                        None => Ok(orders::perform(unit, found, sub_target)),
                    };
                    match order {
                        Ok(order) => self.send(id, Step::Reply, &order),
                        Err(error) => self.answer(id, "error", Some(error), &Json::Null),
                    }
                }
            },
            Step::Price { action } => match find(&legal.actions, &action) {
                None => self.illegal(id, &action, tile),
                Some(found) => self.send(id, Step::Reply, &orders::query_price(unit, found)),
            },
        }
    }

    fn illegal(&mut self, id: Json, action: &str, tile: i32) -> Result<(), Failure> {
        self.answer(id, "illegal", Some(format!("{action:?} is not legal on tile {tile}")), &Json::Null)
    }

    /// Prints the changes that arrived with the reply to a command, then the reply.
    fn reply(&mut self, id: Json, reply: &OrderReply, answer: Option<Answer>) -> Result<(), Failure> {
        let (outcome, text) = match &reply.outcome {
            OrderOutcome::Done => ("done", reply.messages.last().map(|message| message.text.clone())),
            OrderOutcome::Refused(text) => ("refused", Some(text.clone())),
            OrderOutcome::Silent => ("silent", None),
        };
        let answer = match answer {
            Some(Answer::Price(price)) => json!({ "price": price }),
            Some(Answer::CityName(name)) => json!({ "name": name }),
            _ => Json::Null,
        };
        self.answer(id, outcome, text, &answer)
    }

    fn answer(
        &mut self,
        id: Json,
        outcome: &'static str,
        text: Option<String>,
        answer: &Json,
    ) -> Result<(), Failure> {
        self.flush()?;
        let answer = Value::Json(answer.clone());
        self.output.emit(&event!("reply", id: Value::Json(id), outcome: outcome, text: text, answer: answer))
    }

    /// Sends a packet for a command.
    fn send<'p, P: Into<Packet<'p>>>(&mut self, id: Json, step: Step, packet: P) -> Result<(), Failure> {
        match self.driver.machine_mut().order(packet) {
            Ok(order) => {
                self.orders = self.orders.saturating_add(1);
                self.pending.insert(order, Pending { id, step });
                Ok(())
            }
            Err(error) => self.answer(id, "error", Some(error.to_string()), &Json::Null),
        }
    }

    /// Executes a command that is a query, or that begins with one.
    fn ask(&mut self, id: Json, command: Command) -> Result<(), Failure> {
        match command {
            Command::World { parts } => {
                let answer = describe::world(self.world(), parts.as_deref());
                self.answer(id, "done", None, &answer)
            }
            Command::LegalActions { unit, tile } => {
                let Some(tiles) = self.tiles_for(unit, tile) else { return self.unknown_unit(id, unit) };
                let last = tiles.len().saturating_sub(1);
                for (index, tile) in tiles.into_iter().enumerate() {
                    let step = Step::Legal { unit, tile, is_last: index == last };
                    self.send(id.clone(), step, &orders::query_actions(unit, tile))?;
                }
                Ok(())
            }
            Command::Act { unit, action, tile, sub_target, name } => {
                let step = Step::Perform { action, sub_target, name };
                self.ask_on_tile(id, unit, tile, step)
            }
            Command::Price { unit, action, tile } => self.ask_on_tile(id, unit, tile, Step::Price { action }),
            Command::CityName { unit } => self.send(id, Step::Reply, &orders::query_city_name(unit)),
            Command::Leave {} => {
                self.leave();
                Ok(())
            }
            other => self.answer(id, "error", Some(format!("{other:?} is not a question")), &Json::Null),
        }
    }

    /// Queries the legal actions on a tile. Without a tile, queries the tile of the unit.
    fn ask_on_tile(&mut self, id: Json, unit: u32, tile: Option<i32>, step: Step) -> Result<(), Failure> {
        let Some(tile) = tile.or_else(|| self.world().unit(unit).map(|unit| unit.tile())) else {
            return self.unknown_unit(id, unit);
        };
        self.send(id, step, &orders::query_actions(unit, tile))
    }

    fn unknown_unit(&mut self, id: Json, unit: u32) -> Result<(), Failure> {
        self.answer(id, "error", Some(format!("unknown unit {unit}")), &Json::Null)
    }

    /// Returns `tile`. Without it, returns the tile of the unit and the tiles around it.
    fn tiles_for(&self, unit: u32, tile: Option<i32>) -> Option<Vec<i32>> {
        let own = self.world().unit(unit)?.tile();
        let geometry = self.world().map().geometry()?;
        Some(match tile {
            Some(tile) => vec![tile],
            None => core::iter::once(own).chain(geometry.neighbors(own).map(|(_, tile)| tile)).collect(),
        })
    }

    fn closed(&mut self, reason: &CloseReason) -> Result<(), Failure> {
        let received = self.driver.stats().streams.received_bytes;
        let sentence = error_message(reason, &self.server, received).filter(|_| !self.is_played_out);
        self.output.emit(&events::closed(*reason == CloseReason::Left, &reason.to_string()))?;
        let end = sentence.map_or(Ok(ExitStatus::Success), |sentence| Err(Failure::Failed(sentence)));
        self.end.get_or_insert(end);
        Ok(())
    }

    /// Disconnects, and ends the session with this error.
    fn fail(&mut self, sentence: String) {
        self.end.get_or_insert(Err(Failure::Failed(sentence)));
        self.leave();
    }
}

impl Controlled for PlaySession {
    type Command = Request;

    fn poll(&mut self, wait: Duration) -> Result<(), Failure> {
        let event = self.driver.next_event(wait).map_err(Failure::socket)?;
        event.map_or(Ok(()), |event| self.handle_event(event))?;
        if self.has_input_ended && self.pending.is_empty() && !self.is_leaving {
            self.leave();
        }
        Ok(())
    }

    fn takes_lines(&self) -> bool {
        self.driver.machine().is_ready()
    }

    fn parse(&self, line: &str, _: bool) -> Result<Request, String> {
        Request::parse(line)
    }

    fn execute(&mut self, Request { id, command }: Request) -> Result<(), CommandError> {
        match packet(&command, self.world()) {
            Ok(Some(order)) => {
                let is_end = matches!(command, Command::EndTurn {});
                self.send(id, if is_end { Step::Turn } else { Step::Reply }, &order)?;
            }
            Ok(None) => self.ask(id, command)?,
            Err(error) => self.answer(id, "error", Some(error), &Json::Null)?,
        }
        Ok(())
    }

    fn output(&self) -> &Output {
        &self.output
    }

    fn input_ended(&mut self) {
        self.has_input_ended = true;
    }

    fn leave(&mut self) {
        self.is_leaving = true;
        self.driver.machine_mut().close();
    }

    fn is_over(&self) -> bool {
        self.end.is_some()
    }

    fn unfinished(&self) -> Option<String> {
        let is_ready = self.driver.machine().is_ready();
        (!is_ready).then(|| format!("the player did not join {} in time", Escaped(self.server.as_bytes())))
    }
}
