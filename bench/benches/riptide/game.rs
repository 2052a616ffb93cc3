//! The game of gamewire's server and clients, shared by all drivers.

use std::net::SocketAddr;

use gamewire::machine::Instant;
use gamewire::riptide::client::{self, Client, ClientConfig};
use gamewire::riptide::server::{self, Server, ServerConfig};
use gamewire::riptide::{ClientId, Format, Message};

use crate::contender::{BYTES, Tally};

/// The only message of the game.
#[derive(Message)]
#[message(id = 1, mode = "reliable")]
pub(crate) struct Blob {
    bytes: [u8; BYTES],
}

impl Blob {
    pub(crate) fn compose(counting: &mut Tally) -> Self {
        Self { bytes: counting.compose() }
    }

    fn take(message: &Message, counting: &mut Tally) {
        counting.take(&message.read_as::<Self>().expect("a blob").bytes);
    }
}

/// Returns a server with twice the places: half-open connections of one address may not hold all.
pub(crate) fn server(clients: usize) -> Server {
    let places = u16::try_from(2 * clients).expect("few clients");
    Server::new(ServerConfig { announce_clients: false, ..ServerConfig::new(places) }, Instant::ZERO)
}

pub(crate) fn client(server: SocketAddr) -> Client {
    Client::connect(&ClientConfig::new(Format::V21), server, Instant::ZERO).expect("nothing to say")
}

/// Handles the events of the server.
pub(crate) fn attend_server(event: server::Event, clients: &mut Vec<ClientId>, counting: &mut Tally) {
    match event {
        server::Event::MessageReceived { message, .. } => Blob::take(&message, counting),
        server::Event::ClientConnected { client, .. } => clients.push(client),
        other => panic!("the server: {other:?}"),
    }
}

pub(crate) fn attend_client(event: client::Event, counting: &mut Tally) {
    match event {
        client::Event::MessageReceived { message } => Blob::take(&message, counting),
        client::Event::Connected { .. } => {}
        other => panic!("a client: {other:?}"),
    }
}
