use std::io;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use gamewire_sim::Conditions;
use mio::Waker;
use thiserror::Error;

use crate::Side;
use crate::traffic::ClientNumber;
use crate::traffic::RelayStats;

/// Maximum number of commands that wait.
const COMMANDS: usize = 64;

/// A command to a relay that runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Command {
    SetConditions(Side, Conditions),
    Close(ClientNumber),
    Stop,
}

/// Commands a relay that runs on another thread.
#[derive(Clone, Debug)]
pub struct Control {
    commands: SyncSender<Command>,
    waker: Arc<Waker>,
    stats: Arc<Mutex<RelayStats>>,
}

/// The relay did not take a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ControlError {
    /// It has stopped.
    #[error("the proxy has stopped")]
    Stopped,
    /// Too many commands wait.
    #[error("too many commands wait")]
    Busy,
}

/// The relay's end of a [`Control`].
#[derive(Debug)]
pub(super) struct Controlled {
    pub(super) commands: Receiver<Command>,
    stats: Arc<Mutex<RelayStats>>,
}

impl Controlled {
    pub(super) fn publish(&self, stats: &RelayStats) {
        *self.stats.lock().unwrap_or_else(PoisonError::into_inner) = *stats;
    }
}

impl Control {
    pub(super) fn new(waker: Waker) -> (Self, Controlled) {
        let (sender, commands) = sync_channel(COMMANDS);
        let stats = Arc::new(Mutex::new(RelayStats::default()));
        let control = Self { commands: sender, waker: Arc::new(waker), stats: Arc::clone(&stats) };
        (control, Controlled { commands, stats })
    }

    /// Replaces the conditions of the link to one side. What is in flight keeps the old ones.
    ///
    /// # Errors
    /// The relay did not take the command.
    pub fn set_conditions(&self, to: Side, conditions: Conditions) -> Result<(), ControlError> {
        self.send(Command::SetConditions(to, conditions))
    }

    /// Forgets a client, if there is one with this number. Streams are closed.
    ///
    /// # Errors
    /// The relay did not take the command.
    pub fn close(&self, client: ClientNumber) -> Result<(), ControlError> {
        self.send(Command::Close(client))
    }

    /// Stops the relay.
    ///
    /// # Errors
    /// It had stopped already.
    pub fn stop(&self) -> Result<(), ControlError> {
        self.send(Command::Stop)
    }

    /// Returns the counters, at most half a second old.
    pub fn stats(&self) -> RelayStats {
        *self.stats.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn send(&self, command: Command) -> Result<(), ControlError> {
        self.commands.try_send(command).map_err(|error| match error {
            TrySendError::Full(_) => ControlError::Busy,
            TrySendError::Disconnected(_) => ControlError::Stopped,
        })?;
        // A failure delays the command to the next datagram or search for idle clients.
        let _: io::Result<()> = self.waker.wake();
        Ok(())
    }
}
