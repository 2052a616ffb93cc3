//! Encrypted Riptide over sockets, through a router whose address changes.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "tests")]

use std::net::{SocketAddr, UdpSocket};
use std::time::{Duration, Instant};

use gamewire::riptide::records::{Key, wire};
use gamewire::riptide::{
    Client, ClientConfig, ClientId, ConnectOptions, ListenOptions, Message, MessageSendMode, RecordPolicy,
    Server, ServerConfig, client, server,
};

/// Limit of the test, for a test that hangs.
const LIMIT: Duration = Duration::from_secs(60);
const COUNT: u32 = 1000;

/// A router between a client and a server, which has another address towards the server after each change.
struct Router {
    inside: UdpSocket,
    outside: UdpSocket,
    /// Earlier addresses, at which packets may still arrive.
    earlier: Vec<UdpSocket>,
    client: Option<SocketAddr>,
    server: SocketAddr,
}

fn socket() -> UdpSocket {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.set_nonblocking(true).unwrap();
    socket
}

impl Router {
    fn new(server: SocketAddr) -> Self {
        Self { inside: socket(), outside: socket(), earlier: Vec::new(), client: None, server }
    }

    fn change_address(&mut self) {
        let before = core::mem::replace(&mut self.outside, socket());
        self.earlier.push(before);
    }

    /// Forwards all datagrams that have arrived. Everything must be encrypted.
    fn forward(&mut self) {
        let mut buffer = [0; 2048];
        while let Ok((length, from)) = self.inside.recv_from(&mut buffer) {
            assert!(wire::is_packet(&buffer[..length]));
            self.client = Some(from);
            self.outside.send_to(&buffer[..length], self.server).unwrap();
        }
        // Datagrams to an earlier address are lost.
        while let Ok((length, _)) = self.outside.recv_from(&mut buffer) {
            assert!(wire::is_packet(&buffer[..length]));
            self.inside.send_to(&buffer[..length], self.client.unwrap()).unwrap();
        }
    }
}

#[test]
fn a_thousand_messages_arrive_once_while_the_address_changes() {
    let key = Key::from_bytes([9; 32]);
    let options = ListenOptions::address(([127, 0, 0, 1], 0).into())
        .udp()
        .encrypted(key.clone(), RecordPolicy::Required);
    let mut server = Server::start_with(ServerConfig::new(4), options).unwrap();
    let mut router = Router::new(([127, 0, 0, 1], server.port()).into());
    let options = ConnectOptions::encrypted(key.client_key(b"player 5").unwrap());
    let through = router.inside.local_addr().unwrap();
    let mut client = Client::connect_with(through, ClientConfig::default(), options).unwrap();

    let (begin, mut sent, mut received) = (Instant::now(), 0, vec![0; 1000]);
    let (mut moves, mut told) = (Vec::new(), Vec::new());
    while received.contains(&0) || moves.len() < 2 || told.len() < 2 {
        assert!(begin.elapsed() < LIMIT, "{sent} sent, {moves:?}, {told:?}");
        if client.is_connected() && sent < COUNT && client.unacked() < 50 {
            let mut message = Message::create(MessageSendMode::Reliable, 1_u16);
            client.send(message.add_uint(sent)).unwrap();
            sent += 1;
            if sent == 300 || sent == 600 {
                router.change_address();
            }
        }
        client.update().unwrap();
        router.forward();
        server.update().unwrap();
        router.forward();
        while let Some(event) = server.poll_event() {
            match event {
                server::Event::MessageReceived { mut message, .. } => {
                    received[message.get_uint().unwrap() as usize] += 1;
                }
                server::Event::ClientAddressChanged { client, to, .. } => {
                    assert_eq!(client, ClientId(1));
                    moves.push(to);
                }
                server::Event::ClientDisconnected { reason, .. } => panic!("disconnected: {reason}"),
                _ => {}
            }
        }
        while let Some(event) = client.poll_event() {
            match event {
                client::Event::AddressChanged { address } => told.push(address),
                client::Event::Disconnected { reason, .. } => panic!("disconnected: {reason}"),
                _ => {}
            }
        }
    }
    assert!(received.iter().all(|times| *times == 1));
    assert_eq!(moves, told);
    assert_eq!(moves.last(), Some(&router.outside.local_addr().unwrap()));
    let endpoint = server.client(ClientId(1)).unwrap().endpoint();
    assert_eq!(server.token(endpoint), Some(&b"player 5"[..]));
}
