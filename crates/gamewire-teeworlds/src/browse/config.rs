use core::time::Duration;

use super::InfoFormat;

/// Configuration of a browser. The default times are those of the games. All must be longer than zero.
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
    #[must_use]
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
