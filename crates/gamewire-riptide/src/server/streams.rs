use std::collections::HashMap;
use std::net::SocketAddr;

use gamewire_machine::{Instant, StreamId, TimerTable, Wake};

use super::Server;
use super::accept::CONNECT_V20;
use crate::shared::frame::FrameSplitter;
use crate::{DisconnectReason, Endpoint, Format};

/// Bytes of a stream that reveal its format: the third byte is the upper half of a length in 2.1, which is 0, and the
/// header of a connect request in 2.0.
const FORMAT_PROBE_BYTES: usize = 3;

/// The streams that are open, or that a driver has yet to close.
#[derive(Debug, Default)]
pub(super) struct StreamTable {
    by_id: HashMap<StreamId, OpenStream>,
    /// Timers of the half-open streams, by their index in `half_open`.
    timers: TimerTable,
    half_open: Vec<StreamId>,
    free: Vec<usize>,
}

#[derive(Debug)]
struct OpenStream {
    from: SocketAddr,
    state: StreamState,
}

/// The progress of a stream. It is half open until the connect request, and `timer` is the index of its timer.
#[derive(Debug)]
enum StreamState {
    DetectingFormat {
        timer: usize,
        start: Vec<u8>,
    },
    /// The frames are taken out while their packets are handled.
    AwaitingConnect {
        timer: usize,
        format: Format,
        frames: Option<FrameSplitter>,
    },
    /// The connect request arrived.
    Connected {
        format: Format,
        frames: Option<FrameSplitter>,
    },
    /// The stream will be closed after all packets.
    Closing {
        format: Option<Format>,
    },
}

/// The format that the first bytes of a stream reveal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FormatProbe {
    /// More bytes are needed.
    Short,
    /// The stream has neither format.
    Invalid,
    /// The format, and the bytes.
    Known(Format, [u8; FORMAT_PROBE_BYTES]),
}

impl StreamTable {
    /// Inserts a stream, which must request a connection before `deadline`.
    pub(super) fn open(&mut self, stream: StreamId, from: SocketAddr, deadline: Instant) {
        let timer = self.free.pop().unwrap_or_else(|| {
            self.half_open.push(stream);
            self.half_open.len().saturating_sub(1)
        });
        if let Some(entry) = self.half_open.get_mut(timer) {
            *entry = stream;
        }
        self.timers.set(timer, Some(Wake { at: deadline, reason: "stream" }));
        let state = StreamState::DetectingFormat { timer, start: Vec::new() };
        self.by_id.insert(stream, OpenStream { from, state });
    }

    /// Inserts a stream that is only to be closed.
    pub(super) fn refuse(&mut self, stream: StreamId, from: SocketAddr) {
        self.by_id.insert(stream, OpenStream { from, state: StreamState::Closing { format: None } });
    }

    pub(super) fn contains(&self, stream: StreamId) -> bool {
        self.by_id.contains_key(&stream)
    }

    pub(super) fn address(&self, stream: StreamId) -> Option<SocketAddr> {
        self.by_id.get(&stream).map(|open| open.from)
    }

    /// Returns the format of a stream, if it is known.
    pub(super) fn format(&self, stream: StreamId) -> Option<Format> {
        match self.by_id.get(&stream)?.state {
            StreamState::DetectingFormat { .. } => None,
            StreamState::AwaitingConnect { format, .. } | StreamState::Connected { format, .. } => {
                Some(format)
            }
            StreamState::Closing { format } => format,
        }
    }

    /// Returns whether a stream is known and not closing.
    fn is_open(&self, stream: StreamId) -> bool {
        self.by_id.get(&stream).is_some_and(|open| !matches!(open.state, StreamState::Closing { .. }))
    }

    /// Returns whether a stream is open and has not requested a connection.
    pub(super) fn is_half_open(&self, stream: StreamId) -> bool {
        self.by_id.get(&stream).is_some_and(|open| open.state.timer().is_some())
    }

    fn is_detecting_format(&self, stream: StreamId) -> bool {
        let state = self.by_id.get(&stream).map(|open| &open.state);
        matches!(state, Some(StreamState::DetectingFormat { .. }))
    }

