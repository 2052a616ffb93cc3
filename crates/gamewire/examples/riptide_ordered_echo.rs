//! Sends every message back, with the extension for order and parts: `riptide_ordered_echo [PORT]`. Clients with the
//! extension receive reliable messages in the order of sending, also those that are too long for a packet.

use std::time::Duration;

use gamewire::riptide::server::{Event, ServerConfig};
use gamewire::riptide::{ExtensionConfig, ListenOptions, SendError, Server};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let port = std::env::args().nth(1).map_or(Ok(7777), |port| port.parse())?;
    let config = ServerConfig { extension: Some(ExtensionConfig::default()), ..ServerConfig::new(100) };
    let mut server = Server::start_with(config, ListenOptions::port(port))?;
    println!("listening on port {}", server.port());
    loop {
        server.update()?;
        while let Some(event) = server.poll_event() {
            match event {
                Event::ClientConnected { client, from, .. } => println!("{client} is here: {from}"),
                Event::ClientDisconnected { client, reason, .. } => println!("{client} is gone: {reason}"),
                Event::MessageReceived { client, message } => {
                    // The message keeps its mode, id and values.
                    let sent = match server.send_ordered(&message, client) {
                        Err(SendError::ExtensionUnavailable | SendError::NotReliable) => {
                            server.send(&message, client)
                        }
                        sent => sent.map(Some),
                    };
                    sent.map_err(|error| println!("{client}: {error}")).ok();
                }
                _ => {}
            }
        }
        server.wait(Duration::from_millis(100))?;
    }
}
