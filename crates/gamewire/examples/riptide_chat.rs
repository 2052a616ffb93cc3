//! A chat: `riptide_chat server [PORT]` relays lines without reading them, and `riptide_chat client HOST:PORT NAME`
//! sends the typed lines.

use std::io::BufRead as _;
use std::sync::mpsc;
use std::time::Duration;

use gamewire::riptide::{
    Client, ClientConfig, Format, ListenOptions, Message, MessageType, Server, ServerConfig,
};
use gamewire::riptide::{client, server};

#[derive(Message)]
#[message(id = 1, mode = "reliable")]
struct Line {
    name: String,
    text: String,
}

type Error = Box<dyn std::error::Error>;

fn main() -> Result<(), Error> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["server"] => serve(7777),
        ["server", port] => serve(port.parse()?),
        ["client", server, name] => join(server, name),
        _ => Err("usage: riptide_chat server [PORT] | riptide_chat client HOST:PORT NAME".into()),
    }
}

fn serve(port: u16) -> Result<(), Error> {
    let mut config = ServerConfig::new(100);
    config.relay_filter.enable_relay(Line::ID.unwrap_or_default());
    let mut server = Server::start_with(config, ListenOptions::port(port))?;
    println!("listening on port {}", server.port());
    loop {
        server.update()?;
        while let Some(event) = server.poll_event() {
            match event {
                server::Event::ClientConnected { client, .. } => println!("{client} is here"),
                server::Event::ClientDisconnected { client, reason, .. } => {
                    println!("{client} is gone: {reason}")
                }
                _ => {}
            }
        }
        server.wait(Duration::from_secs(1))?;
    }
}

fn join(server: &str, name: &str) -> Result<(), Error> {
    let mut client = Client::connect(server, ClientConfig::new(Format::V21))?;
    client.on::<Line>(|_, line| println!("{}: {}", line.name, line.text))?;
    let mut typed = None;
    loop {
        client.update()?;
        while let Some(failure) = client.poll_failure() {
            eprintln!("{failure}");
        }
        while let Some(event) = client.poll_event() {
            match event {
                client::Event::Connected { id } => {
                    println!("you are {id}");
                    typed = Some(lines());
                }
                client::Event::ClientConnected { id } => println!("{id} is here"),
                client::Event::ClientDisconnected { id } => println!("{id} is gone"),
                client::Event::ConnectionFailed { reason, .. } => return Err(reason.into()),
                client::Event::Disconnected { reason, .. } => return Err(reason.into()),
                _ => {}
            }
        }
        match typed.as_ref().map(mpsc::Receiver::try_recv) {
            Some(Ok(text)) => drop(client.send(&Line { name: name.into(), text })?),
            Some(Err(mpsc::TryRecvError::Disconnected)) => {
                // The last message may have to be resent.
                client.wait(Duration::from_millis(100))?;
                client.update()?;
                client.disconnect();
                return Ok(());
            }
            None | Some(Err(mpsc::TryRecvError::Empty)) => client.wait(Duration::from_millis(20))?,
        }
    }
}

/// Returns the lines of the standard input. A thread reads them, because reading blocks.
fn lines() -> mpsc::Receiver<String> {
    let (say, lines) = mpsc::channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if say.send(line).is_err() {
                return;
            }
        }
    });
    lines
}