    /// Moves the first bytes of a stream out of `data`, until they reveal the format.
    fn probe_format(&mut self, stream: StreamId, data: &mut &[u8]) -> FormatProbe {
        let state = self.by_id.get_mut(&stream).map(|open| &mut open.state);
        let Some(StreamState::DetectingFormat { start, .. }) = state else { return FormatProbe::Invalid };
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

    fn set_format(&mut self, stream: StreamId, format: Format) {
        if let Some(open) = self.by_id.get_mut(&stream)
            && let StreamState::DetectingFormat { timer, .. } = open.state
        {
            open.state = StreamState::AwaitingConnect { timer, format, frames: None };
        }
    }

    fn take_frames(&mut self, stream: StreamId) -> Option<FrameSplitter> {
        self.by_id.get_mut(&stream)?.state.frames()?.take()
    }

    /// Puts the frames back, unless the stream is closing.
    fn put_frames(&mut self, stream: StreamId, taken: FrameSplitter) {
        if let Some(frames) = self.by_id.get_mut(&stream).and_then(|open| open.state.frames()) {
            *frames = Some(taken);
        }
    }

    /// The first packet of a stream arrived.
    fn on_connect(&mut self, stream: StreamId) {
        let Some(open) = self.by_id.get_mut(&stream) else { return };
        if let StreamState::AwaitingConnect { timer, format, frames } = &mut open.state {
            let (timer, state) = (*timer, StreamState::Connected { format: *format, frames: frames.take() });
            open.state = state;
            self.clear_timer(timer);
        }
    }

    /// Marks a stream as closing, so that its bytes are ignored. Returns whether it was open.
    pub(super) fn close(&mut self, stream: StreamId) -> bool {
        let format = self.format(stream);
        let Some(open) = self.by_id.get_mut(&stream) else { return false };
        let state = core::mem::replace(&mut open.state, StreamState::Closing { format });
        if let Some(timer) = state.timer() {
            self.clear_timer(timer);
        }
        !matches!(state, StreamState::Closing { .. })
    }

    /// Removes a stream. Returns whether it was known.
    pub(super) fn remove(&mut self, stream: StreamId) -> bool {
        self.close(stream);
        self.by_id.remove(&stream).is_some()
    }

    /// Returns all streams in the order of their numbers.
    pub(super) fn all(&self) -> Vec<StreamId> {
        let mut all: Vec<_> = self.by_id.keys().copied().collect();
        all.sort_unstable();
        all
    }

    pub(super) fn next_timer(&self) -> Option<Wake> {
        self.timers.next()
    }

    /// Returns the next half-open stream whose timer is due at `now`. The caller must close it.
    pub(super) fn pop_due(&mut self, now: Instant) -> Option<StreamId> {
        self.timers.pop_due(now).and_then(|timer| self.half_open.get(timer)).copied()
    }

    /// Returns the approximate memory that the table holds, in bytes.
    pub(super) fn held_bytes(&self) -> usize {
        let table = self.by_id.capacity().saturating_mul(size_of::<(StreamId, OpenStream, u8)>());
        let half_open = self.half_open.capacity().saturating_add(self.free.capacity());
        let half_open = half_open.saturating_mul(size_of::<u64>());
        table.saturating_add(half_open).saturating_add(self.timers.held_bytes())
    }

    fn clear_timer(&mut self, timer: usize) {
        self.timers.set(timer, None);
        self.free.push(timer);
    }
}

impl StreamState {
    /// Returns the index of the timer, if the stream is half open.
    const fn timer(&self) -> Option<usize> {
        match self {
            Self::DetectingFormat { timer, .. } | Self::AwaitingConnect { timer, .. } => Some(*timer),
            Self::Connected { .. } | Self::Closing { .. } => None,
        }
    }

    const fn frames(&mut self) -> Option<&mut Option<FrameSplitter>> {
        match self {
            Self::AwaitingConnect { frames, .. } | Self::Connected { frames, .. } => Some(frames),
            Self::DetectingFormat { .. } | Self::Closing { .. } => None,
        }
    }
}

impl Server {
    /// Splits the bytes of a stream into packets and handles them.
    pub(super) fn receive_bytes(&mut self, stream: StreamId, mut data: &[u8]) {
        if self.streams.is_detecting_format(stream) && !self.detect_format(stream, &mut data) {
            return;
        }
        let Some(mut frames) = self.streams.take_frames(stream) else { return };
        if self.receive_frames(stream, &mut frames, data) {
            self.streams.put_frames(stream, frames);
        }
    }

    /// Moves the first bytes of a stream out of `data`. Returns whether its format is known, and enabled.
    fn detect_format(&mut self, stream: StreamId, data: &mut &[u8]) -> bool {
        let (format, start) = match self.streams.probe_format(stream, data) {
            FormatProbe::Short => return false,
            FormatProbe::Known(format, start) if self.config.formats.contains(&format) => (format, start),
            FormatProbe::Known(..) | FormatProbe::Invalid => {
                self.close_transport(Endpoint::Tcp(stream));
                return false;
            }
        };
        let mut frames = FrameSplitter::new(format, self.config.max_size(format));
        self.streams.set_format(stream, format);
        // The probe is part of a frame, or the shortest frame of 2.0.
        if !self.receive_frames(stream, &mut frames, &start) {
            return false;
        }
        self.streams.put_frames(stream, frames);
        true
    }

    /// Handles all packets in `data`. Returns whether the stream is still open.
    fn receive_frames(&mut self, stream: StreamId, frames: &mut FrameSplitter, mut data: &[u8]) -> bool {
        let from = Endpoint::Tcp(stream);
        let address = self.streams.address(stream);
        while let Ok(packet) = frames.next(&mut data) {
            let Some(packet) = packet else { return true };
            let is_first = self.streams.is_half_open(stream);
            if is_first {
                // From here on the connection counts as half open, not the stream.
                self.half_open.remove(address);
                self.streams.on_connect(stream);
            }
            // A packet that the connection refuses is dropped, as a datagram would be.
            let received = self.receive_packet(from, packet);
            if is_first && received.is_err() {
                break;
            }
            if !self.streams.is_open(stream) {
                return false;
            }
        }
        match self.peers.find(&from) {
            Some(slot) => self.close_peer(slot, DisconnectReason::TransportError),
            None => self.close_transport(from),
        }
        false
    }
}
