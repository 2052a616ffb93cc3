//! Bare sockets that exchange datagrams of Riptide's sizes, one per system call. The program knows how many datagrams
//! will arrive, so it never polls an empty socket.

use std::net::{SocketAddr, UdpSocket};

use super::LOOPBACK;
use crate::contender::{BYTES, Contender, Tally};

/// Bytes that Riptide puts before a message: 28 bits of header, sequence id and message id.
const HEADER: usize = 4;
pub(crate) const MESSAGE_BYTES: usize = HEADER + BYTES;
/// Bytes of Riptide's ack.
pub(crate) const ACK_BYTES: usize = 5;

pub(crate) struct Bare {
    server: End,
    clients: Vec<End>,
    counting: Tally,
}

struct End {
    socket: UdpSocket,
    address: SocketAddr,
    /// Datagrams in flight to this socket.
    coming: usize,
}

impl Bare {
    pub(crate) fn new(clients: usize) -> Self {
        Self {
            server: End::new(),
            clients: (0..clients).map(|_| End::new()).collect(),
            counting: Tally::default(),
        }
    }
}

impl End {
    fn new() -> Self {
        let socket = UdpSocket::bind(LOOPBACK).expect("a socket");
        let address = socket.local_addr().expect("an address");
        Self { socket, address, coming: 0 }
    }

    fn send(&self, to: &mut Self, datagram: &[u8]) {
        self.socket.send_to(datagram, to.address).expect("sent");
        to.coming += 1;
    }

    /// Receives the datagrams in flight. Returns the number of messages.
    fn receive(&mut self, counting: &mut Tally) -> usize {
        let (mut buffer, mut messages) = ([0; 1500], 0);
        for _ in 0..core::mem::take(&mut self.coming) {
            let (length, _) = self.socket.recv_from(&mut buffer).expect("received");
            if length == MESSAGE_BYTES {
                counting.take(&buffer[HEADER..length]);
                messages += 1;
            }
        }
        messages
    }

    fn send_to(&self, to: &mut Self, acks: usize, messages: usize, counting: &mut Tally) {
        for _ in 0..acks {
            self.send(to, &[0; ACK_BYTES]);
        }
        for _ in 0..messages {
            self.send(to, &message(counting));
        }
    }
}

fn message(counting: &mut Tally) -> [u8; MESSAGE_BYTES] {
    let mut datagram = [0; MESSAGE_BYTES];
    datagram[HEADER..].copy_from_slice(&counting.compose());
    datagram
}

impl Contender for Bare {
    fn frame(&mut self, messages: usize) {
        let Self { server, clients, counting } = self;
        // All clients have sent the same number.
        let acks = server.receive(counting) / clients.len();
        for client in clients {
            server.send_to(client, acks, messages, counting);
            let acks = client.receive(counting);
            client.send_to(server, acks, messages, counting);
        }
    }

    fn counting(&self) -> &Tally {
        &self.counting
    }
}
