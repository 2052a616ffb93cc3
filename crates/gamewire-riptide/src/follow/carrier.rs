use gamewire_machine::{ConversationSide, Instant};
use gamewire_wire::{Layer, Reader, Span, Trace, Value};

use super::watch::ConversationTracker;
use crate::shared::frame::{FrameSplitter, read_length};
use crate::shared::version::Version;
use crate::shared::warning;

/// How packets come.
#[derive(Debug)]
pub(super) enum Framing<V> {
    /// One in each datagram.
    Datagrams,
    /// In the frames of a stream, by who was seen first.
    Streams(Box<[Stream<V>; 2]>),
}

/// One direction of a connection.
#[derive(Debug)]
pub(super) struct Stream<V> {
    splitter: FrameSplitter<V>,
    step: SyncState,
    /// Bytes that went by, or were missed.
    offset: u64,
}

/// Whether it is known where frames begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SyncState {
    /// Nothing was seen: it may be the start of the stream.
    Start,
    /// The splitter knows.
    In,
    /// Something was missed, or a length was wrong.
    Lost,
}

impl<V: Version> Framing<V> {
    pub(super) fn streams() -> Self {
        Self::Streams(Box::new([Stream::new(), Stream::new()]))
    }

    pub(super) fn stream(&mut self, from: ConversationSide) -> Option<&mut Stream<V>> {
        let Self::Streams(streams) = self else { return None };
        let [first, second] = streams.as_mut();
        Some(if from == ConversationSide::First { first } else { second })
    }
}

impl<V: Version> Stream<V> {
    fn new() -> Self {
        Self { splitter: FrameSplitter::default(), step: SyncState::Start, offset: 0 }
    }

    /// So many bytes were not seen.
    pub(super) fn miss(&mut self, bytes: u64) {
        self.offset = self.offset.saturating_add(bytes);
        self.step = SyncState::Lost;
    }

    /// Tells the next bytes: the frames that end in them, and what is left.
    pub(super) fn run<T: Trace>(
        &mut self,
        (at, from): (Instant, ConversationSide),
        run: &[u8],
        watch: &mut ConversationTracker<V>,
        trace: &mut T,
    ) {
        trace.enter_source("stream", run);
        trace.enter(Layer::Packet, "run", Span::bytes(0, run.len()));
        let offset = i64::try_from(self.offset).unwrap_or(i64::MAX);
        trace.field("offset", Span::bytes(0, 0), Value::Int(offset));
        self.offset = self.offset.saturating_add(u64::try_from(run.len()).unwrap_or(u64::MAX));
        if self.step != SyncState::In {
            let is_start = self.step == SyncState::Start && begins_a_frame::<V>(run);
            if is_start || packets::<V>(run).is_some() {
                self.splitter = FrameSplitter::default();
                self.step = SyncState::In;
            } else {
                self.step = SyncState::Lost;
            }
        }
        if self.step == SyncState::In {
            self.frames((at, from), run, watch, trace);
        } else {
            let span = Span::bytes(0, run.len());
            trace.field("bytes", span, Value::Bytes(run));
            trace.warning(span, &warning::STREAM_OUT_OF_SYNC);
        }
        trace.exit();
        trace.exit();
    }

    fn frames<T: Trace>(
        &mut self,
        (at, from): (Instant, ConversationSide),
        run: &[u8],
        watch: &mut ConversationTracker<V>,
        trace: &mut T,
    ) {
        let mut rest = run;
        while !rest.is_empty() {
            let start = run.len().saturating_sub(rest.len());
            let next = self.splitter.next(&mut rest);
            let end = run.len().saturating_sub(rest.len());
            trace.enter(Layer::Packet, "frame", Span::bytes(start, end));
            match next {
                Ok(Some(packet)) => {
                    // Of a frame that began in an earlier run only a part stands here, and perhaps
                    // nothing of its length.
                    let prefix = end.saturating_sub(start).saturating_sub(packet.len()).min(V::FRAME_PREFIX);
                    let length = i64::try_from(packet.len()).unwrap_or(i64::MAX);
                    trace.field(
                        "length",
                        Span::bytes(start, start.saturating_add(prefix)),
                        Value::Int(length),
                    );
                    trace.enter_source("message", packet);
                    watch.packet(at, from, packet, trace);
                    trace.exit();
                }
                Ok(None) => {
                    let part = run.get(start..).unwrap_or_default();
                    trace.field("part", Span::bytes(start, end), Value::Bytes(part));
                }
                Err(mut error) => {
                    error.offset = start;
                    trace.error(&error);
                    self.step = SyncState::Lost;
                    watch.missed(from);
                    rest = &[];
                }
            }
            trace.exit();
        }
    }
}

/// Whether the first bytes can be the length of a frame, or are too few to say.
fn begins_a_frame<V: Version>(run: &[u8]) -> bool {
    run.len() < V::FRAME_PREFIX || read_length::<V, _>(&mut Reader::new(run), V::MAX_SIZE, &mut ()).is_ok()
}

/// The packets of a run that holds frames and nothing else.
pub(super) fn packets<V: Version>(run: &[u8]) -> Option<impl Iterator<Item = &[u8]>> {
    let mut from = Reader::new(run);
    while !from.is_empty() {
        next_packet::<V>(&mut from)?;
    }
    let mut from = Reader::new(run);
    Some(core::iter::from_fn(move || next_packet::<V>(&mut from))).filter(|_| !run.is_empty())
}

fn next_packet<'a, V: Version>(from: &mut Reader<'a>) -> Option<&'a [u8]> {
    let length = read_length::<V, _>(from, V::MAX_SIZE, &mut ()).ok()?;
    from.take(length, "a packet").ok()
}
