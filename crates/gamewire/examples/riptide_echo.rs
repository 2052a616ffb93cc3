//! Sends every message back: `riptide_echo [PORT]`. Riptide clients of every version, over UDP and TCP.

use std::time::Duration;

use gamewire::riptide::{Server, server::Event};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let port = std::env::args().nth(1).map_or(Ok(7777), |port| port.parse())?;
    let mut server = Server::start(port, 100)?;
    println!("listening on port {}", server.port());
    loop {
        server.update()?;
        while let Some(event) = server.poll_event() {
            match event {
                Event::ClientConnected { client, from, .. } => println!("{client} is here: {from}"),
                Event::ClientDisconnected { client, reason, .. } => println!("{client} is gone: {reason}"),
                Event::MessageReceived { client, message } => {
                    // The message keeps its mode, id and values.
                    server.send(&message, client).map_err(|error| println!("{client}: {error}")).ok();
                }
                _ => {}
            }
        }
        server.wait(Duration::from_millis(100))?;
    }
}
