//! A server and its clients, turned together until something has happened.

use std::time::{Duration, Instant};

use gamewire::riptide::{Client, ClientConfig, ConnectOptions, Format, Message, MessageSendMode, Server};
use gamewire::riptide::{ClientId, client, server};

/// So long a scenario may take before it has failed; none needs a tenth of it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// Calls `turn` until it gives something.
pub(crate) fn until<T>(what: &str, mut turn: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(happened) = turn() {
            return happened;
        }
        assert!(start.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

pub(crate) fn tcp() -> ConnectOptions {
    ConnectOptions::tcp(Duration::from_secs(5))
}

/// A client of a server on this machine, that begins to connect.
pub(crate) fn client_of<S>(server: &Server<S>, format: Format, via: ConnectOptions) -> Client {
    Client::connect_with(("127.0.0.1", server.port()), ClientConfig::new(format), via).unwrap()
}

/// Turns both until the client is connected and the server knows.
pub(crate) fn connected<S>(server: &mut Server<S>, mut client: Client) -> Client {
    until("the client is connected", || {
        turn(server, &mut client);
        let id = client.id()?;
        server.client(id).filter(|view| view.is_connected()).map(drop)
    });
    client
}

/// Turns a server and a client that nobody watches.
pub(crate) fn turn<S, T>(server: &mut Server<S>, client: &mut Client<T>) {
    server.update().unwrap();
    client.update().unwrap();
    client.wait(Duration::ZERO).unwrap();
}

pub(crate) fn says(mode: MessageSendMode, id: u16, text: &str) -> Message {
    let mut message = Message::create(mode, id);
    message.add_string(text);
    message
}

/// The next message that a client is sent: its mode, its id and the text in it.
pub(crate) fn heard<T>(client: &mut Client<T>) -> Option<(MessageSendMode, Option<u16>, String)> {
    while let Some(event) = client.poll_event() {
        if let client::Event::MessageReceived { mut message } = event {
            return Some((message.mode(), message.id(), message.get_string().unwrap()));
        }
    }
    None
}

/// Who has left a server, and why, among the events of its last update.
pub(crate) fn left<S>(server: &mut Server<S>) -> Vec<(ClientId, gamewire::riptide::DisconnectReason)> {
    let mut left = Vec::new();
    while let Some(event) = server.poll_event() {
        if let server::Event::ClientDisconnected { client, reason } = event {
            left.push((client, reason));
        }
    }
    left
}
