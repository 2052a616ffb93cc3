use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::traffic::Packet;
use crate::traffic::{ClientNumber, Transport};

/// Datagrams of each conversation that are kept.
const DATAGRAMS: usize = 24;
/// Bytes of each conversation that are kept.
const BYTES: usize = 8 << 10;
/// Conversations that are kept.
const CLIENTS: usize = 4_096;

/// The first datagrams of each client: a follower needs them to learn the dialect, the tokens and what was negotiated, so
/// they are written to each file of a recording.
#[derive(Debug, Default)]
pub(super) struct Openings(BTreeMap<ClientNumber, Opening>);

#[derive(Debug, Default)]
struct Opening {
    datagrams: Vec<(Packet, Vec<u8>)>,
    bytes: usize,
}

impl Openings {
    /// Keeps a datagram if its conversation has just begun.
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

    /// Returns all datagrams, those of one client after those of another.
    pub(super) fn all(&self) -> impl Iterator<Item = (&Packet, &[u8])> {
        let datagrams = self.0.values().flat_map(|opening| &opening.datagrams);
        datagrams.map(|(packet, bytes)| (packet, bytes.as_slice()))
    }
}
