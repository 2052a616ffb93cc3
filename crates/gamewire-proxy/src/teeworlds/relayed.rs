use gamewire_teeworlds::MessageBuf;
use gamewire_teeworlds::model::ServerInfo;

use super::outgoing::Outgoing;

/// A relay for messages between the two connections of a bridge.
pub(super) trait Relayed: Send {
    /// Handles a message from the client.
    fn on_client(&mut self, message: &MessageBuf, out: &mut Outgoing);

    /// Handles a message from the server.
    fn on_server(&mut self, message: &MessageBuf, out: &mut Outgoing);

    /// Handles a received server info.
    fn on_info(&mut self, _: &ServerInfo) {}
}
