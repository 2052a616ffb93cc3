//! One connection with a peer of either format: packets in, packets and effects out.
//!
//! A [`Connection`] puts a [`Link`](crate::link::Link) and a codec together. It acknowledges packets and replies to
//! heartbeats, writes into its owner's queue, and returns everything else to the owner as [`Inbound`]: a client has one
//! connection, a server a table of them.

mod extension;
mod receive;
mod send;

pub(crate) use receive::{Inbound, connect_data};
pub(crate) use send::{send_unconnected_disconnect, send_unconnected_reject};

use gamewire_machine::{Instant, Role, TransmitQueue};

use crate::extension::{ExtensionConfig, ExtensionState};
use crate::link::{self, ConnectionSettings, ConnectionState, DeliveryOutcome, Link, LinkConfig, TickAction};
use crate::shared::packet::Heartbeat;
use crate::shared::version::Version;
use crate::versions::by_format;
use crate::{Endpoint, Format};

/// Maximum bytes of a datagram and of a reliable packet.
const MAX_PACKET_BYTES: usize = u16::MAX as usize;

/// One connection: a link, the format of the peer and its endpoint.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) link: Link,
    pub(crate) format: Format,
    /// Role of the peer.
    remote: Role,
    pub(crate) endpoint: Endpoint,
    /// Maximum bytes of a packet in either direction.
    pub(crate) max_size: usize,
    requires_handshake: bool,
    pub(crate) extension: Option<Box<ExtensionState>>,
}

/// Configuration of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConnectionConfig {
    pub(crate) link: LinkConfig,
    pub(crate) settings: ConnectionSettings,
    /// Maximum bytes of a packet after the longest header.
    pub(crate) max_payload_size: usize,
    /// Drop messages until the connection is established. Reliable ones are not acknowledged, so the peer resends them.
    pub(crate) requires_handshake: bool,
    /// Report the delivery of messages.
    pub(crate) delivery_events: bool,
    pub(crate) extension: Option<ExtensionConfig>,
}

impl Connection {
    /// Creates a client's connection, which requests to connect `now`.
    pub(crate) fn client(format: Format, server: Endpoint, config: &ConnectionConfig, now: Instant) -> Self {
        let link = Link::client(config.link, config.settings, now);
        Self::new(link, format, Role::Server, server, config)
    }

    /// Creates a server's connection for a connect request that arrived `now`.
    pub(crate) fn server(format: Format, client: Endpoint, config: &ConnectionConfig, now: Instant) -> Self {
        let link = Link::server(config.link, config.settings, now);
        Self::new(link, format, Role::Client, client, config)
    }

    fn new(
        mut link: Link,
        format: Format,
        remote: Role,
        endpoint: Endpoint,
        config: &ConnectionConfig,
    ) -> Self {
        // The extension learns from delivery events which of its packets arrived.
        link.set_delivery_events(config.delivery_events || config.extension.is_some());
        Self {
            link,
            format,
            remote,
            endpoint,
            max_size: max_size(format, config.max_payload_size),
            requires_handshake: config.requires_handshake,
            extension: config
                .extension
                .map(|config| Box::new(ExtensionState::new(config, remote.other(), format))),
        }
    }

    #[inline]
    pub(crate) const fn is_connected(&self) -> bool {
        matches!(self.link.state(), ConnectionState::Connected)
    }

    /// Returns the bytes of memory that the connection holds on the heap.
    pub(crate) fn held_bytes(&self) -> usize {
        let extension = self.extension.as_ref().map_or(0, |extension| extension.held_bytes());
        self.link.held_bytes().saturating_add(extension)
    }

    /// Checks timeouts and sends a heartbeat if one is due. Returns whether the owner must
    /// [send a connect request](Self::send_connect).
    pub(crate) fn handle_timeout(&mut self, now: Instant, out: &mut TransmitQueue<Endpoint>) -> bool {
        let action = self.link.handle_timeout(now);
        if let Some(TickAction::Heartbeat { ping_id, rtt }) = action {
            self.send_unreliable(Heartbeat { ping_id, rtt, ..Heartbeat::default() }, out).ok();
        }
        matches!(action, Some(TickAction::Connect))
    }

    /// Returns the next event of the link. Call it after every other call, until it returns `None`.
    #[inline]
    pub(crate) fn poll_event(&mut self) -> Option<link::Event> {
        if self.link.has_events() { self.next_event() } else { None }
    }

    fn next_event(&mut self) -> Option<link::Event> {
        loop {
            let event = self.link.poll_event()?;
            let Some(extension) = &mut self.extension else { return Some(event) };
            let link::Event::Delivery { seq_id, outcome: outcome @ DeliveryOutcome::ReliableDelivered } =
                event
            else {
                return Some(event);
            };
            if let Some(seq_id) = extension.on_acked(seq_id) {
                return Some(link::Event::Delivery { seq_id, outcome });
            }
        }
    }
}

/// Returns the maximum bytes of a packet.
pub(crate) fn max_size(format: Format, max_payload_size: usize) -> usize {
    by_format!(format, V => V::MAX_HEADER_SIZE).saturating_add(max_payload_size).min(MAX_PACKET_BYTES)
}
