//! gamewire with its drivers.

use std::time::Duration;

use gamewire::net::blocking::Driver;
use gamewire::riptide::ClientId;
use gamewire::riptide::client::Client;
use gamewire::riptide::server::Server;

use super::LOOPBACK;
use crate::contender::{Contender, Tally};
use crate::game::{self, Blob};

/// Maximum frames of the handshake of all clients.
const MAX_FRAMES: usize = 1_000;

pub(crate) struct Ours {
    server: Driver<Server>,
    /// Connected clients.
    ids: Vec<ClientId>,
    clients: Vec<Driver<Client>>,
    counting: Tally,
}

impl Ours {
    pub(crate) fn new(clients: usize) -> Self {
        let server = Driver::bind(LOOPBACK, game::server(clients)).expect("a socket");
        let address = server.local_addr();
        let client = |_| Driver::bind(LOOPBACK, game::client(address)).expect("a socket");
        let clients = (0..clients).map(client).collect();
        let mut all = Self { server, ids: Vec::new(), clients, counting: Tally::default() };
        all.connect();
        all
    }

    fn connect(&mut self) {
        for _ in 0..MAX_FRAMES {
            self.frame(0);
            if self.ids.len() == self.clients.len() {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        panic!("gamewire does not connect");
    }
}

impl Contender for Ours {
    fn frame(&mut self, messages: usize) {
        let Self { server, ids, clients, counting } = self;
        for event in server.update().expect("a socket that works") {
            game::attend_server(event, ids, counting);
        }
        if messages > 0 {
            let server = server.machine_mut();
            for id in ids {
                for _ in 0..messages {
                    server.send(&Blob::compose(counting), *id).expect("sent");
                }
            }
        }
        for client in clients {
            for event in client.update().expect("a socket that works") {
                game::attend_client(event, counting);
            }
            if messages > 0 {
                let client = client.machine_mut();
                for _ in 0..messages {
                    client.send(&Blob::compose(counting)).expect("sent");
                }
            }
        }
    }

    fn counting(&self) -> &Tally {
        &self.counting
    }
}
