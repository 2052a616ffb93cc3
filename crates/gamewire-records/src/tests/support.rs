//! A client and a server whose datagrams a test carries by hand.

use core::time::Duration;
use std::net::SocketAddr;

use gamewire_machine::Instant;

use crate::{Client, Key, RecordError, Server, ServerConfig, SessionId};

pub(super) const KEY: [u8; 32] = [7; 32];
pub(super) const START: Instant = Instant::from_micros(1_000_000_000);

/// Returns the `number`th address of a client.
pub(super) fn client_address(number: u16) -> SocketAddr {
    SocketAddr::from(([192, 0, 2, 1], number))
}

pub(super) fn server_address() -> SocketAddr {
    SocketAddr::from(([192, 0, 2, 2], 7777))
}

pub(super) fn client(seed: u8) -> Client {
    let key = Key::from_bytes(KEY).client_key(b"").unwrap();
    Client::new(key, [server_address()], [seed; 32], START)
}

pub(super) fn server() -> Server {
    server_with(ServerConfig::default())
}

pub(super) fn server_with(config: ServerConfig) -> Server {
    Server::new(Key::from_bytes(KEY), config, [2; 32])
}

pub(super) fn after(seconds: u64) -> Instant {
    START + Duration::from_secs(seconds)
}

/// Returns the datagrams of the client's layer that are due.
pub(super) fn from_client(client: &mut Client, now: Instant) -> Vec<Vec<u8>> {
    client.handle_timeout(now);
    let (mut all, mut datagram) = (Vec::new(), Vec::new());
    while client.poll_transmit(&mut datagram).is_some() {
        all.push(datagram.clone());
    }
    all
}

/// Returns the datagrams of the server's layer, with their receivers.
pub(super) fn from_server(server: &mut Server) -> Vec<(SocketAddr, Vec<u8>)> {
    let (mut all, mut datagram) = (Vec::new(), Vec::new());
    while let Some(to) = server.poll_transmit(&mut datagram) {
        all.push((to, datagram.clone()));
    }
    all
}

/// Carries the request of a client and the cookie, and returns the initiation that the client sends then.
pub(super) fn initiation(client: &mut Client, from: SocketAddr, server: &mut Server) -> Vec<u8> {
    let request = from_client(client, START).remove(0);
    server.handle_datagram(START, from, &request).unwrap();
    let (_, retry) = from_server(server).remove(0);
    client.handle_datagram(START, server_address(), &retry).unwrap();
    from_client(client, START).remove(0)
}

/// Carries all datagrams of the layer between a client at an address and a server, until there are none.
pub(super) fn exchange(client: &mut Client, from: SocketAddr, server: &mut Server, now: Instant) {
    loop {
        let sent = from_client(client, now);
        if sent.is_empty() {
            return;
        }
        for datagram in sent {
            server.handle_datagram(now, from, &datagram).unwrap();
        }
        for (to, datagram) in from_server(server) {
            if to == from {
                client.handle_datagram(now, server_address(), &datagram).unwrap();
            }
        }
    }
}

/// A record of a client.
pub(super) fn seal(client: &mut Client, packet: &[u8]) -> Vec<u8> {
    let mut datagram = Vec::new();
    client.seal(packet, &mut datagram).unwrap();
    datagram
}

/// Passes a record to the server and returns its session and packet.
pub(super) fn receive(
    server: &mut Server,
    now: Instant,
    from: SocketAddr,
    datagram: &[u8],
) -> Result<(SessionId, Vec<u8>), RecordError> {
    let received = server.handle_datagram(now, from, datagram)?.unwrap();
    Ok((received.session, received.packet.to_vec()))
}

/// A client and a server with an open session.
pub(super) struct Pair {
    pub(super) client: Client,
    pub(super) server: Server,
    pub(super) session: SessionId,
}

impl Pair {
    /// Opens a session for a client at address 1.
    pub(super) fn new() -> Self {
        let (mut client, mut server) = (client(1), server());
        exchange(&mut client, client_address(1), &mut server, START);
        assert!(client.is_open());
        let first = seal(&mut client, b"first");
        let (session, packet) = receive(&mut server, START, client_address(1), &first).unwrap();
        assert_eq!(packet, b"first");
        Self { client, server, session }
    }

    /// Sends a packet to the client. Returns the packet that arrived, and the address that it was sent to.
    pub(super) fn send_to_client(&mut self, packet: &[u8]) -> (Vec<u8>, SocketAddr) {
        let mut datagram = Vec::new();
        let to = self.server.seal(self.session, packet, &mut datagram).unwrap();
        let received = self.client.handle_datagram(START, server_address(), &datagram).unwrap().unwrap();
        (received.to_vec(), to)
    }
}
