use std::collections::{BTreeSet, HashMap};
use std::net::SocketAddr;

use gamewire_machine::{Instant, StreamId, Wake};

use crate::Format;
use crate::peer::Frames;

/// How many bytes of a stream tell its format: in the third one 2.1 has the upper half of a
/// length, which is 0, and 2.0 the header of a question for a connection.
const FORMAT_PROBE_BYTES: usize = 3;
/// The third byte of a stream of 2.0: the header.
const CONNECT_V20: u8 = 3;

/// The streams that are open, and until when each must have asked for a connection.
#[derive(Debug, Default)]
pub(super) struct StreamTable {
    by_id: HashMap<StreamId, OpenStream>,
    deadlines: BTreeSet<(Instant, StreamId)>,
}

#[derive(Debug)]
struct OpenStream {
    from: SocketAddr,
    stage: StreamState,
}

/// How far a stream has come.
#[derive(Debug)]
enum StreamState {
    /// Its format is not known yet.
    DetectingFormat { deadline: Instant, start: Vec<u8> },
    /// It has not asked for a connection yet. The frames are lent while packets are handled.
    AwaitingConnect { deadline: Instant, format: Format, frames: Option<Frames> },
    /// It has asked for one.
    Connected { format: Format, frames: Option<Frames> },
    /// It is to be closed when it was sent everything.
    Closing { format: Option<Format> },
}

/// What the first bytes of a stream say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FormatProbe {
    /// Too little.
    Short,
    /// Nothing that is a connection.
    Invalid,
    /// Its format, and the bytes.
    Known(Format, [u8; FORMAT_PROBE_BYTES]),
}

impl StreamTable {
    /// A stream was opened, which has to ask for a connection by `deadline`.
    pub(super) fn open(&mut self, stream: StreamId, from: SocketAddr, deadline: Instant) {
        let stage = StreamState::DetectingFormat { deadline, start: Vec::new() };
        self.by_id.insert(stream, OpenStream { from, stage });
        self.deadlines.insert((deadline, stream));
    }

    /// One that is refused: it is only to be closed.
    pub(super) fn refuse(&mut self, stream: StreamId, from: SocketAddr) {
        self.by_id.insert(stream, OpenStream { from, stage: StreamState::Closing { format: None } });
    }

    pub(super) fn contains(&self, stream: StreamId) -> bool {
        self.by_id.contains_key(&stream)
    }

    pub(super) fn address(&self, stream: StreamId) -> Option<SocketAddr> {
        self.by_id.get(&stream).map(|open| open.from)
    }

    /// What it speaks, if that is known.
    pub(super) fn format(&self, stream: StreamId) -> Option<Format> {
        match self.by_id.get(&stream)?.stage {
            StreamState::DetectingFormat { .. } => None,
            StreamState::AwaitingConnect { format, .. } | StreamState::Connected { format, .. } => {
                Some(format)
            }
            StreamState::Closing { format } => format,
        }
    }

    /// Whether it is not to be closed.
    pub(super) fn is_open(&self, stream: StreamId) -> bool {
        self.by_id.get(&stream).is_some_and(|open| !matches!(open.stage, StreamState::Closing { .. }))
    }

    /// Whether it is open and has not asked for a connection.
    pub(super) fn is_half_open(&self, stream: StreamId) -> bool {
        self.by_id.get(&stream).is_some_and(|open| open.stage.deadline().is_some())
    }

    /// Whether its format is not known yet.
    pub(super) fn is_silent(&self, stream: StreamId) -> bool {
        self.by_id.get(&stream).is_some_and(|open| matches!(open.stage, StreamState::DetectingFormat { .. }))
    }

