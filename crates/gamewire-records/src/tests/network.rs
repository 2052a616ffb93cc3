//! Clients and servers in a network of virtual time. A small protocol above the layer sends each number until it is
//! acknowledged.

use core::time::Duration;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::net::SocketAddr;

use gamewire_machine::{Instant, Machine, Transmit, Wake};
use gamewire_sim::{Conditions, Network, NodeId};

use super::support::{KEY, client_address, server_address};
use crate::{Client, ClientEvent, Key, RecordError, Server, ServerConfig, ServerEvent, SessionId};

/// Time between two sends of the same numbers.
const INTERVAL: Duration = Duration::from_millis(50);
/// Maximum number of numbers that are sent at one time.
const MAX_BURST: usize = 16;

struct Sender {
    records: Client,
    unacked: BTreeSet<u32>,
    queue: VecDeque<u32>,
    next: Instant,
}

impl Machine for Sender {
    type Event = ClientEvent;
    type DatagramError = RecordError;

    fn handle_timeout(&mut self, now: Instant) {
        self.records.handle_timeout(now);
        if self.records.is_open() && now >= self.next {
            self.next = now + INTERVAL;
            self.queue.extend(self.unacked.iter().take(MAX_BURST));
        }
    }

    fn poll_timeout(&self) -> Option<Wake> {
        let is_busy = self.records.is_open() && !self.unacked.is_empty();
        let send = is_busy.then_some(Wake { at: self.next, reason: "numbers" });
        Wake::earliest([self.records.poll_timeout(), send])
    }

    fn poll_event(&mut self) -> Option<ClientEvent> {
        self.records.poll_event()
    }

    fn handle_datagram(&mut self, now: Instant, from: SocketAddr, data: &[u8]) -> Result<(), RecordError> {
        if let Some(packet) = self.records.handle_datagram(now, from, data)? {
            let number = u32::from_le_bytes(packet.try_into().unwrap());
            self.unacked.remove(&number);
        }
        Ok(())
    }

    fn poll_transmit(&mut self, _: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        if let Some(to) = self.records.poll_transmit(buffer) {
            return Some(Transmit { to });
        }
        let number = self.queue.pop_front()?;
        let to = self.records.seal(&number.to_le_bytes(), buffer).unwrap();
        Some(Transmit { to })
    }
}

struct Receiver {
    records: Server,
    received: BTreeMap<SessionId, BTreeSet<u32>>,
    queue: VecDeque<(SessionId, u32)>,
}

impl Machine for Receiver {
    type Event = ServerEvent;
    type DatagramError = RecordError;

    fn handle_timeout(&mut self, now: Instant) {
        self.records.handle_timeout(now);
    }

    fn poll_timeout(&self) -> Option<Wake> {
        self.records.poll_timeout()
    }

    fn poll_event(&mut self) -> Option<ServerEvent> {
        self.records.poll_event()
    }

    fn handle_datagram(&mut self, now: Instant, from: SocketAddr, data: &[u8]) -> Result<(), RecordError> {
        if let Some(received) = self.records.handle_datagram(now, from, data)? {
            let number = u32::from_le_bytes(received.packet.try_into().unwrap());
            self.received.entry(received.session).or_default().insert(number);
            self.queue.push_back((received.session, number));
        }
        Ok(())
    }

    fn poll_transmit(&mut self, _: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        if let Some(to) = self.records.poll_transmit(buffer) {
            return Some(Transmit { to });
        }
        let (session, number) = self.queue.pop_front()?;
        let to = self.records.seal(session, &number.to_le_bytes(), buffer).unwrap();
        Some(Transmit { to })
    }
}

fn add_client(network: &mut Network, seed: u64, from: SocketAddr, count: u32) -> NodeId<Sender> {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let key = Key::from_bytes(KEY).client_key(b"").unwrap();
    let records = Client::new(key, [server_address()], bytes, Instant::ZERO);
    let unacked = (0..count).collect();
    network.add(from, Sender { records, unacked, queue: VecDeque::new(), next: Instant::ZERO })
}

