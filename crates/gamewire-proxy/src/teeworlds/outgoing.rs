use gamewire_teeworlds::Dialect;
use gamewire_teeworlds::model::{ClientMessage, EncodeError, ServerMessage};
use gamewire_teeworlds::raw::packet::MAX_PAYLOAD;
use gamewire_wire::Writer;

/// A message to send: whether it is vital, and the content of its chunk.
pub(crate) type Chunk = (bool, Vec<u8>);

/// Output of a relayed message for both sides.
#[derive(Debug)]
pub(crate) struct Outgoing {
    client: Dialect,
    server: Dialect,
    pub(crate) to_client: Vec<Chunk>,
    pub(crate) to_server: Vec<Chunk>,
    /// Number of messages that the other side's dialect does not have.
    pub(crate) left_out: u64,
    /// The reason if both connections must be closed.
    pub(crate) failure: Option<&'static str>,
}

impl Outgoing {
    pub(crate) const fn new(client: Dialect, server: Dialect) -> Self {
        Self { client, server, to_client: Vec::new(), to_server: Vec::new(), left_out: 0, failure: None }
    }

    /// Queues a message for the client, encoded in the client's dialect.
    pub(crate) fn client(&mut self, vital: bool, message: &ServerMessage<'_>) {
        let dialect = self.client;
        match encoded(|to| dialect.encode_server_message(message, to)) {
            Ok(content) => self.to_client.push((vital, content)),
            Err(_) => self.leave_out(),
        }
    }

    /// Queues a message for the server, encoded in the server's dialect.
    pub(crate) fn server(&mut self, vital: bool, message: &ClientMessage<'_>) {
        let dialect = self.server;
        match encoded(|to| dialect.encode_client_message(message, to)) {
            Ok(content) => self.to_server.push((vital, content)),
            Err(_) => self.leave_out(),
        }
    }

    /// Queues the output of `write` for the client, as a vital message.
    pub(crate) fn client_wire(&mut self, write: impl FnOnce(&mut Writer<'_>) -> gamewire_wire::Result<()>) {
        match encoded(|to| write(to).map_err(EncodeError::from)) {
            Ok(content) => self.to_client.push((true, content)),
            Err(_) => self.leave_out(),
        }
    }

    /// Counts a message that cannot be sent.
    pub(crate) const fn leave_out(&mut self) {
        self.left_out = self.left_out.saturating_add(1);
    }
}

fn encoded(write: impl FnOnce(&mut Writer<'_>) -> Result<(), EncodeError>) -> Result<Vec<u8>, EncodeError> {
    let mut buffer = [0; MAX_PAYLOAD];
    let mut to = Writer::new(&mut buffer);
    write(&mut to)?;
    Ok(to.written().to_vec())
}
