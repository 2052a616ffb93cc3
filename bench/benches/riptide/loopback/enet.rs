//! rusty_enet, one channel of reliable packets.

use std::net::UdpSocket;

use rusty_enet::{Event, Host, HostSettings, Packet, PeerID};

use super::LOOPBACK;
use crate::contender::{Contender, Tally};

const MAX_FRAMES: usize = 10_000;

pub(crate) struct Enet {
    server: End,
    clients: Vec<End>,
    counting: Tally,
}

struct End {
    host: Host<UdpSocket>,
    /// Connected peers.
    peers: Vec<PeerID>,
}

impl Enet {
    pub(crate) fn new(clients: usize) -> Self {
        let server = End::new(clients);
        let address = server.host.socket().local_addr().expect("an address");
        let client = || {
            let mut client = End::new(1);
            client.host.connect(address, 1, 0).expect("room for a peer");
            client
        };
        let clients = (0..clients).map(|_| client()).collect();
        let mut all = Self { server, clients, counting: Tally::default() };
        all.connect();
        all
    }

    fn connect(&mut self) {
        for _ in 0..MAX_FRAMES {
            self.frame(0);
            if self.server.peers.len() == self.clients.len()
                && self.clients.iter().all(|client| client.peers.len() == 1)
            {
                return;
            }
        }
        panic!("enet does not connect");
    }
}

impl End {
    fn new(peers: usize) -> Self {
        let socket = UdpSocket::bind(LOOPBACK).expect("a socket");
        let settings = HostSettings { peer_limit: peers, channel_limit: 1, ..HostSettings::default() };
        Self { host: Host::new(socket, settings).expect("a host"), peers: Vec::new() }
    }

    fn frame(&mut self, messages: usize, counting: &mut Tally) {
        let Self { host, peers } = self;
        // `service` reads the socket once and queues further events.
        let mut event = host.service().expect("a host that works");
        while let Some(happened) = event {
            match happened {
                Event::Connect { peer, .. } => peers.push(peer.id()),
                Event::Disconnect { .. } => panic!("enet has lost a peer"),
                Event::Receive { packet, .. } => counting.take(packet.data()),
            }
            event = host.check_events();
        }
        for peer in peers {
            for _ in 0..messages {
                let packet = Packet::reliable(counting.compose().as_slice());
                host.peer_mut(*peer).send(0, &packet).expect("a peer that is there");
            }
        }
        host.flush();
    }
}

impl Contender for Enet {
    fn frame(&mut self, messages: usize) {
        self.server.frame(messages, &mut self.counting);
        for client in &mut self.clients {
            client.frame(messages, &mut self.counting);
        }
    }

    fn counting(&self) -> &Tally {
        &self.counting
    }
}
