//! A machine that contains only links, with a driver.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::time::{Duration, Instant as Monotonic};

use gamewire::machine::{Instant, Machine, Transmit, Wake};
use gamewire::net::blocking::Driver;
use gamewire::teeworlds::raw::link::{Link, LinkConfig, LinkInput, LinkTokens, PacketError, Scratch};

use crate::{INPUT, LOOPBACK, PLAYERS};

const TOKENS: LinkTokens = LinkTokens::V06;

/// One end of several links.
struct Peers {
    links: Vec<Link>,
    by_address: HashMap<SocketAddr, usize>,
    scratch: Scratch,
    received: usize,
    /// Index of the next link to ask for a datagram.
    next: usize,
    message: Vec<u8>,
}

impl Peers {
    fn new(message: usize) -> Self {
        // Mostly small numbers, so that the message compresses like a snapshot.
        let message = (0..message).map(|at| if at % 4 == 0 { at * 37 } else { at * at % 8 } as u8).collect();
        Self {
            links: Vec::new(),
            by_address: HashMap::new(),
            scratch: Scratch::new(),
            received: 0,
            next: 0,
            message,
        }
    }

    fn add(&mut self, peer: SocketAddr) {
        self.by_address.insert(peer, self.links.len());
        let config = LinkConfig::vanilla(TOKENS.dialect());
        self.links.push(Link::new(TOKENS, peer, config, Instant::ZERO));
    }

    /// Sends each peer a message.
    fn send(&mut self) {
        for link in &mut self.links {
            link.send(false, &self.message).unwrap();
            link.flush();
        }
        self.next = 0;
    }
}

impl Machine for Peers {
    type Event = ();
    type DatagramError = PacketError;

    fn handle_timeout(&mut self, now: Instant) {
        for link in &mut self.links {
            link.advance(now);
            link.handle_timeout(now).unwrap();
        }
        self.next = 0;
    }

    fn poll_timeout(&self) -> Option<Wake> {
        None
    }

    fn poll_event(&mut self) -> Option<()> {
        None
    }

    fn handle_datagram(&mut self, now: Instant, from: SocketAddr, data: &[u8]) -> Result<(), PacketError> {
        let link = &mut self.links[self.by_address[&from]];
        if let LinkInput::Chunks(chunks) = link.receive(now, data, &mut self.scratch)? {
            self.received += chunks.count();
        }
        Ok(())
    }

    fn poll_transmit(&mut self, _: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        while let Some(link) = self.links.get_mut(self.next) {
            if let Some(transmit) = link.poll_transmit(buffer) {
                return Some(transmit);
            }
            self.next += 1;
        }
        None
    }
}

/// A server of links, and its clients.
pub(crate) struct Links {
    server: Driver<Peers>,
    clients: Vec<Driver<Peers>>,
}

impl Links {
    /// Creates a server that sends snapshots of `snapshot` bytes.
    pub(crate) fn new(snapshot: usize) -> Self {
        let mut server = Driver::bind(LOOPBACK, Peers::new(snapshot)).unwrap();
        let to = server.local_addr();
        let mut client = || {
            let mut client = Driver::bind(LOOPBACK, Peers::new(INPUT)).unwrap();
            client.machine_mut().add(to);
            server.machine_mut().add(client.local_addr());
            client
        };
        let clients = (0..PLAYERS).map(|_| client()).collect();
        Self { server, clients }
    }

    /// Returns the mean size in bytes of a datagram to a client and of a datagram to the server.
    pub(crate) fn datagram_bytes(&mut self) -> (usize, usize) {
        self.tick();
        let mean = |bytes: u64, datagrams: u64| (bytes / datagrams) as usize;
        let (sent, received) = (self.server.stats().sent, self.server.stats().received);
        (mean(sent.bytes, sent.datagrams), mean(received.bytes, received.datagrams))
    }

    /// Runs a tick and returns the time that the server took.
    pub(crate) fn tick(&mut self) -> Duration {
        let Self { server, clients } = self;
        for client in clients.iter_mut() {
            client.machine_mut().send();
            client.update().unwrap();
        }
        let start = Monotonic::now();
        let expected = server.machine().received + PLAYERS;
        server.update().unwrap();
        assert_eq!(server.machine().received, expected, "every input arrives");
        server.machine_mut().send();
        server.wait(Duration::ZERO).unwrap();
        let time = start.elapsed();
        for client in clients {
            let expected = client.machine().received + 1;
            client.update().unwrap();
            assert_eq!(client.machine().received, expected, "every snapshot arrives");
        }
        time
    }
}
