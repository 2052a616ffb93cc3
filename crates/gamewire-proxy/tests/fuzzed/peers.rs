//! The programs at both ends of a bridge.

use std::collections::VecDeque;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use gamewire_freeciv::session::{client as freeciv_client, server as freeciv_server};
use gamewire_machine::{Instant, Machine};
use gamewire_riptide::client::Client;
use gamewire_riptide::server::Server;
use gamewire_riptide::{Message, MessageSendMode};
use gamewire_sim::contract::StreamsAsDatagram;
use gamewire_teeworlds::server::WalkingGame;
use gamewire_teeworlds::{client as teeworlds_client, server as teeworlds_server};

use super::thin::Thin;

/// The address of every program.
pub const ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)), 1_000);

/// A program that receives what a bridge or a replay sends.
pub trait Peer {
    /// Handles a datagram, or the next bytes of a stream.
    fn handle(&mut self, now: Instant, bytes: &[u8]);
    fn handle_timeout(&mut self, now: Instant);
    /// Replaces the content of `buffer` with the next output. Returns false if there is none.
    fn poll_transmit(&mut self, now: Instant, buffer: &mut Vec<u8>) -> bool;
    fn poll_timeout(&self) -> Option<Instant>;
    /// Sends a message. Two bits of `mode` choose how it is sent.
    fn send(&mut self, mode: u8, content: &[u8]);
    /// Leaves.
    fn close(&mut self);
}

/// A machine that sends any message.
pub trait Sender: Machine {
    fn send(&mut self, mode: u8, content: &[u8]) {
        let _ = (mode, content);
    }
    fn close(&mut self) {}
}

impl<M: Sender> Peer for M {
    fn handle(&mut self, now: Instant, bytes: &[u8]) {
        let _ = self.handle_datagram(now, ADDRESS, bytes);
    }

    fn handle_timeout(&mut self, now: Instant) {
        Machine::handle_timeout(self, now);
    }

    fn poll_transmit(&mut self, now: Instant, buffer: &mut Vec<u8>) -> bool {
        while self.poll_event().is_some() {}
        Machine::poll_transmit(self, now, buffer).is_some()
    }

    fn poll_timeout(&self) -> Option<Instant> {
        Machine::poll_timeout(self).map(|wake| wake.at)
    }

    fn send(&mut self, mode: u8, content: &[u8]) {
        Sender::send(self, mode, content);
    }

    fn close(&mut self) {
        Sender::close(self);
    }
}

impl Sender for Thin {
    fn send(&mut self, mode: u8, content: &[u8]) {
        let _ = self.say(mode & 1 != 0, content);
    }

    fn close(&mut self) {
        self.close();
    }
}

impl Sender for Client {
    fn send(&mut self, mode: u8, content: &[u8]) {
        let _ = self.send(&message(mode, content));
    }

    fn close(&mut self) {
        self.disconnect();
    }
}

impl Sender for Server {
    fn send(&mut self, mode: u8, content: &[u8]) {
        let _ = self.send_to_all(&message(mode, content));
    }

    fn close(&mut self) {
        self.stop();
    }
}

impl<M: Sender> Sender for StreamsAsDatagram<M> {
    fn send(&mut self, mode: u8, content: &[u8]) {
        Sender::send(self.machine_mut(), mode, content);
    }

    fn close(&mut self) {
        Sender::close(self.machine_mut());
    }
}

impl Sender for teeworlds_client::Client {}
impl Sender for teeworlds_server::Server<WalkingGame> {}
impl Sender for freeciv_client::Client {}
impl Sender for freeciv_server::Server {}

/// Returns a message of Riptide. The first two bytes of the content are its id.
fn message(mode: u8, content: &[u8]) -> Message {
    let (id, values) = content.split_first_chunk::<2>().unwrap_or((&[0, 0], content));
    let mut message = match mode {
        0 => Message::create(MessageSendMode::Unreliable, u16::from_be_bytes(*id)),
        1 | 2 => Message::create(MessageSendMode::Reliable, u16::from_be_bytes(*id)),
        _ => Message::create_notify(),
    };
    message.add_bytes_without_length(values);
    message
}

/// A program that sends the bytes of its messages unchanged.
#[derive(Default)]
pub struct Raw(VecDeque<Vec<u8>>);

impl Peer for Raw {
    fn handle(&mut self, _: Instant, _: &[u8]) {}

    fn handle_timeout(&mut self, _: Instant) {}

    fn poll_transmit(&mut self, _: Instant, buffer: &mut Vec<u8>) -> bool {
        let Some(bytes) = self.0.pop_front() else { return false };
        *buffer = bytes;
        true
    }

    fn poll_timeout(&self) -> Option<Instant> {
        None
    }

    fn send(&mut self, _: u8, content: &[u8]) {
        self.0.push_back(content.to_vec());
    }

    fn close(&mut self) {}
}
