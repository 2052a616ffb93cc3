//! Players on a server that requests passwords.

use core::time::Duration;

use gamewire_freeciv::play::{Event, Player};
use gamewire_freeciv::session::client::{ClientConfig, PasswordRequest};
use gamewire_freeciv::session::codec::Definition;
use gamewire_freeciv::session::server::{Event as Asked, LoginPolicy, Server, ServerConfig};
use gamewire_machine::Instant;
use gamewire_sim::{StreamConditions, StreamNetwork};

#[test]
fn a_player_is_ready_after_its_password_is_accepted() {
    let config =
        ServerConfig { login_policy: LoginPolicy::Application, ..ServerConfig::new(Definition::default()) };
    let server = Server::new(config, Instant::ZERO).unwrap();
    let mut table = StreamNetwork::new(server, StreamConditions::PERFECT, 1);
    let alice = ClientConfig::new("alice");
    let alice = table.connect(Player::new(alice, Instant::ZERO).unwrap());
    for _ in 0..200 {
        table.run_for(Duration::from_millis(5)).unwrap();
        for event in table.take_host_events() {
            let (server, client) = (table.host_mut(), event.client().unwrap());
            match event {
                Asked::LoginRequested { .. } => {
                    server.ask_password(client, PasswordRequest::Login, "Who goes there?").unwrap();
                }
                Asked::Password { .. } => server.accept(client).unwrap(),
                Asked::Joined { .. } => server.finish_request(client).unwrap(),
                _ => {}
            }
        }
        for event in table.take_events(alice) {
            let player = table.caller_mut(alice).unwrap();
            match event {
                Event::PasswordRequested { .. } => {
                    assert!(!player.is_ready());
                    player.send_password("sesame").unwrap();
                }
                Event::Ready => assert!(player.client().connection().is_some()),
                _ => {}
            }
        }
    }
    assert!(table.client(alice).unwrap().is_ready());
}
