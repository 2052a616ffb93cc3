//! A custom transport: packets in memory.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io;
use std::sync::{Arc, Mutex};

use gamewire::riptide::{
    Client, ClientConfig, DisconnectReason, Endpoint, Format, MessageSendMode, Server, ServerConfig,
    Transport, TransportEvent,
};
use gamewire::riptide::{client, server};

use super::support::{connected, left, received, text_message, until, update};

/// Packets in flight between numbered ends, and the pairs (closing end, closed end).
#[derive(Default)]
struct Network {
    in_flight: BTreeMap<u64, VecDeque<(TransportEvent, Vec<u8>)>>,
    closed: BTreeSet<(u64, u64)>,
    is_broken: bool,
}

/// One end of the transport.
struct Memory {
    own: u64,
    network: Arc<Mutex<Network>>,
}

const SERVER: u64 = 1_000;

impl Transport for Memory {
    fn poll(&mut self, buffer: &mut Vec<u8>) -> io::Result<Option<TransportEvent>> {
        let mut network = self.network.lock().unwrap();
        if network.is_broken {
            return Err(io::Error::other("the network failed"));
        }
        let Some((arrival, packet)) = network.in_flight.entry(self.own).or_default().pop_front() else {
            return Ok(None);
        };
        *buffer = packet;
        Ok(Some(arrival))
    }

    fn send(&mut self, to: u64, packet: &[u8]) {
        let mut network = self.network.lock().unwrap();
        network
            .in_flight
            .entry(to)
            .or_default()
            .push_back((TransportEvent::Packet(self.own), packet.to_vec()));
    }

    fn close(&mut self, peer: u64) {
        let mut network = self.network.lock().unwrap();
        network.closed.insert((self.own, peer));
        network.in_flight.entry(peer).or_default().push_back((TransportEvent::Closed(self.own), Vec::new()));
    }
}

struct Ends {
    network: Arc<Mutex<Network>>,
    server: Server,
}

impl Ends {
    fn new() -> Self {
        let network = Arc::new(Mutex::new(Network::default()));
        let server = Server::with_transport(
            Memory { own: SERVER, network: Arc::clone(&network) },
            ServerConfig::new(10),
        );
        Self { network, server }
    }

    fn client(&mut self, own: u64, format: Format) -> Client {
        let transport: Box<dyn Transport + Send> =
            Box::new(Memory { own, network: Arc::clone(&self.network) });
        let client = Client::with_transport(transport, SERVER, ClientConfig::new(format)).unwrap();
        connected(&mut self.server, client)
    }

    fn inject(&self, to: u64, arrival: TransportEvent) {
        self.network.lock().unwrap().in_flight.entry(to).or_default().push_back((arrival, Vec::new()));
    }
}

#[test]
fn clients_of_both_formats_are_served() {
    let mut ends = Ends::new();
    assert_eq!(ends.server.port(), 0);
    for (number, format) in [(1, Format::V20), (2, Format::V21)] {
        let mut client = ends.client(number, format);
        let view = ends.server.client(client.id().unwrap()).unwrap();
        assert_eq!((view.endpoint(), view.address(), view.format()), (Endpoint::Other(number), None, format));
        client.send(&text_message(MessageSendMode::Reliable, 5, "over memory")).unwrap();
        let echo = until("an echo", || {
            update(&mut ends.server, &mut client);
            while let Some(event) = ends.server.poll_event() {
                if let server::Event::MessageReceived { client, message } = event {
                    ends.server.send(&message, client).unwrap();
                }
            }
            received(&mut client)
        });
        assert_eq!(echo, (MessageSendMode::Reliable, Some(5), "over memory".into()));
    }
}

#[test]
fn a_peer_whose_transport_closes_is_disconnected() {
    let mut ends = Ends::new();
    let client = ends.client(3, Format::V21);
    ends.inject(SERVER, TransportEvent::Closed(3));
    let gone = until("the client is disconnected", || {
        ends.server.update().unwrap();
        left(&mut ends.server).pop()
    });
    assert_eq!(gone, (client.id().unwrap(), DisconnectReason::TransportError));
}

#[test]
fn only_a_close_of_the_server_disconnects_a_client() {
    let mut ends = Ends::new();
    let mut client = ends.client(4, Format::V21);
    ends.inject(4, TransportEvent::Closed(77));
    ends.inject(4, TransportEvent::Packet(77));
    update(&mut ends.server, &mut client);
    assert!(client.is_connected());
    ends.inject(4, TransportEvent::Closed(SERVER));
    let reason = until("the client is disconnected", || {
        client.update().unwrap();
        let event = client.poll_event()?;
        if let client::Event::Disconnected { reason, .. } = event { Some(reason) } else { None }
    });
    assert_eq!(reason, DisconnectReason::TransportError);
}

#[test]
fn a_kicked_client_receives_the_reason_before_the_transport_closes() {
    let mut ends = Ends::new();
    let mut client = ends.client(5, Format::V21);
    ends.server.disconnect_client(client.id().unwrap(), None).unwrap();
    let reason = until("the client is kicked", || {
        update(&mut ends.server, &mut client);
        let event = client.poll_event()?;
        if let client::Event::Disconnected { reason, .. } = event { Some(reason) } else { None }
    });
    assert_eq!(reason, DisconnectReason::Kicked);
    assert!(ends.network.lock().unwrap().closed.contains(&(SERVER, 5)));
}

#[test]
fn a_transport_that_no_longer_works_is_an_error() {
    let mut ends = Ends::new();
    let mut client = ends.client(6, Format::V20);
    ends.network.lock().unwrap().is_broken = true;
    assert_eq!(ends.server.update().unwrap_err().to_string(), "the network failed");
    assert!(client.update().is_err());
}

#[test]
fn one_update_handles_all_that_has_arrived() {
    let mut ends = Ends::new();
    let mut client = ends.client(7, Format::V21);
    for number in 0..5_000_u32 {
        client.send(&text_message(MessageSendMode::Unreliable, 5, &number.to_string())).unwrap();
    }
    client.wait(std::time::Duration::ZERO).unwrap();
    ends.server.update().unwrap();
    let events = std::iter::from_fn(|| ends.server.poll_event());
    let messages = events.filter(|event| matches!(event, server::Event::MessageReceived { .. }));
    assert_eq!(messages.count(), 5_000);
}
