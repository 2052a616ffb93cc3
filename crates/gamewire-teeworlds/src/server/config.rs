use super::{Map, TuneParams};
use crate::handshake::AcceptorConfig;
use crate::model::message::RconCommand;

/// Configuration of a server. The server disconnects a client that does not send INFO within 10 s, or that does not
/// enter the game within 120 s.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// Seed of the random numbers, such as tokens: 32 secret random bytes. Do not use a seed twice on a public network.
    pub seed: [u8; 32],
    /// The name in server lists.
    pub name: String,
    /// The game type, such as `DM`.
    pub game_type: String,
    /// The message of the day; empty for none.
    pub motd: String,
    /// The password of the server; empty for none.
    pub password: String,
    /// The password of the remote console; empty disables it.
    pub rcon_password: String,
    /// The map.
    pub map: Map,
    /// The physics of the game.
    pub tune_params: TuneParams,
    /// The vote options.
    pub vote_options: Vec<String>,
    /// The commands of the remote console, for completion in clients.
    pub rcon_commands: Vec<RconCommand<'static>>,
    /// Maximum number of clients, up to 128. Only DDNet from 20 on uses ids over 63. Clients of 0.7 do not get such an
    /// id and do not see the players with one. Earlier clients of 0.6 may not expect such ids.
    pub max_clients: u8,
    /// Maximum number of clients from one address, or from one /56 of IPv6.
    pub max_clients_per_address: u8,
    /// The server info for addresses that may be forged.
    pub unproven_info: UnprovenInfo,
    /// The supported dialects with the timers and limits of their connections.
    pub acceptor: AcceptorConfig,
}

impl ServerConfig {
    /// Creates a configuration with 16 slots, the timers of Teeworlds, and no passwords. Clients without tokens are
    /// rejected.
    pub fn new(seed: [u8; 32], name: impl Into<String>, map: Map) -> Self {
        Self {
            seed,
            name: name.into(),
            game_type: "DM".into(),
            motd: String::new(),
            password: String::new(),
            rcon_password: String::new(),
            map,
            tune_params: TuneParams::default(),
            vote_options: Vec::new(),
            rcon_commands: Vec::new(),
            max_clients: 16,
            max_clients_per_address: 4,
            unproven_info: UnprovenInfo::default(),
            acceptor: AcceptorConfig::vanilla(),
        }
    }
}

/// The server info for unproven addresses: those of 0.6 without a connection that has tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnprovenInfo {
    /// At most [`MAX_SHORT_REPLY`](crate::browse::MAX_SHORT_REPLY) bytes, without the clients.
    #[default]
    Short,
    /// The list of clients, as in the games. It is up to 159 times as long as the request, so this is for trusted
    /// networks. Each address prefix gets a burst of 4 lists, then one list per second. All other answers are short.
    Whole,
}
