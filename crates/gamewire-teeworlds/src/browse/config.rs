use core::time::Duration;

/// Configuration of a browser. The default durations are the same as in the games. Every duration must be longer than
/// zero.
#[derive(Clone, Debug)]
pub struct BrowserConfig {
    /// Seed of the random numbers, such as tokens: 32 random bytes, different for every browser.
    pub seed: [u8; 32],
    /// The formats in which every address is queried.
    pub formats: Vec<InfoFormat>,
    /// Timeout of a query: 3 s.
    pub timeout: Duration,
    /// Time after which a query is repeated: 500 ms.
    pub retry_after: Duration,
    /// Time after which the request for a token of 0.7 is repeated: 2 s.
    pub token_retry_after: Duration,
    /// Maximum number of addresses that are queried at the same time: 64. The others wait until there is room and the
    /// earlier events have been polled.
    pub max_concurrent: usize,
}

impl BrowserConfig {
    /// Creates a configuration with all formats.
    pub fn new(seed: [u8; 32]) -> Self {
        Self {
            seed,
            formats: InfoFormat::ALL.to_vec(),
            timeout: Duration::from_secs(3),
            retry_after: Duration::from_millis(500),
            token_retry_after: Duration::from_secs(2),
            max_concurrent: 64,
        }
    }
}

/// A format of server info requests and answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum InfoFormat {
    /// 0.6: one datagram with up to 16 clients.
    Plain,
    /// Extension of 0.6 by DDNet: several datagrams, with the file of the map.
    Extended,
    /// 0.7: after an exchange of tokens.
    V07,
}

impl InfoFormat {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::Plain, Self::Extended, Self::V07];

    /// Returns the name, similar to those in URLs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "tw-0.6",
            Self::Extended => "tw-0.6-ddnet",
            Self::V07 => "tw-0.7",
        }
    }
}

impl core::fmt::Display for InfoFormat {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}
