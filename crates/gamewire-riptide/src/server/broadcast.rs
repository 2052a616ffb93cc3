use crate::message::{HandlerOutcome, IntoOutcome};
use crate::{ClientId, SendError};

/// The result of a message to several clients. One client's full buffer concerns neither the others nor the sender of what
/// the message is about, so this is not a `Result`: `?` does not take it, and a handler that returns it has not failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Broadcast {
    /// Clients to which it was sent.
    pub sent: usize,
    /// Clients to which it was not sent.
    pub failed: usize,
    /// The first of these, and why.
    pub first_error: Option<(ClientId, SendError)>,
}

impl Broadcast {
    /// Returns the first error as a result, for an application that must reach all clients.
    ///
    /// # Errors
    /// The [`SendError`] of the first client to which the message was not sent.
    pub fn all_sent(self) -> Result<(), SendError> {
        self.first_error.map_or(Ok(()), |(_, error)| Err(error))
    }

    /// Counts one client.
    pub(super) fn count<T>(&mut self, client: ClientId, sent: Result<T, SendError>) {
        match sent {
            Ok(_) => self.sent = self.sent.saturating_add(1),
            Err(error) => {
                self.failed = self.failed.saturating_add(1);
                self.first_error.get_or_insert((client, error));
            }
        }
    }
}

impl IntoOutcome for Broadcast {
    fn outcome(self) -> HandlerOutcome {
        HandlerOutcome::Handled
    }
}
