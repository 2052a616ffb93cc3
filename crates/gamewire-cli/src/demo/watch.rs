use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gamewire_machine::{End, Follow as _, Instant};
use gamewire_net::{Crossing, Direction, Settings};
use gamewire_teeworlds::Follower;
use gamewire_wire::{CodecError, Layer, Oddity, Span, Trace, Value};

/// Follows every conversation of a server's socket.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch(Arc<Mutex<BTreeMap<SocketAddr, Conversation>>>);

/// One conversation, as its follower sees it.
#[derive(Debug, Default)]
pub(super) struct Conversation {
    follower: Follower,
    pub(super) seen: Seen,
}

/// What was seen of a conversation.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    pub(super) dialect: Option<&'static str>,
    pub(super) to_server: Way,
    pub(super) to_client: Way,
    pub(super) messages: u64,
    pub(super) errors: u64,
    pub(super) warnings: u64,
    /// The last message that is not sent all the time.
    pub(super) last: String,
    pub(super) first_error: Option<String>,
}

/// One way of a conversation.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Way {
    pub(super) datagrams: u64,
    pub(super) bytes: u64,
}

/// Messages that come many times a second.
const ROUTINE: [&str; 6] = ["input", "input_timing", "snap_single", "snap_empty", "snap", "keep_alive"];

impl Watch {
    /// Watches a server's driver.
    pub(super) fn on(&self, settings: Settings) -> Settings {
        let watch = self.clone();
        settings.tap(move |crossing: &Crossing<'_>| watch.crossed(crossing))
    }

    /// What was seen of the conversation with a client.
    pub(super) fn seen(&self, client: SocketAddr) -> Seen {
        self.lock().get(&client).map(|conversation| conversation.seen.clone()).unwrap_or_default()
    }

    fn crossed(&self, crossing: &Crossing<'_>) {
        let mut conversations = self.lock();
        let Conversation { follower, seen } = conversations.entry(crossing.peer).or_default();
        let (end, way) = match crossing.direction {
            Direction::Incoming => (End::First, &mut seen.to_server),
            Direction::Outgoing => (End::Second, &mut seen.to_client),
        };
        way.datagrams = way.datagrams.saturating_add(1);
        way.bytes = way.bytes.saturating_add(crossing.bytes.len().try_into().unwrap_or(u64::MAX));
        follower.follow(Instant::from_micros(crossing.unix_micros), end, crossing.bytes, seen);
        seen.dialect = follower.dialect();
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<SocketAddr, Conversation>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Trace for Seen {
    fn is_watching(&self) -> bool {
        false
    }

    fn enter(&mut self, layer: Layer, name: &str, _: Span) {
        if layer == Layer::Message {
            self.messages = self.messages.saturating_add(1);
            if !ROUTINE.contains(&name) {
                self.last.clear();
                self.last.push_str(name);
            }
        }
    }

    fn enter_source(&mut self, _: &str, _: &[u8]) {}

    fn leave(&mut self) {}

    fn field(&mut self, _: &str, _: Span, _: Value<'_>) {}

    fn oddity(&mut self, _: Span, _: &Oddity) {
        self.warnings = self.warnings.saturating_add(1);
    }

    fn error(&mut self, error: &CodecError) {
        self.errors = self.errors.saturating_add(1);
        self.first_error.get_or_insert_with(|| error.to_string());
    }
}
