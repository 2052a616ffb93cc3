use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gamewire_inspect::conversation::{ConversationLimits, FrameOutcome, Inspector};
use gamewire_inspect::protocol::{Protocol, ProtocolConfig, Transport};
use gamewire_inspect::render::{self, Palette};
use gamewire_machine::record::NodeKind;
use gamewire_machine::{Record, StreamId};
use gamewire_net::{Direction, DriverConfig, Tap, TapPacket};
use gamewire_wire::Layer;

use super::messages::layouts;
use crate::url::UrlTransport;

/// Follows all traffic of the servers' sockets, as `gamewire inspect` follows a capture.
#[derive(Clone)]
pub(super) struct TrafficMonitor(Arc<Mutex<Watcher>>);

struct Watcher {
    inspector: Inspector<Protocol>,
    record: Record,
    palette: Palette,
    crossings: u64,
    view: BTreeMap<(UrlTransport, SocketAddr), ConversationView>,
    /// The latest lines that are not shown yet.
    lines: VecDeque<String>,
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
    /// True if it is a stream.
    pub(super) is_stream: bool,
    undecoded: u64,
    /// Data from before the protocol was detected.
    unknown: u64,
}

/// One direction of a conversation.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DirectionStats {
    /// Datagrams, or runs of bytes of a stream.
    pub(super) packets: u64,
    pub(super) bytes: u64,
}

/// Messages that occur many times per second. Datagrams with nothing else are counted, not shown.
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
const LINES: usize = 100;

impl TrafficMonitor {
    pub(super) fn new(palette: Palette) -> Self {
        Self(Arc::new(Mutex::new(Watcher {
            inspector: Inspector::with_config(
                ConversationLimits::default(),
                ProtocolConfig { riptide_messages: Arc::new(layouts()), ..ProtocolConfig::default() },
            ),
            record: Record::new(),
            palette,
            crossings: 0,
            view: BTreeMap::new(),
            lines: VecDeque::new(),
        })))
    }

    /// Starts to observe a server's driver.
    pub(super) fn on(&self, settings: DriverConfig) -> DriverConfig {
        DriverConfig { tap: Some(Box::new(self.clone())), ..settings }
    }

    /// Returns the figures of the conversation with a client.
    pub(super) fn view(&self, transport: UrlTransport, client: SocketAddr) -> ConversationView {
        self.lock().view.get(&(transport, client)).cloned().unwrap_or_default()
    }

    /// Returns the next line that describes a datagram.
    pub(super) fn next_line(&self) -> Option<String> {
        self.lock().lines.pop_front()
    }

    fn lock(&self) -> MutexGuard<'_, Watcher> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tap for TrafficMonitor {
    fn on_datagram(&mut self, crossing: &TapPacket<'_>) {
        self.lock().crossed(UrlTransport::Udp, crossing);
    }

    fn on_stream_bytes(&mut self, _: StreamId, crossing: &TapPacket<'_>) {
        self.lock().crossed(UrlTransport::Tcp, crossing);
    }
}

impl Watcher {
    fn crossed(&mut self, transport: UrlTransport, crossing: &TapPacket<'_>) {
        self.crossings = self.crossings.saturating_add(1);
        let time = i64::try_from(crossing.unix_micros.saturating_mul(1000)).unwrap_or(i64::MAX);
        let ends = (crossing.from(), crossing.to());
        let view = self.view.entry((transport, crossing.peer)).or_default();
        view.cross(transport, crossing);
        let (number, bytes, record) = (self.crossings, crossing.bytes, &mut self.record);
        record.clear();
        let kind = match transport {
            UrlTransport::Udp => Transport::Udp,
            UrlTransport::Tcp => Transport::Tcp,
        };
        let mut outcome = self.inspector.payload(kind, number, time, ends, bytes, record);
        if outcome.is_none() {
            view.unknown = view.unknown.saturating_add(1);
        }
        // It may identify earlier ones, which are followed first.
        while let Some(found) = outcome {
            view.recognize(&found, record);
            if let Some(packet_info) = found.packet()
                && is_worth_a_line(record)
                && self.lines.len() < LINES
            {
                let mut line = Vec::new();
                // Writing to memory cannot fail.
                render::line(&mut line, packet_info, record, &self.palette).ok();
                self.lines.push_back(String::from_utf8_lossy(&line).trim_end().to_owned());
            }
            record.clear();
            outcome = self.inspector.next_outcome(record);
        }
    }
}

impl ConversationView {
    /// The number of packets that could not be decoded or recognized.
    pub(super) const fn errors(&self) -> u64 {
        self.undecoded.saturating_add(self.unknown)
    }

    fn cross(&mut self, transport: UrlTransport, crossing: &TapPacket<'_>) {
        self.is_stream = transport == UrlTransport::Tcp;
        let way = match crossing.direction {
            Direction::Incoming => &mut self.to_server,
            Direction::Outgoing => &mut self.to_client,
        };
        way.packets = way.packets.saturating_add(1);
        way.bytes = way.bytes.saturating_add(crossing.bytes.len().try_into().unwrap_or(u64::MAX));
    }

    /// Handles the detection of a protocol.
    fn recognize(&mut self, outcome: &FrameOutcome, record: &Record) {
        if let FrameOutcome::Deferred(_) = outcome {
            self.unknown = self.unknown.saturating_sub(1);
        }
        self.dialect = outcome.packet().and_then(|packet_info| packet_info.dialect).or(self.dialect);
        self.undecoded = self.undecoded.saturating_add(record.errors().into());
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

fn is_worth_a_line(record: &Record) -> bool {
    record
        .nodes()
        .any(|node| node.kind() == NodeKind::Group(Layer::Message) && !ROUTINE.contains(&node.name()))
}
