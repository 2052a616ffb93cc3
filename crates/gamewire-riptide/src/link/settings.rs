use core::time::Duration;

/// What an application may set for one connection, at any time; the names and values are the
/// original's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConnectionSettings {
    /// Silence after which the connection is over; of all that arrives only heartbeats and the
    /// handshake break it. It is looked at with each heartbeat, so the end comes up to one
    /// interval later. 5 s.
    pub timeout_time: Duration,
    /// Whether silence ends it at all.
    pub can_timeout: bool,
    /// Whether the rules below end it. In 2.0 there are no such rules, whatever this is.
    pub can_quality_disconnect: bool,
    /// How often the last 64 reliable messages may be sent on average. 5.
    pub max_avg_send_attempts: u32,
    /// How many acknowledged messages in a row must find the average too high. 64.
    pub avg_send_attempts_resilience: u32,
    /// How often a reliable message is sent before it is given up, when it would be due once
    /// more. 15.
    pub max_send_attempts: u16,
    /// How many of the last 64 notify messages may be lost, as a part of 64. 0.05.
    pub max_notify_loss: f32,
    /// How many results in a row must find that too high. 64.
    pub notify_loss_resilience: u32,
}

impl Default for ConnectionSettings {
    fn default() -> Self {
        Self {
            timeout_time: Duration::from_secs(5),
            can_timeout: true,
            can_quality_disconnect: true,
            max_avg_send_attempts: 5,
            avg_send_attempts_resilience: 64,
            max_send_attempts: 15,
            max_notify_loss: 0.05,
            notify_loss_resilience: 64,
        }
    }
}
