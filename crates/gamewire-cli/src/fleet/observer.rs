//! Collects the states of the proxies of a fleet for the page.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use async_nats::Client;
use futures_util::StreamExt as _;
use gamewire_page::Page;
use serde_json::{Value, json};
use tokio::time::{interval, sleep};

use super::refusals::Refusals;
use super::state::ProxyState;
use super::subject::PREFIX;

/// Maximum number of proxies that are kept.
const MAX_PROXIES: usize = 256;
/// Time without a message after which a proxy counts as gone. A proxy publishes every second.
const GONE: Duration = Duration::from_secs(3);
/// Time without a message after which a proxy is forgotten.
const FORGOTTEN: Duration = Duration::from_secs(600);
/// Time between two updates of the page.
const UPDATE: Duration = Duration::from_millis(500);
/// Delay before a failed subscription is retried.
const RETRY: Duration = Duration::from_secs(1);

/// The last state of each proxy, by name, and the time of its arrival.
#[derive(Debug, Default)]
pub(super) struct Seen(BTreeMap<String, (ProxyState, Instant)>);

impl Seen {
    /// Stores a state. Drops it if it is not newer than the last state of the same instance, or if there are too many
    /// proxies.
    pub(super) fn take(&mut self, state: ProxyState, now: Instant) {
        let name = state.identity.name.clone();
        if let Some((known, _)) = self.0.get(&name) {
            let is_late =
                known.identity.instance == state.identity.instance && known.sequence >= state.sequence;
            if is_late {
                return;
            }
        } else if self.0.len() >= MAX_PROXIES {
            return;
        }
        self.0.insert(name, (state, now));
    }

    /// Forgets the proxies that have been gone for long. Returns the others as the page shows them.
    pub(super) fn shown(&mut self, now: Instant) -> Vec<Value> {
        self.0.retain(|_, (_, at)| now.saturating_duration_since(*at) < FORGOTTEN);
        let shown = self.0.values().map(|(state, at)| {
            let mut shown = json!(state);
            if let Some(fields) = shown.as_object_mut() {
                fields.insert("is_gone".into(), (now.saturating_duration_since(*at) >= GONE).into());
            }
            shown
        });
        shown.collect()
    }
}

/// Shows the fleet on the page until the program ends.
pub(super) async fn observe(client: Client, page: Page, refusals: Refusals, server: String) {
    let mut seen = Seen::default();
    loop {
        let Ok(mut messages) = client.subscribe(format!("{PREFIX}.*.state")).await else {
            sleep(RETRY).await;
            continue;
        };
        let mut updates = interval(UPDATE);
        loop {
            tokio::select! {
                message = messages.next() => match message {
                    Some(message) => {
                        if let Some(state) = ProxyState::parse(&message.payload) {
                            seen.take(state, Instant::now());
                        }
                    }
                    None => break,
                },
                _ = updates.tick() => {
                    page.set_fleet(json!({
                        "is_connected": refusals.is_connected(),
                        "state": refusals.described(&server),
                        "proxies": seen.shown(Instant::now()),
                    }));
                }
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that panics fails")]
mod tests {
    use super::super::state::Identity;
    use super::*;

    fn state(name: &str, instance: &str, sequence: u64) -> ProxyState {
        let identity = Identity {
            name: name.into(),
            instance: instance.into(),
            listen: String::new(),
            to: String::new(),
            page: None,
        };
        let conversations = Vec::new();
        ProxyState {
            identity,
            sequence,
            packets: sequence,
            bytes: 0,
            errors: 0,
            records_dropped: 0,
            conversations,
        }
    }

    #[test]
    fn g7_messages_that_come_twice_or_late_change_nothing() {
        let (mut seen, now) = (Seen::default(), Instant::now());
        for sequence in [1, 3, 2, 3] {
            seen.take(state("a", "first", sequence), now);
        }
        assert_eq!(seen.shown(now)[0]["packets"], 3);
        seen.take(state("a", "second", 1), now);
        assert_eq!(seen.shown(now)[0]["packets"], 1, "a new program with the same name");
    }

    #[test]
    fn a_silent_proxy_is_gone_and_later_forgotten() {
        let (mut seen, now) = (Seen::default(), Instant::now());
        seen.take(state("a", "x", 1), now);
        assert_eq!(seen.shown(now + Duration::from_secs(2))[0]["is_gone"], false);
        assert_eq!(seen.shown(now + GONE)[0]["is_gone"], true);
        assert!(seen.shown(now + FORGOTTEN).is_empty());
    }

    #[test]
    fn g7_thousands_of_names_are_bounded() {
        let (mut seen, now) = (Seen::default(), Instant::now());
        for name in 0..10_000 {
            seen.take(state(&name.to_string(), "x", 1), now);
        }
        assert_eq!(seen.shown(now).len(), MAX_PROXIES);
    }
}
