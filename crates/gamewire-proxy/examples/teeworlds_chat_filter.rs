//! A proxy for a Teeworlds or DDNet server that drops rude chat lines from clients and changes others.
//!
//!     cargo run -p gamewire-proxy --example teeworlds_chat_filter 127.0.0.1:8304 127.0.0.1:8303

use std::error::Error;
use std::net::SocketAddr;

use gamewire_machine::Role;
use gamewire_proxy::Action;
use gamewire_proxy::relay::{NewClient, OpenedRelay, Relay, RelayConfig};
use gamewire_proxy::teeworlds::{TeeworldsBridge, TeeworldsConfig};
use gamewire_teeworlds::MessageBuf;
use gamewire_teeworlds::model::ClientMessage;
use gamewire_teeworlds::raw::handshake::SeededRng;

fn filter(from: Role, message: &mut MessageBuf) -> Action {
    if from == Role::Server {
        return Action::Forward;
    }
    let Ok(ClientMessage::Say { text, .. }) = message.dialect.decode_client_message(&message.content) else {
        return Action::Forward;
    };
    let line = text.to_string();
    if line.contains("idiot") {
        return Action::Drop;
    }
    if let Some(softer) = message.with_field("text", &line.replace("!!!", ".")) {
        *message = softer;
    }
    Action::Forward
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut addresses = std::env::args().skip(1);
    let mut address = || addresses.next().ok_or("name two addresses: one to listen on, and the server's");
    let (listen, server): (SocketAddr, SocketAddr) = (address()?.parse()?, address()?.parse()?);
    let mut seed = [0; 32];
    getrandom::fill(&mut seed)?;
    let (mut seeds, mut config) = (SeededRng::new(seed), RelayConfig::new(listen, server));
    config.bridges = Box::new(move |now, NewClient { client, server, .. }| {
        let config = TeeworldsConfig { client, server, server_dialect: None, seed: seeds.bytes() };
        Box::new(TeeworldsBridge::with_hook(config, now, Box::new(filter)))
    });
    let OpenedRelay { relay, .. } = Relay::open(config)?;
    println!("listening on {}", relay.local_addr());
    relay.run()?;
    Ok(())
}
