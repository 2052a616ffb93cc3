//! Packets in the messages of a WebSocket.

use gamewire_machine::{ConversationSide, Instant, Role};
use gamewire_websocket::{Frame, FrameDecoder, Opcode};
use gamewire_wire::{CodecError, Found, Layer, Span, Trace, Value};

use super::framing::{enter_run, trace_lost};
use super::tracker::ConversationTracker;

/// Maximum bytes of a message: the longest packet of any configuration.
const MAX_MESSAGE: usize = 65_535;

/// The end of an upgrade request or response.
const HEAD_END: &[u8] = b"\r\n\r\n";

/// One direction of a WebSocket.
#[derive(Debug)]
pub(super) struct WebSocketStream {
    state: SyncState,
    /// Bytes that were captured or skipped.
    offset: u64,
}

#[derive(Debug)]
enum SyncState {
    /// No bytes yet: this may be the start of the stream.
    Start,
    /// Within the upgrade request or response of this role. These are its last bytes, at most three.
    Head(Role, Vec<u8>),
    /// Between frames or within one.
    In(Box<FrameDecoder>),
    /// Bytes were skipped, or a frame was invalid.
    Lost,
}

impl WebSocketStream {
    pub(super) const fn new() -> Self {
        Self { state: SyncState::Start, offset: 0 }
    }

    /// Skips bytes that were not captured.
    pub(super) fn skip(&mut self, bytes: u64) {
        self.offset = self.offset.saturating_add(bytes);
        self.state = SyncState::Lost;
    }

    /// Traces the next bytes: the upgrade, the frames that end in them, and the rest.
    pub(super) fn read<T: Trace>(
        &mut self,
        at: Instant,
        from: ConversationSide,
        data: &[u8],
        tracker: &mut ConversationTracker,
        trace: &mut T,
    ) {
        enter_run(&mut self.offset, data, trace);
        match self.state {
            SyncState::Start if is_upgrade(data) => {
                let sender = if data.starts_with(b"GET") { Role::Client } else { Role::Server };
                self.state = SyncState::Head(sender, Vec::new());
            }
            SyncState::Start | SyncState::Lost if messages(data).is_some() => {
                self.state = in_sync(sender(data))
            }
            SyncState::Start | SyncState::Lost => self.state = SyncState::Lost,
            SyncState::Head(..) | SyncState::In(_) => {}
        }
        let start = self.read_head(data, trace);
        match &mut self.state {
            SyncState::In(decoder) => {
                if let Err(error) = read_frames(decoder, at, from, data, start, tracker, trace) {
                    trace.error(&error);
                    self.state = SyncState::Lost;
                    tracker.skip(from);
                }
            }
            SyncState::Lost => trace_lost(data, trace),
            SyncState::Start | SyncState::Head(..) => {}
        }
        trace.exit();
        trace.exit();
    }

    /// Traces the part of the upgrade in `data`, and returns its length.
    fn read_head<T: Trace>(&mut self, data: &[u8], trace: &mut T) -> usize {
        let SyncState::Head(sender, tail) = &mut self.state else { return 0 };
        let whole = [tail.as_slice(), data].concat();
        let sender = *sender;
        let end = head_end(&whole).map(|end| end.saturating_sub(tail.len()));
        let length = end.unwrap_or(data.len());
        let span = Span::bytes(0, length);
        trace.enter(Layer::Packet, "upgrade", span);
        trace.field("head", span, Value::Text(data.get(..length).unwrap_or_default()));
        trace.exit();
        self.state = match end {
            Some(_) => in_sync(sender),
            None => {
                let tail = whole.get(whole.len().saturating_sub(3)..).unwrap_or_default();
                SyncState::Head(sender, tail.to_vec())
            }
        };
        length
    }
}

fn in_sync(sender: Role) -> SyncState {
    SyncState::In(Box::new(FrameDecoder::new(sender, MAX_MESSAGE)))
}

/// Traces the frames in `data` after the first `start` bytes.
fn read_frames<T: Trace>(
    decoder: &mut FrameDecoder,
    at: Instant,
    from: ConversationSide,
    data: &[u8],
    start: usize,
    tracker: &mut ConversationTracker,
    trace: &mut T,
) -> Result<(), CodecError> {
    let mut rest = data.get(start..).unwrap_or_default();
    while !rest.is_empty() {
        let start = data.len().saturating_sub(rest.len());
        let next = decoder.next(&mut rest);
        let end = data.len().saturating_sub(rest.len());
        let span = Span::bytes(start, end);
        trace.enter(Layer::Packet, "frame", span);
        let outcome = match next {
            Ok(Some(frame)) => {
                let opcode = opcode(frame);
                let (value, name) = (i64::from(opcode.number()), opcode.name());
                trace.field("opcode", span, Value::Named { value, name });
                if let Frame::Message(packet) = frame {
                    let length = i64::try_from(packet.len()).unwrap_or(i64::MAX);
                    trace.field("length", span, Value::Int(length));
                    trace.enter_source("message", packet);
                    tracker.on_packet(at, from, packet, trace);
                    trace.exit();
                }
                Ok(())
            }
            Ok(None) => {
                trace.field("part", span, Value::Bytes(data.get(start..end).unwrap_or_default()));
                Ok(())
            }
            Err(_) => {
                Err(CodecError::new(start, "a frame of a WebSocket", Found::Bytes(end.saturating_sub(start))))
            }
        };
        trace.exit();
        outcome?;
    }
    Ok(())
}

const fn opcode(frame: Frame<'_>) -> Opcode {
    match frame {
        Frame::Message(_) => Opcode::Binary,
        Frame::Ping(_) => Opcode::Ping,
        Frame::Pong => Opcode::Pong,
        Frame::Close(_) => Opcode::Close,
    }
}

/// Returns the sender of a frame: only clients mask.
fn sender(frame: &[u8]) -> Role {
    let is_masked = frame.get(1).is_some_and(|second| second & 0x80 != 0);
    if is_masked { Role::Client } else { Role::Server }
}

/// Returns the length of a head at the start of `data`, if its end is there.
fn head_end(data: &[u8]) -> Option<usize> {
    let end = data.windows(HEAD_END.len()).position(|bytes| bytes == HEAD_END)?;
    Some(end.saturating_add(HEAD_END.len()))
}

/// Returns whether `data` begins with an upgrade request or its response.
pub(super) fn is_upgrade(data: &[u8]) -> bool {
    data.starts_with(b"GET ") || data.starts_with(b"HTTP/1.1 101 ")
}

/// Returns the packets in `data`, or `None` if it does not consist of complete frames only, after an upgrade or without
/// one.
pub(super) fn messages(data: &[u8]) -> Option<Vec<Vec<u8>>> {
    let head = if is_upgrade(data) { head_end(data)? } else { 0 };
    let mut rest = data.get(head..).unwrap_or_default();
    if rest.is_empty() {
        return (head > 0).then(Vec::new);
    }
    let mut decoder = FrameDecoder::new(sender(rest), MAX_MESSAGE);
    let mut messages = Vec::new();
    while !rest.is_empty() {
        if let Frame::Message(message) = decoder.next(&mut rest).ok()?? {
            messages.push(message.to_vec());
        }
    }
    decoder.is_idle().then_some(messages)
}
