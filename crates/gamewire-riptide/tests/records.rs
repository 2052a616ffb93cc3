//! Encrypted datagrams: connections below which the record layer is, in a network of virtual time.

use core::marker::PhantomData;
use core::net::SocketAddr;
use core::time::Duration;
use std::collections::BTreeMap;

use gamewire_machine::Instant;
use gamewire_riptide::client::{self, Client, ClientConfig};
use gamewire_riptide::records::{self, HandshakeState, Key};
use gamewire_riptide::server::{self, RecordPolicy, Server, ServerConfig};
use gamewire_riptide::{
    ClientId, ConnectionSettings, DisconnectReason, Endpoint, Format, Message, MessageSendMode, RejectReason,
};
use gamewire_sim::contract::{self, Command, Harness, Lifecycle, PEER, SUBJECT};
use gamewire_sim::{Conditions, Network, NodeId};

use crate::support::connecting::Connecting;
use crate::support::serving::Serving;

const COUNT: u32 = 1000;

fn key() -> Key {
    Key::from_bytes([7; 32])
}

fn address(port: u16) -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], port))
}

fn seed_bytes(role: u8, seed: u64) -> [u8; 32] {
    let mut bytes = [role; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes
}

fn with_records(server: Server, seed: u64, policy: RecordPolicy) -> Server {
    server.with_records(
        records::Server::new(key(), records::ServerConfig::default(), seed_bytes(1, seed)),
        policy,
    )
}

fn encrypted_client(config: &ClientConfig, key: &Key, server: SocketAddr, seed: u64, now: Instant) -> Client {
    let key = key.client_key(b"player 5").unwrap();
    let session = records::Client::new(key, [server], seed_bytes(2, seed), now);
    Client::connect_over_records(config, session, now).unwrap()
}

struct Room {
    network: Network,
    server: NodeId<Server>,
    client: NodeId<Client>,
}

impl Room {
    fn new(seed: u64, config: &ClientConfig, policy: RecordPolicy) -> Self {
        Self::with_places(8, seed, config, policy)
    }

    fn with_places(places: u16, seed: u64, config: &ClientConfig, policy: RecordPolicy) -> Self {
        let mut network = Network::new(seed);
        let now = network.now();
        let server = with_records(Server::new(ServerConfig::new(places), now), seed, policy);
        let server = network.add(address(7777), server);
        let client = encrypted_client(config, &key(), address(7777), seed, now);
        let client = network.add(address(8000), client);
        Self { network, server, client }
    }

    fn connect(&mut self) {
        let client = self.client;
        let is_connected = |network: &Network| network.machine(client).is_connected();
        assert!(self.network.run_until(Duration::from_secs(60), is_connected).unwrap());
        self.network.run_for(Duration::from_secs(1)).unwrap();
    }
}

fn numbered(number: u32) -> Message {
    let mut message = Message::create(MessageSendMode::Reliable, 20_u16);
    message.add_uint(number);
    message
}

/// Counts a received message.
fn count(received: &mut BTreeMap<u32, u32>, mut message: Message) {
    *received.entry(message.get_uint().unwrap()).or_default() += 1;
}

/// Sends 1,000 reliable messages in both directions, while the client's address changes three times.
fn play_across_changes(seed: u64, format: Format, conditions: Conditions) {
    let mut room = Room::new(seed, &ClientConfig::new(format), RecordPolicy::Required);
    room.network.set_conditions(room.client, conditions, conditions);
    room.connect();
    let (mut at_server, mut at_client) = (BTreeMap::new(), BTreeMap::new());
    let (mut moves_seen, mut moves_told, mut ends) = (Vec::new(), Vec::new(), 0);
    let (mut sent, mut rounds) = (0, 0);
    while at_server.len() < 1000 || at_client.len() < 1000 || moves_told.len() < 3 {
        rounds += 1;
        assert!(rounds < 4000, "seed {seed}: {} and {} of 1000", at_server.len(), at_client.len());
        for _ in 0..10 {
            if sent < COUNT
                && room.network.machine(room.client).unacked() < 100
                && room.network.machine_mut(room.client).send(&numbered(sent)).is_ok()
            {
                room.network.machine_mut(room.server).send(&numbered(sent), ClientId(1)).unwrap();
                sent += 1;
                if sent % 250 == 0 && sent < COUNT {
                    room.network.rebind(room.client, address(8000 + u16::try_from(sent).unwrap()));
                }
            }
        }
        room.network.run_for(Duration::from_millis(50)).unwrap();
        for event in room.network.take_events(room.server) {
            match event {
                server::Event::MessageReceived { message, .. } => count(&mut at_server, message),
                server::Event::ClientAddressChanged { client, to, .. } => {
                    assert_eq!(client, ClientId(1));
                    moves_seen.push(to);
                }
                server::Event::ClientDisconnected { .. } => ends += 1,
                _ => {}
            }
        }
        for event in room.network.take_events(room.client) {
            match event {
                client::Event::MessageReceived { message } => count(&mut at_client, message),
                client::Event::AddressChanged { address } => moves_told.push(address),
                client::Event::Disconnected { .. } => ends += 1,
                _ => {}
            }
        }
    }
    assert_eq!(ends, 0);
    assert!(at_server.values().chain(at_client.values()).all(|times| *times == 1), "seed {seed}");
    let expected = [8250, 8500, 8750].map(address);
    assert_eq!((moves_seen.as_slice(), moves_told.as_slice()), (&expected[..], &expected[..]), "seed {seed}");
    let client = room.network.machine(room.server).client(ClientId(1)).unwrap();
    assert_eq!(client.address(), Some(address(8750)));
    assert!(matches!(client.endpoint(), Endpoint::Record(_)));
}

#[test]
fn a_thousand_messages_each_way_arrive_once_while_the_address_changes() {
    for seed in 0..60 {
        let conditions = Conditions { loss: 0.1, delay: Duration::from_millis(20), ..Conditions::PERFECT };
        play_across_changes(seed, Format::ALL[usize::try_from(seed % 2).unwrap()], conditions);
    }
}

#[test]
fn encrypted_and_plain_clients_share_a_room_and_no_datagram_shows_a_packet() {
    let mut room = Room::new(1, &ClientConfig::default(), RecordPolicy::Optional);
    let plain = Client::connect(&ClientConfig::default(), address(7777), room.network.now()).unwrap();
    let plain = room.network.add(address(9000), plain);
    let seen = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
    let tap = seen.clone();
    room.network.set_tap(move |_, from, to, datagram| {
        if [from, to].contains(&address(8000)) {
            tap.borrow_mut().push(datagram.to_vec());
        }
    });
    room.connect();
    let mut secret = Message::create(MessageSendMode::Reliable, 20_u16);
    secret.add_string("a word that no one else may read");
    room.network.machine_mut(room.server).send_to_all(&secret);
    room.network.machine_mut(room.client).send(&secret).unwrap();
    room.network.run_for(Duration::from_secs(1)).unwrap();
    let is_message = |event: &client::Event| matches!(event, client::Event::MessageReceived { .. });
    assert!(room.network.events(room.client).iter().any(is_message));
    assert!(room.network.events(plain).iter().any(is_message));
    let seen = seen.borrow();
    assert!(seen.len() > 8);
    assert!(seen.iter().all(|datagram| records::wire::is_packet(datagram)));
    let server = room.network.machine(room.server);
    assert_eq!((server.client_count(), server.record_stats().unwrap().opened), (2, 1));
    let endpoints: Vec<Endpoint> = server.clients().map(|client| client.endpoint()).collect();
    let tokens: Vec<Option<&[u8]>> = endpoints.iter().map(|endpoint| server.token(*endpoint)).collect();
    assert!(tokens.contains(&Some(b"player 5")) && tokens.contains(&None));
}

#[test]
fn a_server_that_requires_encryption_ignores_plain_datagrams() {
    let mut room = Room::new(2, &ClientConfig::default(), RecordPolicy::Required);
    let plain = Client::connect(&ClientConfig::default(), address(7777), room.network.now()).unwrap();
    let plain = room.network.add(address(9000), plain);
    room.connect();
    room.network.run_for(Duration::from_secs(10)).unwrap();
    let [client::Event::ConnectionFailed { reason, .. }] = room.network.events(plain) else {
        panic!("{:?}", room.network.events(plain));
    };
    assert_eq!(*reason, RejectReason::NoConnection);
    assert_eq!(room.network.machine(room.server).client_count(), 1);
}

#[test]
fn a_client_with_a_wrong_key_fails_and_can_tell_why() {
    let mut room = Room::new(3, &ClientConfig::default(), RecordPolicy::Required);
    let wrong = Key::from_bytes([8; 32]);
    let client = encrypted_client(&ClientConfig::default(), &wrong, address(7777), 9, room.network.now());
    let client = room.network.add(address(9000), client);
    room.network.run_for(Duration::from_secs(20)).unwrap();
    assert!(matches!(
        room.network.events(client),
        [client::Event::ConnectionFailed { reason: RejectReason::NoConnection, .. }]
    ));
    assert_eq!(room.network.machine(client).handshake_state(), Some(HandshakeState::Initiating));
    assert!(room.network.machine(room.server).record_stats().unwrap().wrong_key > 0);
    let sent = room.network.sent();
    let plain = room.network.machine(room.client).is_connected();
    assert!(plain && sent > 0);
}

#[test]
fn a_client_joins_a_restarted_server_again_with_a_new_handshake() {
    let config = ClientConfig { reconnect: Some(Duration::from_secs(60)), ..ClientConfig::default() };
    let mut room = Room::new(4, &config, RecordPolicy::Required);
    room.connect();
    let now = room.network.now();
    let restarted = with_records(Server::new(ServerConfig::new(8), now), 77, RecordPolicy::Required);
    let restarted = room.network.add(address(7777), restarted);
    room.network.run_for(Duration::from_secs(30)).unwrap();
    let is_again = |event: &client::Event| matches!(event, client::Event::Reconnected { .. });
    assert_eq!(room.network.events(room.client).iter().filter(|event| is_again(event)).count(), 1);
    assert_eq!(room.network.machine(restarted).client_count(), 1);
}

#[test]
fn a_client_whose_message_is_never_acknowledged_joins_a_restarted_server_with_a_new_handshake() {
    // The rules of the C# library end a connection while a packet is polled, earlier than the timeout.
    let config = ClientConfig {
        reconnect: Some(Duration::from_secs(60)),
        settings: ConnectionSettings::csharp(),
        ..ClientConfig::default()
    };
    let mut room = Room::new(6, &config, RecordPolicy::Required);
    room.connect();
    let now = room.network.now();
    let restarted = with_records(Server::new(ServerConfig::new(8), now), 77, RecordPolicy::Required);
    let restarted = room.network.add(address(7777), restarted);
    room.network.machine_mut(room.client).send(&numbered(1)).unwrap();
    room.network.run_for(Duration::from_secs(30)).unwrap();
    let is_lost = |event: &client::Event| {
        matches!(event, client::Event::Reconnected { reason: DisconnectReason::PoorConnection, .. })
    };
    assert_eq!(room.network.events(room.client).iter().filter(|event| is_lost(event)).count(), 1);
    assert_eq!(room.network.machine(restarted).client_count(), 1);
}

#[test]
fn a_client_whose_lost_connection_has_the_last_place_joins_again() {
    let config = ClientConfig { reconnect: Some(Duration::from_secs(60)), ..ClientConfig::default() };
    let mut room = Room::with_places(1, 7, &config, RecordPolicy::Required);
    room.connect();
    // The server hears the client, but not the other way round.
    let dead = Conditions { loss: 1.0, ..Conditions::PERFECT };
    room.network.set_conditions(room.client, Conditions::PERFECT, dead);
    let client = room.client;
    let is_lost = |network: &Network| !network.machine(client).is_connected();
    assert!(room.network.run_until(Duration::from_secs(60), is_lost).unwrap());
    assert_eq!(room.network.machine(room.server).client_count(), 1);
    room.network.set_conditions(room.client, Conditions::PERFECT, Conditions::PERFECT);
    room.network.run_for(Duration::from_secs(30)).unwrap();
    assert!(room.network.machine(room.client).is_connected());
}

#[test]
fn a_client_that_disconnects_is_gone_at_the_server_and_falls_silent() {
    let mut room = Room::new(5, &ClientConfig::default(), RecordPolicy::Optional);
    room.connect();
    room.network.machine_mut(room.client).disconnect();
    room.network.run_for(Duration::from_secs(1)).unwrap();
    assert_eq!(room.network.machine(room.server).client_count(), 0);
    let sent = room.network.sent();
    room.network.run_for(Duration::from_secs(100)).unwrap();
    assert_eq!(room.network.sent(), sent);
}

/// The packets of the golden session of the record layer.
fn samples() -> Vec<Vec<u8>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/records/session.json");
    let vectors: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let session = vectors["session"].as_object().unwrap();
    let packets = session.values().map(|text| {
        let text = text.as_str().unwrap();
        (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
    });
    packets.collect()
}

/// The harness of a server with a record layer, for the machine contract. Its inner harness has the commands.
struct EncryptedServing;

impl Harness for EncryptedServing {
    type Machine = Server;
    type Peer = Client;

    const MAX_UNVERIFIED_BYTES: usize = Serving::<1>::MAX_UNVERIFIED_BYTES;
    const IDLE_TIMEOUT: Option<Duration> = Serving::<1>::IDLE_TIMEOUT;

    fn make(seed: u64, now: Instant) -> Server {
        let policy = if seed & 4 == 0 { RecordPolicy::Optional } else { RecordPolicy::Required };
        with_records(Serving::<1>::make(seed, now), seed, policy)
    }

    fn peer(seed: u64, now: Instant) -> Option<Client> {
        Some(encrypted_client(&ClientConfig::default(), &key(), SUBJECT, seed, now))
    }

    fn samples(seed: u64) -> Vec<Vec<u8>> {
        let mut all = Serving::<1>::samples(seed);
        all.extend(samples());
        all
    }

    fn commands() -> &'static [Command<Server>] {
        Serving::<1>::commands()
    }

    fn held_bytes(server: &Server) -> usize {
        server.held_bytes()
    }

    fn lifecycle(event: &server::Event) -> Lifecycle {
        Serving::<1>::lifecycle(event)
    }
}

