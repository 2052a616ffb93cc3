use core::time::Duration;

/// Policy for a reliable message that was sent [`ConnectionSettings::max_send_attempts`] times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum OnSendExhausted {
    /// The connection closes, if its settings allow that; otherwise the attempts continue. Default in 2.1.
    Disconnect,
    /// The message is discarded with an event. Default in 2.0. The C# library only logs it.
    Discard,
}

/// Timers and limits of a connection. Durations must be longer than zero. [`LinkConfig::v20`] and [`LinkConfig::v21`]
/// have the values of the C# library, unless the documentation of a field states another default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LinkConfig {
    /// Interval of heartbeats, connect requests and timeout checks (`HeartbeatInterval`). Default: 1 s.
    pub heartbeat_interval: Duration,
    /// Maximum number of connect requests (`maxConnectionAttempts`). Default: 5.
    pub max_connection_attempts: u32,
    /// Time that the server's application has to decide (`ConnectTimeoutTime`). Default: 10 s.
    pub connect_timeout_time: Duration,
    /// Policy for a reliable message that was sent the maximum number of times.
    pub on_send_exhausted: OnSendExhausted,
    /// Retransmission timeout until the first round trip is measured. Default: 50 ms.
    ///
    /// With [`ConnectionSettings::csharp`] the connection closes after 15 attempts, so that a peer with a round trip above
    /// 750 ms needs a higher value.
    pub first_resend_delay: Duration,
    /// Minimum retransmission timeout, which is 1.2 times the smoothed round trip. Default: 50 ms; 10 ms in the C#
    /// library.
    pub min_resend_delay: Duration,
    /// Maximum attempts to send a message before the connection is established. Default: 15.
    ///
    /// A lower value makes a server a weaker amplifier for forged requests. After the last attempt, the message waits
    /// until the peer repeats its connect request or completes the handshake.
    pub handshake_send_attempts: u16,
    /// Maximum reliable messages in flight, from the oldest unacknowledged one on. Later ones wait.
    ///
    /// The C# library has no limit: if a peer sends faster than the network carries, it closes the connection (2.1) or
    /// loses messages (2.0). Default: 256, since a burst of that size and its acks fit into the socket buffer of a C#
    /// client that reads once a frame; 79 in 2.0, because its receive window has 80 ids. 256 carry 2,560 messages a second at
    /// a round trip of 100 ms. At most 1000, for the 1024 ids of the receive window of 2.1.
    ///
    /// Lower values avoid a bug of released receivers, which lose messages after many consecutive missing ones: 31 for
    /// 2.1.0 to 2.2.1, 15 for 2.0.0. But with 15 a round trip of 50 ms carries 300 messages a second.
    pub send_window: u16,
    /// Maximum bytes of unacknowledged reliable packets; further messages are refused. The buffer takes at most twice as
    /// much memory. Default: 2 MiB. The C# library has no limit.
    pub send_buffer: usize,
}

/// The defaults towards peers of 2.1 and later.
impl Default for LinkConfig {
    fn default() -> Self {
        Self::v21()
    }
}

impl LinkConfig {
    /// Returns the defaults towards peers of 2.1 and later.
    pub const fn v21() -> Self {
        Self {
            heartbeat_interval: Duration::from_secs(1),
            max_connection_attempts: 5,
            connect_timeout_time: Duration::from_secs(10),
            on_send_exhausted: OnSendExhausted::Disconnect,
            first_resend_delay: Duration::from_millis(50),
            min_resend_delay: Duration::from_millis(50),
            handshake_send_attempts: 15,
            send_window: 256,
            send_buffer: 2 << 20,
        }
    }

    /// Returns the defaults towards peers of 2.0.
    pub const fn v20() -> Self {
        Self { on_send_exhausted: OnSendExhausted::Discard, send_window: 79, ..Self::v21() }
    }
}

/// Settings of one connection, which the application can change at any time. It has the names of the C# library. By
/// default only a timeout ends a connection: a peer that stalls, such as a game that loads a scene, loses nothing if it
/// continues within [`timeout_time`](Self::timeout_time). [`ConnectionSettings::csharp`] has the defaults of the C#
/// library, which also ends connections of low quality.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ConnectionSettings {
    /// Time without a heartbeat or handshake packet after which the connection closes. It is checked at each heartbeat
    /// interval. Default: 5 s.
    pub timeout_time: Duration,
    /// Close the connection after a timeout. Default: on.
    pub can_timeout: bool,
    /// Close the connection when it exceeds the following limits. Format 2.0 ignores them. Default: off.
    pub can_quality_disconnect: bool,
    /// Maximum average number of attempts of the last 64 reliable messages. Default: 5.
    pub max_avg_send_attempts: u32,
    /// Number of consecutive acks at which the average must be too high. Default: 64.
    pub avg_send_attempts_resilience: u32,
    /// Maximum attempts to send a reliable message, at equal intervals. Without a limit, the intervals double after the
    /// fourth attempt, up to a second. Default: no limit; 15 in the C# library, which a stall of 150 ms can use up.
    pub max_send_attempts: Option<u16>,
    /// Maximum share of the last 64 notify messages that may be lost. Default: 0.05.
    pub max_notify_loss: f32,
    /// Number of consecutive results at which the share must be too high. Default: 64.
    pub notify_loss_resilience: u32,
}

impl Default for ConnectionSettings {
    fn default() -> Self {
        Self {
            timeout_time: Duration::from_secs(5),
            can_timeout: true,
            can_quality_disconnect: false,
            max_avg_send_attempts: 5,
            avg_send_attempts_resilience: 64,
            max_send_attempts: None,
            max_notify_loss: 0.05,
            notify_loss_resilience: 64,
        }
    }
}

impl ConnectionSettings {
    /// Returns the defaults of the C# library: a connection also ends if a message was not acknowledged after 15
    /// attempts (2.0 discards the message), or if too many messages are lost.
    #[must_use]
    pub fn csharp() -> Self {
        Self { can_quality_disconnect: true, max_send_attempts: Some(15), ..Self::default() }
    }
}
