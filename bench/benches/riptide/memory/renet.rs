//! renet, with packets passed in memory.

use renet::{Bytes, ConnectionConfig, DefaultChannel, RenetClient, RenetServer};

use super::FRAME;
use crate::contender::{Contender, Tally};

pub(crate) struct Renet {
    server: RenetServer,
    clients: Vec<RenetClient>,
    counting: Tally,
}

impl Renet {
    pub(crate) fn new(clients: usize) -> Self {
        let mut server = RenetServer::new(ConnectionConfig::default());
        let clients = (0..clients).map(|id| server.new_local_client(id as u64)).collect();
        Self { server, clients, counting: Tally::default() }
    }
}

impl Contender for Renet {
    fn frame(&mut self, messages: usize) {
        let Self { server, clients, counting } = self;
        server.update(FRAME);
        for (id, client) in (0..).zip(clients.iter_mut()) {
            client.update(FRAME);
            for _ in 0..messages {
                let message = Bytes::copy_from_slice(&counting.compose());
                client.send_message(DefaultChannel::ReliableUnordered, message);
            }
            for packet in client.get_packets_to_send() {
                server.process_packet_from(&packet, id).expect("a client that is there");
            }
        }
        for (id, client) in (0..).zip(clients) {
            while let Some(message) = server.receive_message(id, DefaultChannel::ReliableUnordered) {
                counting.take(&message);
            }
            for _ in 0..messages {
                let message = Bytes::copy_from_slice(&counting.compose());
                server.send_message(id, DefaultChannel::ReliableUnordered, message);
            }
            for packet in server.get_packets_to_send(id).expect("a client that is there") {
                client.process_packet(&packet);
            }
            while let Some(message) = client.receive_message(DefaultChannel::ReliableUnordered) {
                counting.take(&message);
            }
        }
    }

    fn counting(&self) -> &Tally {
        &self.counting
    }
}
