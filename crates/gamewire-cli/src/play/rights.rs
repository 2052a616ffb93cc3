use std::path::PathBuf;

use gamewire::freeciv::{Challenge, ChallengeError};
use gamewire_freeciv::agent::{Agent, CommandId};
use gamewire_freeciv::world::World;

use crate::output::{OutputEvent, event};

/// The request for all rights at a server on this machine.
#[derive(Default)]
pub(super) struct Rights {
    /// The home of the server's user. `None` if no rights are requested.
    pub(super) server_home: Option<PathBuf>,
    /// The challenge file that the server has named.
    pub(super) file: String,
    /// The request that the server has not answered, with its file.
    pending: Option<(CommandId, Challenge)>,
}

impl Rights {
    /// Requests the rights. Returns an event if they cannot be requested.
    pub(super) fn request(&mut self, agent: &mut Agent) -> Option<OutputEvent> {
        let home = self.server_home.as_ref()?;
        match Challenge::write(home, &self.file) {
            Ok(challenge) => {
                // A closed connection has its own event.
                let request = agent.order(&challenge.request()).ok()?;
                self.pending = Some((request, challenge));
                None
            }
            Err(error) => Some(failed(&error)),
        }
    }

    /// Handles a reply. Returns whether it is the one to the request. The file is no longer needed then.
    pub(super) fn take(&mut self, command: CommandId) -> bool {
        self.pending.take_if(|(request, _)| *request == command).is_some()
    }
}

/// Describes the rights that the server has given.
pub(super) fn given(world: &World) -> OutputEvent {
    let level = world.my_access_level().and_then(|level| level.name());
    event!("rights", level: level)
}

fn failed(error: &ChallengeError) -> OutputEvent {
    event!("rights", error: error.to_string())
}
