use std::net::SocketAddr;

use gamewire_teeworlds::Dialect;

/// How a Teeworlds session connects to the server.
#[derive(Clone, Copy, Debug)]
pub struct TeeworldsConfig {
    /// The client's address.
    pub client: SocketAddr,
    /// The server's address.
    pub server: SocketAddr,
    /// The dialect of the server; `None` for that of the client.
    pub server_dialect: Option<Dialect>,
    /// Seed of the tokens: 32 secret random bytes, different for every session.
    pub seed: [u8; 32],
}

/// Counters of a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TeeworldsStats {
    /// Messages that could not be decoded. They were not passed on.
    pub undecodable: u64,
    /// Messages that the other side's version does not have, or that were too long for it.
    pub left_out: u64,
}
