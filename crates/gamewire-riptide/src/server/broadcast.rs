use crate::message::{HandlerOutcome, IntoOutcome};
use crate::{ClientId, SendError};

/// The result of sending a message to several clients. It is not a `Result`, because the full buffer of one client is
/// not an error for the others or for the sender: `?` does not accept it, and a handler that returns it has not failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Broadcast {
    /// Number of clients that the message was sent to.
    pub sent: usize,
    /// Number of clients that the message was not sent to.
    pub failed: usize,
    /// The first client that the message was not sent to, and the reason.
    pub first_error: Option<(ClientId, SendError)>,
}

impl Broadcast {
    /// Returns the first error as a result, for an application that must reach all clients.
    ///
    /// # Errors
    /// [`SendError`] of the first client that the message was not sent to.
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
