//! gamewire, with datagrams passed in memory.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use gamewire::machine::{Instant, Machine, Output, pump};
use gamewire::riptide::ClientId;
use gamewire::riptide::client::Client;
use gamewire::riptide::server::Server;

use super::FRAME;
use crate::contender::{Contender, Tally};
use crate::game::{self, Blob};

const SERVER: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 1);
/// Port of the first client; the others follow.
const FIRST: u16 = 1000;
/// Maximum frames of the handshake.
const MAX_FRAMES: usize = 10;

pub(crate) struct Ours {
    server: Server,
    /// Connected clients.
    ids: Vec<ClientId>,
    clients: Vec<Client>,
    now: Instant,
    buffer: Vec<u8>,
    counting: Tally,
}

impl Ours {
    pub(crate) fn new(clients: usize) -> Self {
        let mut all = Self {
            server: game::server(clients),
            ids: Vec::new(),
            clients: (0..clients).map(|_| game::client(SERVER)).collect(),
            now: Instant::ZERO,
            buffer: Vec::new(),
            counting: Tally::default(),
        };
        (0..MAX_FRAMES).for_each(|_| all.frame(0));
        assert_eq!(all.ids.len(), clients, "all are connected");
        all
    }
}

/// Passes a datagram, which must not be rejected.
fn hand(machine: &mut impl Machine, now: Instant, from: SocketAddr, datagram: &[u8]) {
    assert!(machine.handle_datagram(now, from, datagram).is_ok(), "{datagram:x?}");
}

impl Contender for Ours {
    fn frame(&mut self, messages: usize) {
        let Self { server, ids, clients, now, buffer, counting } = self;
        *now = *now + FRAME;
        for (client, port) in clients.iter_mut().zip(FIRST..) {
            let from = SocketAddr::new(SERVER.ip(), port);
            if client.is_connected() {
                for _ in 0..messages {
                    client.send(&Blob::compose(counting)).expect("sent");
                }
            }
            let send = |_: Output, datagram: &[u8]| hand(server, *now, from, datagram);
            pump(client, *now, buffer, send, |event| game::attend_client(event, counting));
        }
        for id in ids.iter() {
            for _ in 0..messages {
                server.send(&Blob::compose(counting), *id).expect("sent");
            }
        }
        let send = |output: Output, datagram: &[u8]| {
            let Output::Datagram(transmit) = output else { return };
            let client = &mut clients[usize::from(transmit.to.port() - FIRST)];
            hand(client, *now, SERVER, datagram);
        };
        pump(server, *now, buffer, send, |event| game::attend_server(event, ids, counting));
    }

    fn counting(&self) -> &Tally {
        &self.counting
    }
}
