//! Packets over a transport of the application's own: here, memory.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io;
use std::sync::{Arc, Mutex};

use gamewire::riptide::{
    Client, ClientConfig, DisconnectReason, Endpoint, Format, MessageSendMode, Server, ServerConfig,
    Transport, TransportEvent,
};
use gamewire::riptide::{client, server};

use super::support::{connected, heard, left, says, turn, until};

/// What is under way between ends, each of which has a number; and who was closed by whom.
#[derive(Default)]
struct Room {
    under_way: BTreeMap<u64, VecDeque<(TransportEvent, Vec<u8>)>>,
    closed: BTreeSet<(u64, u64)>,
    is_broken: bool,
}

/// One end.
struct Memory {
    own: u64,
    room: Arc<Mutex<Room>>,
}

const SERVER: u64 = 1_000;

impl Transport for Memory {
    fn poll(&mut self, buffer: &mut Vec<u8>) -> io::Result<Option<TransportEvent>> {
        let mut room = self.room.lock().unwrap();
        if room.is_broken {
            return Err(io::Error::other("the room is gone"));
        }
        let Some((arrival, packet)) = room.under_way.entry(self.own).or_default().pop_front() else {
            return Ok(None);
        };
        *buffer = packet;
        Ok(Some(arrival))
    }

    fn send(&mut self, to: u64, packet: &[u8]) {
        let mut room = self.room.lock().unwrap();
        room.under_way.entry(to).or_default().push_back((TransportEvent::Packet(self.own), packet.to_vec()));
    }

    fn close(&mut self, peer: u64) {
        let mut room = self.room.lock().unwrap();
        room.closed.insert((self.own, peer));
        room.under_way.entry(peer).or_default().push_back((TransportEvent::Closed(self.own), Vec::new()));
    }
}

struct Ends {
    room: Arc<Mutex<Room>>,
    server: Server,
}

impl Ends {
    fn new() -> Self {
        let room = Arc::new(Mutex::new(Room::default()));
        let server =
            Server::with_transport(Memory { own: SERVER, room: Arc::clone(&room) }, ServerConfig::new(10));
        Self { room, server }
    }

    fn client(&mut self, own: u64, format: Format) -> Client {
        let transport: Box<dyn Transport + Send> = Box::new(Memory { own, room: Arc::clone(&self.room) });
        let client = Client::with_transport(transport, SERVER, ClientConfig::new(format)).unwrap();
        connected(&mut self.server, client)
    }

    fn say(&self, to: u64, arrival: TransportEvent) {
        self.room.lock().unwrap().under_way.entry(to).or_default().push_back((arrival, Vec::new()));
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
        client.send(&says(MessageSendMode::Reliable, 5, "over memory")).unwrap();
        let echo = until("an echo", || {
            turn(&mut ends.server, &mut client);
            while let Some(event) = ends.server.poll_event() {
                if let server::Event::MessageReceived { client, message } = event {
                    ends.server.send(&message, client).unwrap();
                }
            }
            heard(&mut client)
        });
        assert_eq!(echo, (MessageSendMode::Reliable, Some(5), "over memory".into()));
    }
}

#[test]
fn a_peer_whose_transport_closes_is_gone_at_once() {
    let mut ends = Ends::new();
    let client = ends.client(3, Format::V21);
    ends.say(SERVER, TransportEvent::Closed(3));
    let gone = until("the client is gone", || {
        ends.server.update().unwrap();
        left(&mut ends.server).pop()
    });
    assert_eq!(gone, (client.id().unwrap(), DisconnectReason::TransportError));
}

#[test]
fn a_server_whose_transport_closes_is_gone_at_once_and_others_do_not_matter() {
    let mut ends = Ends::new();
    let mut client = ends.client(4, Format::V21);
    ends.say(4, TransportEvent::Closed(77));
    ends.say(4, TransportEvent::Packet(77));
    turn(&mut ends.server, &mut client);
    assert!(client.is_connected());
    ends.say(4, TransportEvent::Closed(SERVER));
    let reason = until("the connection is over", || {
        client.update().unwrap();
        let event = client.poll_event()?;
        if let client::Event::Disconnected { reason, .. } = event { Some(reason) } else { None }
    });
    assert_eq!(reason, DisconnectReason::TransportError);
}

#[test]
fn who_is_kicked_is_told_before_the_transport_closes() {
    let mut ends = Ends::new();
    let mut client = ends.client(5, Format::V21);
    ends.server.disconnect_client(client.id().unwrap(), None).unwrap();
    let reason = until("the client is kicked", || {
        turn(&mut ends.server, &mut client);
        let event = client.poll_event()?;
        if let client::Event::Disconnected { reason, .. } = event { Some(reason) } else { None }
    });
    assert_eq!(reason, DisconnectReason::Kicked);
    assert!(ends.room.lock().unwrap().closed.contains(&(SERVER, 5)));
}

#[test]
fn a_transport_that_no_longer_works_is_an_error() {
    let mut ends = Ends::new();
    let mut client = ends.client(6, Format::V20);
    ends.room.lock().unwrap().is_broken = true;
    assert_eq!(ends.server.update().unwrap_err().to_string(), "the room is gone");
    assert!(client.update().is_err());
}
