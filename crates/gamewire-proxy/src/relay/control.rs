use std::io;
use std::net::SocketAddr;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use gamewire_machine::Role;
use gamewire_sim::Conditions;
use gamewire_watch::PeerNumber;
use mio::Waker;
use thiserror::Error;

use super::stats::RelayStats;

/// Maximum number of queued commands.
const MAX_COMMANDS: usize = 64;

/// A command to a running relay.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Command {
    SetConditions(Role, Conditions),
    SetServer(SocketAddr),
    Close(PeerNumber),
    Stop,
}

/// A handle that controls a relay on another thread.
#[derive(Clone, Debug)]
pub struct Control {
    commands: SyncSender<Command>,
    waker: Arc<Waker>,
    stats: Arc<Mutex<RelayStats>>,
}

/// The relay did not accept a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ControlError {
    /// The relay has stopped.
    #[error("the proxy has stopped")]
    Stopped,
    /// The command queue is full.
    #[error("too many commands wait")]
    Busy,
}

/// The relay's side of a [`Control`].
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
        let (sender, commands) = sync_channel(MAX_COMMANDS);
        let stats = Arc::new(Mutex::new(RelayStats::default()));
        let control = Self { commands: sender, waker: Arc::new(waker), stats: Arc::clone(&stats) };
        (control, Controlled { commands, stats })
    }

    /// Replaces the conditions of the link to one side. Bytes in flight keep the old conditions.
    ///
    /// # Errors
    /// [`ControlError`] if the relay does not accept the command.
    pub fn set_conditions(&self, to: Role, conditions: Conditions) -> Result<(), ControlError> {
        self.send(Command::SetConditions(to, conditions))
    }

    /// Replaces the server's address for new clients. Clients that are there keep their server. The proxy's own address
    /// is ignored.
    ///
    /// # Errors
    /// [`ControlError`] if the relay does not accept the command.
    pub fn set_server(&self, server: SocketAddr) -> Result<(), ControlError> {
        self.send(Command::SetServer(server))
    }

    /// Closes the client with this number and its streams. An unknown number is ignored.
    ///
    /// # Errors
    /// [`ControlError`] if the relay does not accept the command.
    pub fn close(&self, client: PeerNumber) -> Result<(), ControlError> {
        self.send(Command::Close(client))
    }

    /// Stops the relay.
    ///
    /// # Errors
    /// [`ControlError`] if the relay does not accept the command.
    pub fn stop(&self) -> Result<(), ControlError> {
        self.send(Command::Stop)
    }

    /// Returns the counters. They are at most half a second old.
    pub fn stats(&self) -> RelayStats {
        *self.stats.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn send(&self, command: Command) -> Result<(), ControlError> {
        self.commands.try_send(command).map_err(|error| match error {
            TrySendError::Full(_) => ControlError::Busy,
            TrySendError::Disconnected(_) => ControlError::Stopped,
        })?;
        // If waking fails, the relay handles the command at the next datagram or search for idle clients.
        let _: io::Result<()> = self.waker.wake();
        Ok(())
    }
}
