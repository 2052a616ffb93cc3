//! A small game server with rooms: `riptide_rooms TOKENS BANS [ADDRESS]`. `TOKENS` is a file with a line
//! `TOKEN NAME [admin]` for each account, `BANS` a file with the name of a banned account on each line, to which `/ban`
//! adds. Players move and chat in their rooms, over UDP, TCP and WebSocket.
//!
//! Riptide is not encrypted: give out tokens that are valid for one match.

#![allow(clippy::arithmetic_side_effects, reason = "a game's own numbers are small")]

mod lobby;
mod messages;
#[path = "../messages/movement.rs"]
mod movement;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use gamewire::riptide::server::Event;
use gamewire::riptide::websocket::WebSocketConfig;
use gamewire::riptide::{ClientId, ListenOptions, Message, MessageType, Server, ServerConfig, Vector2};
use lobby::{Account, Lobby, Player};
use messages::{ChatLine, Member, Members, Say};
use movement::{Position, Positions, Steer};

const TICK: Duration = Duration::from_millis(50);
const MAX_PLAYERS: u16 = 100;
const MAX_TEXT: usize = 200;

type Game = Server<Lobby>;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (tokens, bans, address) = match arguments.as_slice() {
        [tokens, bans] => (tokens, bans, "0.0.0.0:7777"),
        [tokens, bans, address] => (tokens, bans, address.as_str()),
        _ => return Err("usage: riptide_rooms TOKENS BANS [ADDRESS]".into()),
    };
    let config = ServerConfig {
        handle_connection: true,
        announce_clients: false,
        websocket: Some(WebSocketConfig::default()),
        ..ServerConfig::new(MAX_PLAYERS).hardened()
    };
    let server = Server::start_with(config, ListenOptions::address(address.parse()?))?;
    let mut server: Game = server.with_state(Lobby::load(tokens.as_ref(), bans.as_ref())?);
    println!("listening on port {}", server.port());
    server.on_event(handle_event);
    server.on::<Steer>(steer)?;
    server.on::<Say>(say)?;

    let mut next = Instant::now();
    loop {
        server.update()?;
        while let Some(failure) = server.poll_failure() {
            eprintln!("{failure}");
        }
        if Instant::now() >= next {
            next += TICK;
            server.state.step();
            send_positions(&mut server);
        }
        server.wait(next.saturating_duration_since(Instant::now()))?;
    }
}

fn handle_event(server: &mut Game, event: Event) {
    match event {
        Event::ConnectionRequested { connection, mut data, .. } => match server.state.admit(&mut data) {
            Ok(admitted) => {
                if server.accept(connection).is_some() {
                    server.state.arriving.insert(connection, admitted);
                }
            }
            Err(reason) => drop(server.reject(connection, Some(&data_of(reason)))),
        },
        Event::ConnectionFailed { connection, .. } => drop(server.state.arriving.remove(&connection)),
        Event::ClientConnected { client, connection, .. } => {
            let Some((account, room)) = server.state.arriving.remove(&connection) else { return };
            // After a change of its network, a player connects again before the earlier session times out.
            if let Some(earlier) = server.state.named(&account.name) {
                remove(server, earlier, "you joined again");
            }
            server.state.players.insert(client, Player::new(account));
            enter(server, client, room);
        }
        Event::ClientDisconnected { client, .. } => {
            leave(server, client);
            server.state.players.remove(&client);
        }
        _ => {}
    }
}

/// Returns the data of a refusal: its reason.
fn data_of(reason: &str) -> Message {
    let mut data = Message::create_data();
    data.add_string(reason);
    data
}

fn remove(server: &mut Game, client: ClientId, reason: &str) {
    let _ = server.disconnect_client(client, Some(&data_of(reason)));
}

fn enter(server: &mut Game, client: ClientId, room: String) {
    if let Some(player) = server.state.players.get_mut(&client) {
        player.room.clone_from(&room);
        send_members(server, room);
    }
}

fn leave(server: &mut Game, client: ClientId) {
    if let Some(player) = server.state.players.get_mut(&client) {
        let room = std::mem::take(&mut player.room);
        send_members(server, room);
    }
}

/// Sends the list of its members to a room.
fn send_members(server: &mut Game, room: String) {
    let lobby = &mut server.state;
    lobby.changes += 1;
    let members = lobby.in_room(&room);
    let members =
        members.map(|(id, player)| Member { player: id.0, name: player.account.name.clone() }).collect();
    let members = Members { change: lobby.changes, room, members };
    send_to_room(server, &members.room, &members);
}

fn send_to_room(server: &mut Game, room: &str, message: &impl MessageType) {
    let clients: Vec<ClientId> = server.state.in_room(room).map(|(id, _)| id).collect();
    for client in clients {
        send(server, client, message);
    }
}

/// Sends a message. If that fails, the client is disconnecting, and an event follows.
fn send(server: &mut Game, client: ClientId, message: &impl MessageType) {
    let _ = server.send(message, client);
}

fn steer(server: &mut Game, from: ClientId, steer: Steer) {
    let Some(player) = server.state.players.get_mut(&from) else { return };
    let Vector2 { x, y } = steer.direction;
    let length = x.hypot(y);
    if steer.tick > player.steered && length.is_finite() {
        player.steered = steer.tick;
        player.direction = Vector2 { x: x / length.max(1.0), y: y / length.max(1.0) };
    }
}

fn say(server: &mut Game, from: ClientId, Say { text }: Say) {
    if let Err(reason) = try_say(server, from, text) {
        send(server, from, &ChatLine { name: String::new(), text: reason.to_owned() });
    }
}

fn try_say(server: &mut Game, from: ClientId, text: String) -> Result<(), &'static str> {
    let player = server.state.players.get_mut(&from).ok_or("you are not in a room")?;
    if player.lines_left < 1.0 || text.is_empty() || text.len() > MAX_TEXT {
        return Err("a line has 1 to 200 bytes, and you may send one per second");
    }
    player.lines_left -= 1.0;
    let (Account { name, is_admin }, room) = (player.account.clone(), player.room.clone());
    match text.split_once(' ') {
        Some(("/room", wanted)) => {
            server.state.check_room(wanted)?;
            leave(server, from);
            enter(server, from, wanted.to_owned());
        }
        Some(("/ban", other)) if is_admin => {
            let banned = server.state.ban(other);
            if let Some(client) = server.state.named(other) {
                remove(server, client, "you are banned");
            }
            return banned;
        }
        _ if text.starts_with('/') => return Err("there is no such command"),
        _ => send_to_room(server, &room, &ChatLine { name, text }),
    }
    Ok(())
}

fn send_positions(server: &mut Game) {
    let rooms: BTreeSet<String> = server.state.players.values().map(|player| player.room.clone()).collect();
    for room in rooms {
        let lobby = &server.state;
        let players = lobby.in_room(&room);
        let players = players.map(|(id, player)| Position { player: id.0, at: player.at }).collect();
        let positions = Positions { tick: lobby.tick, players };
        send_to_room(server, &room, &positions);
    }
}
