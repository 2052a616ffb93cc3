use std::collections::{BTreeSet, HashMap, VecDeque};
use std::net::SocketAddr;

use gamewire_machine::{Instant, StreamId, Wake};
use gamewire_websocket::{Opcode, ServerUpgrade, Socket, append_frame, close_code};

use super::half_open::limit_key;
use crate::Format;
use crate::shared::frame::{self, FrameSplitter};

/// Bytes of a stream that reveal its format: the third byte is the upper half of a length in 2.1, which is 0, and the
/// header of a connect request in 2.0.
pub(super) const FORMAT_PROBE_BYTES: usize = 3;

/// Maximum number of streams without a connect request.
const MAX_HALF_OPEN_STREAMS: usize = 1_024;
/// Maximum number of streams without a connect request from one address, in IPv6 from one /56 network.
const MAX_HALF_OPEN_STREAMS_PER_IP: usize = 64;

/// The streams that are open, or that a driver has yet to close.
#[derive(Debug, Default)]
pub(super) struct StreamTable {
    by_id: HashMap<StreamId, OpenStream>,
    /// Deadlines of the half-open streams.
    deadlines: BTreeSet<(Instant, StreamId)>,
    /// Streams with replies to send.
    replying: VecDeque<StreamId>,
}

#[derive(Debug)]
struct OpenStream {
    from: SocketAddr,
    /// Deadline of the connect request; `None` after it.
    deadline: Option<Instant>,
    state: StreamState,
    /// Bytes to send before packets: the response to an upgrade, pongs, a close frame.
    replies: Vec<u8>,
}

/// The progress of a stream.
#[derive(Debug)]
enum StreamState {
    DetectingFormat {
        start: Vec<u8>,
    },
    /// The stream began with an HTTP request for a WebSocket.
    Upgrading(ServerUpgrade),
    /// `frames` is `None` while their packets are handled.
    Open {
        format: Format,
        frames: Option<FrameSplitter>,
    },
    /// `socket` is `None` while its packets are handled. The packets reveal the format, as datagrams do.
    WebSocket {
        socket: Option<Box<Socket>>,
    },
    /// The stream will be closed after all packets; after all replies, if there is no framing for packets.
    Closing {
        framing: Option<PacketFraming>,
    },
}

/// The framing of packets in a stream.
#[derive(Clone, Copy, Debug)]
enum PacketFraming {
    Length(Format),
    WebSocket,
}

impl StreamTable {
    /// Inserts a stream, which must request a connection before `deadline`.
    pub(super) fn open(&mut self, stream: StreamId, from: SocketAddr, deadline: Instant) {
        self.deadlines.insert((deadline, stream));
        let state = StreamState::DetectingFormat { start: Vec::new() };
        let deadline = Some(deadline);
        self.by_id.insert(stream, OpenStream { from, deadline, state, replies: Vec::new() });
    }

    /// Returns the stream that a new one from `from` replaces, because too many have not requested a connection: the
    /// oldest of its address, or the oldest of all. `max` and `max_per_ip` can lower the limits.
    pub(super) fn replaced_by(
        &self,
        from: SocketAddr,
        max: usize,
        max_per_ip: Option<usize>,
    ) -> Option<StreamId> {
        let is_near = |stream: &StreamId| {
            let known = self.address(*stream);
            known.is_some_and(|known| limit_key(known) == limit_key(from))
        };
        let near: Vec<_> = self.deadlines.iter().map(|(_, stream)| *stream).filter(is_near).collect();
        let max_near = max_per_ip.unwrap_or(usize::MAX).min(MAX_HALF_OPEN_STREAMS_PER_IP);
        if near.len() >= max_near {
            return near.first().copied();
        }
        let is_full = self.deadlines.len() >= max.min(MAX_HALF_OPEN_STREAMS);
        self.deadlines.first().filter(|_| is_full).map(|(_, stream)| *stream)
    }

    /// Inserts a refused stream, which only waits to be closed.
    pub(super) fn refuse(&mut self, stream: StreamId, from: SocketAddr) {
        let state = StreamState::Closing { framing: None };
        self.by_id.insert(stream, OpenStream { from, deadline: None, state, replies: Vec::new() });
    }

