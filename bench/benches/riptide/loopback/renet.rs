//! renet with its transport over sockets, renet_netcode.

use std::net::UdpSocket;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use renet::{Bytes, ConnectionConfig, DefaultChannel, RenetClient, RenetServer};
use renet_netcode::{
    ClientAuthentication, NetcodeClientTransport, NetcodeServerTransport, ServerAuthentication, ServerConfig,
};

use super::LOOPBACK;
use crate::contender::{Contender, Tally};

const PROTOCOL: u64 = 7;
/// Maximum frames of the handshake of all clients.
const MAX_FRAMES: usize = 10_000;

pub(crate) struct Renet {
    server: RenetServer,
    transport: NetcodeServerTransport,
    clients: Vec<(u64, RenetClient, NetcodeClientTransport)>,
    last: Instant,
    counting: Tally,
}

impl Renet {
    pub(crate) fn new(clients: usize) -> Self {
        let socket = UdpSocket::bind(LOOPBACK).expect("a socket");
        let address = socket.local_addr().expect("an address");
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock that is set");
        let config = ServerConfig {
            current_time: now,
            max_clients: clients,
            protocol_id: PROTOCOL,
            public_addresses: vec![address],
            authentication: ServerAuthentication::Unsecure,
        };
        let client = |client_id| {
            let authentication = ClientAuthentication::Unsecure {
                protocol_id: PROTOCOL,
                client_id,
                server_addr: address,
                user_data: None,
            };
            let socket = UdpSocket::bind(LOOPBACK).expect("a socket");
            let transport = NetcodeClientTransport::new(now, authentication, socket).expect("a client");
            (client_id, RenetClient::new(ConnectionConfig::default()), transport)
        };
        let mut all = Self {
            server: RenetServer::new(ConnectionConfig::default()),
            transport: NetcodeServerTransport::new(config, socket).expect("a server"),
            clients: (0..clients as u64).map(client).collect(),
            last: Instant::now(),
            counting: Tally::default(),
        };
        all.connect();
        all
    }

    fn connect(&mut self) {
        for _ in 0..MAX_FRAMES {
            self.frame(0);
            if self.clients.iter().all(|(_, client, _)| client.is_connected()) {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        panic!("renet does not connect");
    }

    fn lap(&mut self) -> Duration {
        let now = Instant::now();
        let time = now - self.last;
        self.last = now;
        time
    }
}

impl Contender for Renet {
    fn frame(&mut self, messages: usize) {
        let time = self.lap();
        let Self { server, transport, clients, counting, .. } = self;
        server.update(time);
        transport.update(time, server).expect("a server that works");
        for (id, ..) in clients.iter() {
            while let Some(message) = server.receive_message(*id, DefaultChannel::ReliableUnordered) {
                counting.take(&message);
            }
            for _ in 0..messages {
                let message = Bytes::copy_from_slice(&counting.compose());
                server.send_message(*id, DefaultChannel::ReliableUnordered, message);
            }
        }
        transport.send_packets(server);
        for (_, client, transport) in clients {
            client.update(time);
            transport.update(time, client).expect("a client that works");
            while let Some(message) = client.receive_message(DefaultChannel::ReliableUnordered) {
                counting.take(&message);
            }
            for _ in 0..messages {
                let message = Bytes::copy_from_slice(&counting.compose());
                client.send_message(DefaultChannel::ReliableUnordered, message);
            }
            transport.send_packets(client).expect("a client that works");
        }
    }

    fn counting(&self) -> &Tally {
        &self.counting
    }
}
