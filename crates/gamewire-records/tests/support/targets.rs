//! Properties of the record layer for any bytes of an attacker.

use core::time::Duration;
use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;

use gamewire_machine::Instant;
use gamewire_records::wire::Packet;
use gamewire_records::{Client, Key, Server, ServerConfig, ServerEvent};

/// A client, a server, and the bytes that each address sent and received.
struct Scene {
    now: Instant,
    client: Client,
    server: Server,
    client_at: SocketAddr,
    /// Packets of the client that the server has not received yet.
    sent: BTreeSet<Vec<u8>>,
    /// Number of the next packet, which makes packets differ.
    next: u32,
    proven: BTreeSet<SocketAddr>,
    traffic: BTreeMap<SocketAddr, (usize, usize)>,
}

fn server_address() -> SocketAddr {
    SocketAddr::from(([192, 0, 2, 2], 7777))
}

fn address(number: u8) -> SocketAddr {
    SocketAddr::from(([192, 0, 2, 1], u16::from(number % 4)))
}

impl Scene {
    fn new() -> Self {
        let (key, now) = (Key::from_bytes([7; 32]), Instant::from_micros(1_000_000_000));
        let client_key = key.client_key(b"token").expect("a short token");
        Self {
            now,
            client: Client::new(client_key, [server_address()], [1; 32], now),
            server: Server::new(key, ServerConfig::default(), [2; 32]),
            client_at: address(0),
            sent: BTreeSet::new(),
            next: 0,
            proven: BTreeSet::from([address(0)]),
            traffic: BTreeMap::new(),
        }
    }

    /// Passes a datagram to the server. Only packets of the client may come out, each once.
    fn deliver(&mut self, from: SocketAddr, datagram: &[u8]) {
        self.traffic.entry(from).or_default().0 += datagram.len();
        if let Ok(Some(received)) = self.server.handle_datagram(self.now, from, datagram) {
            assert!(self.sent.remove(received.packet), "a forged or replayed packet");
        }
        while let Some(event) = self.server.poll_event() {
            if let ServerEvent::Moved { to, .. } = event {
                assert_eq!(to, self.client_at, "moved to an address of an attacker");
                self.proven.insert(to);
            }
        }
    }

    /// Delivers the datagrams of the layer. Those of the server reach the client only at its address.
    fn exchange(&mut self) {
        let mut datagram = Vec::new();
        for _ in 0..8 {
            self.client.handle_timeout(self.now);
            while self.client.poll_transmit(&mut datagram).is_some() {
                self.deliver(self.client_at, &datagram);
            }
            while let Some(to) = self.server.poll_transmit(&mut datagram) {
                let (received, sent) = self.traffic.entry(to).or_default();
                *sent += datagram.len();
                assert!(sent <= received || self.proven.contains(&to), "more bytes to {to} than from there");
                if to == self.client_at {
                    self.client.handle_datagram(self.now, server_address(), &datagram).ok();
                }
            }
        }
    }

    /// Sends a packet of the client, with one byte changed if `flip` is not zero.
    fn send(&mut self, from: SocketAddr, payload: &[u8], flip: u8) {
        let packet = [payload, &self.next.to_le_bytes()].concat();
        self.next += 1;
        let mut datagram = Vec::new();
        if self.client.seal(&packet, &mut datagram).is_err() {
            return;
        }
        if flip == 0 {
            self.sent.insert(packet.clone());
        } else {
            let at = usize::from(flip) % datagram.len();
            datagram[at] ^= flip;
        }
        self.deliver(from, &datagram);
        // A replay, from anywhere.
        self.deliver(address(flip), &datagram);
        assert!(flip != 0 || !self.sent.contains(&packet), "a genuine packet was lost");
    }
}

/// Reads bytes as operations of a client, of the network and of an attacker: a kind, an argument, a length and as many
/// bytes.
pub(crate) fn records(mut bytes: &[u8]) {
    let mut scene = Scene::new();
    while let [kind, argument, length, rest @ ..] = bytes {
        let (data, rest) = rest.split_at(usize::from(*length).min(rest.len()));
        bytes = rest;
        let mut written = Vec::new();
        if let Ok(packet) = Packet::parse(data) {
            packet.write(&mut written);
            let is_request = matches!(packet, Packet::Request { .. });
            assert!(data.starts_with(&written) || is_request, "not written as it was read");
        }
        match kind % 6 {
            0 => scene.deliver(address(*argument), data),
            1 => {
                let received = scene.client.handle_datagram(scene.now, server_address(), data);
                assert!(!matches!(received, Ok(Some(_))), "a forged packet");
            }
            2 => scene.send(scene.client_at, data, 0),
            3 => scene.send(scene.client_at, data, *argument | 1),
            4 => scene.client_at = address(*argument),
            _ => {
                scene.now = scene.now + Duration::from_millis(u64::from(*argument) * 20);
                scene.server.handle_timeout(scene.now);
            }
        }
        scene.exchange();
        assert!(scene.server.session_count() <= 64);
    }
}
