//! The refusals of a NATS server.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_nats::{ClientError, Event};

use crate::exit_status::warn;

/// Maximum number of different refusals that are printed.
const MAX_PRINTED: usize = 64;

/// The state of a connection and the last refusal of the server. Prints each refusal once. Clones share the state.
#[derive(Clone, Debug, Default)]
pub(super) struct Refusals(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    is_connected: bool,
    /// The last refusal since the connection was made or lost.
    last: Option<String>,
    printed: BTreeSet<String>,
}

impl Refusals {
    /// Handles an event of the connection to `server`.
    pub(super) fn on_event(&self, event: &Event, server: &str) {
        match event {
            Event::Connected => {
                let mut state = self.lock();
                (state.is_connected, state.last) = (true, None);
            }
            Event::Disconnected | Event::Closed => self.lock().is_connected = false,
            Event::ServerError(error) => self.report(without_prefix(&error.to_string())),
            // The NATS client reports only this for every error of a socket.
            Event::ClientError(ClientError::Other(reason)) if reason.ends_with("IO error") => {
                self.report(&format!("no server answers at {server}"));
            }
            Event::ClientError(error) => self.report(without_prefix(&error.to_string())),
            _ => {}
        }
    }

    /// Keeps a refusal for the page, and prints it if it is the first one with this text.
    pub(super) fn report(&self, reason: &str) {
        let mut state = self.lock();
        state.last = Some(reason.to_owned());
        if state.printed.len() < MAX_PRINTED && state.printed.insert(reason.to_owned()) {
            warn(format_args!("NATS: {reason}"));
        }
    }

    pub(super) fn is_connected(&self) -> bool {
        self.lock().is_connected
    }

    /// Returns the state of the connection to `server` in words.
    pub(super) fn described(&self, server: &str) -> String {
        let state = self.lock();
        let connection = if state.is_connected { "connected to" } else { "no connection to" };
        let reason = state.last.as_ref().map(|reason| format!(": {reason}"));
        format!("{connection} {server}{}", reason.unwrap_or_default())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the error without the prefix of the NATS client.
fn without_prefix(error: &str) -> &str {
    error.trim_start_matches("nats: ")
}

#[cfg(test)]
mod tests {
    use async_nats::ServerError;

    use super::*;

    #[test]
    fn a_refusal_is_shown_until_the_connection_is_made_again() {
        let refusals = Refusals::default();
        let described = || refusals.described("host:1");
        assert_eq!(described(), "no connection to host:1");
        refusals
            .on_event(&Event::ClientError(ClientError::Other("authorization violation".into())), "host:1");
        assert_eq!(described(), "no connection to host:1: authorization violation");
        refusals.on_event(&Event::Connected, "host:1");
        assert_eq!(described(), "connected to host:1");
        refusals.on_event(&Event::ServerError(ServerError::Other("Permissions Violation".into())), "host:1");
        assert_eq!(described(), "connected to host:1: Permissions Violation");
        refusals.on_event(&Event::Disconnected, "host:1");
        refusals.on_event(&Event::ClientError(ClientError::Other("IO error".into())), "host:1");
        assert_eq!(described(), "no connection to host:1: no server answers at host:1");
    }
}