/// The harness of a client with a record layer, for the machine contract.
struct EncryptedConnecting<V>(PhantomData<V>);

impl<V: gamewire_riptide::raw::Version> Harness for EncryptedConnecting<V> {
    type Machine = Client;
    type Peer = Server;

    const MAX_UNVERIFIED_BYTES: usize = 0;
    const IDLE_TIMEOUT: Option<Duration> = Connecting::<V>::IDLE_TIMEOUT;
    const INITIAL_PEERS: &'static [u64] = &[0];

    fn make(seed: u64, now: Instant) -> Client {
        let format = crate::support::connecting::format::<V>();
        encrypted_client(&crate::support::connecting::config(format), &key(), PEER, seed, now)
    }

    fn peer(seed: u64, now: Instant) -> Option<Server> {
        Some(with_records(Server::new(ServerConfig::new(8), now), seed, RecordPolicy::Required))
    }

    fn samples(_: u64) -> Vec<Vec<u8>> {
        samples()
    }

    fn commands() -> &'static [Command<Client>] {
        Connecting::<V>::commands()
    }

    fn held_bytes(_: &Client) -> usize {
        0
    }

    fn lifecycle(event: &client::Event) -> Lifecycle {
        Connecting::<V>::lifecycle(event)
    }
}

#[test]
fn a_server_with_records_keeps_the_contract() {
    contract::check::<EncryptedServing>();
}

#[test]
fn a_client_with_records_keeps_the_contract() {
    contract::check::<EncryptedConnecting<gamewire_riptide::raw::V20>>();
    contract::check::<EncryptedConnecting<gamewire_riptide::raw::V21>>();
}
