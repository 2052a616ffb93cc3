//! Encrypted datagrams: the record layer between the socket and the connection (feature `records`).

use std::net::SocketAddr;

use gamewire_machine::{Instant, Transmit};
use gamewire_records as records;
use gamewire_records::{ClientEvent, HandshakeState};

use super::record_layer::RecordLayer;
use super::{Client, ClientConfig, Event};
use crate::{Endpoint, PacketError, SendError};

impl Client {
    /// Creates a client that connects over encrypted datagrams. It keeps its connection when its address changes, and
    /// emits [`Event::AddressChanged`]. The server must have the layer, too
    /// ([`Server::with_records`](crate::server::Server::with_records)).
    ///
    /// # Errors
    /// As for [`Client::connect`].
    pub fn connect_over_records(
        config: &ClientConfig,
        session: records::Client,
        now: Instant,
    ) -> Result<Self, SendError> {
        let mut client = Self::new(config, session.server(), Endpoint::Other(0), now)?;
        let layer =
            RecordLayer { session, has_waiting_request: false, packet: Vec::new(), record: Vec::new() };
        client.records = Some(Box::new(layer));
        Ok(client)
    }

    /// Returns the progress of the encrypted session; `None` for a client without encryption. A client that failed to
    /// connect in [`HandshakeState::Initiating`] probably has a wrong key.
    pub fn handshake_state(&self) -> Option<HandshakeState> {
        self.records.as_ref().map(|layer| layer.session.state())
    }

    /// Handles a datagram of an encrypted session.
    pub(super) fn receive_record(
        &mut self,
        now: Instant,
        from: SocketAddr,
        datagram: &[u8],
    ) -> Result<(), PacketError> {
        let Some(layer) = self.records.as_mut().filter(|_| !self.connection.link.is_ended()) else {
            return Err(PacketError::Closed);
        };
        let received = layer.session.handle_datagram(now, from, datagram);
        let Some(received) = received.map_err(|_| PacketError::Record)? else {
            self.apply_record_events();
            return Ok(());
        };
        copy(received, &mut layer.packet);
        let packet = core::mem::take(&mut layer.packet);
        // The record was accepted, so the datagram was not dropped, even if its packet is.
        self.receive_packet(now, &packet).ok();
        if let Some(layer) = &mut self.records {
            layer.packet = packet;
        }
        Ok(())
    }

    fn apply_record_events(&mut self) {
        while let Some(layer) = &mut self.records
            && let Some(event) = layer.session.poll_event()
        {
            match event {
                ClientEvent::Opened { server } => {
                    self.server = Some(server);
                    if core::mem::take(&mut layer.has_waiting_request) {
                        self.request_connection();
                    }
                }
                ClientEvent::Moved { address } => self.events.push(Event::AddressChanged { address }),
            }
        }
    }

    /// Passes the next datagram of a client with encryption to `send`. Returns false if there is none.
    pub(super) fn poll_record(&mut self, now: Instant, send: impl FnOnce(Transmit, &[u8])) -> bool {
        let Some(layer) = &mut self.records else { return false };
        let mut to = layer.session.poll_transmit(&mut layer.record);
        let mut packet = core::mem::take(&mut layer.packet);
        // The layer stays in its place, because the poll may find that the connection is lost and begin a new handshake.
        while to.is_none()
            && self.poll_packet_with(now, |polled| copy(polled, &mut packet)).is_some()
            && let Some(layer) = &mut self.records
        {
            // A packet from before a new handshake is lost, as on its way.
            to = layer.session.seal(&packet, &mut layer.record).ok();
        }
        let Some(layer) = &mut self.records else { return false };
        layer.packet = packet;
        if let Some(to) = to {
            send(Transmit { to }, &layer.record);
        }
        to.is_some()
    }
}

fn copy(from: &[u8], to: &mut Vec<u8>) {
    to.clear();
    to.extend_from_slice(from);
}
