//! Riptide over WebSockets with TLS, in a room with the other transports.
#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "tests")]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use gamewire::net::tls::{HandshakeError, TlsAcceptor, TlsConnector};
use gamewire::riptide::websocket::{AllowedOrigins, WebSocketConfig};
use gamewire::riptide::{
    Client, ClientConfig, ConnectOptions, Format, ListenOptions, Message, MessageSendMode, Server,
    ServerConfig, client,
};

/// Limit of a test, for a test that hangs.
const LIMIT: Duration = Duration::from_secs(60);

/// The files of a certificate for this machine, removed when this is dropped.
struct Files(PathBuf);

impl Files {
    fn new(test: &str) -> Self {
        let files = Self(std::env::temp_dir().join(format!("gamewire-wss-{test}-{}", std::process::id())));
        std::fs::create_dir_all(&files.0).unwrap();
        let made = rcgen::generate_simple_self_signed(vec!["localhost".into()]).unwrap();
        std::fs::write(files.0.join("cert.pem"), made.cert.pem()).unwrap();
        std::fs::write(files.0.join("key.pem"), made.signing_key.serialize_pem()).unwrap();
        files
    }

    fn connector(&self) -> TlsConnector {
        TlsConnector::with_roots_of(&self.0.join("cert.pem"), "localhost").unwrap()
    }

    /// Starts a server that echoes, with WebSockets without and with TLS.
    fn serve(&self) -> Server {
        let local = ([127, 0, 0, 1], 0).into();
        let acceptor = TlsAcceptor::load(self.0.join("cert.pem"), self.0.join("key.pem")).unwrap();
        let mut config = ServerConfig::new(10);
        config.websocket = Some(WebSocketConfig::new(AllowedOrigins::loopback()));
        let options = ListenOptions::address(local).websocket(local).secure_websocket(local, acceptor);
        let mut server = Server::start_with(config, options).unwrap();
        server
            .on_message(1_u16, |server, from, message| server.send(&message.clone(), from).map(drop))
            .unwrap();
        server
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_room_has_players_over_udp_tcp_websocket_and_tls() {
    let files = Files::new("room");
    let mut server = files.serve();
    let (local, websockets) = (([127, 0, 0, 1], server.port()), server.websocket_addrs().to_vec());
    let tls = ConnectOptions::secure_websocket("localhost", files.connector());
    let mut clients = [
        (local.into(), ConnectOptions::udp()),
        (local.into(), ConnectOptions::tcp()),
        (websockets[0], ConnectOptions::websocket("localhost")),
        (websockets[1], tls),
    ]
    .map(|(server, options)| Client::connect_with(server, ClientConfig::new(Format::V21), options).unwrap());
    let mut echoes = [0; 4];
    let deadline = Instant::now() + LIMIT;
    while echoes != [1; 4] {
        assert!(Instant::now() < deadline, "{echoes:?}");
        server.update().unwrap();
        for (client, echoes) in clients.iter_mut().zip(&mut echoes) {
            client.update().unwrap();
            match client.poll_event() {
                Some(client::Event::Connected { .. }) => {
                    let hello = Message::create(MessageSendMode::Reliable, 1_u16);
                    client.send(&hello).unwrap();
                }
                Some(client::Event::MessageReceived { .. }) => *echoes += 1,
                Some(client::Event::ConnectionFailed { .. }) => panic!("not connected"),
                _ => {}
            }
        }
    }
}

#[test]
fn a_client_knows_why_it_does_not_trust_a_server() {
    let (files, other) = (Files::new("right"), Files::new("other"));
    let mut server = files.serve();
    let trusted = other.connector();
    let options = ConnectOptions::secure_websocket("localhost", trusted.clone());
    let address = server.websocket_addrs()[1];
    let mut client = Client::connect_with(address, ClientConfig::new(Format::V21), options).unwrap();
    let deadline = Instant::now() + LIMIT;
    loop {
        assert!(Instant::now() < deadline);
        server.update().unwrap();
        client.update().unwrap();
        if let Some(client::Event::ConnectionFailed { .. }) = client.poll_event() {
            break;
        }
    }
    assert!(matches!(trusted.last_error(), Some(HandshakeError::Certificate { .. })), "{trusted:?}");
    assert_eq!(files.connector().last_error(), None);
}
