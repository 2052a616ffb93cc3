use gamewire_machine::Role;

use crate::decoder::{Frame, FrameDecoder, FrameError};
use crate::frame::{Opcode, append_frame};
use crate::mask::MaskGenerator;

/// Maximum bytes of pongs and close frames that wait to be sent.
pub const MAX_QUEUED_CONTROL_BYTES: usize = 16 << 10;

/// Status codes of close frames (RFC 6455, section 7.4.1).
pub mod close_code {
    /// The connection has served its purpose.
    pub const NORMAL: u16 = 1000;
    /// The peer violated RFC 6455.
    pub const PROTOCOL_ERROR: u16 = 1002;
    /// The peer sent a type of message that this end does not take.
    pub const UNSUPPORTED: u16 = 1003;
    /// The peer exceeded a limit.
    pub const POLICY: u16 = 1008;
    /// The peer sent a message that is too long.
    pub const TOO_LONG: u16 = 1009;
}

/// The reason why a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SocketError {
    /// The peer sent a close frame, with a status code unless it gave none.
    #[error("the peer closed the WebSocket")]
    Closed(Option<u16>),
    /// The peer sent an invalid frame.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// More than [`MAX_QUEUED_CONTROL_BYTES`] of pongs wait to be sent.
    #[error("too many unanswered pings")]
    TooManyPings,
}

impl SocketError {
    /// Returns the status code of the close frame that answers it.
    const fn answer(self) -> u16 {
        match self {
            Self::Closed(_) => close_code::NORMAL,
            Self::TooManyPings => close_code::POLICY,
            Self::Frame(error) => match error {
                FrameError::Text => close_code::UNSUPPORTED,
                FrameError::TooLong(_) => close_code::TOO_LONG,
                FrameError::TooManyFragments | FrameError::TooManyControls => close_code::POLICY,
                _ => close_code::PROTOCOL_ERROR,
            },
        }
    }
}

/// One end of an open WebSocket.
///
/// After every [`next_message`](Self::next_message), call [`take_control`](Self::take_control) and send its bytes.
#[derive(Clone, Debug)]
pub struct Socket {
    decoder: FrameDecoder,
    /// The masks of a client's frames.
    masks: Option<MaskGenerator>,
    /// Pongs and a close frame that wait to be sent.
    control: Vec<u8>,
    is_closed: bool,
}

impl Socket {
    /// Creates an end in a role, which takes messages of at most `max_message` bytes. A client makes its masks from
    /// `seed`, which should be random; a server ignores it.
    pub fn new(role: Role, max_message: usize, seed: u64) -> Self {
        Self {
            decoder: FrameDecoder::new(role.other(), max_message),
            masks: (role == Role::Client).then(|| MaskGenerator::new(seed)),
            control: Vec::new(),
            is_closed: false,
        }
    }

    /// Moves bytes from the front of `data` until a message is complete, and returns it. Returns `None` if all bytes are
    /// consumed.
    ///
    /// # Errors
    /// [`SocketError`] if the connection ends. A close frame is queued, and the caller must close the stream after
    /// sending it. All later calls return an error.
    pub fn next_message(&mut self, data: &mut &[u8]) -> Result<Option<&[u8]>, SocketError> {
        match self.next_control(data) {
            Ok(true) => Ok(Some(self.decoder.message())),
            Ok(false) => Ok(None),
            Err(error) => {
                self.queue_close(error.answer());
                Err(error)
            }
        }
    }

    /// Handles control frames until a message is complete. Returns whether there is one.
    fn next_control(&mut self, data: &mut &[u8]) -> Result<bool, SocketError> {
        let Self { decoder, masks, control, is_closed } = self;
        if *is_closed {
            return Err(SocketError::Closed(None));
        }
        loop {
            match decoder.next(data)? {
                None => return Ok(false),
                Some(Frame::Message(_)) => return Ok(true),
                Some(Frame::Pong) => {}
                Some(Frame::Close(code)) => return Err(SocketError::Closed(code)),
                Some(Frame::Ping(content)) => {
                    if control.len() > MAX_QUEUED_CONTROL_BYTES {
                        return Err(SocketError::TooManyPings);
                    }
                    append_frame(Opcode::Pong, content, next_mask(masks), control);
                }
            }
        }
    }

    /// Appends a message to `buffer` as one binary frame.
    pub fn append_message(&mut self, message: &[u8], buffer: &mut Vec<u8>) {
        append_frame(Opcode::Binary, message, next_mask(&mut self.masks), buffer);
    }

    /// Queues a close frame, once.
    pub fn queue_close(&mut self, code: u16) {
        if !core::mem::replace(&mut self.is_closed, true) {
            let mask = next_mask(&mut self.masks);
            append_frame(Opcode::Close, &code.to_be_bytes(), mask, &mut self.control);
        }
    }

    /// Returns whether a close frame was queued. No message may follow it.
    pub const fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Moves the waiting pongs and close frame to `buffer`. Returns whether there were any.
    pub fn take_control(&mut self, buffer: &mut Vec<u8>) -> bool {
        let has_any = !self.control.is_empty();
        buffer.append(&mut core::mem::take(&mut self.control));
        has_any
    }

    /// Returns the bytes that this end buffers.
    pub const fn held_bytes(&self) -> usize {
        self.decoder.held_bytes().saturating_add(self.control.capacity())
    }
}

fn next_mask(masks: &mut Option<MaskGenerator>) -> Option<[u8; 4]> {
    masks.as_mut().map(MaskGenerator::next)
}
