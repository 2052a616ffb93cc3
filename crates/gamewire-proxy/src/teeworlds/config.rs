use std::net::SocketAddr;

use gamewire_teeworlds::Dialect;

/// Settings of a Teeworlds bridge.
#[derive(Clone, Copy, Debug)]
pub struct TeeworldsConfig {
    /// The client's address.
    pub client: SocketAddr,
    /// The server's address.
    pub server: SocketAddr,
    /// The server's dialect; `None` to use the client's dialect.
    pub server_dialect: Option<Dialect>,
    /// Seed of the tokens: 32 secret random bytes, different for every bridge.
    pub seed: [u8; 32],
}

/// Counters of a bridge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TeeworldsStats {
    /// Number of messages that could not be decoded. They were not forwarded.
    pub undecodable: u64,
    /// Number of messages that the other side's version does not have, or that are too long for it.
    pub left_out: u64,
}
