//! Figures of each player and lines for the screen, from the followers of the demo's proxies.

use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use gamewire_inspect::conversation::PacketInfo;
use gamewire_inspect::render::{self, Palette};
use gamewire_machine::record::NodeKind;
use gamewire_machine::{Record, Role, Transport};
use gamewire_watch::{PeerConnection, Sink};
use gamewire_wire::Layer;

/// A collection of the traffic that the followers of all proxies decode. All clones share the data.
#[derive(Clone)]
pub(super) struct TrafficMonitor(Arc<Mutex<Monitored>>);

struct Monitored {
    began: Instant,
    names: BTreeMap<(Transport, SocketAddr), String>,
    views: BTreeMap<(Transport, SocketAddr), ConversationView>,
    /// The latest lines that are not shown yet.
    lines: VecDeque<String>,
    /// Number of lines that were dropped because there was no room.
    lines_lost: u64,
}

/// The state of a conversation.
#[derive(Clone, Debug, Default)]
pub(super) struct ConversationView {
    pub(super) dialect: Option<&'static str>,
    pub(super) to_server: DirectionStats,
    pub(super) to_client: DirectionStats,
    pub(super) messages: u64,
    pub(super) warnings: u64,
    pub(super) first_error: Option<String>,
    /// True if the conversation uses a stream.
    pub(super) is_stream: bool,
    /// The number of packets that could not be decoded.
    pub(super) errors: u64,
}

/// One direction of a conversation.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DirectionStats {
    /// Datagrams, or reads of a stream.
    pub(super) packets: u64,
    pub(super) bytes: u64,
}

/// Messages that occur many times per second. Datagrams that contain no other message are counted, but not shown.
const ROUTINE: [&str; 17] = [
    "ack",
    "heartbeat",
    "heartbeat_reply",
    "input",
    "input_timing",
    "keep_alive",
    "map_data",
    "player_phase_done",
    "position",
    "processing_finished",
    "processing_started",
    "request_map_data",
    "snap",
    "snap_empty",
    "snap_single",
    "unreliable",
    "vote_clear_options",
];
/// Maximum number of lines that wait to be shown.
const MAX_LINES: usize = 100;

impl TrafficMonitor {
    pub(super) fn new() -> Self {
        let monitored = Monitored {
            began: Instant::now(),
            names: BTreeMap::new(),
            views: BTreeMap::new(),
            lines: VecDeque::new(),
            lines_lost: 0,
        };
        Self(Arc::new(Mutex::new(monitored)))
    }

    /// Sets the name of a socket's player. The lines show the name.
    pub(super) fn set_name(&self, transport: Transport, client: SocketAddr, name: &str) {
        self.lock().names.insert((transport, client), name.to_owned());
    }

    /// Returns the figures of the conversation with a client.
    pub(super) fn view(&self, transport: Transport, client: SocketAddr) -> ConversationView {
        self.lock().views.get(&(transport, client)).cloned().unwrap_or_default()
    }

    /// Returns the next line that describes a datagram.
    pub(super) fn next_line(&self) -> Option<String> {
        self.lock().lines.pop_front()
    }

    /// Returns the number of lines that were dropped because there was no room.
    pub(super) fn lines_lost(&self) -> u64 {
        self.lock().lines_lost
    }

    fn lock(&self) -> MutexGuard<'_, Monitored> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sink for TrafficMonitor {
    fn packet(&mut self, _: PeerConnection, info: &PacketInfo, record: &Record) {
        let mut monitored = self.lock();
        let (client, transport) = match info.sender {
            Role::Client => (info.from, info.transport),
            Role::Server => (info.to, info.transport),
        };
        let view = monitored.views.entry((transport, client)).or_default();
        view.is_stream = transport == Transport::Tcp;
        view.packet(info, record);
        if !is_worth_a_line(record) {
            return;
        }
        if monitored.lines.len() >= MAX_LINES {
            monitored.lines_lost = monitored.lines_lost.saturating_add(1);
        } else {
            let name = monitored.names.get(&(transport, client)).map_or("?", String::as_str);
            let line = line(monitored.began.elapsed(), name, info, record);
            monitored.lines.push_back(line);
        }
    }
}

impl ConversationView {
    fn packet(&mut self, info: &PacketInfo, record: &Record) {
        let way = match info.sender {
            Role::Client => &mut self.to_server,
            Role::Server => &mut self.to_client,
        };
        way.packets = way.packets.saturating_add(1);
        way.bytes = way.bytes.saturating_add(info.length.try_into().unwrap_or(u64::MAX));
        self.dialect = info.dialect.or(self.dialect);
        self.errors = self.errors.saturating_add(record.errors().into());
        self.warnings = self.warnings.saturating_add(record.warnings().into());
        for node in record.nodes() {
            match node.kind() {
                NodeKind::Group(Layer::Message) => self.messages = self.messages.saturating_add(1),
                NodeKind::Error if self.first_error.is_none() => {
                    self.first_error = node.value().map(|value| render::DisplayValue(value).to_string());
                }
                _ => {}
            }
        }
    }
}

/// Describes a packet: the time in seconds, the player, the direction and the messages.
fn line(time: Duration, name: &str, info: &PacketInfo, record: &Record) -> String {
    let arrow = match info.sender {
        Role::Client => '→',
        Role::Server => '←',
    };
    let mut messages = Vec::new();
    // Writing to memory cannot fail.
    render::summary(&mut messages, info, record, &Palette::plain()).ok();
    format!("{:>7.2} {name:<14} {arrow}{}", time.as_secs_f64(), String::from_utf8_lossy(&messages).trim_end())
}

fn is_worth_a_line(record: &Record) -> bool {
    record
        .nodes()
        .any(|node| node.kind() == NodeKind::Group(Layer::Message) && !ROUTINE.contains(&node.name()))
}
