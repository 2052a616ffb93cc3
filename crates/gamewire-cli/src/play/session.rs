use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::task::Waker;
use std::time::{Duration, Instant};

use gamewire_freeciv::agent::view::EventView;
use gamewire_freeciv::agent::{Agent, Command, CommandId, CommandOutcome, Event, ExecuteError, Reply};
use gamewire_freeciv::session::client::CloseReason;
use gamewire_freeciv::world::World;
use gamewire_inspect::render::Escaped;
use gamewire_net::blocking::Driver;
use serde_json::{Value as Json, json};

use super::rights::{self, Rights};
use crate::controls::{CommandError, Controlled};
use crate::driving::{SharedWaker, next_event};
use crate::duration::from_now;
use crate::exit_status::{ExitStatus, Failure};
use crate::freeciv::describe::ReplyLine;
use crate::freeciv::{Request, error_message, rejection};
use crate::output::{Output, Summary, event};

/// Time before a lost connection is opened again. A server notices the loss of the old one first.
const BEFORE_RECONNECT: Duration = Duration::from_secs(1);

/// A function that opens a connection to the server.
type Connect<'a> = Box<dyn Fn() -> Result<Driver<Agent>, Failure> + 'a>;

/// A player that a program controls.
pub(super) struct PlaySession<'a> {
    driver: Driver<Agent>,
    /// Wakes the driver that there is now.
    waker: SharedWaker,
    /// Opens a new connection. `None` if a lost connection ends the session.
    connect: Option<Connect<'a>>,
    /// The time of the next attempt to connect.
    again_at: Option<Instant>,
    output: Output,
    server: String,
    password: Option<String>,
    rights: Rights,
    /// The ids of the lines without a reply.
    ids: HashMap<CommandId, Json>,
    turns: u64,
    orders: u64,
    /// True after the state at the entry was printed. Lines are executed after that.
    has_entered: bool,
    is_played_out: bool,
    /// True after the end of standard input. The client leaves after the last reply.
    has_input_ended: bool,
    is_leaving: bool,
    end: Option<Result<ExitStatus, Failure>>,
}

impl<'a> PlaySession<'a> {
    pub(super) fn new(
        driver: Driver<Agent>,
        output: Output,
        server: String,
        password: Option<String>,
    ) -> Self {
        Self {
            driver,
            waker: SharedWaker::default(),
            connect: None,
            again_at: None,
            output,
            server,
            password,
            rights: Rights::default(),
            ids: HashMap::new(),
            turns: 0,
            orders: 0,
            has_entered: false,
            is_played_out: false,
            has_input_ended: false,
            is_leaving: false,
            end: None,
        }
    }

    /// Opens a new connection with `connect` when one is lost.
    pub(super) fn reconnect_with(&mut self, connect: impl Fn() -> Result<Driver<Agent>, Failure> + 'a) {
        self.connect = Some(Box::new(connect));
    }

    /// Requests all rights of a server on this machine. `server_home` is the home of its user.
    pub(super) fn request_rights(&mut self, server_home: Option<PathBuf>) {
        self.rights.server_home = server_home;
    }

    /// Prints the summary and returns the outcome.
    pub(super) fn end(self) -> Result<ExitStatus, Failure> {
        let (turns, orders) = (self.turns, self.orders);
        self.output.print_summary(Summary {
            fields: json!({ "turns": turns, "orders": orders }),
            text: format!("{turns} turns, {orders} orders"),
        })?;
        self.end.unwrap_or(Ok(ExitStatus::Success))
    }

    fn world(&self) -> &World {
        self.driver.machine().world()
    }

    fn handle_event(&mut self, event: Event) -> Result<(), Failure> {
        match &event {
            Event::Reply { command, reply } if self.rights.take(*command) => match reply.outcome {
                CommandOutcome::Unanswered => Ok(()),
                _ => self.output.emit(&rights::given(self.world())),
            },
            Event::Reply { command, reply } => {
                let id = self.ids.remove(command).unwrap_or_default();
                self.reply(id, reply)
            }
            Event::Closed(reason) => {
                self.emit(&event)?;
                self.closed(reason)
            }
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
            Event::Joined(joined) => {
                self.rights.file.clone_from(&joined.challenge_file);
                self.emit(&event)
            }
            Event::Entered => {
                self.has_entered = true;
                self.emit(&event)?;
                self.output.emit(&event!("ready"))?;
                let failure = self.rights.request(self.driver.machine_mut());
                failure.map_or(Ok(()), |failure| self.output.emit(&failure))
            }
            Event::TurnBegan { .. } => {
                self.turns = self.turns.saturating_add(1);
                self.emit(&event)
            }
            Event::Ended(_) => {
                self.is_played_out = true;
                self.emit(&event)?;
                // A server sends no more turns.
                self.leave();
                Ok(())
            }
            Event::Missed { count } => {
                self.fail(format!("lost {count} events: the command was too slow"));
                Ok(())
            }
            _ => self.emit(&event),
        }
    }

