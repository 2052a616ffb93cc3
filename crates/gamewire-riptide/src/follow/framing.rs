use gamewire_machine::{ConversationSide, Instant};
use gamewire_wire::{Layer, Reader, Span, Trace, Value};

use super::tracker::ConversationTracker;
use super::websocket::WebSocketStream;
use crate::Format;
use crate::shared::frame::{FrameSplitter, prefix_len, read_length};
use crate::shared::version::Version as _;
use crate::shared::warning;
use crate::versions::by_format;

/// Framing of packets.
#[derive(Debug)]
pub(super) enum Framing {
    /// One packet per datagram.
    Datagrams,
    /// Packets in frames, in one stream per side.
    Streams(Box<[Stream; 2]>),
    /// Packets in the messages of a WebSocket, in one stream per side.
    WebSockets(Box<[WebSocketStream; 2]>),
}

/// One direction of a connection.
#[derive(Debug)]
pub(super) struct Stream {
    format: Format,
    splitter: FrameSplitter,
    sync: SyncState,
    /// Bytes that were captured or skipped.
    offset: u64,
}

/// The follower's knowledge of the start of the next frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SyncState {
    /// No bytes yet: this may be the start of the stream.
    Start,
    /// The splitter is in sync.
    In,
    /// Bytes were skipped, or a length was invalid.
    Lost,
}

impl Framing {
    pub(super) fn streams(format: Format) -> Self {
        Self::Streams(Box::new([format, format].map(Stream::new)))
    }

    pub(super) fn websockets() -> Self {
        Self::WebSockets(Box::new([WebSocketStream::new(), WebSocketStream::new()]))
    }

    pub(super) fn websocket(&mut self, from: ConversationSide) -> Option<&mut WebSocketStream> {
        let Self::WebSockets(streams) = self else { return None };
        let [first, second] = streams.as_mut();
        Some(if from == ConversationSide::First { first } else { second })
    }

    pub(super) fn stream(&mut self, from: ConversationSide) -> Option<&mut Stream> {
        let Self::Streams(streams) = self else { return None };
        let [first, second] = streams.as_mut();
        Some(if from == ConversationSide::First { first } else { second })
    }

    /// Returns the bytes of an incomplete frame of a side.
    pub(super) fn pending(&self, from: ConversationSide) -> Vec<u8> {
        let Self::Streams(streams) = self else { return Vec::new() };
        let [first, second] = streams.as_ref();
        let stream = if from == ConversationSide::First { first } else { second };
        if stream.sync == SyncState::In { stream.splitter.pending() } else { Vec::new() }
    }
}

impl Stream {
    fn new(format: Format) -> Self {
        Self { format, splitter: splitter(format), sync: SyncState::Start, offset: 0 }
    }

    /// Skips bytes that were not captured.
    pub(super) fn skip(&mut self, bytes: u64) {
        self.offset = self.offset.saturating_add(bytes);
        self.sync = SyncState::Lost;
    }

    /// Traces the next bytes: the frames that end in them, and the rest.
    pub(super) fn read<T: Trace>(
        &mut self,
        at: Instant,
        from: ConversationSide,
        data: &[u8],
        tracker: &mut ConversationTracker,
        trace: &mut T,
    ) {
        enter_run(&mut self.offset, data, trace);
        if self.sync != SyncState::In {
            let is_start = self.sync == SyncState::Start && starts_with_length(self.format, data);
            if is_start || packets(self.format, data).is_some() {
                self.splitter = splitter(self.format);
                self.sync = SyncState::In;
            } else {
                self.sync = SyncState::Lost;
            }
        }
        if self.sync == SyncState::In {
            self.read_frames(at, from, data, tracker, trace);
        } else {
            trace_lost(data, trace);
        }
        trace.exit();
        trace.exit();
    }

    fn read_frames<T: Trace>(
        &mut self,
        at: Instant,
        from: ConversationSide,
        data: &[u8],
        tracker: &mut ConversationTracker,
        trace: &mut T,
    ) {
        let mut rest = data;
        while !rest.is_empty() {
            let start = data.len().saturating_sub(rest.len());
            let next = self.splitter.next(&mut rest);
            let end = data.len().saturating_sub(rest.len());
            trace.enter(Layer::Packet, "frame", Span::bytes(start, end));
            match next {
                Ok(Some(packet)) => {
                    // A frame that started in earlier bytes has only a part here, possibly without its
                    // length.
                    let prefix =
                        end.saturating_sub(start).saturating_sub(packet.len()).min(prefix_len(self.format));
                    let length = i64::try_from(packet.len()).unwrap_or(i64::MAX);
                    trace.field(
                        "length",
                        Span::bytes(start, start.saturating_add(prefix)),
                        Value::Int(length),
                    );
                    trace.enter_source("message", packet);
                    tracker.on_packet(at, from, packet, trace);
                    trace.exit();
                }
                Ok(None) => {
                    let part = data.get(start..).unwrap_or_default();
                    trace.field("part", Span::bytes(start, end), Value::Bytes(part));
                }
                Err(mut error) => {
                    error.offset = start;
                    trace.error(&error);
                    self.sync = SyncState::Lost;
                    tracker.skip(from);
                    rest = &[];
                }
            }
            trace.exit();
        }
    }
}

/// Enters two groups for the next bytes of a stream, which follow `offset` bytes. The caller exits both.
pub(super) fn enter_run<T: Trace>(offset: &mut u64, data: &[u8], trace: &mut T) {
    trace.enter_source("stream", data);
    trace.enter(Layer::Packet, "run", Span::bytes(0, data.len()));
    let before = i64::try_from(*offset).unwrap_or(i64::MAX);
    trace.field("offset", Span::bytes(0, 0), Value::Int(before));
    *offset = offset.saturating_add(u64::try_from(data.len()).unwrap_or(u64::MAX));
}

/// Traces bytes at an unknown place between frames.
pub(super) fn trace_lost<T: Trace>(data: &[u8], trace: &mut T) {
    let span = Span::bytes(0, data.len());
    trace.field("bytes", span, Value::Bytes(data));
    trace.warning(span, &warning::STREAM_OUT_OF_SYNC);
}

fn splitter(format: Format) -> FrameSplitter {
    FrameSplitter::new(format, max_size(format))
}

fn max_size(format: Format) -> usize {
    by_format!(format, V => V::MAX_SIZE)
}

/// Returns whether the first bytes are a valid length of a frame, or too few to decide.
fn starts_with_length(format: Format, data: &[u8]) -> bool {
    data.len() < prefix_len(format)
        || read_length(format, &mut Reader::new(data), max_size(format), &mut ()).is_ok()
}

/// Returns the packets in `data`, or `None` if it does not consist of complete frames only.
pub(super) fn packets(format: Format, data: &[u8]) -> Option<impl Iterator<Item = &[u8]>> {
    let mut from = Reader::new(data);
    while !from.is_empty() {
        next_packet(format, &mut from)?;
    }
    let mut from = Reader::new(data);
    Some(core::iter::from_fn(move || next_packet(format, &mut from))).filter(|_| !data.is_empty())
}

fn next_packet<'a>(format: Format, from: &mut Reader<'a>) -> Option<&'a [u8]> {
    let length = read_length(format, from, max_size(format), &mut ()).ok()?;
    from.take(length, "a packet").ok()
}
