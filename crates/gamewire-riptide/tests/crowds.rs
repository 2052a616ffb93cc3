//! Cost of ten thousand idle clients, and of a message, for a server.

use core::time::Duration;
use std::net::SocketAddr;

use gamewire_machine::{Instant, Machine};
use gamewire_riptide::server::{Event, Server, ServerConfig};
use gamewire_riptide::{ClientId, Format, Message, MessageSendMode};

const CROWD: u16 = 10_000;
/// Maximum cost of an idle client.
const MAX_BYTES_PER_CLIENT: usize = 4_096;

fn address(number: u16) -> SocketAddr {
    let [high, low] = number.to_be_bytes();
    SocketAddr::from(([10, 0, high, low], 7777))
}

/// Packets of client `number`; an even number uses 2.0.
struct Packets {
    connect: Vec<u8>,
    welcome: Vec<u8>,
    ack: Vec<u8>,
    heartbeat: Vec<u8>,
}

impl Packets {
    fn of(number: u16) -> Self {
        let [low, high] = number.to_le_bytes();
        if number.is_multiple_of(2) {
            Self {
                connect: vec![3],
                welcome: vec![8, 1, 0, low, high],
                ack: vec![1, 1, 0, 1, 0],
                heartbeat: vec![5, 0, 20, 0],
            }
        } else {
            Self {
                connect: vec![2],
                welcome: vec![0x18, 0, low << 4, low >> 4 | high << 4, high >> 4],
                ack: vec![0x11, 0, 0x10, 0, 0],
                heartbeat: vec![0x04, 0x40, 0x01, 0],
            }
        }
    }
}

fn drain(server: &mut Server, now: Instant, buffer: &mut Vec<u8>) -> usize {
    let mut sent = 0;
    while server.poll_transmit(now, buffer).is_some() {
        sent += 1;
    }
    while server.poll_event().is_some() {}
    sent
}

/// A server with `count` clients that are not notified of each other.
fn crowd(count: u16) -> Server {
    let config = ServerConfig { announce_clients: false, ..ServerConfig::new(count) };
    let mut server = Server::new(config, Instant::ZERO);
    let mut buffer = Vec::new();
    for number in 1..=count {
        let packets = Packets::of(number);
        for packet in [packets.connect, packets.welcome, packets.ack] {
            server.handle_datagram(Instant::ZERO, address(number), &packet).unwrap();
            drain(&mut server, Instant::ZERO, &mut buffer);
        }
    }
    assert_eq!(server.client_count(), usize::from(count));
    server
}

/// Simulates one second with one heartbeat of each client, evenly spread.
fn second(server: &mut Server, now: &mut Instant, count: u16, buffer: &mut Vec<u8>) -> usize {
    let mut sent = 0;
    for number in 1..=count {
        *now = *now + Duration::from_micros(1_000_000 / u64::from(count));
        if server.poll_timeout().is_some_and(|wake| wake.at <= *now) {
            server.handle_timeout(*now);
        }
        server.handle_datagram(*now, address(number), &Packets::of(number).heartbeat).unwrap();
        sent += drain(server, *now, buffer);
    }
    sent
}

#[test]
fn ten_thousand_idle_clients_hold_less_than_4_kib_each_and_it_stays_so() {
    let mut server = None;
    let info = allocation_counter::measure(|| server = Some(crowd(CROWD)));
    let mut server = server.unwrap();
    let (held, heap) =
        (server.held_bytes() / usize::from(CROWD), info.bytes_current as usize / usize::from(CROWD));
    println!("{held} bytes each, {heap} bytes of heap each");
    assert!(held < MAX_BYTES_PER_CLIENT && heap < MAX_BYTES_PER_CLIENT, "{held}, {heap}");

    let (mut now, mut buffer) = (Instant::ZERO, Vec::new());
    let later = allocation_counter::measure(|| {
        for _ in 0..10 {
            assert_eq!(second(&mut server, &mut now, CROWD, &mut buffer), usize::from(CROWD));
        }
    });
    assert_eq!(server.client_count(), usize::from(CROWD));
    let grown = later.bytes_current / i64::from(CROWD);
    assert!(grown < 64, "{grown} bytes each");
    assert_eq!(server.dropped(), 0);
}

