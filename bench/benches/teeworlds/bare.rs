//! Bare sockets that exchange datagrams of the same sizes, one per system call. The program knows how many datagrams
//! will arrive.

use std::net::{SocketAddr, UdpSocket};
use std::time::{Duration, Instant};

use crate::{LOOPBACK, PLAYERS};

pub(crate) struct Bare {
    server: UdpSocket,
    to: SocketAddr,
    clients: Vec<UdpSocket>,
    to_client: usize,
    to_server: usize,
}

impl Bare {
    /// Creates sockets for datagrams of the given lengths.
    pub(crate) fn new(to_client: usize, to_server: usize) -> Self {
        let socket = || UdpSocket::bind(LOOPBACK).unwrap();
        let server = socket();
        let to = server.local_addr().unwrap();
        Self { server, to, clients: (0..PLAYERS).map(|_| socket()).collect(), to_client, to_server }
    }

    /// Runs a tick and returns the time that the server took.
    pub(crate) fn tick(&mut self) -> Duration {
        let mut buffer = [0; 1_500];
        for client in &self.clients {
            client.send_to(&buffer[..self.to_server], self.to).unwrap();
        }
        let start = Instant::now();
        let mut peers = [LOOPBACK; PLAYERS];
        for peer in &mut peers {
            *peer = self.server.recv_from(&mut buffer).unwrap().1;
        }
        for peer in peers {
            self.server.send_to(&buffer[..self.to_client], peer).unwrap();
        }
        let time = start.elapsed();
        for client in &self.clients {
            client.recv_from(&mut buffer).unwrap();
        }
        time
    }
}
