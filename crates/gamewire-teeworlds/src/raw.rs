//! The wire formats and separate mechanisms, for tools, tests and other implementations.
//!
//! Applications do not need this module: [`Client`](crate::Client), [`server`](crate::server) and
//! [`browse`](crate::browse) contain all of it. It changes more often than the rest of the crate.
//!
//! [`v06`] and [`v07`] contain one version each, under the same names: headers, control and browsing
//! messages in `wire`, the messages of chunks in `message`, snapshot objects in `object`. The other
//! modules are the same in both versions.

pub use crate::follow::{DialectGuess, detect};
pub use crate::shared::{
    connless, control, data, definition, extended, field, huffman, message, object, pack, packet, snapshot,
    value, version, warning,
};

/// Teeworlds 0.6, 0.6.5 and DDNet.
pub mod v06 {
    pub use crate::v06::*;
}

/// Teeworlds 0.7.
pub mod v07 {
    pub use crate::v07::*;
}

/// One established connection: acknowledgement, resends, order, compression and timeouts.
pub mod link {
    pub use crate::link::*;
}

/// Connection establishment of both roles: tokens, address validation and rate limits.
pub mod handshake {
    pub use crate::handshake::*;
}
