//! A proxy for a Riptide server that drops rude chat lines from clients and changes others.
//!
//!     cargo run -p gamewire-proxy --example riptide_chat_filter 127.0.0.1:7778 127.0.0.1:7777

use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;

use gamewire_machine::Role;
use gamewire_proxy::Action;
use gamewire_proxy::relay::{NewClient, OpenedRelay, Relay, RelayConfig};
use gamewire_proxy::riptide::{RiptideBridge, RiptideConfig};
use gamewire_riptide::Message;

/// Id of the chat message. The message contains one string.
const CHAT: u16 = 1;

fn filter(from: Role, message: &mut Message) -> Action {
    if from == Role::Server || message.id() != Some(CHAT) {
        return Action::Forward;
    }
    let Ok(line) = message.clone().get_string() else { return Action::Forward };
    if line.contains("idiot") {
        return Action::Drop;
    }
    let mut softer = Message::create(message.mode(), CHAT);
    softer.add_string(line.replace("!!!", "."));
    *message = softer;
    Action::Forward
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut addresses = std::env::args().skip(1);
    let mut address = || addresses.next().ok_or("name two addresses: one to listen on, and the server's");
    let (listen, server): (SocketAddr, SocketAddr) = (address()?.parse()?, address()?.parse()?);
    let mut config = RelayConfig::new(listen, server);
    config.bridges = Box::new(move |now, NewClient { client, server, transport }| {
        let config =
            RiptideConfig { client, server, transport, server_format: None, layouts: Arc::default() };
        Box::new(RiptideBridge::with_hook(config, now, Box::new(filter)))
    });
    let OpenedRelay { relay, .. } = Relay::open(config)?;
    println!("listening on {}", relay.local_addr());
    relay.run()?;
    Ok(())
}
