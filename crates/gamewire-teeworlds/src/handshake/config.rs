use std::time::Duration;

use super::rate_limit::Rate;
use crate::Dialect;
use crate::link::LinkConfig;

/// The policy for a CONNECT without a token, whose address may be forged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TokenlessPolicy {
    /// Drop it.
    #[default]
    Refuse,
    /// Establish a connection immediately, as 0.6.4 and DDNet do. Forged addresses can fill the server, so this is for
    /// trusted networks.
    Accept(LinkConfig),
    /// Use the handshake of 0.6.5 for older clients: a map change and three snapshots whose ticks hold a token, which a
    /// client returns with its first input. The answer is 14 times as long as the request, so it is limited for all
    /// addresses together, by [`AcceptorConfig::antispoof_burst`]. Not for servers with a password, which these clients do not
    /// send.
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
    /// Answers of [`TokenlessPolicy::Antispoof`] in 20 seconds, before only every 20th CONNECT gets one: 5 in 0.6.5
    /// (`sv_old_clients_per_interval`). Repeated CONNECTs count, too: where datagrams are lost, a client can need several.
    pub antispoof_burst: u32,
    /// Rate limit of browsing messages for each address prefix. Verified addresses are counted separately.
    pub info_rate: Rate,
}

impl AcceptorConfig {
    /// Returns every dialect that has tokens, with the link configuration of Teeworlds.
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

    /// Returns every dialect that has tokens, with the link configuration of DDNet.
    pub const fn ddnet() -> Self {
        Self {
            tken: Some(LinkConfig::ddnet(Dialect::Tken)),
            v065: Some(LinkConfig::ddnet(Dialect::V065)),
            v07: Some(LinkConfig::ddnet(Dialect::V07)),
            ..Self::vanilla()
        }
    }
}