#[test]
fn ten_thousand_that_fall_silent_are_given_up_at_once_and_leave_little() {
    let (mut server, mut buffer) = (crowd(CROWD), Vec::new());
    let full = server.held_bytes();
    let late = Instant::from_micros(20_000_000);
    server.handle_timeout(late);
    assert_eq!(server.client_count(), 0);
    let mut left = 0;
    while let Some(event) = server.poll_event() {
        left += usize::from(matches!(event, Event::ClientDisconnected { .. }));
    }
    assert_eq!((left, drain(&mut server, late, &mut buffer)), (CROWD.into(), 0));
    assert!(server.held_bytes() < full, "{} of {full}", server.held_bytes());
    assert_eq!(server.poll_timeout(), None);
}

/// Messages of every kind in both directions on a small server; reliable ones are acknowledged.
struct Traffic {
    server: Server,
    buffer: Vec<u8>,
    now: Instant,
    seq_id: u16,
}

impl Traffic {
    fn new(count: u16) -> Self {
        let mut server = crowd(count);
        server.relay_filter_mut().enable_relay(12_u16);
        Self { server, buffer: Vec::with_capacity(2_000), now: Instant::ZERO, seq_id: 1 }
    }

    fn hear(&mut self, number: u16, packet: &[u8]) {
        self.server.handle_datagram(self.now, address(number), packet).unwrap();
    }

    fn round(&mut self, count: u16) -> usize {
        let mut handled = 0;
        self.now = self.now + Duration::from_millis(5);
        self.seq_id += 1;
        let [low, high] = self.seq_id.to_le_bytes();
        let mut message = Message::create(MessageSendMode::Reliable, 10_u16);
        message.add_int(7);
        self.server.send_to_all(&message).all_sent().unwrap();
        let mut message = Message::create(MessageSendMode::Unreliable, 10_u16);
        message.add_int(7);
        self.server.send_to_all(&message).all_sent().unwrap();
        assert_eq!(self.server.send(&message, ClientId(1)), Ok(None));
        drain(&mut self.server, self.now, &mut self.buffer);
        for number in 1..=count {
            // The ack of the client, reliable message 10, unreliable message 11 and, to be relayed, unreliable message
            // 12.
            if number.is_multiple_of(2) {
                self.hear(number, &[1, low, high, 0xff, 0xff]);
                self.hear(number, &[7, low, high, 10, 0, 1]);
                self.hear(number, &[0, 11, 0, 1]);
                if number == 2 {
                    self.hear(number, &[0, 12, 0, 1]);
                }
            } else {
                self.hear(number, &[0x01 | low << 4, low >> 4 | high << 4, 0xf0 | high >> 4, 0xff, 0x0f]);
                self.hear(number, &[0x07 | low << 4, low >> 4 | high << 4, 0xa0 | high >> 4, 0x10, 0]);
                self.hear(number, &[0xb0, 0x10, 0]);
            }
            while self.server.poll_event().is_some() {
                handled += 1;
            }
        }
        drain(&mut self.server, self.now, &mut self.buffer);
        handled
    }
}

#[test]
fn a_warm_server_sends_receives_and_relays_without_allocating() {
    let mut traffic = Traffic::new(32);
    for _ in 0..20 {
        assert_eq!(traffic.round(32), 64);
    }
    let info = allocation_counter::measure(|| {
        for _ in 0..20 {
            assert_eq!(traffic.round(32), 64);
        }
    });
    assert_eq!(info.count_total, 0);
    assert_eq!((traffic.server.client_count(), traffic.server.relay_dropped()), (32, 0));
    for format in Format::ALL {
        let client = traffic.server.clients().find(|client| client.format() == format).unwrap();
        assert_eq!(client.unacked(), 0, "{format}");
    }
}
