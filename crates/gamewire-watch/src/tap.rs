use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use gamewire_machine::{Role, StreamId, Transport};
use gamewire_net::{Direction, Tap, TapPacket};

use crate::feed::{Feed, Watched, feed};
use crate::packet::{ObservedPacket, PeerConnection, PeerNumber};

/// Maximum time until the watcher receives traffic.
const MAX_DELAY: Duration = Duration::from_millis(20);
/// Maximum number of peers with a remembered number. When it is reached, all are forgotten.
const MAX_PEERS: usize = 65_536;

/// A peer of a socket: the addresses of the socket and of the peer, and for a stream its id. A peer may open another stream
/// from the same port, and streams of several drivers may have the same id.
type PeerKey = (SocketAddr, SocketAddr, Option<StreamId>);

/// Converts the packets of the taps of one program, and numbers its peers. Each stream is a peer.
#[derive(Debug)]
pub struct TapObserver {
    role: Role,
    peers: HashMap<PeerKey, PeerNumber>,
    next_peer: u64,
}

impl TapObserver {
    /// Returns an observer of a program in this role.
    pub fn new(role: Role) -> Self {
        Self { role, peers: HashMap::new(), next_peer: 1 }
    }

    /// Returns the metadata of a packet of a tap: a datagram, or the next bytes of `stream`.
    pub fn observe(&mut self, stream: Option<StreamId>, packet: &TapPacket<'_>) -> ObservedPacket {
        let (client, server) = match self.role {
            Role::Client => (packet.local, packet.peer),
            Role::Server => (packet.peer, packet.local),
        };
        ObservedPacket {
            time: i64::try_from(packet.unix_micros.saturating_mul(1_000)).unwrap_or(i64::MAX),
            is_lost: false,
            connection: PeerConnection { peer: self.number((packet.local, packet.peer, stream)), side: None },
            sender: match packet.direction {
                Direction::Outgoing => self.role,
                Direction::Incoming => self.role.other(),
            },
            transport: if stream.is_some() { Transport::Tcp } else { Transport::Udp },
            client,
            server,
        }
    }

    fn number(&mut self, peer: PeerKey) -> PeerNumber {
        if let Some(known) = self.peers.get(&peer) {
            return *known;
        }
        if self.peers.len() >= MAX_PEERS {
            self.peers.clear();
        }
        let number = PeerNumber(self.next_peer);
        self.next_peer = self.next_peer.saturating_add(1);
        self.peers.insert(peer, number);
        number
    }
}

/// A tap that passes the traffic of drivers to a watcher. Clones share the queue, for several drivers of one program.
#[derive(Clone, Debug)]
pub struct FeedTap(Arc<Mutex<(TapObserver, Feed)>>);

impl FeedTap {
    /// Returns a tap for the drivers of a program in this role, and the receiving end for a watcher. The watcher ends
    /// when all clones of the tap are dropped.
    pub fn open(role: Role) -> (Self, Watched) {
        let (feed, watched) = feed();
        let tap = Self(Arc::new(Mutex::new((TapObserver::new(role), feed))));
        let shared = Arc::downgrade(&tap.0);
        thread::spawn(move || {
            while let Some(shared) = shared.upgrade() {
                let tap = Self(shared);
                tap.lock().1.flush();
                drop(tap);
                thread::sleep(MAX_DELAY);
            }
        });
        (tap, watched)
    }

    fn lock(&self) -> MutexGuard<'_, (TapObserver, Feed)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, stream: Option<StreamId>, packet: &TapPacket<'_>) {
        let (observer, feed) = &mut *self.lock();
        feed.packet(observer.observe(stream, packet), packet.bytes);
    }
}

impl Tap for FeedTap {
    fn on_datagram(&mut self, packet: &TapPacket<'_>) {
        self.add(None, packet);
    }

    fn on_stream_bytes(&mut self, stream: StreamId, packet: &TapPacket<'_>) {
        self.add(Some(stream), packet);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_observes_its_peers_in_its_own_role_and_each_stream_is_a_peer() {
        let address = |port| SocketAddr::from(([127, 0, 0, 1], port));
        for role in Role::BOTH {
            let mut observer = TapObserver::new(role);
            let mut observe = |stream, direction, port| {
                let (local, peer) = (address(1), address(port));
                let packet = TapPacket { unix_micros: 5, direction, local, peer, bytes: b"x" };
                observer.observe(stream, &packet)
            };
            let sent = observe(None, Direction::Outgoing, 2);
            let received = observe(None, Direction::Incoming, 2);
            assert_eq!((sent.time, sent.sender, received.sender), (5_000, role, role.other()));
            assert_eq!(sent.addresses(), (address(1), address(2)));
            assert_eq!(received.addresses(), (address(2), address(1)));
            assert_eq!(sent.connection, PeerConnection { peer: PeerNumber(1), side: None });
            assert_eq!(received.connection, sent.connection);
            let stream = |id| Some(StreamId::new(id));
            for (number, stream, port) in
                [(2, stream(7), 2), (3, stream(8), 2), (2, stream(7), 2), (4, None, 3)]
            {
                let other = observe(stream, Direction::Incoming, port);
                let transport = if stream.is_some() { Transport::Tcp } else { Transport::Udp };
                assert_eq!((other.connection.peer, other.transport), (PeerNumber(number), transport));
            }
        }
    }
}
