//! A server and its clients, updated together until a condition is true.

use std::time::{Duration, Instant};

use gamewire::riptide::{Client, ClientConfig, ConnectOptions, Format, Message, MessageSendMode, Server};
use gamewire::riptide::{ClientId, client, server};

/// Maximum time of a scenario. Every scenario needs less than a tenth of it.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(120);

/// Calls `step` until it returns a value.
pub(crate) fn until<T>(what: &str, mut step: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(value) = step() {
            return value;
        }
        assert!(start.elapsed() < TIMEOUT, "{what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

pub(crate) fn tcp() -> ConnectOptions {
    ConnectOptions::tcp()
}

/// Returns a client that connects to a server on this host.
pub(crate) fn client_of<S>(server: &Server<S>, format: Format, via: ConnectOptions) -> Client {
    Client::connect_with(("127.0.0.1", server.port()), ClientConfig::new(format), via).unwrap()
}

/// Updates both until the client is connected and the server has accepted it.
pub(crate) fn connected<S>(server: &mut Server<S>, mut client: Client) -> Client {
    until("the client is connected", || {
        update(server, &mut client);
        let id = client.id()?;
        server.client(id).filter(|view| view.is_connected()).map(drop)
    });
    client
}

/// Updates a server and a client.
pub(crate) fn update<S, T>(server: &mut Server<S>, client: &mut Client<T>) {
    server.update().unwrap();
    client.update().unwrap();
    client.wait(Duration::ZERO).unwrap();
}

pub(crate) fn text_message(mode: MessageSendMode, id: u16, text: &str) -> Message {
    let mut message = Message::create(mode, id);
    message.add_string(text);
    message
}

/// Returns the mode, id and text of the next message that a client received.
pub(crate) fn received<T>(client: &mut Client<T>) -> Option<(MessageSendMode, Option<u16>, String)> {
    while let Some(event) = client.poll_event() {
        if let client::Event::MessageReceived { mut message } = event {
            return Some((message.mode(), message.id(), message.get_string().unwrap()));
        }
    }
    None
}

/// Returns the clients that disconnected in the last update of a server, with the reasons.
pub(crate) fn left<S>(server: &mut Server<S>) -> Vec<(ClientId, gamewire::riptide::DisconnectReason)> {
    let mut left = Vec::new();
    while let Some(event) = server.poll_event() {
        if let server::Event::ClientDisconnected { client, reason, .. } = event {
            left.push((client, reason));
        }
    }
    left
}
