use std::collections::BTreeMap;
use std::net::IpAddr;

use gamewire_machine::StreamId;

use super::ClientId;
use super::peer::Peer;
use super::state::PeerState;

/// The peers of a server, by client id and by stream.
#[derive(Debug, Default)]
pub(super) struct Peers {
    by_client: BTreeMap<ClientId, Peer>,
    by_stream: BTreeMap<StreamId, ClientId>,
    last_id: ClientId,
}

impl Peers {
    pub(super) fn get(&self, client: ClientId) -> Option<&Peer> {
        self.by_client.get(&client)
    }

    pub(super) fn get_mut(&mut self, client: ClientId) -> Option<&mut Peer> {
        self.by_client.get_mut(&client)
    }

    pub(super) fn client_of(&self, stream: StreamId) -> Option<ClientId> {
        self.by_stream.get(&stream).copied()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Peer> {
        self.by_client.values()
    }

    pub(super) fn len(&self) -> usize {
        self.by_client.len()
    }

    pub(super) fn half_open(&self) -> usize {
        self.iter().filter(|peer| peer.playing().is_none()).count()
    }

    pub(super) fn count_from(&self, network: IpAddr) -> usize {
        self.iter().filter(|peer| peer.network == network).count()
    }

    /// Returns the peer that has been expected to send its join request for the longest time, of those that `is_one`
    /// selects.
    pub(super) fn oldest_joining(&self, is_one: impl Fn(&Peer) -> bool) -> Option<ClientId> {
        let joining = self.iter().filter(|peer| is_one(peer)).filter_map(|peer| match peer.state {
            PeerState::Joining { deadline } => Some((deadline, peer.id)),
            _ => None,
        });
        joining.min().map(|(_, id)| id)
    }

    pub(super) fn insert(&mut self, peer: Peer) {
        self.by_stream.insert(peer.stream, peer.id);
        self.by_client.insert(peer.id, peer);
    }

    pub(super) fn remove(&mut self, client: ClientId) -> Option<Peer> {
        let peer = self.by_client.remove(&client)?;
        self.by_stream.remove(&peer.stream);
        Some(peer)
    }

    /// Returns the id that was unused for the longest time, or `None` if all ids are in use.
    pub(super) fn allocate_id(&mut self) -> Option<ClientId> {
        for _ in 0..=self.by_client.len() {
            self.last_id = self.last_id.next();
            if !self.by_client.contains_key(&self.last_id) {
                return Some(self.last_id);
            }
        }
        None
    }
}
