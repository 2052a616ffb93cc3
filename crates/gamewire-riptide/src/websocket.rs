//! Packets in binary messages of a WebSocket, for players in a browser.

pub use gamewire_websocket::{AllowedOrigins, RequestError, ResponseError, Target};

/// Configuration of the WebSockets of a server.
///
/// A WebSocket counts as a stream in all limits: until its first connect request it is half open, upgrade included.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct WebSocketConfig {
    /// The web pages that may connect. Default: pages of this machine, and programs, which send no origin.
    pub allowed_origins: AllowedOrigins,
}

impl WebSocketConfig {
    /// Returns a configuration that allows pages of these origins.
    pub const fn new(allowed_origins: AllowedOrigins) -> Self {
        Self { allowed_origins }
    }
}

/// Counters of the WebSockets of a server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WebSocketStats {
    /// Accepted upgrades.
    pub accepted: u64,
    /// Upgrades that were refused because of their origin.
    pub refused_origins: u64,
    /// Upgrades that were refused for another reason.
    pub refused: u64,
    /// Open WebSockets that the server closed because of an invalid frame or an exceeded limit.
    pub violations: u64,
    /// The origin that was refused last.
    pub last_refused_origin: Option<String>,
}
