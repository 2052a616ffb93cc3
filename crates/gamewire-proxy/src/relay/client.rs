use std::net::SocketAddr;

use gamewire_machine::{Instant, Role};

use super::sockets::Socket;
use super::stream::Streams;
use crate::traffic::Packet;
use crate::traffic::{ClientNumber, Transport};
use crate::traffic::{ClientStats, DirectionStats};
use crate::{Session, Side};

/// A client and its way to the server.
pub(super) struct Client {
    pub(super) number: ClientNumber,
    pub(super) address: SocketAddr,
    /// The proxy's address towards the client.
    pub(super) reached_at: SocketAddr,
    /// The proxy's address towards the server.
    pub(super) local: SocketAddr,
    pub(super) server: SocketAddr,
    pub(super) session: Box<dyn Session>,
    pub(super) path: Path,
    pub(super) stats: ClientStats,
    /// When either side last sent something.
    pub(super) last: Instant,
    pub(super) proof: Proof,
}

/// The sockets of one client.
pub(super) enum Path {
    /// The socket towards the server; all clients share the other one.
    Udp(Socket),
    Tcp(Streams),
}

/// Proof that a client receives what is sent to its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    /// The server has not sent anything.
    None,
    /// The client has not sent anything since the server did.
    Awaited,
    /// It has.
    Given,
}

impl Client {
    pub(super) const fn transport(&self) -> Transport {
        match self.path {
            Path::Udp(_) => Transport::Udp,
            Path::Tcp(_) => Transport::Tcp,
        }
    }

    pub(super) const fn stats_to(&mut self, to: Side) -> &mut DirectionStats {
        match to {
            Side::Server => &mut self.stats.to_server,
            Side::Client => &mut self.stats.to_client,
        }
    }

    /// Counts what `from` sent. Returns true if the client has just answered the server for the first time.
    pub(super) fn received(&mut self, now: Instant, from: Side, length: usize) -> bool {
        self.last = now;
        self.stats_to(from.other()).count_received(length);
        let next = match (self.proof, from) {
            (Proof::None, Side::Server) => Proof::Awaited,
            (Proof::Awaited, Side::Client) => Proof::Given,
            (proof, _) => proof,
        };
        core::mem::replace(&mut self.proof, next) != next && next == Proof::Given
    }

    /// Describes what was seen on one side of the proxy, on its way to `to`.
    pub(super) const fn packet(&self, time: i64, side: Side, to: Side) -> Packet {
        let (client_address, server_address) = match side {
            Side::Client => (self.address, self.reached_at),
            Side::Server => (self.local, self.server),
        };
        let sender = match to {
            Side::Client => Role::Server,
            Side::Server => Role::Client,
        };
        let (client, transport) = (self.number, self.transport());
        Packet { time, is_lost: false, client, side, sender, transport, client_address, server_address }
    }
}