fn add_server(network: &mut Network, seed: u64) -> NodeId<Receiver> {
    let mut bytes = [1; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let records = Server::new(Key::from_bytes(KEY), ServerConfig::default(), bytes);
    network.add(server_address(), Receiver { records, received: BTreeMap::new(), queue: VecDeque::new() })
}

/// Sends 1,000 numbers; the client's address changes `moves` times.
fn play(seed: u64, conditions: Conditions, moves: u16) {
    let mut network = Network::new(seed);
    let server = add_server(&mut network, seed);
    let client = add_client(&mut network, seed, client_address(1), 1000);
    network.set_conditions(client, conditions, conditions);
    for number in 0..moves {
        let left = 1000 - 1000 * usize::from(number + 1) / usize::from(moves + 1);
        let is_there = |network: &Network| network.machine(client).unacked.len() <= left;
        assert!(network.run_until(Duration::from_secs(300), is_there).unwrap(), "seed {seed}, move {number}");
        network.rebind(client, client_address(number + 2));
    }
    let is_done = |network: &Network| network.machine(client).unacked.is_empty();
    assert!(network.run_until(Duration::from_secs(300), is_done).unwrap(), "seed {seed}");
    network.run_for(Duration::from_secs(3)).unwrap();

    let receiver = network.machine(server);
    // A client that lost the server's Response may have begun again, but packets came over one session.
    assert_eq!(receiver.received.len(), 1, "seed {seed}");
    assert_eq!(receiver.received.values().next().unwrap().len(), 1000, "seed {seed}");
    let last = |events: &[ServerEvent]| match events.last() {
        Some(ServerEvent::Moved { to, .. }) => Some(*to),
        _ => None,
    };
    let expected = (moves > 0).then(|| client_address(moves + 1));
    assert_eq!(last(network.events(server)), expected, "seed {seed}");
}

#[test]
fn a_thousand_numbers_survive_changes_of_the_address_with_loss() {
    for seed in 0..60 {
        play(seed, Conditions { loss: 0.2, delay: Duration::from_millis(30), ..Conditions::PERFECT }, 3);
    }
}

#[test]
fn a_thousand_numbers_survive_changes_of_the_address_on_a_poor_network() {
    for seed in 0..20 {
        play(1000 + seed, Conditions::POOR, 2);
    }
}

#[test]
fn a_thousand_handshakes_on_a_poor_network_open_one_session_each() {
    // More with `GAMEWIRE_LONG=1`.
    let seeds = if std::env::var_os("GAMEWIRE_LONG").is_some() { 10_000 } else { 1_000 };
    for seed in 0..seeds {
        let mut network = Network::new(seed);
        let server = add_server(&mut network, seed);
        let client = add_client(&mut network, seed, client_address(1), 3);
        network.set_conditions(client, Conditions::POOR, Conditions::POOR);
        let is_done = |network: &Network| network.machine(client).unacked.is_empty();
        assert!(network.run_until(Duration::from_secs(120), is_done).unwrap(), "seed {seed}");
        assert_eq!(network.machine(server).received.len(), 1, "seed {seed}");
        let opened = network.events(client).len();
        assert_eq!(opened, 1, "seed {seed}");
    }
}

#[test]
fn equal_seeds_give_equal_bytes() {
    let run = || {
        let mut network = Network::new(5);
        add_server(&mut network, 5);
        let client = add_client(&mut network, 5, client_address(1), 50);
        network.set_conditions(client, Conditions::WIFI, Conditions::WIFI);
        network.run_for(Duration::from_secs(2)).unwrap();
        network.rebind(client, client_address(2));
        network.run_for(Duration::from_secs(100)).unwrap();
        network.digest()
    };
    assert_eq!(run(), run());
}

#[test]
fn e1_an_attacker_who_replays_everything_from_other_addresses_moves_nothing() {
    let mut network = Network::new(9);
    let server = add_server(&mut network, 9);
    let client = add_client(&mut network, 9, client_address(1), 400);
    let seen = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
    let tap = seen.clone();
    network.set_tap(move |_, from, to, datagram| {
        if from == client_address(1) && to == server_address() {
            tap.borrow_mut().push(datagram.to_vec());
        }
    });
    let is_done = |network: &Network| network.machine(client).unacked.is_empty();
    let mut rounds = 0;
    while !is_done(&network) {
        network.run_for(Duration::from_millis(20)).unwrap();
        rounds += 1;
        assert!(rounds < 1000);
        for (number, datagram) in seen.take().iter().enumerate() {
            let port = u16::try_from(number % 1000).unwrap() + 100;
            network.inject(client_address(port), server_address(), datagram);
        }
    }
    let records = &network.machine(server).records;
    assert!(records.stats().replayed > 300, "{:?}", records.stats());
    assert_eq!((records.stats().moved, records.stats().challenges), (0, 0));
    assert_eq!(network.machine(server).received.len(), 1);
}
