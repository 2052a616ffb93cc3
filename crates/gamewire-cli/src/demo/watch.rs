use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gamewire_inspect::conversation::Inspector;
use gamewire_inspect::protocol::Protocol;
use gamewire_inspect::render::{self, Palette};
use gamewire_machine::Record;
use gamewire_machine::record::Kind;
use gamewire_net::{Crossing, Direction, Settings};
use gamewire_wire::Layer;

/// Explains all that crosses a server's socket, as `gamewire inspect` explains a capture.
#[derive(Clone)]
pub(super) struct Watch(Arc<Mutex<Watcher>>);

struct Watcher {
    inspector: Inspector<Protocol>,
    record: Record,
    palette: Palette,
    datagrams: u64,
    seen: BTreeMap<SocketAddr, Seen>,
    /// The latest lines that nobody has taken yet.
    lines: VecDeque<String>,
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
    pub(super) first_error: Option<String>,
}

/// One way of a conversation.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Way {
    pub(super) datagrams: u64,
    pub(super) bytes: u64,
}

/// Messages that come many times a second: datagrams of nothing else are counted, not shown.
const ROUTINE: [&str; 9] = [
    "input",
    "input_timing",
    "keep_alive",
    "map_data",
    "request_map_data",
    "snap",
    "snap_empty",
    "snap_single",
    "vote_clear_options",
];
/// How many lines wait to be shown.
const LINES: usize = 100;

impl Watch {
    pub(super) fn new(palette: Palette) -> Self {
        Self(Arc::new(Mutex::new(Watcher {
            inspector: Inspector::default(),
            record: Record::new(),
            palette,
            datagrams: 0,
            seen: BTreeMap::new(),
            lines: VecDeque::new(),
        })))
    }

    /// Watches a server's driver.
    pub(super) fn on(&self, settings: Settings) -> Settings {
        let watch = self.clone();
        settings.tap(move |crossing: &Crossing<'_>| watch.lock().crossed(crossing))
    }

    /// What was seen of the conversation with a client.
    pub(super) fn seen(&self, client: SocketAddr) -> Seen {
        self.lock().seen.get(&client).cloned().unwrap_or_default()
    }

    /// The next line that explains a datagram.
    pub(super) fn next_line(&self) -> Option<String> {
        self.lock().lines.pop_front()
    }

    fn lock(&self) -> MutexGuard<'_, Watcher> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watcher {
    fn crossed(&mut self, crossing: &Crossing<'_>) {
        self.datagrams = self.datagrams.saturating_add(1);
        self.record.clear();
        let time = i64::try_from(crossing.unix_micros.saturating_mul(1000)).unwrap_or(i64::MAX);
        let ends = (crossing.from(), crossing.to());
        let sighting = self.inspector.datagram(self.datagrams, time, ends, crossing.bytes, &mut self.record);
        let seen = self.seen.entry(crossing.peer).or_default();
        let way = match crossing.direction {
            Direction::Incoming => &mut seen.to_server,
            Direction::Outgoing => &mut seen.to_client,
        };
        way.datagrams = way.datagrams.saturating_add(1);
        way.bytes = way.bytes.saturating_add(crossing.bytes.len().try_into().unwrap_or(u64::MAX));
        seen.count(&self.record);
        let Some(sighting) = sighting else {
            seen.errors = seen.errors.saturating_add(1);
            return;
        };
        seen.dialect = sighting.dialect;
        if is_worth_a_line(&self.record) && self.lines.len() < LINES {
            let mut line = Vec::new();
            // Writing to memory does not fail.
            render::line(&mut line, &sighting, &self.record, &self.palette).ok();
            self.lines.push_back(String::from_utf8_lossy(&line).trim_end().to_owned());
        }
    }
}

impl Seen {
    fn count(&mut self, record: &Record) {
        self.errors = self.errors.saturating_add(record.errors().into());
        self.warnings = self.warnings.saturating_add(record.oddities().into());
        for node in record.nodes() {
            match node.kind() {
                Kind::Group(Layer::Message) => self.messages = self.messages.saturating_add(1),
                Kind::Error if self.first_error.is_none() => {
                    self.first_error = node.value().map(|value| render::Shown(value).to_string());
                }
                _ => {}
            }
        }
    }
}

fn is_worth_a_line(record: &Record) -> bool {
    record.nodes().any(|node| node.kind() == Kind::Group(Layer::Message) && !ROUTINE.contains(&node.name()))
}
