use core::time::Duration;

/// What happens to a reliable message that was sent as often as it may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OnSendExhausted {
    /// The connection ends, if its settings allow that; else the message is sent on and on. 2.1.
    Disconnect,
    /// The message is dropped and the application is told, and the connection goes on. 2.0, which
    /// only logs it.
    Discard,
}

/// Timers and limits that all connections of a peer have; durations must be longer than zero.
/// [`LinkConfig::v20`] and [`LinkConfig::v21`] are what the originals have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LinkConfig {
    /// How often a client sends a heartbeat, or asks for a connection, and how often timeouts are
    /// looked at: 1 s (`HeartbeatInterval`).
    pub heartbeat_interval: Duration,
    /// How often a client asks for a connection: 5 times (`maxConnectionAttempts`).
    pub max_connection_attempts: u32,
    /// How long either side waits for the server's application to decide: 10 s
    /// (`ConnectTimeoutTime`; in 2.0 twice the timeout, which is the same).
    pub connect_timeout_time: Duration,
    /// What happens to a message that was sent as often as it may be.
    pub on_send_exhausted: OnSendExhausted,
    /// How long after a message it is sent again while no round trip has been measured: 50 ms.
    ///
    /// The original ends a connection after 15 of these, so a round trip above 750 ms never comes
    /// to one. Longer is the patience for such peers.
    pub first_resend_delay: Duration,
    /// The least time after which a message is sent again: 10 ms, else 1.2 times the smoothed
    /// round trip. On a quick network the original therefore drops a peer that stalls for 150 ms;
    /// this times 15 is how long one may.
    pub min_resend_delay: Duration,
    /// How often a message is sent before the connection is established: 15 times, as after it.
    ///
    /// Less makes a server a weaker amplifier of questions with a forged sender. A message that
    /// was sent so often rests until there is a sign of the peer, see
    /// [`Connection::nudge`](super::Connection::nudge).
    pub handshake_send_attempts: u16,
    /// How many reliable messages, from the oldest that is not acknowledged on, may be under way;
    /// later ones are held back.
    ///
    /// The original has no such limit, and ends the connection (main) or loses messages (2.0) when
    /// its peer sends faster than the network carries: 1000 keeps within the 1024 ids of main, 15
    /// within the 16 missing ids that 2.0 survives.
    pub send_window: u16,
    /// How many bytes of reliable packets may wait for their acknowledgement or be held back: 2 MiB;
    /// what is more is refused. At most twice as much memory is held. The original has no limit.
    pub send_buffer: usize,
}

impl LinkConfig {
    /// 2.1, all releases, and what came after it.
    #[must_use]
    pub const fn v21() -> Self {
        Self {
            heartbeat_interval: Duration::from_secs(1),
            max_connection_attempts: 5,
            connect_timeout_time: Duration::from_secs(10),
            on_send_exhausted: OnSendExhausted::Disconnect,
            first_resend_delay: Duration::from_millis(50),
            min_resend_delay: Duration::from_millis(10),
            handshake_send_attempts: 15,
            send_window: 1000,
            send_buffer: 2 << 20,
        }
    }

    /// 2.0.
    #[must_use]
    pub const fn v20() -> Self {
        Self { on_send_exhausted: OnSendExhausted::Discard, send_window: 15, ..Self::v21() }
    }
}
