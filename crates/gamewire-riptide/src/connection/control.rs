//! Packets of the protocol itself, to peers with and without a connection.

use gamewire_machine::{Instant, Role, TransmitQueue};

use super::connection::max_size;
use super::send::encode_exact;
use super::{Connection, by_format};
use crate::shared::message::Writer;
use crate::shared::packet::{
    ClientConnected, ClientDisconnected, Connect, Disconnect, Heartbeat, Leave, Packet, Pending, Reject,
    Welcome,
};
use crate::shared::payload::Payload;
use crate::shared::version::Version;
use crate::{ClientId, Endpoint, Format, SendError};

/// Bits of a sequence id, and of a client id.
const ID_BITS: usize = 16;
/// Bits of a reason.
const REASON_BITS: usize = 8;
/// Maximum bytes of a packet without payload.
const MAX_EMPTY_BYTES: usize = 16;

impl Connection {
    /// Sends a connect request to the server.
    ///
    /// # Errors
    /// [`SendError::TooLong`] if the data do not fit.
    pub(crate) fn send_connect(
        &mut self,
        data: &Payload<'_>,
        out: &mut TransmitQueue<Endpoint>,
    ) -> Result<(), SendError> {
        self.send_with_data(0, data, &Connect { data: *data }.into(), out)
    }

    /// Checks that data fit into a connect request.
    ///
    /// # Errors
    /// [`SendError::TooLong`].
    pub(crate) fn check_connect_data(&self, data: &Payload<'_>) -> Result<(), SendError> {
        self.packet_length(by_format!(self.format, V => V::HEADER_BITS), data).map(drop)
    }

    /// Notifies the client that the application decides later.
    pub(crate) fn send_pending(&mut self, out: &mut TransmitQueue<Endpoint>) {
        self.send_empty(&Pending { trailing: Payload::EMPTY }.into(), out);
    }

    /// Sends the Welcome, or its echo.
    pub(crate) fn send_welcome(&mut self, now: Instant, client_id: ClientId) -> Result<u16, SendError> {
        let (client_id, trailing) = (client_id.0, Payload::EMPTY);
        self.send_client_notice(now, |seq_id| Welcome { seq_id, client_id, trailing }.into())
    }

    /// Notifies the client that another client connected.
    pub(crate) fn send_client_connected(
        &mut self,
        now: Instant,
        client_id: ClientId,
    ) -> Result<u16, SendError> {
        let (client_id, trailing) = (client_id.0, Payload::EMPTY);
        self.send_client_notice(now, |seq_id| ClientConnected { seq_id, client_id, trailing }.into())
    }

    /// Notifies the client that another client disconnected.
    pub(crate) fn send_client_disconnected(
        &mut self,
        now: Instant,
        client_id: ClientId,
    ) -> Result<u16, SendError> {
        let (client_id, trailing) = (client_id.0, Payload::EMPTY);
        self.send_client_notice(now, |seq_id| ClientDisconnected { seq_id, client_id, trailing }.into())
    }

    /// Rejects the client. The connection stays open.
    ///
    /// # Errors
    /// [`SendError::TooLong`] if the data do not fit.
    pub(crate) fn send_reject(
        &mut self,
        reason: u8,
        data: &Payload<'_>,
        out: &mut TransmitQueue<Endpoint>,
    ) -> Result<(), SendError> {
        self.send_with_data(REASON_BITS, data, &Reject { reason, data: *data }.into(), out)
    }

    /// Disconnects the client. The connection stays open.
    ///
    /// # Errors
    /// [`SendError::TooLong`] if the data do not fit.
    pub(crate) fn send_disconnect(
        &mut self,
        reason: u8,
        data: &Payload<'_>,
        out: &mut TransmitQueue<Endpoint>,
    ) -> Result<(), SendError> {
        self.send_with_data(REASON_BITS, data, &Disconnect { reason, data: *data }.into(), out)
    }

    /// Notifies the server that the client disconnects. The connection stays open.
    pub(crate) fn send_leave(&mut self, out: &mut TransmitQueue<Endpoint>) {
        self.send_empty(&Leave { trailing: Payload::EMPTY }.into(), out);
    }

    pub(super) fn send_heartbeat(&mut self, ping_id: u8, rtt: i16, out: &mut TransmitQueue<Endpoint>) {
        self.send_empty(&Heartbeat { ping_id, rtt, trailing: Payload::EMPTY }.into(), out);
    }

    /// Sends an unreliable packet without payload.
    pub(super) fn send_empty(&mut self, packet: &Packet<'_>, out: &mut TransmitQueue<Endpoint>) {
        let to = self.endpoint;
        let length = by_format!(self.format, V => {
            out.write(to, MAX_EMPTY_BYTES, |buffer| encode::<V>(packet, buffer))
        });
        self.link.sent_unreliable(length);
    }

    /// Sends an unreliable packet that ends with `data`, after its header and `fixed` bits.
    fn send_with_data(
        &mut self,
        fixed: usize,
        data: &Payload<'_>,
        packet: &Packet<'_>,
        out: &mut TransmitQueue<Endpoint>,
    ) -> Result<(), SendError> {
        by_format!(self.format, V => self.push::<V>(V::HEADER_BITS.saturating_add(fixed), data, packet, out))
    }

    /// Sends a reliable packet that contains a client id.
    fn send_client_notice(
        &mut self,
        now: Instant,
        packet: impl FnOnce(u16) -> Packet<'static>,
    ) -> Result<u16, SendError> {
        by_format!(self.format, V => {
            let length = V::HEADER_BITS.saturating_add(2 * ID_BITS).div_ceil(8);
            let encode = |seq_id, buffer: &mut [u8]| encode_exact::<V>(buffer, &packet(seq_id));
            Ok(self.link.send_reliable(now, length, encode)?)
        })
    }
}

/// Returns the data of a client's connect request; `None` if the packet is not one.
pub(crate) fn connect_data(format: Format, packet: &[u8], max_payload_size: usize) -> Option<Payload<'_>> {
    if packet.len() > max_size(format, max_payload_size) {
        return None;
    }
    let decoded = by_format!(format, V => Packet::decode::<V, _>(packet, Role::Client, &mut ()));
    match decoded {
        Ok(Packet::Connect(connect)) => Some(connect.data),
        _ => None,
    }
}

/// Rejects a client without a connection.
pub(crate) fn send_unconnected_reject(
    format: Format,
    to: Endpoint,
    reason: u8,
    out: &mut TransmitQueue<Endpoint>,
) {
    let packet = Packet::from(Reject { reason, data: Payload::EMPTY });
    by_format!(format, V => out.write(to, MAX_EMPTY_BYTES, |buffer| encode::<V>(&packet, buffer)));
}

fn encode<V: Version>(packet: &Packet<'_>, buffer: &mut [u8]) -> Option<usize> {
    let max = buffer.len();
    let mut writer = Writer::<V>::with_max_size(buffer, max);
    packet.encode(&mut writer).ok()?;
    Some(writer.written().len())
}
