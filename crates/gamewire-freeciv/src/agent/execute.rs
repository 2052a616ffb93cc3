use thiserror::Error;

use super::Agent;
use super::command::Command;
use super::event::CommandId;
use super::order;
use super::pending::{PendingCommands, PendingOrder, Step, WantedAction, find};
use super::reply::{Answer, CommandOutcome, Reply, TileActions};
use super::view::{LegalKeyView, Part};
use crate::delta::Value;
use crate::legal::ActionQuestion;
use crate::number::Action;
use crate::orders;
use crate::packets::Packet;
use crate::play::{Answer as OrderAnswer, OrderId, OrderOutcome, OrderReply};
use crate::session::client::SendError;
use crate::world::{LegalAction, LegalActions};

/// The reason why a command was not taken. It has no id and gets no reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ExecuteError {
    /// The agent has not entered the game.
    #[error("the player has not entered the game")]
    NotEntered,
    /// The connection is closed.
    #[error("the connection is closed")]
    Closed,
    /// Too many commands have no reply. Execute the command again after the next reply.
    #[error("more than {} commands have no reply yet", PendingCommands::MAX_COMMANDS)]
    Full,
}

impl Agent {
    /// Executes a command. Its reply is an event with the returned id.
    ///
    /// # Errors
    /// [`ExecuteError`] if the command was not taken.
    pub fn execute(&mut self, command: &Command) -> Result<CommandId, ExecuteError> {
        let id = self.add_command()?;
        if let (Command::EndTurn {}, Some(phase)) = (command, self.foreign_phase()) {
            let text = format!("phase {phase} is not a phase of the own player");
            self.reply(id, Reply::failed(CommandOutcome::Illegal, text));
            return Ok(id);
        }
        match order::packet(command, self.world()) {
            Ok(Some(packet)) => self.send(id, step_of(command), &packet),
            Ok(None) => self.ask(id, command),
            Err(error) => self.fail(id, error),
        }
        // A packet that cannot be sent may have closed the connection.
        self.drain_player();
        Ok(id)
    }

    fn add_command(&mut self) -> Result<CommandId, ExecuteError> {
        if !self.has_entered() {
            return Err(ExecuteError::NotEntered);
        }
        // A closed agent has emitted its last event.
        if self.player.client().phase().is_none() {
            return Err(ExecuteError::Closed);
        }
        self.pending.add().ok_or(ExecuteError::Full)
    }

    /// Returns the current phase, if the own player cannot move in it. The server ignores the end of its turn then.
    fn foreign_phase(&self) -> Option<i16> {
        self.world().phase().filter(|_| !self.world().is_my_phase())
    }