    pub(super) fn contains(&self, stream: StreamId) -> bool {
        self.by_id.contains_key(&stream)
    }

    pub(super) fn address(&self, stream: StreamId) -> Option<SocketAddr> {
        self.by_id.get(&stream).map(|open| open.from)
    }

    /// Returns the format of a stream, if its framing reveals it.
    pub(super) fn format(&self, stream: StreamId) -> Option<Format> {
        match self.framing(stream)? {
            PacketFraming::Length(format) => Some(format),
            PacketFraming::WebSocket => None,
        }
    }

    fn framing(&self, stream: StreamId) -> Option<PacketFraming> {
        match self.by_id.get(&stream)?.state {
            StreamState::DetectingFormat { .. } | StreamState::Upgrading(_) => None,
            StreamState::Open { format, .. } => Some(PacketFraming::Length(format)),
            StreamState::WebSocket { .. } => Some(PacketFraming::WebSocket),
            StreamState::Closing { framing } => framing,
        }
    }

    /// Returns whether packets of this stream are in frames of a WebSocket.
    pub(super) fn is_websocket(&self, stream: StreamId) -> bool {
        matches!(self.framing(stream), Some(PacketFraming::WebSocket))
    }

    /// Appends a packet to `buffer` in the framing of its stream. Returns false if the stream takes no packets.
    pub(super) fn append(&self, stream: StreamId, packet: &[u8], buffer: &mut Vec<u8>) -> bool {
        match self.framing(stream) {
            None => return false,
            Some(PacketFraming::Length(format)) => frame::append(format, packet, buffer),
            Some(PacketFraming::WebSocket) => append_frame(Opcode::Binary, packet, None, buffer),
        }
        true
    }

    /// Returns the bytes to send before the packets of a stream, for changes. Call [`Self::note_replies`] afterwards.
    pub(super) fn replies(&mut self, stream: StreamId) -> Option<&mut Vec<u8>> {
        self.by_id.get_mut(&stream).map(|open| &mut open.replies)
    }

    /// Queues a stream after the first reply was added.
    pub(super) fn note_replies(&mut self, stream: StreamId) {
        self.replying.push_back(stream);
    }

    /// Appends the replies of the next stream that has some to `buffer`.
    pub(super) fn poll_replies(&mut self, buffer: &mut Vec<u8>) -> Option<StreamId> {
        while let Some(stream) = self.replying.pop_front() {
            let replies = self.replies(stream).map(core::mem::take).unwrap_or_default();
            if !replies.is_empty() {
                buffer.extend_from_slice(&replies);
                return Some(stream);
            }
        }
        None
    }

    /// Appends the close frame of a closing WebSocket to `buffer`, once.
    pub(super) fn append_close(&mut self, stream: StreamId, buffer: &mut Vec<u8>) -> bool {
        let Some(open) = self.by_id.get_mut(&stream) else { return false };
        let StreamState::Closing { framing } = &mut open.state else { return false };
        let is_websocket = matches!(framing.take(), Some(PacketFraming::WebSocket));
        if is_websocket {
            append_frame(Opcode::Close, &close_code::NORMAL.to_be_bytes(), None, buffer);
        }
        is_websocket
    }

    /// Stops writing packets to a closing stream, because its close frame was sent.
    pub(super) fn drop_packets(&mut self, stream: StreamId) {
        if let Some(open) = self.by_id.get_mut(&stream) {
            open.state = StreamState::Closing { framing: None };
        }
    }

    /// Returns whether a stream is known and not closing.
    pub(super) fn is_open(&self, stream: StreamId) -> bool {
        self.by_id.get(&stream).is_some_and(|open| !matches!(open.state, StreamState::Closing { .. }))
    }

    /// Returns whether a stream is open and has not requested a connection.
    pub(super) fn is_half_open(&self, stream: StreamId) -> bool {
        self.by_id.get(&stream).is_some_and(|open| open.deadline.is_some())
    }

    /// Moves the bytes that reveal the format out of `data`. Returns them when they are complete.
    pub(super) fn take_start(
        &mut self,
        stream: StreamId,
        data: &mut &[u8],
    ) -> Option<[u8; FORMAT_PROBE_BYTES]> {
        let StreamState::DetectingFormat { start } = &mut self.by_id.get_mut(&stream)?.state else {
            return None;
        };
        let missing = FORMAT_PROBE_BYTES.saturating_sub(start.len()).min(data.len());
        let (part, rest) = data.split_at(missing);
        start.extend_from_slice(part);
        *data = rest;
        start.first_chunk().copied()
    }

