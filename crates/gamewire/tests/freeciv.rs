//! Tests of the Freeciv facade, for a frame loop and tokio, with our server on loopback.
#![cfg(all(feature = "freeciv", feature = "net"))]

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use gamewire::freeciv::packets::{BeginTurn, ChatMsg, GameInfo, MapInfo, Packet, StartPhase, TileInfo};
use gamewire::freeciv::session::PlayerRole;
use gamewire::freeciv::session::codec::{Definition, PacketBuf};
use gamewire::freeciv::session::server::{ClientId, Event, Server, ServerConfig};
use gamewire::freeciv::world::World;
use gamewire::freeciv::{OrderOutcome, Player, orders};
use gamewire::machine::Instant;
use gamewire::net::blocking::Driver;
use gamewire::net::{DriverConfig, Transports};

/// Maximum time of a step. It only ends a test that hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// A server in this process. It runs until it is dropped.
struct Serving {
    address: SocketAddr,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Serving {
    fn start() -> Self {
        let server = Server::new(ServerConfig::new(Definition::default()), Instant::ZERO).unwrap();
        let local = (Ipv4Addr::LOCALHOST, 0).into();
        let mut host = Driver::listen_with(local, Transports::Tcp, server, DriverConfig::default()).unwrap();
        let address = host.local_addr();
        let is_over = Arc::new(AtomicBool::new(false));
        let until = Arc::clone(&is_over);
        let thread = std::thread::spawn(move || {
            while !until.load(Ordering::Relaxed) {
                match host.next_event(Duration::from_millis(10)).unwrap() {
                    Some(Event::Joined { client, .. }) => show_world(host.machine_mut(), client),
                    Some(Event::Packet { client, packet, .. }) => answer(host.machine_mut(), client, &packet),
                    _ => {}
                }
            }
        });
        Self { address, is_over, thread: Some(thread) }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.thread.take().into_iter().for_each(|thread| thread.join().unwrap());
    }
}

/// Sends a map of 4 x 4 tiles, and begins the first turn.
fn show_world(server: &mut Server, client: ClientId) {
    server.set_role(client, PlayerRole::playing(1)).unwrap();
    server.send(client, &MapInfo { xsize: 4, ysize: 4, ..MapInfo::default() }).unwrap();
    for tile in 0..16 {
        let tile = TileInfo { tile, known: 2, owner: 255, ..TileInfo::default() };
        server.send(client, &tile).unwrap();
    }
    begin_turn(server, client, 1);
    server.finish_request(client).unwrap();
}

/// Ends turns, rejects chat, and finishes all requests.
fn answer(server: &mut Server, client: ClientId, packet: &PacketBuf) {
    match packet.packet() {
        Some(Packet::PlayerPhaseDone(done)) => begin_turn(server, client, done.turn + 1),
        Some(Packet::ChatMsgReq(_)) => {
            let message = "no".try_into().unwrap();
            let refusal = ChatMsg { message, event: 93, ..ChatMsg::default() };
            server.send(client, &refusal).unwrap();
        }
        _ => {}
    }
    server.finish_request(client).unwrap();
}

fn begin_turn(server: &mut Server, client: ClientId, turn: i16) {
    server.send(client, &GameInfo { turn, year: Some(-4000), ..GameInfo::default() }).unwrap();
    server.send(client, &StartPhase { phase: 0 }).unwrap();
    server.send(client, &BeginTurn).unwrap();
}

fn has_begun(world: &World) -> bool {
    world.turn_started() > 0
}

#[test]
fn every_address_of_a_server_is_tried() {
    let server = Serving::start();
    let unused = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap();
    let at = [unused, server.address];
    Player::join(&at[..], "anna").unwrap();
    #[cfg(feature = "tokio")]
    {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(gamewire::freeciv::tokio::Player::join(&at[..], "bert")).unwrap();
    }
}

#[test]
fn a_player_in_a_frame_loop_sees_the_world_and_ends_turns() {
    let serving = Serving::start();
    let mut player = Player::join(serving.address, "alice").unwrap();
    player.wait_until(PATIENCE, has_begun).unwrap();
    assert_eq!(player.world().map().tiles().len(), 16);
    let answer = player.perform(&orders::start_game().unwrap()).unwrap();
    assert_eq!(answer.outcome, OrderOutcome::Refused("no".into()));
    assert_eq!(player.next_turn(PATIENCE).unwrap(), 2);
}

#[cfg(feature = "tokio")]
#[tokio::test]
async fn a_player_on_tokio_sees_the_world_and_ends_turns() {
    let serving = Serving::start();
    let mut player = gamewire::freeciv::tokio::Player::join(serving.address, "alice").await.unwrap();
    player.wait_until(PATIENCE, has_begun).await.unwrap();
    assert_eq!(player.world().map().tiles().len(), 16);
    let answer = player.perform(&orders::start_game().unwrap()).await.unwrap();
    assert_eq!(answer.outcome, OrderOutcome::Refused("no".into()));
    assert_eq!(player.next_turn(PATIENCE).await.unwrap(), 2);
}
