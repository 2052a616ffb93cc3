use gamewire_machine::Role;
use gamewire_machine::{Instant, TransmitQueue, Wake};

use super::by_format;
use crate::extension::{ExtensionConfig, ExtensionState};
use crate::link::{self, ConnectionSettings, ConnectionState, Link, LinkConfig, TickAction};
use crate::shared::version::Version;
use crate::{Endpoint, Format};

/// One connection with a peer, in its format, at its endpoint.
#[derive(Debug)]
pub(crate) struct Peer {
    pub(super) link: Link,
    pub(super) format: Format,
    /// The other side.
    pub(super) sender: Role,
    pub(super) endpoint: Endpoint,
    /// The most bytes of a packet, either way.
    pub(super) max_size: usize,
    /// Whether messages count only when the connection is established.
    pub(super) requires_handshake: bool,
    /// What the original does not have; `None` when it is off.
    pub(super) extension: Option<Box<ExtensionState>>,
}

/// What both ends agreed on, and what a side has for all its peers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PeerConfig {
    pub(crate) link: LinkConfig,
    pub(crate) settings: ConnectionSettings,
    /// The most bytes of a packet behind the longest header.
    pub(crate) max_payload_size: usize,
    /// Whether messages that come before the connection is established are dropped; reliable ones
    /// are not acknowledged then, so that they come again.
    pub(crate) is_gated: bool,
    /// Whether the owner is told what became of messages.
    pub(crate) delivery_events: bool,
    /// What the original does not have, if it is wanted.
    pub(crate) extension: Option<ExtensionConfig>,
}

impl Peer {
    /// The server of a client that asks it for a connection now.
    pub(crate) fn server(format: Format, endpoint: Endpoint, limits: &PeerConfig, now: Instant) -> Self {
        let link = Link::client(limits.link, limits.settings, now);
        Self::new(link, format, Role::Server, endpoint, limits)
    }

    /// The client of a server that has been asked for a connection just now.
    pub(crate) fn client(format: Format, endpoint: Endpoint, limits: &PeerConfig, now: Instant) -> Self {
        let link = Link::server(limits.link, limits.settings, now);
        Self::new(link, format, Role::Client, endpoint, limits)
    }

    fn new(mut link: Link, format: Format, sender: Role, endpoint: Endpoint, limits: &PeerConfig) -> Self {
        let max_size = max_size(format, limits.max_payload_size);
        // The extension goes by them, too.
        link.set_delivery_events(limits.delivery_events || limits.extension.is_some());
        let is_gated = limits.is_gated;
        let mut peer =
            Self { link, format, sender, endpoint, max_size, requires_handshake: is_gated, extension: None };
        peer.extension = limits.extension.map(|config| peer.session(config));
        peer
    }

    #[inline]
    pub(crate) const fn format(&self) -> Format {
        self.format
    }

    #[inline]
    pub(crate) const fn endpoint(&self) -> Endpoint {
        self.endpoint
    }

    /// The most bytes of a packet.
    pub(crate) const fn max_size(&self) -> usize {
        self.max_size
    }

    /// The connection without its packets: state, settings, metrics, round trips.
    pub(crate) const fn link(&self) -> &Link {
        &self.link
    }

    /// The same, to be set, accepted or closed.
    pub(crate) const fn link_mut(&mut self) -> &mut Link {
        &mut self.link
    }

    #[inline]
    pub(crate) const fn is_connected(&self) -> bool {
        matches!(self.link.state(), ConnectionState::Connected)
    }

    /// Time has passed: sends a heartbeat if it is time for one. Whether the question for a connection
    /// is to be sent, which is the owner's to do ([`Peer::send_connect`]).
    pub(crate) fn handle_timeout(&mut self, now: Instant, out: &mut TransmitQueue<Endpoint>) -> bool {
        let beat = self.link.handle_timeout(now);
        if let Some(TickAction::Heartbeat { ping_id, rtt }) = beat {
            self.send_heartbeat(ping_id, rtt, out);
        }
        matches!(beat, Some(TickAction::Connect))
    }

    pub(crate) fn poll_timeout(&self) -> Option<Wake> {
        self.link.poll_timeout()
    }

    /// Whether there may be an event.
    #[inline]
    pub(crate) fn has_events(&self) -> bool {
        self.link.has_events()
    }

    /// What became of messages, or of the connection. To be asked after every call until there is
    /// none.
    pub(crate) fn poll_event(&mut self) -> Option<link::Event> {
        loop {
            let event = self.link.poll_event()?;
            let (link::Event::ReliableDelivered { seq_id }, Some(session)) = (event, &mut self.extension)
            else {
                return Some(event);
            };
            if let Some(seq_id) = session.acked(seq_id) {
                return Some(link::Event::ReliableDelivered { seq_id });
            }
        }
    }

    /// Sends every reliable packet that is due.
    pub(crate) fn flush(&mut self, now: Instant, out: &mut TransmitQueue<Endpoint>) {
        let to = self.endpoint;
        self.send_due(now, |packet| out.push(to, packet));
    }

    /// The next reliable packet that is due, without a detour through an outbox. Ask until there
    /// is none.
    #[inline]
    pub(crate) fn poll_packet(&mut self, now: Instant) -> Option<&[u8]> {
        self.link.poll_send(now).map(|outgoing| outgoing.packet)
    }

    /// Hands over all of them.
    #[inline]
    pub(crate) fn send_due(&mut self, now: Instant, send: impl FnMut(&[u8])) {
        self.link.send_due(now, send);
    }
}

/// No datagram is longer, and no reliable packet.
const LONGEST: usize = u16::MAX as usize;

/// The most bytes of a packet.
pub(crate) fn max_size(format: Format, max_payload_size: usize) -> usize {
    by_format!(format, V => V::MAX_HEADER_SIZE).saturating_add(max_payload_size).min(LONGEST)
}
