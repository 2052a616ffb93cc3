//! A server with a small world, and players on it.

use core::time::Duration;

use super::recorded;
use gamewire_freeciv::codec::ProtocolVersion;
use gamewire_freeciv::number::Event as About;
use gamewire_freeciv::packets::{
    BeginTurn, ChatMsg, CityInfo, CityNameSuggestionInfo, EndgameReport, GameInfo, MapInfo, NewYear, Packet,
    StartPhase, TileInfo, UnitActions, UnitInfo, UnitRemove,
};
use gamewire_freeciv::play::Player;
use gamewire_freeciv::session::PlayerRole;
use gamewire_freeciv::session::client::ClientConfig;
use gamewire_freeciv::session::codec::Definition;
use gamewire_freeciv::session::server::{ClientId, Event, SendError, Server, ServerConfig};
use gamewire_machine::{Instant, Machine};
use gamewire_sim::{StreamConditions, StreamNetwork};

pub(crate) type Table<M = Player> = StreamNetwork<Server, M>;

/// The id of the settlers that every player has.
pub(crate) const SETTLERS: u32 = 7;

/// Creates a server without clients.
pub(crate) fn table(conditions: StreamConditions, seed: u64) -> Table {
    table_of(ProtocolVersion::default(), conditions, seed)
}

/// Creates a server of a version without clients.
pub(crate) fn table_of<M: Machine>(
    version: ProtocolVersion,
    conditions: StreamConditions,
    seed: u64,
) -> Table<M> {
    let config = ServerConfig::new(Definition::of(version));
    StreamNetwork::new(Server::new(config, Instant::ZERO).unwrap(), conditions, seed)
}

/// Connects a player.
pub(crate) fn call(table: &mut Table, name: &str) -> usize {
    let config = ClientConfig::new(name);
    let now = table.now();
    table.connect(Player::new(config, now).unwrap())
}

/// Advances the time. The server answers.
pub(crate) fn run<M: Machine>(table: &mut Table<M>, seconds: u64) {
    let end = table.now() + Duration::from_secs(seconds);
    while table.now() < end {
        table.run_for(Duration::from_millis(5)).unwrap();
        for event in table.take_host_events() {
            play_along(table.host_mut(), &event);
        }
    }
}

/// Sends the world to new clients, and answers orders in the same way as a real server.
fn play_along(server: &mut Server, event: &Event) {
    let client = event.client().unwrap();
    match event {
        Event::Joined { .. } => show_world(server, client),
        Event::Packet { packet, .. } => match packet.packet() {
            Some(Packet::UnitDoAction(order)) if order.actor_id == SETTLERS && order.target_id == 9 => {
                let name = gamewire_freeciv::codec::Text::try_from(&*order.name).unwrap();
                let city = CityInfo { id: 50, tile: 9, size: 1, name, ..CityInfo::default() };
                say(server, client, &city);
                say(server, client, &UnitRemove { unit_id: SETTLERS });
            }
            Some(Packet::UnitDoAction(order)) if order.actor_id == SETTLERS => {
                let message = r##"[c fg="#8B0000"]Not here.[/c]"##.try_into().unwrap();
                say(server, client, &ChatMsg { message, event: About::BAD_COMMAND.0, ..ChatMsg::default() });
            }
            Some(Packet::CityNameSuggestionReq(query)) if query.unit_id == SETTLERS => {
                let name = "Roma".try_into().unwrap();
                say(server, client, &CityNameSuggestionInfo { unit_id: SETTLERS, name });
            }
            // It answers only for the tiles around the unit.
            Some(Packet::UnitGetActions(query)) if query.target_tile_id > 3 => {
                let target_tile_id = query.target_tile_id;
                say(
                    server,
                    client,
                    &UnitActions { actor_unit_id: SETTLERS, target_tile_id, ..UnitActions::default() },
                );
            }
            Some(Packet::ChatMsgReq(line)) if *line.message == *b"/quit" => {
                server.kick(client, "Goodbye.").unwrap();
                return;
            }
            Some(Packet::ChatMsgReq(line)) if *line.message == *b"/endgame" => {
                let _ = server.finish_request(client);
                // As freeciv-server does at the end of the last turn.
                say(server, client, &NewYear { turn: 2, ..NewYear::default() });
                say(server, client, &EndgameReport { player_num: 0, ..EndgameReport::default() });
                return;
            }
            Some(Packet::ChatMsgReq(line)) => {
                recorded::reply(&line.message, |packet| say(server, client, packet))
            }
            Some(Packet::SpaceshipLaunch(_)) => {
                let message =
                    "You need to have a capital in order to launch your spaceship.".try_into().unwrap();
                say(server, client, &ChatMsg { message, event: About::SPACESHIP.0, ..ChatMsg::default() });
            }
            Some(Packet::PlayerPhaseDone(done)) => begin_turn(server, client, done.turn + 1),
            _ => {}
        },
        _ => return,
    }
    let _ = server.finish_request(client);
}

fn show_world(server: &mut Server, client: ClientId) {
    server.set_role(client, PlayerRole::playing(client.0)).unwrap();
    say(server, client, &MapInfo { xsize: 4, ysize: 4, ..MapInfo::default() });
    for tile in 0..16 {
        say(server, client, &TileInfo { tile, known: 2, owner: 255, ..TileInfo::default() });
    }
    let owner = client.0;
    say(server, client, &UnitInfo { id: SETTLERS, owner, tile: 9, movesleft: 3, ..UnitInfo::default() });
    begin_turn(server, client, 1);
}

fn begin_turn(server: &mut Server, client: ClientId, turn: i16) {
    say(server, client, &GameInfo { turn, year: Some(-4000), ..GameInfo::default() });
    say(server, client, &StartPhase { phase: 0 });
    say(server, client, &BeginTurn);
}

/// Sends a packet to a client.
pub(crate) fn say<'p>(server: &mut Server, client: ClientId, packet: impl Into<Packet<'p>>) {
    match server.send(client, packet) {
        // The client has left.
        Ok(_) | Err(SendError::NoSuchClient) => {}
        Err(error) => panic!("{error}"),
    }
}
