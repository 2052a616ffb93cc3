use core::time::Duration;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Instant as Monotonic;

use gamewire_machine::Instant;
use gamewire_teeworlds::browse::{Browser, BrowserConfig, Event, InfoFormat};
use gamewire_teeworlds::{Dialect, Offer};

use crate::system::any_port;

/// Maximum time that a server has to reply.
const TIMEOUT: Duration = Duration::from_secs(3);
/// Time that a server has to reply in 0.6 after it has replied in 0.7.
const EXTRA_TIMEOUT: Duration = Duration::from_secs(1);

/// The detection of a server's version, and of the address that replies.
pub(super) struct Detection {
    deadline: Monotonic,
    answer: Option<(SocketAddr, Offer)>,
    is_done: bool,
}

impl Detection {
    pub(super) fn new() -> Self {
        let now = Monotonic::now();
        Self { deadline: now.checked_add(TIMEOUT).unwrap_or(now), answer: None, is_done: false }
    }

    /// Returns the time to wait for the next event, or `None` after the detection has ended.
    pub(super) fn time_left(&self) -> Option<Duration> {
        let left = self.deadline.saturating_duration_since(Monotonic::now());
        (!self.is_done && !left.is_zero()).then_some(left)
    }

    pub(super) fn on_event(&mut self, event: &Event) {
        match event {
            // Prefer 0.6 if the server replies in it, even if it also supports 0.7.
            Event::Answer { address, format, .. } if *format != InfoFormat::V07 => {
                self.answer = Some((*address, Offer::Any06));
                self.is_done = true;
            }
            Event::Answer { address, .. } if self.answer.is_none() => {
                self.answer = Some((*address, Dialect::V07.into()));
                let extra = Monotonic::now().checked_add(EXTRA_TIMEOUT);
                self.deadline = extra.map_or(self.deadline, |extra| extra.min(self.deadline));
            }
            Event::Finished => self.is_done = true,
            Event::Answer { .. } | Event::NoAnswer { .. } => {}
        }
    }

    pub(super) const fn answer(&self) -> Option<(SocketAddr, Offer)> {
        self.answer
    }
}

/// Returns a browser that queries all formats, and the address to bind it to.
pub(super) fn browser(addresses: &[SocketAddr]) -> (SocketAddr, Browser) {
    let config = BrowserConfig { timeout: TIMEOUT, ..BrowserConfig::new(crate::seed()) };
    let local = addresses.iter().find(|address| address.is_ipv6()).or_else(|| addresses.first());
    let local =
        local.map_or_else(|| SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0)), |address| any_port(*address));
    (local, Browser::new(addresses.iter().copied(), config, Instant::ZERO))
}
