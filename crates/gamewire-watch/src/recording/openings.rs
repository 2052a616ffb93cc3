use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use gamewire_machine::Transport;

use crate::packet::{ObservedPacket, PeerNumber};

/// Maximum number of stored datagrams per conversation.
const MAX_DATAGRAMS: usize = 24;
/// Maximum number of stored bytes per conversation.
const MAX_BYTES: usize = 8 << 10;
/// Maximum number of stored conversations.
const MAX_PEERS: usize = 4_096;

/// The first datagrams of each peer. A follower needs them to learn the dialect, the tokens and the negotiated
/// options, so they are repeated in each file of a recording.
#[derive(Debug, Default)]
pub(super) struct Openings(BTreeMap<PeerNumber, Opening>);

#[derive(Debug, Default)]
struct Opening {
    datagrams: Vec<(ObservedPacket, Vec<u8>)>,
    bytes: usize,
}

impl Openings {
    /// Stores a datagram if it belongs to the beginning of its conversation.
    pub(super) fn keep(&mut self, packet: ObservedPacket, bytes: &[u8]) {
        if packet.transport != Transport::Udp {
            return;
        }
        let is_full = self.0.len() >= MAX_PEERS;
        let opening = match self.0.entry(packet.connection.peer) {
            Entry::Vacant(_) if is_full => return,
            entry => entry.or_default(),
        };
        let total = opening.bytes.saturating_add(bytes.len());
        if opening.datagrams.len() < MAX_DATAGRAMS && total <= MAX_BYTES {
            opening.bytes = total;
            opening.datagrams.push((packet, bytes.to_vec()));
        }
    }

    pub(super) fn forget(&mut self, peer: PeerNumber) {
        self.0.remove(&peer);
    }

    /// Returns all datagrams, grouped by peer.
    pub(super) fn all(&self) -> impl Iterator<Item = (&ObservedPacket, &[u8])> {
        let datagrams = self.0.values().flat_map(|opening| &opening.datagrams);
        datagrams.map(|(packet, bytes)| (packet, bytes.as_slice()))
    }
}