    pub(super) fn set_format(&mut self, stream: StreamId, format: Format, max_size: usize) {
        if let Some(open) = self.by_id.get_mut(&stream) {
            open.state = StreamState::Open { format, frames: Some(FrameSplitter::new(format, max_size)) };
        }
    }

    /// Starts to read an upgrade request.
    pub(super) fn set_upgrading(&mut self, stream: StreamId) {
        if let Some(open) = self.by_id.get_mut(&stream) {
            open.state = StreamState::Upgrading(ServerUpgrade::default());
        }
    }

    /// Returns the unfinished upgrade of a stream, and its replies.
    pub(super) fn upgrading(&mut self, stream: StreamId) -> Option<(&mut ServerUpgrade, &mut Vec<u8>)> {
        let open = self.by_id.get_mut(&stream)?;
        match &mut open.state {
            StreamState::Upgrading(upgrading) => Some((upgrading, &mut open.replies)),
            _ => None,
        }
    }

    pub(super) fn set_socket(&mut self, stream: StreamId, socket: Socket) {
        if let Some(open) = self.by_id.get_mut(&stream) {
            open.state = StreamState::WebSocket { socket: Some(Box::new(socket)) };
        }
    }

    /// Returns the slot of the WebSocket, unless the stream is closing or is not a WebSocket.
    pub(super) fn socket(&mut self, stream: StreamId) -> Option<&mut Option<Box<Socket>>> {
        match &mut self.by_id.get_mut(&stream)?.state {
            StreamState::WebSocket { socket } => Some(socket),
            _ => None,
        }
    }

    /// Returns the slot of the frame splitter, unless the stream is closing or its format is unknown.
    pub(super) fn frames(&mut self, stream: StreamId) -> Option<&mut Option<FrameSplitter>> {
        match &mut self.by_id.get_mut(&stream)?.state {
            StreamState::Open { frames, .. } => Some(frames),
            _ => None,
        }
    }

    /// Clears the deadline, because the first packet of the stream arrived or the stream is closing.
    pub(super) fn clear_deadline(&mut self, stream: StreamId) {
        if let Some(deadline) = self.by_id.get_mut(&stream).and_then(|open| open.deadline.take()) {
            self.deadlines.remove(&(deadline, stream));
        }
    }

    /// Marks a stream as closing, so that its bytes are ignored. Returns whether it was open.
    pub(super) fn close(&mut self, stream: StreamId) -> bool {
        self.clear_deadline(stream);
        let framing = self.framing(stream);
        let Some(open) = self.by_id.get_mut(&stream) else { return false };
        let state = core::mem::replace(&mut open.state, StreamState::Closing { framing });
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
        self.deadlines.first().map(|(at, _)| Wake { at: *at, reason: "stream" })
    }

    /// Removes the next deadline that is due at `now`, and returns its stream. The caller must close it.
    pub(super) fn pop_due(&mut self, now: Instant) -> Option<StreamId> {
        self.deadlines.first().filter(|(at, _)| *at <= now)?;
        self.deadlines.pop_first().map(|(_, stream)| stream)
    }

    /// Returns the memory that the table holds, in bytes. The tree is estimated.
    pub(super) fn held_bytes(&self) -> usize {
        let sockets = self.by_id.values().map(|open| {
            let state = match &open.state {
                StreamState::WebSocket { socket: Some(socket) } => {
                    size_of::<Socket>().saturating_add(socket.held_bytes())
                }
                StreamState::Upgrading(upgrading) => upgrading.held_bytes(),
                _ => 0,
            };
            state.saturating_add(open.replies.capacity())
        });
        let sockets = sockets.fold(0, usize::saturating_add);
        let table = self.by_id.capacity().saturating_mul(size_of::<(StreamId, OpenStream, u8)>());
        let table = table.saturating_add(sockets).saturating_add(self.replying.capacity().saturating_mul(8));
        table.saturating_add(self.deadlines.len().saturating_mul(32))
    }
}