    /// Prints an event as the library describes it.
    fn emit(&self, event: &Event) -> Result<(), Failure> {
        EventView::new(self.world(), event).map_or(Ok(()), |view| self.output.emit_view(&view))
    }

    fn reply(&self, id: Json, reply: &Reply) -> Result<(), Failure> {
        self.output.emit_view(&ReplyLine::new(id, reply, self.world()))
    }

    fn closed(&mut self, reason: &CloseReason) -> Result<(), Failure> {
        let received = self.driver.stats().streams.received_bytes;
        let sentence = error_message(reason, &self.server, received).filter(|_| !self.is_played_out);
        if self.connect.is_some() && !self.is_leaving && sentence.is_some() {
            return self.connect_later();
        }
        let end = sentence.map_or(Ok(ExitStatus::Success), |sentence| Err(Failure::Failed(sentence)));
        self.end.get_or_insert(end);
        Ok(())
    }

    fn connect_later(&mut self) -> Result<(), Failure> {
        self.again_at = from_now(BEFORE_RECONNECT);
        self.output.emit(&event!("reconnecting", seconds: BEFORE_RECONNECT.as_secs()))
    }

    /// Opens a new connection if it is time.
    fn connect_again(&mut self) -> Result<(), Failure> {
        if self.again_at.take_if(|at| *at <= Instant::now()).is_none() {
            return Ok(());
        }
        match self.connect.as_ref().map(|connect| connect()) {
            Some(Ok(mut driver)) => {
                self.waker.set(driver.waker().map_err(Failure::socket)?);
                self.driver = driver;
                self.has_entered = false;
                Ok(())
            }
            Some(Err(_)) => self.connect_later(),
            None => Ok(()),
        }
    }

    /// Disconnects, and ends the session with this error.
    fn fail(&mut self, sentence: String) {
        self.end.get_or_insert(Err(Failure::Failed(sentence)));
        self.leave();
    }
}

impl Controlled for PlaySession<'_> {
    type Command = Request;

    fn waker(&mut self) -> io::Result<Waker> {
        self.waker.set(self.driver.waker()?);
        Ok(self.waker.waker())
    }

    fn wake_at(&self) -> Option<Instant> {
        self.again_at
    }

    fn poll(&mut self, wait: Duration) -> Result<(), Failure> {
        self.connect_again()?;
        if self.again_at.is_some() {
            return self.driver.wait(wait).map_err(Failure::socket);
        }
        let event = next_event(&mut self.driver, wait).map_err(Failure::socket)?;
        event.map_or(Ok(()), |event| self.handle_event(event))?;
        self.leave_if_done();
        Ok(())
    }

    fn takes_lines(&self) -> bool {
        self.has_entered && !self.is_leaving && self.again_at.is_none()
    }

    fn parse(&self, line: &str, _: bool) -> Result<Request, String> {
        Ok(Request::parse(line))
    }

    fn execute(&mut self, Request { id, command }: Request) -> Result<(), CommandError> {
        let command = match command {
            Ok(command) => command,
            Err(error) => return Ok(self.reject_command(id, error)?),
        };
        match self.driver.machine_mut().execute(&command) {
            Ok(number) => {
                self.ids.insert(number, id);
                if matches!(command, Command::Leave {}) {
                    self.is_leaving = true;
                } else if !matches!(command, Command::World { .. }) {
                    self.orders = self.orders.saturating_add(1);
                }
                Ok(())
            }
            Err(ExecuteError::Full) => Err(CommandError::Full),
            Err(error) => Ok(self.reject_command(id, error.to_string())?),
        }
    }

    fn reject(&mut self, line: &str, error: String) -> Result<(), Failure> {
        self.reject_command(Json::Null, format!("{line}: {error}"))
    }

    fn unread(&mut self, line: &str) -> Result<(), Failure> {
        let reply = Reply {
            outcome: CommandOutcome::Unanswered,
            text: Some("the session has ended".to_owned()),
            answer: None,
        };
        self.reply(Request::parse(line).id, &reply)
    }

    fn output(&self) -> &Output {
        &self.output
    }

    fn input_ended(&mut self) {
        self.has_input_ended = true;
        self.leave_if_done();
    }

    fn leave(&mut self) {
        self.is_leaving = true;
        if self.again_at.take().is_some() {
            // There is no connection to close.
            self.end.get_or_insert(Ok(ExitStatus::Success));
        }
        self.driver.machine_mut().close();
    }

    fn is_over(&self) -> bool {
        // An error ends the session after its last events.
        self.end.is_some() && self.driver.machine().player().client().phase().is_none() && self.ids.is_empty()
    }

    fn unfinished(&self) -> Option<String> {
        (!self.has_entered)
            .then(|| format!("the player did not join {} in time", Escaped(self.server.as_bytes())))
    }
}

impl PlaySession<'_> {
    /// Leaves after the reply to the last line.
    fn leave_if_done(&mut self) {
        if self.has_input_ended && self.ids.is_empty() && !self.is_leaving {
            self.leave();
        }
    }

    fn reject_command(&self, id: Json, error: String) -> Result<(), Failure> {
        self.reply(id, &rejection(error))
    }
}
