//! A player that a program controls by commands, such as an agent.
//!
//! An [`Agent`] is a [`Machine`](gamewire_machine::Machine) on top of a [`Player`]. A program gives
//! it [`Command`]s, by the names of the ruleset. Each command gets exactly one [`Event::Reply`] with the command's id,
//! also if the connection closes before the server has processed it. After [`Event::Entered`] the program can act:
//! [`view`] describes the world to act on, and later events say what changed.
//!
//! The lines of `gamewire play` are this module's types as JSON.

mod changes;
mod command;
mod entry;
mod event;
mod execute;
mod legal;
mod machine;
mod order;
mod pending;
mod reply;
pub mod view;

pub use changes::{Changes, ChangesView};
pub use command::{ClauseValue, Command, FieldValue, RuleRef};
pub use event::{CommandId, Event};
pub use execute::ExecuteError;
pub use reply::{Answer, AnswerView, CommandOutcome, Reply, ReplyView, TileActions};

use gamewire_machine::{EventQueue, Instant, Machine as _};

use self::entry::Entry;
use self::pending::PendingCommands;
use crate::legal::LegalList;
use crate::play::{Event as PlayerEvent, OrderId, Player};
use crate::session::client::{ClientConfig, SendError};
use crate::world::{Change, Ending, World};

/// The configuration of an agent.
#[derive(Clone, Debug)]
pub struct AgentConfig {
    /// The configuration of its client.
    pub client: ClientConfig,
    /// Starts the game if it has not started when the agent enters.
    pub starts: bool,
    /// Name of an existing player that the agent takes before it enters, such as one of the server's AI or of a
    /// scenario. By default, the server creates a player or gives the one of this user name.
    pub takes: Option<String>,
}

/// A player that executes commands.
#[derive(Debug)]
pub struct Agent {
    player: Player,
    pending: PendingCommands,
    events: EventQueue<Event>,
    changes: Changes,
    entry: Entry,
    /// The list of legal actions; `None` until a command needs it.
    legal: Option<Box<LegalList>>,
    has_entered: bool,
    /// The turn that has begun, until its event is emitted.
    began: Option<i16>,
    /// The phase that has begun, until its event is emitted.
    phase: Option<i16>,
    has_ended: bool,
}

impl Agent {
    /// Creates an agent. It sends its join request once its stream is open.
    ///
    /// # Errors
    /// [`SendError`] if the name, the capabilities or the version do not fit in the join request.
    pub fn new(config: AgentConfig, now: Instant) -> Result<Self, SendError> {
        let limits = config.client.state_event_limits();
        Ok(Self {
            player: Player::new(config.client, now)?,
            pending: PendingCommands::default(),
            events: EventQueue::new(limits),
            changes: Changes::default(),
            entry: Entry { takes: config.takes, starts: config.starts, pending: None },
            legal: None,
            has_entered: false,
            began: None,
            phase: None,
            has_ended: false,
        })
    }

    /// Returns the world as it is now.
    pub const fn world(&self) -> &World {
        self.player.world()
    }

    /// Returns the player below the agent.
    pub const fn player(&self) -> &Player {
        &self.player
    }

    /// Returns whether the agent has entered the game, so that commands are possible.
    pub const fn has_entered(&self) -> bool {
        self.has_entered
    }

    /// Returns the number of commands that have no reply yet.
    pub fn pending_commands(&self) -> usize {
        self.pending.len()
    }

    /// Sends the password that [`Event::PasswordRequested`] requests.
    ///
    /// # Errors
    /// [`SendError`] in the cases of [`Client::send_password`](crate::session::client::Client::send_password).
    pub fn send_password(&mut self, password: &str) -> Result<(), SendError> {
        self.player.send_password(password)
    }

    /// Closes the connection. Commands without a reply get one.
    pub fn close(&mut self) {
        self.player.close();
        self.drain_player();
    }

    /// Handles all events of the player.
    fn drain_player(&mut self) {
        while let Some(event) = self.player.poll_event() {
            self.on_player_event(event);
        }
        // After all packets: the world has applied them, and the scores may be in the last ones.
        self.check_ending();
    }

    fn on_player_event(&mut self, event: PlayerEvent) {
        match event {
            PlayerEvent::Packet(packet) => self.events.push(Event::Packet(packet)),
            PlayerEvent::PasswordRequested { request, message } => {
                self.events.push(Event::PasswordRequested { request, message });
            }
            PlayerEvent::Joined(joined) => self.events.push(Event::Joined(joined)),
            PlayerEvent::RoleChanged(role) => self.events.push(Event::RoleChanged(role)),
            PlayerEvent::Ready => self.on_ready(),
            PlayerEvent::OrderFinished(order) => self.on_order_finished(order),
            PlayerEvent::Updated => self.on_update(),
            PlayerEvent::Missed { count } => self.events.push(Event::Missed { count }),
            PlayerEvent::Closed(reason) => {
                self.collect();
                self.check_ending();
                let text = format!("not answered: {reason}");
                for command in self.pending.finish_all() {
                    let reply = Reply::failed(CommandOutcome::Unanswered, text.clone());
                    self.events.push(Event::Reply { command, reply });
                }
                self.events.close(Event::Closed(reason));
            }
        }
    }

    fn on_order_finished(&mut self, order: OrderId) {
        if self.on_entry_order_finished(order) {
            return;
        }
        self.collect();
        if let (Some(pending), Some(reply)) = (self.pending.take(order), self.player.take_reply(order)) {
            self.on_reply(pending, reply);
        }
        // The order may have ended a turn. Its reply is emitted before the new turn.
        self.on_update();
    }

    fn on_update(&mut self) {
        self.collect();
        if self.has_entered && !self.pending.is_ending_turn() {
            if let Some(turn) = self.began.take() {
                self.flush_changes();
                self.events.push(Event::TurnBegan { turn });
            }
            if let Some(phase) = self.phase.take() {
                self.flush_changes();
                self.events.push(Event::PhaseBegan { phase });
            }
        }
    }

    /// Emits messages, and keeps the other changes of the world.
    fn collect(&mut self) {
        for change in self.player.take_changes() {
            if let Some(list) = &mut self.legal {
                list.on_change(self.player.world(), &change);
            }
            match change {
                Change::TurnBegan { turn } => self.began = Some(turn),
                Change::PhaseBegan { phase } => self.phase = Some(phase),
                Change::VoteChanged { vote } => self.events.push(Event::VoteChanged { vote }),
                Change::MeetingChanged { with } => self.events.push(Event::MeetingChanged { with }),
                Change::Combat(combat) => self.events.push(Event::Fought(combat)),
                Change::Message(message) => self.events.push(Event::Message(message)),
                Change::Page(page) => self.events.push(Event::Page(page)),
                change => self.changes.add(&change),
            }
        }
    }

    fn flush_changes(&mut self) {
        if let Some(changes) = self.changes.take() {
            self.events.push(Event::Changed(changes));
        }
    }

    /// Emits the end of the game once. If it has ended for all players, the scores must be known.
    fn check_ending(&mut self) {
        let ending = self.world().ending();
        let ending = ending.filter(|it| *it != Ending::GameOver || self.world().ranking().is_some());
        if let Some(ending) = ending.filter(|_| self.has_entered && !self.has_ended) {
            self.has_ended = true;
            self.flush_changes();
            self.events.push(Event::Ended(ending));
        }
    }

    fn reply(&mut self, command: CommandId, reply: Reply) {
        if self.pending.finish(command) {
            self.flush_changes();
            self.events.push(Event::Reply { command, reply });
        }
    }
}
