use core::time::Duration;

use super::InfoFormat;

/// How servers are asked. The times are the games' own where these have any; all must be longer
/// than zero.
#[derive(Clone, Debug)]
pub struct BrowserConfig {
    /// What tokens are made from: fresh from a source of randomness for every browser.
    pub seed: [u8; 32],
    /// The forms in which every address is asked.
    pub formats: Vec<InfoFormat>,
    /// How long an address may take in each form: 3 s.
    pub timeout: Duration,
    /// How long to wait for an answer before asking again: 500 ms.
    pub retry_after: Duration,
    /// How long to wait for a token of 0.7 before asking for it again: 2 s.
    pub token_retry_after: Duration,
    /// How many addresses are asked at a time: 64. More wait their turn, and are not begun before
    /// earlier events have been polled.
    pub max_concurrent: usize,
}

impl BrowserConfig {
    /// Asks in all forms.
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
