//! Tests of Teeworlds players and servers over loopback, in a frame loop and on tokio.
#![cfg(all(feature = "teeworlds", feature = "net"))]

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use gamewire::machine::Instant as Moment;
use gamewire::teeworlds::client::{self, MapPolicy};
use gamewire::teeworlds::model::Input;
use gamewire::teeworlds::server::{self, WalkingGame};
use gamewire::teeworlds::{CloseReason, Dialect, LinkConfig, PlayError, Player, PlayerOptions, Server};

/// Maximum time of a step. It only ends a test that hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// A server on its own thread, and its events.
struct Running {
    port: u16,
    events: mpsc::Receiver<server::Event>,
    is_stopped: Arc<AtomicBool>,
    /// Set to replace the server with a new one at the same port.
    is_replaced: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    fn start() -> Self {
        let mut server = Server::start(0, WalkingGame::default()).unwrap();
        let port = server.port();
        let (sender, events) = mpsc::channel();
        let is_stopped = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&is_stopped);
        let is_replaced = Arc::new(AtomicBool::new(false));
        let replaced = Arc::clone(&is_replaced);
        let thread = std::thread::spawn(move || {
            while !stopped.load(Ordering::Relaxed) {
                if replaced.swap(false, Ordering::Relaxed) {
                    let config =
                        server::ServerConfig::new([7; 32], "new", server::Map::new("new", vec![0; 1000]));
                    *server = server::Server::new(config, WalkingGame::default(), Moment::ZERO);
                }
                for event in server.update().unwrap() {
                    let _ = sender.send(event);
                }
                server.wait(Duration::from_millis(5)).unwrap();
            }
        });
        Self { port, events, is_stopped, is_replaced, thread: Some(thread) }
    }

    fn address(&self) -> String {
        format!("localhost:{}", self.port)
    }

    /// Waits for an event of the server.
    fn expect(&self, is_it: impl Fn(&server::Event) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if is_it(&self.events.recv_timeout(left).unwrap()) {
                return;
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        self.thread.take().unwrap().join().unwrap();
    }
}

/// Updates the player until `pick` accepts an event.
fn until<T>(player: &mut Player, mut pick: impl FnMut(&mut Player, client::Event) -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let result = player.update();
        while let Some(event) = player.poll_event() {
            if let Some(picked) = pick(player, event) {
                return picked;
            }
        }
        result.unwrap();
        assert!(Instant::now() < deadline, "{player:?}");
        player.wait(Duration::from_millis(20)).unwrap();
    }
}

fn is_chat(event: &server::Event, line: &str) -> bool {
    matches!(event, server::Event::Chat { text, .. } if *text == *line)
}

#[test]
fn a_player_joins_by_name_moves_and_chats() {
    let server = Running::start();
    let mut player = Player::join(&server.address(), "bot").unwrap();
    assert!(player.has_entered());
    assert_eq!(player.dialect(), Some(Dialect::Tken), "0.6 is preferred");
    player.say("hello").unwrap();
    player.set_input(Input { direction: 1, target_x: 1, ..Input::default() });
    let own = player.local_player_id().unwrap();
    let x = |player: &Player| player.world().character(own).map(|character| character.x);
    let first = until(&mut player, |player, _| x(player));
    until(&mut player, |player, _| x(player).filter(|x| *x > first));
    server.expect(|event| is_chat(event, "hello"));
    player.disconnect("done");
    let reason = until(&mut player, |_, event| match event {
        client::Event::Closed(reason) => Some(reason),
        _ => None,
    });
    assert_eq!(reason, CloseReason::Left);
    assert!(matches!(player.update(), Err(PlayError::Closed(CloseReason::Left))));
    server.expect(|event| matches!(event, server::Event::Closed { .. }));
}

#[test]
fn a_given_dialect_is_used() {
    let server = Running::start();
    let options = PlayerOptions {
        offer: Some(Dialect::V07.into()),
        clan: "clan".into(),
        skin: Some("standard".into()),
        ..PlayerOptions::new("bot")
    };
    let player = Player::join_with(&server.address(), options).unwrap();
    assert_eq!(player.dialect(), Some(Dialect::V07));
    assert!(player.stats().sent.datagrams > 0);
}

#[test]
fn a_map_can_be_waited_for() {
    let server = Running::start();
    let options = PlayerOptions { maps: MapPolicy::Ask, ..PlayerOptions::new("bot") };
    let mut player = Player::connect_with(&server.address(), options).unwrap();
    until(&mut player, |player, event| match event {
        client::Event::MapNeeded(_) => {
            player.download_map().unwrap();
            None
        }
        client::Event::MapLoaded { bytes } => bytes.map(|bytes| assert_eq!(bytes.len(), 1000)),
        _ => None,
    });
    until(&mut player, |_, event| matches!(event, client::Event::Entered).then_some(()));
}

#[test]
fn errors_name_an_unreachable_server() {
    let error = Player::join("no name at all:8303", "bot").unwrap_err();
    assert!(error.to_string().starts_with("cannot resolve no name at all:8303: "), "{error}");
    let silent = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    let server = silent.local_addr().unwrap().to_string();
    let error = Player::join(&server, "bot").unwrap_err();
    assert!(matches!(&error, PlayError::NoAnswer { server: named } if *named == server), "{error}");
}

#[test]
fn a_player_reconnects_if_configured() {
    let server = Running::start();
    let options =
        PlayerOptions { offer: Some(Dialect::V07.into()), reconnects: true, ..PlayerOptions::new("bot") };
    let mut player = Player::join_with(&server.address(), options).unwrap();
    // The events of joining are still queued.
    while player.poll_event().is_some() {}
    // A server that loses its clients, which time out.
    server.is_replaced.store(true, Ordering::Relaxed);
    let timeout = LinkConfig::of_games(Dialect::V07).receive_timeout;
    let deadline = Instant::now() + timeout + PATIENCE;
    let mut entries = 0;
    while entries == 0 {
        player.update().unwrap();
        while let Some(event) = player.poll_event() {
            entries += usize::from(matches!(event, client::Event::Entered));
        }
        assert!(Instant::now() < deadline, "{player:?}");
        player.wait(Duration::from_millis(50)).unwrap();
    }
    server.expect(|event| matches!(event, server::Event::Entered { .. }));
    player.disconnect("");
    player.update().unwrap_err();
}

#[cfg(feature = "tokio")]
#[tokio::test]
async fn a_player_on_tokio_joins_a_server_on_tokio() {
    use gamewire::teeworlds::tokio;

    let mut server = tokio::Server::start(0, WalkingGame::default()).unwrap();
    let address = format!("127.0.0.1:{}", server.port());
    let playing = async {
        let mut player = tokio::Player::join(&address, "bot").await.unwrap();
        player.say("hello").unwrap();
        let reason = loop {
            match player.next_event().await.unwrap() {
                client::Event::Chat { text, .. } if text.as_bytes() == b"hello" => player.disconnect("done"),
                client::Event::Closed(reason) => break reason,
                _ => {}
            }
        };
        assert_eq!(reason, CloseReason::Left);
        assert!(matches!(player.next_event().await, Err(PlayError::Closed(CloseReason::Left))));
    };
    let hosting = async {
        loop {
            server.next_event().await.unwrap();
        }
    };
    ::tokio::time::timeout(PATIENCE, async {
        ::tokio::select! {
            () = playing => {}
            () = hosting => {}
        }
    })
    .await
    .unwrap();
}
