//! Encrypted datagrams: the record layer between the sockets and the connections (feature `records`).

use std::net::SocketAddr;

use gamewire_machine::{Instant, Transmit, Wake};
use gamewire_records as records;
use gamewire_records::{ServerEvent, ServerStats, SessionId, wire};

use super::queues::TransportKind;
use super::{Event, Server};
use crate::{DisconnectReason, Endpoint, PacketError, ServerPacketError};

/// Which datagrams a server with a record layer accepts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RecordPolicy {
    /// Encrypted and plain datagrams. Each client chooses.
    #[default]
    Optional,
    /// Encrypted datagrams only.
    Required,
}

/// The record layer of a server.
#[derive(Debug)]
pub(super) struct RecordLayer {
    sessions: records::Server,
    policy: RecordPolicy,
    /// Buffer for a record to send.
    record: Vec<u8>,
    /// Buffer for a received packet.
    packet: Vec<u8>,
}

impl RecordLayer {
    pub(super) fn poll_timeout(&self) -> Option<Wake> {
        self.sessions.poll_timeout()
    }

    /// Passes the datagrams of the layer itself to `send`.
    pub(super) fn poll_transmits(&mut self, mut send: impl FnMut(Transmit, &[u8])) {
        while let Some(to) = self.sessions.poll_transmit(&mut self.record) {
            send(Transmit { to }, &self.record);
        }
    }

    /// Encrypts a packet and passes it to `send`. A packet of a closed session is dropped.
    pub(super) fn seal(&mut self, session: u32, packet: &[u8], mut send: impl FnMut(Transmit, &[u8])) {
        if let Ok(to) = self.sessions.seal(SessionId(session), packet, &mut self.record) {
            send(Transmit { to }, &self.record);
        }
    }
}

impl Server {
    /// Returns the server with a record layer for its datagrams. Clients connect with
    /// [`Client::connect_over_records`](crate::client::Client::connect_over_records); the others are not affected.
    /// Streams are not encrypted.
    ///
    /// A client keeps its connection when its address changes, and [`Event::ClientAddressChanged`] reports it. The idle
    /// timeout of `sessions` should be longer than the timeouts of this server.
    #[must_use]
    pub fn with_records(mut self, sessions: records::Server, policy: RecordPolicy) -> Self {
        let layer = RecordLayer { sessions, policy, record: Vec::new(), packet: Vec::new() };
        self.records = Some(Box::new(layer));
        self
    }

    /// Returns the counters of the record layer, if there is one.
    pub fn record_stats(&self) -> Option<&ServerStats> {
        self.records.as_ref().map(|layer| layer.sessions.stats())
    }

    /// Returns the token of an [`Endpoint::Record`], which is empty for a client that has the server's own key.
    pub fn token(&self, endpoint: Endpoint) -> Option<&[u8]> {
        let Endpoint::Record(session) = endpoint else { return None };
        self.records.as_ref()?.sessions.token(SessionId(session))
    }

    /// Returns the address of a session.
    pub(super) fn record_address(&self, session: u32) -> Option<SocketAddr> {
        self.records.as_ref()?.sessions.address(SessionId(session))
    }

    /// Handles a datagram if it belongs to the record layer, or if it should have been encrypted.
    pub(super) fn receive_record(
        &mut self,
        from: SocketAddr,
        datagram: &[u8],
    ) -> Option<Result<(), ServerPacketError>> {
        let layer = self.records.as_mut()?;
        if !wire::is_packet(datagram) {
            return (layer.policy == RecordPolicy::Required).then_some(Err(PacketError::Record.into()));
        }
        let Ok(received) = layer.sessions.handle_datagram(self.clock.now(), from, datagram) else {
            return Some(Err(PacketError::Record.into()));
        };
        if let Some(received) = received {
            layer.packet.clear();
            layer.packet.extend_from_slice(received.packet);
            let session = received.session.0;
            let packet = core::mem::take(&mut layer.packet);
            // The record was accepted, so the datagram was not dropped, even if its packet is.
            self.receive_packet(Endpoint::Record(session), &packet).ok();
            if let Some(layer) = &mut self.records {
                layer.packet = packet;
            }
        }
        self.apply_record_events();
        Some(Ok(()))
    }

    /// Closes the connections of sessions that were silent too long.
    pub(super) fn handle_record_timeout(&mut self, now: Instant) {
        if let Some(layer) = &mut self.records {
            layer.sessions.handle_timeout(now);
            self.apply_record_events();
        }
    }

    fn apply_record_events(&mut self) {
        while let Some(event) = self.records.as_mut().and_then(|layer| layer.sessions.poll_event()) {
            match event {
                ServerEvent::Moved { session, from, to } => self.on_moved(session.0, from, to),
                ServerEvent::Closed { session } => {
                    if let Some(slot) = self.peers.find(&Endpoint::Record(session.0)) {
                        self.close_peer(slot, DisconnectReason::TransportError);
                    }
                }
            }
        }
    }

    /// Stores the new address of a peer. The limits for each address count it there.
    fn on_moved(&mut self, session: u32, from: SocketAddr, to: SocketAddr) {
        let Some(slot) = self.peers.find(&Endpoint::Record(session)) else { return };
        let Some(peer) = self.peers.get_mut(slot) else { return };
        let before = peer.address.replace(to);
        match peer.state.client() {
            Some(client) if peer.is_connected() => {
                self.events.push(Event::ClientAddressChanged { client, from, to });
            }
            _ => {
                self.half_open.remove(before);
                self.half_open.add(Some(to));
            }
        }
    }

    /// Replaces the content of `buffer` with the next datagram of a server with a record layer.
    pub(super) fn poll_with_records(&mut self, buffer: &mut Vec<u8>) -> Option<Transmit> {
        let mut layer = self.records.take()?;
        let transmit = self.poll_layer(&mut layer, buffer);
        self.records = Some(layer);
        transmit
    }

    fn poll_layer(&mut self, layer: &mut RecordLayer, buffer: &mut Vec<u8>) -> Option<Transmit> {
        if let Some(to) = layer.sessions.poll_transmit(buffer) {
            return Some(Transmit { to });
        }
        loop {
            let sessions = &mut layer.sessions;
            let transmit = self.poll_queue(TransportKind::Datagrams, |to, packet| match to {
                Endpoint::Udp(to) => {
                    buffer.clear();
                    buffer.extend_from_slice(packet);
                    Some(Transmit { to })
                }
                Endpoint::Record(session) => {
                    sessions.seal(SessionId(session), packet, buffer).ok().map(|to| Transmit { to })
                }
                Endpoint::Tcp(_) | Endpoint::Other(_) => None,
            })?;
            if transmit.is_some() {
                return transmit;
            }
        }
    }
}
