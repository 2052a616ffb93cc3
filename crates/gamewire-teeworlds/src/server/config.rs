use super::Map;
use crate::handshake::AcceptorConfig;

/// What a server is and allows. A place is kept for 10 s for somebody who says no INFO, and for 120 s
/// for somebody who does not enter the game.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// Where all randomness comes from: tokens follow from it. Never use a seed twice in the open.
    pub seed: [u8; 32],
    /// The name, as lists of servers show it.
    pub name: String,
    /// The kind of game, such as `DM`.
    pub game_type: String,
    /// The message of the day; empty for none.
    pub motd: String,
    /// The password to enter; empty for none.
    pub password: String,
    /// The password of the remote console; empty for no remote console.
    pub rcon_password: String,
    /// The map.
    pub map: Map,
    /// How many may be in, at most 64.
    pub max_clients: u8,
    /// How many may be in from one address, in IPv6 from one /56.
    pub max_clients_per_address: u8,
    /// Which dialects are spoken, with the timers and limits of their connections.
    pub gate: AcceptorConfig,
}

impl ServerConfig {
    /// A server of 16 places with Teeworlds' own timers, no passwords, and nothing for clients
    /// that prove nothing.
    #[must_use]
    pub fn new(seed: [u8; 32], name: impl Into<String>, map: Map) -> Self {
        Self {
            seed,
            name: name.into(),
            game_type: "DM".into(),
            motd: String::new(),
            password: String::new(),
            rcon_password: String::new(),
            map,
            max_clients: 16,
            max_clients_per_address: 4,
            gate: AcceptorConfig::vanilla(),
        }
    }
}
