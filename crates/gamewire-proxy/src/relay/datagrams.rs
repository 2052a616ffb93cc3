//! Datagrams from clients and from the server.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;

use gamewire_machine::{Instant, Role, Transport};
use gamewire_watch::{ClientStats, CloseReason, Event, PeerNumber, unix_nanos};
use mio::{Interest, Token};

use super::Relay;
use super::client::{Client, Path, Proof};
use super::clients::Slot;
use super::config::NewClient;
use super::ready::{UDP, token};
use super::sockets;
use super::stats::increment;
use crate::Bridge;

impl Relay {
    /// Reads one batch of datagrams from clients.
    pub(super) fn receive_from_clients(&mut self) {
        let (Some(udp), Some(mut batch)) = (&self.udp, self.batch.take()) else { return };
        match udp.receive(&mut batch) {
            Ok(filled) => {
                let (now, time) = (self.now(), unix_nanos());
                for (from, datagram) in batch.datagrams(filled) {
                    if let Some(slot) = self.clients.with_address(from).or_else(|| self.new_client(now, from))
                    {
                        self.deliver(slot, Role::Client, datagram, now, time);
                    }
                }
                // A full batch may mean more data. Otherwise the socket is drained, and the poller reports new data.
                if batch.is_full() {
                    self.ready.add(UDP);
                }
            }
            Err(error) => self.failed(&error, UDP),
        }
        self.batch = Some(batch);
    }

    /// Reads one batch of datagrams from the server to one client.
    pub(super) fn receive_from_server(&mut self, slot: Slot) {
        let Some(Path::Udp(socket)) = self.clients.get(slot).map(|client| &client.path) else { return };
        let Some(mut batch) = self.batch.take() else { return };
        let token = token(slot.index, Role::Server);
        match socket.receive(&mut batch) {
            Ok(filled) => {
                let (now, time) = (self.now(), unix_nanos());
                for (_, datagram) in batch.datagrams(filled) {
                    self.deliver(slot, Role::Server, datagram, now, time);
                }
                if batch.is_full() {
                    self.ready.add(token);
                }
            }
            Err(error) => self.failed(&error, token),
        }
        self.batch = Some(batch);
    }

    /// Counts a receive error, such as an ICMP port unreachable or an interrupted call.
    fn failed(&mut self, error: &io::Error, socket: Token) {
        if error.kind() != ErrorKind::WouldBlock {
            increment(&mut self.stats.socket_errors);
            self.ready.add(socket);
        }
    }

    fn new_client(&mut self, now: Instant, address: SocketAddr) -> Option<Slot> {
        if self.clients.is_own(address) {
            increment(&mut self.stats.from_itself);
            return None;
        }
        if !self.may_add(now, address) {
            return None;
        }
        if self.clients.unproven() >= self.config.limits.unproven
            && let Some(oldest) = self.clients.oldest_unproven()
        {
            increment(&mut self.stats.displaced);
            self.close(oldest, CloseReason::Displaced);
        }
        let index = self.clients.next_index();
        let opened = sockets::connect_udp(self.config.server).and_then(|(mut socket, local)| {
            let token = token(index, Role::Server);
            self.poll.registry().register(&mut socket.socket, token, Interest::READABLE)?;
            Ok((socket, local))
        });
        let (socket, local) = self.or_refuse(opened)?;
        let bridge = self.bridge(now, address, Transport::Udp);
        Some(self.add_client(now, address, local, Path::Udp(socket), bridge))
    }

    pub(super) fn bridge(
        &mut self,
        now: Instant,
        client: SocketAddr,
        transport: Transport,
    ) -> Box<dyn Bridge> {
        let server = self.config.server;
        (self.config.bridges)(now, NewClient { client, server, transport })
    }

    /// Returns whether the limits allow another client at `address`. Counts a refusal.
    pub(super) fn may_add(&mut self, now: Instant, address: SocketAddr) -> bool {
        let limits = self.config.limits;
        let may = self.clients.len() < limits.clients
            && self.clients.count_of(address) < limits.clients_per_address
            && self.new_clients.accept(now);
        if !may {
            increment(&mut self.stats.refused);
        }
        may
    }

    /// Returns the opened socket, or counts a refused client if the system could not open it.
    pub(super) fn or_refuse<T>(&mut self, opened: io::Result<T>) -> Option<T> {
        if opened.is_err() {
            increment(&mut self.stats.refused);
            increment(&mut self.stats.socket_errors);
        }
        opened.ok()
    }

    pub(super) fn add_client(
        &mut self,
        now: Instant,
        address: SocketAddr,
        local: SocketAddr,
        path: Path,
        bridge: Box<dyn Bridge>,
    ) -> Slot {
        increment(&mut self.stats.clients);
        let client = Client {
            number: PeerNumber(self.stats.clients),
            address,
            reached_at: sockets::reached_at(self.local, address),
            local,
            server: self.config.server,
            bridge,
            path,
            stats: ClientStats::default(),
            last: now,
            proof: Proof::None,
        };
        let transport = client.transport();
        let slot = self.clients.add(client);
        self.feed.event(unix_nanos(), Event::Opened { client: slot.client, address, transport });
        slot
    }
}
