use std::net::SocketAddr;

use gamewire_machine::{Instant, Role, Transport};
use gamewire_watch::{ClientStats, DirectionStats, ObservedPacket, PeerConnection, PeerNumber};

use super::sockets::Socket;
use super::stream::Streams;
use crate::Bridge;

/// A client and its connection to the server.
pub(super) struct Client {
    pub(super) number: PeerNumber,
    pub(super) address: SocketAddr,
    /// The proxy's address on the client's side.
    pub(super) reached_at: SocketAddr,
    /// The proxy's address on the server's side.
    pub(super) local: SocketAddr,
    pub(super) server: SocketAddr,
    pub(super) bridge: Box<dyn Bridge>,
    pub(super) path: Path,
    pub(super) stats: ClientStats,
    /// Time of the last bytes received from either side.
    pub(super) last: Instant,
    pub(super) proof: Proof,
}

/// The sockets of one client.
pub(super) enum Path {
    /// The socket to the server. The socket to the clients is shared.
    Udp(Socket),
    Tcp(Streams),
}

/// Proof that a client receives at its address, which shows that the address is not forged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    /// The server has not sent anything yet.
    None,
    /// The server has sent something, and the client has not answered it.
    Awaited,
    /// The client has answered the server.
    Given,
}

impl Client {
    pub(super) const fn transport(&self) -> Transport {
        match self.path {
            Path::Udp(_) => Transport::Udp,
            Path::Tcp(_) => Transport::Tcp,
        }
    }

    pub(super) const fn stats_to(&mut self, to: Role) -> &mut DirectionStats {
        match to {
            Role::Server => &mut self.stats.to_server,
            Role::Client => &mut self.stats.to_client,
        }
    }

    /// Counts bytes from `from`. Returns true if the client has just answered the server for the first time.
    pub(super) fn received(&mut self, now: Instant, from: Role, length: usize) -> bool {
        self.last = now;
        self.stats_to(from.other()).count_received(length);
        let next = match (self.proof, from) {
            (Proof::None, Role::Server) => Proof::Awaited,
            (Proof::Awaited, Role::Client) => Proof::Given,
            (proof, _) => proof,
        };
        core::mem::replace(&mut self.proof, next) != next && next == Proof::Given
    }

    /// Returns the metadata of a packet on one side of the proxy that is on its way to `to`.
    pub(super) const fn packet(&self, time: i64, side: Role, to: Role) -> ObservedPacket {
        let (client, server) = match side {
            Role::Client => (self.address, self.reached_at),
            Role::Server => (self.local, self.server),
        };
        let connection = PeerConnection { peer: self.number, side: Some(side) };
        let (sender, transport) = (to.other(), self.transport());
        ObservedPacket { time, is_lost: false, connection, sender, transport, client, server }
    }
}
