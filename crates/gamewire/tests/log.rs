//! The log of Riptide clients and servers, with the feature `tracing`.
#![cfg(all(feature = "riptide", feature = "tracing"))]
#![allow(clippy::panic, clippy::unwrap_used, reason = "a failing test panics")]

use std::cell::RefCell;
use std::io::{self, Write};
use std::sync::Once;
use std::time::{Duration, Instant};

use gamewire::riptide::{
    Client, ClientConfig, ConnectOptions, Format, ListenOptions, Message, MessageSendMode, Server,
    ServerConfig,
};
use tracing_subscriber::filter::LevelFilter;

/// Maximum time of a step. It only ends a test that hangs.
const LIMIT: Duration = Duration::from_secs(120);

thread_local! {
    /// The log of this thread.
    static LOG: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

struct ThreadLog;

impl Write for ThreadLog {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        LOG.with_borrow_mut(|log| log.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Runs `act` and returns the lines that it logged on this thread.
fn log_of(act: impl FnOnce()) -> Vec<String> {
    static SUBSCRIBER: Once = Once::new();
    SUBSCRIBER.call_once(|| {
        let subscriber = tracing_subscriber::fmt().with_max_level(LevelFilter::TRACE);
        subscriber.without_time().with_ansi(false).with_writer(|| ThreadLog).init();
    });
    act();
    let bytes = LOG.take();
    String::from_utf8(bytes).unwrap().lines().map(|line| line.trim_start().to_owned()).collect()
}

/// Returns the lines of a level.
fn of_level(level: &str, lines: Vec<String>) -> Vec<String> {
    let lines = lines.into_iter();
    lines
        .filter_map(|line| line.strip_prefix(level)?.strip_prefix(" gamewire: ").map(str::to_owned))
        .collect()
}

/// Updates both ends until a condition is true.
fn until(server: &mut Server, client: &mut Client, mut holds: impl FnMut(&mut Server, &mut Client) -> bool) {
    let began = Instant::now();
    loop {
        server.update().unwrap();
        client.update().unwrap();
        if holds(server, client) {
            return;
        }
        assert!(began.elapsed() < LIMIT, "it takes too long");
        client.wait(Duration::from_millis(1)).unwrap();
    }
}

fn connected(server: &mut Server, format: Format, options: ConnectOptions) -> Client {
    let address = ("127.0.0.1", server.port());
    let mut client = Client::connect_with(address, ClientConfig::new(format), options).unwrap();
    until(server, &mut client, |server, client| client.is_connected() && server.client_count() == 1);
    client
}

fn loopback() -> Server {
    let options = ListenOptions::address(([127, 0, 0, 1], 0).into());
    Server::start_with(ServerConfig::new(2), options).unwrap()
}

#[test]
fn connections_of_both_ends_are_info() {
    let mut port = 0;
    let lines = log_of(|| {
        let mut server = loopback();
        port = server.port();
        let mut client = connected(&mut server, Format::V20, ConnectOptions::udp());
        client.disconnect();
        until(&mut server, &mut client, |server, _| server.client_count() == 0);
    });
    let mut lines = of_level("INFO", lines);
    let address = lines.iter().position(|line| line.starts_with("client 1 (udp 127.0.0.1:")).unwrap();
    assert!(lines.remove(address).ends_with(", Riptide 2.0) connected"));
    let expected = [
        format!("listening on 127.0.0.1:{port} over udp and tcp"),
        "connected as client 1".to_owned(),
        "disconnected: disconnected".to_owned(),
        "client 1 disconnected: disconnected".to_owned(),
    ];
    assert_eq!(lines, expected);
}

#[test]
fn failures_of_handlers_are_warnings_and_messages_without_one_are_debug() {
    let lines = log_of(|| {
        let mut server = loopback();
        server.on_message(1_u16, |_, _, _| Err::<(), _>("it is broken")).unwrap();
        let mut client = connected(&mut server, Format::V21, ConnectOptions::tcp());
        for id in [2_u16, 1] {
            client.send(&Message::create(MessageSendMode::Reliable, id)).unwrap();
        }
        until(&mut server, &mut client, |_, client| client.is_ended());
    });
    assert!(lines.iter().any(|line| line == "DEBUG gamewire: message 2 has no handler"), "{lines:#?}");
    assert!(lines.iter().any(|line| line == "INFO gamewire: client 1 disconnected: kicked"), "{lines:#?}");
    assert_eq!(of_level("WARN", lines), ["client 1: the handler failed: it is broken"]);
}

#[test]
fn each_datagram_is_a_trace_and_a_rejected_one_is_debug() {
    let lines = log_of(|| {
        let mut server = loopback();
        let stranger = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
        stranger.send_to(b"junk\n", ("127.0.0.1", server.port())).unwrap();
        let began = Instant::now();
        while server.stats().unwrap().rejected == 0 {
            assert!(began.elapsed() < LIMIT, "it takes too long");
            server.update().unwrap();
        }
    });
    assert!(lines.iter().any(|line| line.starts_with("TRACE gamewire: received 5 bytes from 127.0.0.1:")));
    assert!(lines.iter().any(|line| line.starts_with("DEBUG gamewire: dropped 5 bytes from 127.0.0.1:")));
}

#[test]
fn an_attempt_without_an_answer_is_logged() {
    let lines = log_of(|| {
        let silent = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
        let mut config = ClientConfig::new(Format::V21);
        config.link.max_connection_attempts = 1;
        let mut client = Client::connect(silent.local_addr().unwrap(), config).unwrap();
        while !client.is_ended() {
            client.update().unwrap();
            client.wait(Duration::from_millis(10)).unwrap();
        }
    });
    assert_eq!(of_level("INFO", lines), ["the connection failed: no server answered"]);
}
