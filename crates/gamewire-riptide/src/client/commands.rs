//! What an application tells a client to do, and asks it. Nothing here needs the time: a machine
//! remembers when it was last told.

use core::time::Duration;

use super::Client;
use super::stage::ClientState;
use crate::ClientId;
use crate::extension::ExtensionParams;
use crate::link::{ConnectionSettings, ConnectionState, Metrics};
use crate::message::Sendable;
use crate::peer::SendError;

impl Client {
    /// Sends a message; it leaves when packets are polled next. A reliable one over the limit of a
    /// packet goes in parts, if the server has [agreed](Client::extension). Gives the sequence id of a reliable
    /// or notify message, by which delivery events name it.
    ///
    /// # Errors
    /// When there is no connection, the format of the server cannot say the message, it is too
    /// long, or too much waits to be acknowledged.
    pub fn send(&mut self, message: &impl Sendable) -> Result<Option<u16>, SendError> {
        self.core.send(message)
    }

    /// Sends a reliable message that is delivered in the order of sending among all that are sent
    /// by this; it may be over the limit of a packet. Gives its sequence id.
    ///
    /// # Errors
    /// [`SendError::NotAgreed`] when the server cannot do that, or is not known to yet, and as for
    /// [`Client::send`]. Nothing was sent then.
    pub fn send_ordered(&mut self, message: &impl Sendable) -> Result<u16, SendError> {
        self.core.send_ordered(message)
    }

    /// What the server takes of the extension, from when it can be used: it is on
    /// ([`ClientConfig::extension`](super::ClientConfig::extension)) on both sides, and both know.
    #[must_use]
    pub fn extension(&self) -> Option<&ExtensionParams> {
        self.core.peer.agreed()
    }

    /// Leaves the server. [`Event::Disconnected`](super::Event::Disconnected) follows, unless there
    /// was a last event before.
    pub fn disconnect(&mut self) {
        self.core.disconnect();
    }

    /// The client's own id (`Id`), while it is connected.
    #[must_use]
    pub const fn id(&self) -> Option<ClientId> {
        match self.core.stage {
            ClientState::Connected(id) => Some(id),
            ClientState::Connecting(_) | ClientState::Ended => None,
        }
    }

    /// Where in its life the connection is.
    #[must_use]
    pub const fn state(&self) -> ConnectionState {
        self.core.peer.link().state()
    }

    /// Whether it asks for a connection (`IsConnecting`).
    #[must_use]
    pub const fn is_connecting(&self) -> bool {
        matches!(self.state(), ConnectionState::Connecting)
    }

    /// Whether the server's application has yet to decide (`IsPending`).
    #[must_use]
    pub const fn is_pending(&self) -> bool {
        matches!(self.state(), ConnectionState::Pending)
    }

    /// Whether it is connected (`IsConnected`).
    #[must_use]
    pub const fn is_connected(&self) -> bool {
        matches!(self.state(), ConnectionState::Connected)
    }

    /// Whether it is over (`IsNotConnected`).
    #[must_use]
    pub const fn is_ended(&self) -> bool {
        matches!(self.state(), ConnectionState::Ended)
    }

    /// The round trip that was measured last (`RTT`), in whole milliseconds.
    #[must_use]
    pub fn rtt(&self) -> Option<Duration> {
        self.core.peer.link().rtt()
    }

    /// The smoothed round trip (`SmoothRTT`), in whole milliseconds.
    #[must_use]
    pub fn smooth_rtt(&self) -> Option<Duration> {
        self.core.peer.link().smooth_rtt()
    }

    /// What was counted.
    #[must_use]
    pub const fn metrics(&self) -> &Metrics {
        self.core.peer.link().metrics()
    }

    /// Counts from 0 again ([`Metrics::reset`]).
    pub fn reset_metrics(&mut self) {
        self.core.peer.link_mut().reset_metrics();
    }

    /// When the connection counts as lost.
    #[must_use]
    pub const fn settings(&self) -> &ConnectionSettings {
        self.core.peer.link().settings()
    }

    /// Sets it. The silence counts from now on when [`ConnectionSettings::can_timeout`] is set.
    pub const fn set_settings(&mut self, settings: ConnectionSettings) {
        let now = self.core.now;
        self.core.peer.link_mut().set_settings(now, settings);
    }

    /// The silence counts from now on (`ResetTimeout`).
    pub const fn reset_timeout(&mut self) {
        let now = self.core.now;
        self.core.peer.link_mut().reset_timeout(now);
    }
}
