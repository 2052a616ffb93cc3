use gamewire_machine::TransmitQueue;
use gamewire_teeworlds::model::{ClientMessage, EncodeError, ServerInfo, ServerMessage};
use gamewire_teeworlds::raw::packet::MAX_PAYLOAD;
use gamewire_teeworlds::{Dialect, MessageBuf};
use gamewire_wire::Writer;

/// A relay for messages between the two connections of a bridge.
pub(super) trait Relayed: Send {
    /// Handles a message from the client.
    fn on_client(&mut self, message: &MessageBuf, out: &mut Outgoing);

    /// Handles a message from the server.
    fn on_server(&mut self, message: &MessageBuf, out: &mut Outgoing);

    /// Handles a received server info.
    fn on_info(&mut self, _: &ServerInfo) {}
}

/// Output of a relayed message for both sides.
#[derive(Debug)]
pub(crate) struct Outgoing {
    client: Dialect,
    server: Dialect,
    /// The chunks for the client, each with whether it is vital.
    pub(crate) to_client: TransmitQueue<bool>,
    /// The chunks for the server.
    pub(crate) to_server: TransmitQueue<bool>,
    /// Number of messages that the other side's dialect does not have.
    pub(crate) left_out: u64,
    /// The reason if both connections must be closed.
    pub(crate) failure: Option<&'static str>,
}

impl Outgoing {
    pub(crate) fn new(client: Dialect, server: Dialect) -> Self {
        let [to_client, to_server] = [const { TransmitQueue::new() }; 2];
        Self { client, server, to_client, to_server, left_out: 0, failure: None }
    }

    /// Queues a message for the client, encoded in the client's dialect.
    pub(crate) fn client(&mut self, vital: bool, message: &ServerMessage<'_>) {
        let dialect = self.client;
        let is_written = encode(&mut self.to_client, vital, |to| dialect.encode_server_message(message, to));
        self.left_out = self.left_out.saturating_add((!is_written).into());
    }

    /// Queues a message for the server, encoded in the server's dialect.
    pub(crate) fn server(&mut self, vital: bool, message: &ClientMessage<'_>) {
        let dialect = self.server;
        let is_written = encode(&mut self.to_server, vital, |to| dialect.encode_client_message(message, to));
        self.left_out = self.left_out.saturating_add((!is_written).into());
    }

    /// Queues the output of `write` for the client, as a vital message.
    pub(crate) fn client_wire(&mut self, write: impl FnOnce(&mut Writer<'_>) -> gamewire_wire::Result<()>) {
        let is_written = encode(&mut self.to_client, true, |to| write(to).map_err(EncodeError::from));
        self.left_out = self.left_out.saturating_add((!is_written).into());
    }

    /// Counts a message that cannot be sent.
    pub(crate) const fn leave_out(&mut self) {
        self.left_out = self.left_out.saturating_add(1);
    }
}

/// Queues the output of `write`. Returns false if it failed.
fn encode(
    queue: &mut TransmitQueue<bool>,
    vital: bool,
    write: impl FnOnce(&mut Writer<'_>) -> Result<(), EncodeError>,
) -> bool {
    let length = queue.write(vital, MAX_PAYLOAD, |buffer| {
        let mut to = Writer::new(buffer);
        write(&mut to).ok()?;
        Some(to.written().len())
    });
    length > 0
}
