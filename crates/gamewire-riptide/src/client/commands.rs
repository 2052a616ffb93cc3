use super::ClientState;
use super::{Client, Event};
use crate::link::ConnectionSettings;
use crate::message::Sendable;
use crate::shared::packet::Leave;
use crate::{DisconnectReason, SendError};

impl Client {
    /// Sends a message, and returns its sequence id, unless it is unreliable. A reliable message that is too long for a
    /// packet is sent in parts, if the server [negotiated](Client::extension) that. Delivery events contain the id.
    ///
    /// # Errors
    /// [`SendError`]; nothing is sent.
    pub fn send(&mut self, message: &impl Sendable) -> Result<Option<u16>, SendError> {
        if !self.is_connected() {
            return Err(SendError::NotConnected);
        }
        self.connection.send(self.clock.now(), message, &mut self.scratch, &mut self.transmits)
    }

    /// Sends a reliable message, and returns its sequence id. The server receives all messages that are sent with this
    /// method in the order of sending. They may be too long for a packet.
    ///
    /// # Errors
    /// [`SendError::ExtensionUnavailable`] if the server has not negotiated the extension, or as for
    /// [`Client::send`]. Nothing is sent.
    pub fn send_ordered(&mut self, message: &impl Sendable) -> Result<u16, SendError> {
        if !self.is_connected() {
            return Err(SendError::NotConnected);
        }
        self.connection.send_extended(self.clock.now(), true, message, &mut self.scratch)
    }

    /// Disconnects from the server. [`Event::Disconnected`] follows, unless the connection is already closed.
    pub fn disconnect(&mut self) {
        if !matches!(self.state, ClientState::Ended) {
            self.connection.flush(self.clock.now(), &mut self.transmits);
            self.connection.send_unreliable(Leave::default(), &mut self.transmits).ok();
            self.end(Event::disconnected(DisconnectReason::Disconnected));
        }
    }

    /// Resets the metrics ([`Metrics::reset`](crate::link::Metrics::reset)).
    pub fn reset_metrics(&mut self) {
        self.connection.link.metrics.reset();
    }

    /// Replaces the settings of the connection. The timeout restarts if [`ConnectionSettings::can_timeout`] is set.
    pub const fn set_settings(&mut self, settings: ConnectionSettings) {
        let now = self.clock.now();
        self.connection.link.set_settings(now, settings);
    }

    /// Restarts the timeout (`ResetTimeout`).
    pub const fn reset_timeout(&mut self) {
        let now = self.clock.now();
        self.connection.link.reset_timeout(now);
    }
}