    /// Sends an order that no command has. [`orders`] has functions that build orders. The reply is an event with the
    /// returned id.
    ///
    /// # Errors
    /// [`ExecuteError`] if the order was not taken.
    pub fn order<'p>(&mut self, packet: impl Into<Packet<'p>>) -> Result<CommandId, ExecuteError> {
        let id = self.add_command()?;
        self.send(id, Step::Reply, packet);
        self.drain_player();
        Ok(id)
    }

    /// Executes a command that is a question, or that begins with one.
    fn ask(&mut self, id: CommandId, command: &Command) {
        match command {
            Command::World { parts } => {
                let parts = parts.clone().unwrap_or_else(|| Part::USUAL.to_vec());
                self.reply(id, Reply::answer(Answer::World(parts)));
            }
            Command::Units {} => self.reply(id, Reply::answer(Answer::World(vec![Part::OwnUnits]))),
            Command::Cities {} => self.reply(id, Reply::answer(Answer::World(vec![Part::OwnCities]))),
            Command::LegalActions { unit: Some(unit), tile, .. } => self.ask_legal_actions(id, *unit, *tile),
            Command::LegalActions { changed, .. } => self.list_legal_actions(id, changed.unwrap_or_default()),
            Command::Perform { actor, kind, target, part, name } => {
                let key = LegalKeyView {
                    actor: *actor,
                    kind: kind.into(),
                    target: target.unwrap_or_default(),
                    part: part.clone(),
                };
                self.perform_key(id, &key, name.as_deref());
            }
            Command::Act { unit, action, tile, sub_target, name } => {
                let wanted =
                    WantedAction { action: action.clone(), sub_target: *sub_target, name: name.clone() };
                self.ask_on_tile(id, *unit, *tile, |tile| Step::Perform { unit: *unit, tile, wanted });
            }
            Command::Price { unit, action, tile } => {
                let action = action.clone();
                self.ask_on_tile(id, *unit, *tile, |tile| Step::Price { unit: *unit, tile, action });
            }
            Command::CityName { unit } => self.send(id, Step::Reply, &orders::query_city_name(*unit)),
            Command::FoundCity { unit, .. } => {
                self.send(id, Step::Name { unit: *unit, action: None }, &orders::query_city_name(*unit));
            }
            Command::Packet { packet, fields } => {
                let fields: Vec<(&str, Value)> =
                    fields.iter().map(|(name, value)| (name.as_str(), value.into())).collect();
                let sent = self.player.order_fields(packet, &fields);
                self.expect(id, Step::Reply, sent);
            }
            Command::Leave {} => {
                self.reply(id, Reply { outcome: CommandOutcome::Done, text: None, answer: None });
                self.player.close();
            }
            other => self.fail(id, format!("{other:?} is not a question")),
        }
    }

    /// Asks for the legal actions on a tile, or on the tile of the unit and those around it.
    fn ask_legal_actions(&mut self, id: CommandId, unit: u32, tile: Option<i32>) {
        let world = self.world();
        let (Some(own), Some(geometry)) = (world.unit(unit).map(|unit| unit.tile()), world.map().geometry())
        else {
            return self.fail(id, format!("unknown unit {unit}"));
        };
        let tiles: Vec<i32> = match tile {
            Some(tile) => vec![tile],
            None => core::iter::once(own).chain(geometry.neighbors(own).map(|(_, tile)| tile)).collect(),
        };
        let last = tiles.len().saturating_sub(1);
        for (index, tile) in tiles.into_iter().enumerate() {
            let step = Step::Legal { unit, tile, is_last: index == last };
            self.send(id, step, &orders::query_actions(unit, tile));
        }
    }

    /// Asks for the legal actions on a tile, by default the one of the unit.
    fn ask_on_tile(&mut self, id: CommandId, unit: u32, tile: Option<i32>, step: impl FnOnce(i32) -> Step) {
        match tile.or_else(|| self.world().unit(unit).map(|unit| unit.tile())) {
            Some(tile) => self.send(id, step(tile), &orders::query_actions(unit, tile)),
            None => self.fail(id, format!("unknown unit {unit}")),
        }
    }

    /// Handles the server's reply to an order.
    pub(super) fn on_reply(&mut self, pending: PendingOrder, mut reply: OrderReply) {
        let PendingOrder { command, step } = pending;
        let answer = reply.answer.take();
        match step {
            Step::Reply | Step::Turn => {
                let answer = match answer {
                    Some(OrderAnswer::Price(price)) => Some(Answer::Price(price)),
                    Some(OrderAnswer::CityName(name)) => Some(Answer::CityName(name)),
                    Some(OrderAnswer::LegalActions(_)) | None => None,
                };
                self.reply(command, Reply::to_order(&reply, answer));
            }
            Step::Chat => {
                // The server repeats a line of chat that it delivered.
                if reply.outcome == OrderOutcome::Answered {
                    reply.outcome = OrderOutcome::Done;
                }
                self.reply(command, Reply::to_order(&reply, None));
            }
            Step::Legal { unit, tile, is_last } => {
                // The server does not answer for a unit that another player has, or that is gone.
                if answer.is_some() {
                    let actions = legal(answer, unit, tile);
                    self.pending.collect(command, TileActions { tile, actions });
                }
                if is_last {
                    let tiles = self.pending.take_collected(command);
                    self.reply(command, Reply::legal_actions(unit, tiles));
                }
            }
            Step::ListPart { unit, tile, changed, is_last } => {
                let actions = legal(answer, unit, tile);
                self.on_list_part(command, ActionQuestion { unit, tile }, actions, changed, is_last);
            }
            Step::Perform { unit, tile, wanted } => {
                self.perform(command, unit, tile, wanted, &legal(answer, unit, tile));
            }
            Step::Price { unit, tile, action } => match find(&legal(answer, unit, tile), &action) {
                None => self.illegal(command, &action, tile),
                Some(found) => self.send(command, Step::Reply, &orders::query_price(unit, found)),
            },
            Step::Name { unit, action } => match answer {
                Some(OrderAnswer::CityName(name)) => self.found(command, unit, action.as_ref(), &name),
                _ if reply.is_done() => self.fail(command, "the server suggested no name".to_owned()),
                _ => self.reply(command, Reply::to_order(&reply, None)),
            },
        }
    }

    fn perform(&mut self, id: CommandId, unit: u32, tile: i32, wanted: WantedAction, legal: &[LegalAction]) {
        let WantedAction { action, sub_target, name } = wanted;
        match (find(legal, &action), name) {
            (None, _) => self.illegal(id, &action, tile),
            (Some(found), Some(name)) => self.found(id, unit, Some(found), &name),
            (Some(found), None) if found.action == Some(Action::FoundCity) => {
                let step = Step::Name { unit, action: Some(found.clone()) };
                self.send(id, step, &orders::query_city_name(unit));
            }
            (Some(found), None) => self.send(id, Step::Reply, &orders::perform(unit, found, sub_target)),
        }
    }

    /// Founds a city, by a legal action or without one.
    pub(super) fn found(&mut self, id: CommandId, unit: u32, action: Option<&LegalAction>, name: &str) {
        let order = match action {
            Some(action) => orders::perform_found_city(unit, action, name),
            None => orders::found_city(self.world(), unit, name),
        };
        match order {
            Ok(order) => self.send(id, Step::Reply, &order),
            Err(error) => self.fail(id, error.to_string()),
        }
    }

    pub(super) fn illegal(&mut self, id: CommandId, action: &str, tile: i32) {
        let text = format!("{action:?} is not legal on tile {tile}");
        self.reply(id, Reply::failed(CommandOutcome::Illegal, text));
    }

    pub(super) fn fail(&mut self, id: CommandId, error: String) {
        self.reply(id, Reply::failed(CommandOutcome::Error, error));
    }

    /// Sends a packet of a command.
    pub(super) fn send<'p>(&mut self, id: CommandId, step: Step, packet: impl Into<Packet<'p>>) {
        let sent = self.player.order(packet);
        self.expect(id, step, sent);
    }

    pub(super) fn expect(&mut self, command: CommandId, step: Step, sent: Result<OrderId, SendError>) {
        match sent {
            Ok(order) => self.pending.expect(order, PendingOrder { command, step }),
            Err(error) => self.fail(command, error.to_string()),
        }
    }
}

fn step_of(command: &Command) -> Step {
    match command {
        Command::EndTurn {} => Step::Turn,
        Command::Say { text } if !text.starts_with('/') => Step::Chat,
        _ => Step::Reply,
    }
}

/// Returns the legal actions of an answer. They are empty if the server no longer has the unit.
fn legal(answer: Option<OrderAnswer>, unit: u32, tile: i32) -> Vec<LegalAction> {
    match answer {
        Some(OrderAnswer::LegalActions(LegalActions { unit: of, tile: on, actions }))
            if of == unit && on == tile =>
        {
            actions
        }
        _ => Vec::new(),
    }
}
