use core::num::{NonZeroU32, NonZeroU64};
use core::time::Duration;

/// The conditions of one direction of a link, for datagrams.
///
/// Probabilities range from 0 (never) to 1 (always). Values outside are clamped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conditions {
    /// Probability that a datagram is lost.
    pub loss: f64,
    /// Mean number of consecutive datagrams that are lost, as in the Gilbert model; `loss` stays the share of all
    /// datagrams. Up to 1, each datagram is lost independently of the others.
    pub burst: f64,
    /// Time that each datagram takes.
    pub delay: Duration,
    /// Maximum additional time, uniformly distributed. Jitter alone never changes the order.
    pub jitter: Duration,
    /// Probability that a datagram is held back, so that later ones overtake it. The maximum additional time is its
    /// delay, or [`Conditions::HELD_BACK`] if that is longer.
    pub reorder: f64,
    /// Probability that a datagram arrives twice. The copy has its own delay and may be corrupted.
    pub duplicate: f64,
    /// Probability that one to three bits of a datagram are flipped.
    pub corrupt: f64,
    /// Maximum payload of a datagram in bytes; longer ones are lost.
    pub mtu: usize,
    /// Loses each `n`th datagram, in addition to those lost by chance.
    pub drop_every: Option<NonZeroU32>,
    /// Maximum number of payload bytes per second. Datagrams wait for earlier ones, and are lost if they would wait
    /// longer than [`Conditions::MAX_WAIT`].
    pub rate: Option<NonZeroU64>,
}

impl Conditions {
    /// Lower bound of the maximum time that a reordered datagram is held back.
    pub const HELD_BACK: Duration = Duration::from_millis(40);

    /// Maximum time that a datagram waits for earlier ones on a link with a limited rate.
    pub const MAX_WAIT: Duration = Duration::from_secs(1);

    /// All datagrams arrive immediately, in order and intact.
    pub const PERFECT: Self = Self {
        loss: 0.0,
        burst: 1.0,
        delay: Duration::ZERO,
        jitter: Duration::ZERO,
        reorder: 0.0,
        duplicate: 0.0,
        corrupt: 0.0,
        mtu: 65_507,
        drop_every: None,
        rate: None,
    };

    /// A local network.
    pub const LAN: Self = Self {
        delay: Duration::from_micros(300),
        jitter: Duration::from_micros(200),
        mtu: 1_472,
        ..Self::PERFECT
    };

    /// A player at home on WiFi, some hundred kilometers from the server.
    pub const WIFI: Self = Self {
        loss: 0.01,
        delay: Duration::from_millis(20),
        jitter: Duration::from_millis(15),
        reorder: 0.005,
        duplicate: 0.001,
        ..Self::LAN
    };

    /// A link that is hardly playable. Protocols must still work.
    pub const POOR: Self = Self {
        loss: 0.2,
        delay: Duration::from_millis(120),
        jitter: Duration::from_millis(80),
        reorder: 0.1,
        duplicate: 0.05,
        corrupt: 0.01,
        ..Self::LAN
    };

    /// No datagram arrives.
    pub const BLACKHOLE: Self = Self { loss: 1.0, ..Self::PERFECT };
}

impl Default for Conditions {
    fn default() -> Self {
        Self::PERFECT
    }
}
