use std::time::Duration;

use super::limit::Rate;
use crate::Dialect;
use crate::link::LinkConfig;

/// What a server does with a CONNECT that has no token: the sender's address may be forged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TokenlessPolicy {
    /// It gets no answer.
    #[default]
    Refuse,
    /// It gets a connection at once, as in 0.6.4 and DDNet. Forged addresses can fill the server:
    /// for networks where nobody forges.
    Accept(LinkConfig),
    /// It gets the handshake of 0.6.5 for older clients: a map change and three snapshots whose
    /// ticks hold a token, which a client gives back with its first input. The answer is fourteen
    /// times as long as the question, so it is limited for all addresses together: 5 in 20 seconds,
    /// then one in 20. Not for servers with a password: such a client never says it.
    Antispoof(LinkConfig),
}

/// Which dialects a server speaks, all on one port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AcceptorConfig {
    /// Connections of DDNet's dialect; `None` where it is not spoken.
    pub tken: Option<LinkConfig>,
    /// Connections of 0.6.5; `None` where it is not spoken.
    pub v065: Option<LinkConfig>,
    /// Connections and browsing messages of 0.7; `None` where it is not spoken.
    pub v07: Option<LinkConfig>,
    /// Connections without tokens.
    pub tokenless: TokenlessPolicy,
    /// How often the hosts of one prefix may browse; those that showed a token are counted apart.
    pub info_rate: Rate,
}

impl AcceptorConfig {
    /// Every dialect that has tokens, with the connections of Teeworlds.
    #[must_use]
    pub const fn vanilla() -> Self {
        Self {
            tken: Some(LinkConfig::vanilla(Dialect::Tken)),
            v065: Some(LinkConfig::vanilla(Dialect::V065)),
            v07: Some(LinkConfig::vanilla(Dialect::V07)),
            tokenless: TokenlessPolicy::Refuse,
            info_rate: Rate { burst: 20, interval: Duration::from_millis(250) },
        }
    }

    /// Every dialect that has tokens, with the connections of DDNet.
    #[must_use]
    pub const fn ddnet() -> Self {
        Self {
            tken: Some(LinkConfig::ddnet(Dialect::Tken)),
            v065: Some(LinkConfig::ddnet(Dialect::V065)),
            v07: Some(LinkConfig::ddnet(Dialect::V07)),
            ..Self::vanilla()
        }
    }
}
