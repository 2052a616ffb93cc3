use std::time::Duration;

use super::rate_limit::Rate;
use crate::Dialect;
use crate::link::LinkConfig;

/// The policy for a CONNECT without a token. Its address may be forged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TokenlessPolicy {
    /// Drop it.
    #[default]
    Refuse,
    /// Establish a connection immediately, as 0.6.4 and DDNet do. Forged addresses can fill the server, so this is for
    /// trusted networks.
    Accept(LinkConfig),
    /// Use the handshake of 0.6.5 for older clients: a map change and three snapshots. The ticks of the snapshots
    /// contain a token, which a client returns with its first input. The answer is 14 times as long as the request.
    /// Answers are therefore limited for all addresses together, by [`AcceptorConfig::antispoof_burst`]. Do not use
    /// this on a server with a password, because these clients do not send one.
    Antispoof(LinkConfig),
}

/// The dialects that a server supports on its port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AcceptorConfig {
    /// Connections in the dialect of DDNet; `None` disables it.
    pub tken: Option<LinkConfig>,
    /// Connections of 0.6.5; `None` disables it.
    pub v065: Option<LinkConfig>,
    /// Connections and browsing messages of 0.7; `None` disables it.
    pub v07: Option<LinkConfig>,
    /// Connections without tokens.
    pub tokenless: TokenlessPolicy,
    /// Maximum number of answers of [`TokenlessPolicy::Antispoof`] in 20 seconds. After that only every 20th CONNECT
    /// gets an answer. 0.6.5 uses 5 (`sv_old_clients_per_interval`). Repeated CONNECTs count too: if datagrams are
    /// lost, a client may need several.
    pub antispoof_burst: u32,
    /// Rate limit of browsing messages for each address prefix. Verified addresses are counted separately.
    pub info_rate: Rate,
}

impl AcceptorConfig {
    /// Returns a configuration with every dialect that has tokens, and the link configuration of Teeworlds.
    pub const fn vanilla() -> Self {
        Self {
            tken: Some(LinkConfig::vanilla(Dialect::Tken)),
            v065: Some(LinkConfig::vanilla(Dialect::V065)),
            v07: Some(LinkConfig::vanilla(Dialect::V07)),
            tokenless: TokenlessPolicy::Refuse,
            antispoof_burst: 5,
            info_rate: Rate { burst: 20, interval: Duration::from_millis(250) },
        }
    }

    /// Returns a configuration with every dialect that has tokens, and the link configuration of DDNet.
    pub const fn ddnet() -> Self {
        Self {
            tken: Some(LinkConfig::ddnet(Dialect::Tken)),
            v065: Some(LinkConfig::ddnet(Dialect::V065)),
            v07: Some(LinkConfig::ddnet(Dialect::V07)),
            ..Self::vanilla()
        }
    }
}
