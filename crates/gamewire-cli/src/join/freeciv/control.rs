use std::io;
use std::task::Waker;
use std::time::Duration;

use gamewire_freeciv::agent::{Command, ExecuteError};
use gamewire_freeciv::world::GameState;
use serde_json::Value as Json;

use super::plan::MAX_PENDING;
use super::session::FreecivSession;
use crate::controls::{CommandError, Controlled};
use crate::driving::next_event;
use crate::exit_status::Failure;
use crate::freeciv::{Request, rejection};
use crate::output::Output;

impl Controlled for FreecivSession {
    type Command = Request;

    fn waker(&mut self) -> io::Result<Waker> {
        self.driver.waker()
    }

    fn poll(&mut self, wait: Duration) -> Result<(), Failure> {
        let event = next_event(&mut self.driver, wait).map_err(Failure::socket)?;
        event.map_or(Ok(()), |event| self.handle_event(event))?;
        if self.has_entered && !self.is_leaving {
            self.plan.send_lines(self.driver.machine_mut());
        }
        Ok(())
    }

    fn takes_lines(&self) -> bool {
        self.has_entered && self.agent().pending_commands() < MAX_PENDING && self.plan.say.is_empty()
    }

    fn parse(&self, line: &str, is_json: bool) -> Result<Request, String> {
        Ok(if is_json { Request::parse(line) } else { Request::say(line) })
    }

    fn execute(&mut self, Request { id, command }: Request) -> Result<(), CommandError> {
        let error = match command {
            Ok(Command::Leave {}) => return Err(CommandError::Leave),
            Ok(command) => match self.driver.machine_mut().execute(&command) {
                Ok(number) => {
                    self.ids.insert(number, id);
                    return Ok(());
                }
                Err(ExecuteError::Full) => return Err(CommandError::Full),
                Err(error) => error.to_string(),
            },
            Err(error) => error,
        };
        Ok(self.reply(id, &rejection(error))?)
    }

    fn reject(&mut self, line: &str, error: String) -> Result<(), Failure> {
        self.reply(Json::Null, &rejection(format!("{line}: {error}")))
    }

    fn output(&self) -> &Output {
        &self.output
    }

    fn unsent(&self) -> usize {
        let planned = if self.has_entered { self.plan.say.len() } else { 0 };
        if self.is_leaving { 0 } else { self.agent().pending_commands().saturating_add(planned) }
    }

    fn leave(&mut self) {
        self.is_leaving = true;
        self.driver.machine_mut().close();
    }

    fn is_over(&self) -> bool {
        self.end.is_some()
    }

    fn unfinished(&self) -> Option<String> {
        let (server, role) = (&self.server, self.role());
        if !self.has_entered {
            return Some(format!("the player did not join {server} in time"));
        }
        if self.plan.observe.is_some() && !role.is_observer {
            return Some(format!("the server did not allow observing on {server} in time"));
        }
        if self.plan.start && self.world().state() == GameState::Pregame {
            return Some(format!("the game on {server} did not start in time"));
        }
        let turns = self.plan.turns.filter(|turns| self.turns.over < *turns && !self.is_played_out)?;
        Some(format!("{} of {turns} turns ended on {server} in time", self.turns.over))
    }
}