    /// Takes the first bytes of a stream out of `data`, while its format is not known.
    pub(super) fn start(&mut self, stream: StreamId, data: &mut &[u8]) -> FormatProbe {
        let Some(OpenStream { stage: StreamState::DetectingFormat { start, .. }, .. }) =
            self.by_id.get_mut(&stream)
        else {
            return FormatProbe::Invalid;
        };
        let missing = FORMAT_PROBE_BYTES.saturating_sub(start.len()).min(data.len());
        let (part, rest) = data.split_at(missing);
        start.extend_from_slice(part);
        *data = rest;
        match start.as_slice() {
            [first, second, 0] => FormatProbe::Known(Format::V21, [*first, *second, 0]),
            [first, second, CONNECT_V20] => FormatProbe::Known(Format::V20, [*first, *second, CONNECT_V20]),
            [_, _, _] => FormatProbe::Invalid,
            _ => FormatProbe::Short,
        }
    }

    /// The format of a stream is known now; its frames are still to be given.
    pub(super) fn set_format(&mut self, stream: StreamId, format: Format) {
        if let Some(open) = self.by_id.get_mut(&stream)
            && let StreamState::DetectingFormat { deadline, .. } = open.stage
        {
            open.stage = StreamState::AwaitingConnect { deadline, format, frames: None };
        }
    }

    /// Lends the frames of a stream.
    pub(super) fn take_frames(&mut self, stream: StreamId) -> Option<Frames> {
        self.by_id.get_mut(&stream)?.stage.frames()?.take()
    }

    /// Gives them back, unless the stream is being closed.
    pub(super) fn put_frames(&mut self, stream: StreamId, lent: Frames) {
        if let Some(frames) = self.by_id.get_mut(&stream).and_then(|open| open.stage.frames()) {
            *frames = Some(lent);
        }
    }

    /// A stream has asked for a connection.
    pub(super) fn asked(&mut self, stream: StreamId) {
        let Some(open) = self.by_id.get_mut(&stream) else { return };
        if let StreamState::AwaitingConnect { deadline, format, frames } = &mut open.stage {
            self.deadlines.remove(&(*deadline, stream));
            open.stage = StreamState::Connected { format: *format, frames: frames.take() };
        }
    }

    /// From now on nothing that comes of it counts. Whether it was open until now.
    pub(super) fn close(&mut self, stream: StreamId) -> bool {
        let format = self.format(stream);
        let Some(open) = self.by_id.get_mut(&stream) else { return false };
        if let Some(deadline) = open.stage.deadline() {
            self.deadlines.remove(&(deadline, stream));
        }
        let was_open = !matches!(open.stage, StreamState::Closing { .. });
        open.stage = StreamState::Closing { format };
        was_open
    }

    /// A stream is gone: whether it was known, being closed or not.
    pub(super) fn remove(&mut self, stream: StreamId) -> bool {
        self.close(stream);
        self.by_id.remove(&stream).is_some()
    }

    /// All streams, in the order of their numbers.
    pub(super) fn all(&self) -> Vec<StreamId> {
        let mut all: Vec<_> = self.by_id.keys().copied().collect();
        all.sort_unstable();
        all
    }

    /// The stream that has to ask first, and by when.
    pub(super) fn first(&self) -> Option<(Wake, StreamId)> {
        let (at, stream) = self.deadlines.first()?;
        Some((Wake { at: *at, reason: "stream" }, *stream))
    }

    /// The memory that is held, in bytes, about.
    pub(super) fn held_bytes(&self) -> usize {
        let table = self.by_id.capacity().saturating_mul(size_of::<(StreamId, OpenStream, u8)>());
        let deadlines = self.deadlines.len().saturating_mul(size_of::<(Instant, StreamId)>());
        table.saturating_add(deadlines)
    }
}

impl StreamState {
    const fn deadline(&self) -> Option<Instant> {
        match self {
            Self::DetectingFormat { deadline, .. } | Self::AwaitingConnect { deadline, .. } => {
                Some(*deadline)
            }
            Self::Connected { .. } | Self::Closing { .. } => None,
        }
    }

    const fn frames(&mut self) -> Option<&mut Option<Frames>> {
        match self {
            Self::AwaitingConnect { frames, .. } | Self::Connected { frames, .. } => Some(frames),
            Self::DetectingFormat { .. } | Self::Closing { .. } => None,
        }
    }
}
