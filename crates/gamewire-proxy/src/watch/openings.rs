use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use gamewire_machine::Transport;

use crate::traffic::ClientNumber;
use crate::traffic::Packet;

/// Maximum number of stored datagrams per conversation.
const DATAGRAMS: usize = 24;
/// Maximum number of stored bytes per conversation.
const BYTES: usize = 8 << 10;
/// Maximum number of stored conversations.
const CLIENTS: usize = 4_096;

/// The first datagrams of each client. A follower needs them to learn the dialect, the tokens and the negotiated
/// options, so they are repeated in each file of a recording.
#[derive(Debug, Default)]
pub(super) struct Openings(BTreeMap<ClientNumber, Opening>);

#[derive(Debug, Default)]
struct Opening {
    datagrams: Vec<(Packet, Vec<u8>)>,
    bytes: usize,
}

impl Openings {
    /// Stores a datagram if it belongs to the beginning of its conversation.
    pub(super) fn keep(&mut self, packet: Packet, bytes: &[u8]) {
        if packet.transport != Transport::Udp {
            return;
        }
        let is_full = self.0.len() >= CLIENTS;
        let opening = match self.0.entry(packet.client) {
            Entry::Vacant(_) if is_full => return,
            entry => entry.or_default(),
        };
        let total = opening.bytes.saturating_add(bytes.len());
        if opening.datagrams.len() < DATAGRAMS && total <= BYTES {
            opening.bytes = total;
            opening.datagrams.push((packet, bytes.to_vec()));
        }
    }

    pub(super) fn forget(&mut self, client: ClientNumber) {
        self.0.remove(&client);
    }

    /// Returns all datagrams, grouped by client.
    pub(super) fn all(&self) -> impl Iterator<Item = (&Packet, &[u8])> {
        let datagrams = self.0.values().flat_map(|opening| &opening.datagrams);
        datagrams.map(|(packet, bytes)| (packet, bytes.as_slice()))
    }
}
