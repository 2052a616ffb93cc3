use gamewire_machine::Role;

use crate::frame::{FINAL, LENGTH_16, LENGTH_64, MASKED, MAX_CONTROL_BYTES, Opcode, RESERVED, apply_mask};

/// Maximum fragments of a message.
pub const MAX_FRAGMENTS: u16 = 64;

/// Maximum control frames between two messages.
pub const MAX_CONTROLS_IN_ROW: u16 = 64;

/// Longest header of a frame: two bytes, eight of the length, four of the mask.
const MAX_HEADER_BYTES: usize = 14;

/// Capacity of the message buffer that is kept between messages.
const KEPT_CAPACITY: usize = 4 << 10;

/// A complete message or control frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame<'a> {
    /// A binary message; the fragments are joined.
    Message(&'a [u8]),
    /// A ping with its content, which the pong repeats.
    Ping(&'a [u8]),
    /// A pong. Its content is dropped.
    Pong,
    /// The peer closes the connection, with a status code unless it gave none.
    Close(Option<u16>),
}

/// A violation of RFC 6455 or of a limit. The start of the next frame is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// A bit of an extension is set, but none was negotiated.
    #[error("a reserved bit is set")]
    ReservedBits,
    /// RFC 6455 reserves this opcode.
    #[error("unknown opcode {0}")]
    UnknownOpcode(u8),
    /// A client sent a frame without a mask.
    #[error("the frame of a client has no mask")]
    Unmasked,
    /// A server sent a frame with a mask.
    #[error("the frame of a server has a mask")]
    Masked,
    /// A control frame is fragmented or longer than [`MAX_CONTROL_BYTES`].
    #[error("a control frame is fragmented or too long")]
    Control,
    /// The length takes more bytes than it needs.
    #[error("a length takes more bytes than it needs")]
    Length,
    /// A message is longer than the maximum.
    #[error("a message is too long: {0} bytes or more")]
    TooLong(u64),
    /// A text message.
    #[error("unexpected text message; send binary messages")]
    Text,
    /// A continuation without a message, or a message within a message.
    #[error("a fragment is out of order")]
    Fragment,
    /// A message has more than [`MAX_FRAGMENTS`] fragments.
    #[error("too many fragments")]
    TooManyFragments,
    /// More than [`MAX_CONTROLS_IN_ROW`] control frames without a message between them.
    #[error("too many control frames")]
    TooManyControls,
    /// A close frame with one byte, or with a status code that may not be sent.
    #[error("invalid close frame")]
    Close,
}

/// A decoder for the frames of a peer.
///
/// It buffers one message of at most `max_message` bytes, and only its received bytes.
#[derive(Clone, Debug)]
pub struct FrameDecoder {
    /// The role of the peer that sends the frames.
    sender: Role,
    max_message: usize,
    header: [u8; MAX_HEADER_BYTES],
    header_len: usize,
    state: DecoderState,
    message: Vec<u8>,
    /// Number of fragments of the unfinished message; 0 without one.
    fragments: u16,
    control: [u8; MAX_CONTROL_BYTES],
    controls_in_row: u16,
}

#[derive(Clone, Copy, Debug)]
enum DecoderState {
    Header,
    Content(FrameHeader, usize),
    Failed(FrameError),
}

#[derive(Clone, Copy, Debug)]
struct FrameHeader {
    opcode: Opcode,
    is_final: bool,
    mask: Option<[u8; 4]>,
    length: usize,
}

/// A completed message or control frame. Its content is in the buffers of the decoder.
enum Completed {
    Message,
    Ping(usize),
    Pong,
    Close(Option<u16>),
}

impl FrameDecoder {
    /// Creates a decoder of the frames that a peer in the role `sender` sends, with messages of at most `max_message`
    /// bytes.
    pub const fn new(sender: Role, max_message: usize) -> Self {
        Self {
            sender,
            max_message,
            header: [0; MAX_HEADER_BYTES],
            header_len: 0,
            state: DecoderState::Header,
            message: Vec::new(),
            fragments: 0,
            control: [0; MAX_CONTROL_BYTES],
            controls_in_row: 0,
        }
    }

    /// Moves bytes from the front of `data` until a message or control frame is complete, and returns it. Returns `None`
    /// if all bytes are consumed.
    ///
    /// # Errors
    /// [`FrameError`]. All later calls return the same error.
    pub fn next(&mut self, data: &mut &[u8]) -> Result<Option<Frame<'_>>, FrameError> {
        let completed = self.advance(data).inspect_err(|error| self.state = DecoderState::Failed(*error))?;
        Ok(completed.map(|completed| match completed {
            Completed::Message => Frame::Message(&self.message),
            Completed::Ping(length) => Frame::Ping(self.control.get(..length).unwrap_or_default()),
            Completed::Pong => Frame::Pong,
            Completed::Close(code) => Frame::Close(code),
        }))
    }

    /// Returns the last complete message, until the next one begins.
    pub(crate) fn message(&self) -> &[u8] {
        &self.message
    }

    /// Returns whether the last byte ended a message or a control frame between messages.
    pub const fn is_idle(&self) -> bool {
        matches!(self.state, DecoderState::Header) && self.header_len == 0 && self.fragments == 0
    }

    /// Returns the bytes that the decoder buffers.
    pub const fn held_bytes(&self) -> usize {
        self.message.capacity()
    }

    fn advance(&mut self, data: &mut &[u8]) -> Result<Option<Completed>, FrameError> {
        loop {
            match self.state {
                DecoderState::Failed(error) => return Err(error),
                DecoderState::Header => {
                    let Some(header) = self.read_header(data)? else { return Ok(None) };
                    self.begin(header)?;
                    self.state = DecoderState::Content(header, 0);
                }
                DecoderState::Content(header, received) => {
                    let received = self.read_content(header, received, data);
                    if received < header.length {
                        self.state = DecoderState::Content(header, received);
                        return Ok(None);
                    }
                    self.state = DecoderState::Header;
                    let completed = self.complete(header)?;
                    if completed.is_some() {
                        return Ok(completed);
                    }
                }
            }
        }
    }

    /// Reads the next bytes of a header, and checks each as soon as it is there.
    fn read_header(&mut self, data: &mut &[u8]) -> Result<Option<FrameHeader>, FrameError> {
        loop {
            let needed = self.header_needs()?;
            let missing = needed.saturating_sub(self.header_len);
            if missing == 0 {
                self.header_len = 0;
                return self.parse_header().map(Some);
            }
            let (part, rest) = data.split_at(missing.min(data.len()));
            *data = rest;
            for (to, from) in self.header.iter_mut().skip(self.header_len).zip(part) {
                *to = *from;
            }
            self.header_len = self.header_len.saturating_add(part.len());
            if part.len() < missing {
                self.header_needs()?;
                return Ok(None);
            }
        }
    }

    /// Returns the number of header bytes that the first bytes require.
    fn header_needs(&self) -> Result<usize, FrameError> {
        let [first, second, ..] = self.header;
        if self.header_len >= 1 {
            if first & RESERVED != 0 {
                return Err(FrameError::ReservedBits);
            }
            opcode(first)?;
        }
        if self.header_len < 2 {
            return Ok(2);
        }
        match (self.sender, second & MASKED != 0) {
            (Role::Client, false) => return Err(FrameError::Unmasked),
            (Role::Server, true) => return Err(FrameError::Masked),
            (Role::Client, true) | (Role::Server, false) => {}
        }
        let mask = if second & MASKED != 0 { 4_usize } else { 0 };
        let length = match second & !MASKED {
            LENGTH_16 => 2,
            LENGTH_64 => 8,
            _ => 0,
        };
        Ok(mask.saturating_add(length).saturating_add(2))
    }

    fn parse_header(&self) -> Result<FrameHeader, FrameError> {
        let [first, second, rest @ ..] = &self.header;
        let opcode = opcode(*first)?;
        let short = second & !MASKED;
        let (length, rest) = match short {
            LENGTH_16 => {
                let (bytes, rest) = rest.split_first_chunk::<2>().ok_or(FrameError::Length)?;
                (u64::from(u16::from_be_bytes(*bytes)), rest)
            }
            LENGTH_64 => {
                let (bytes, rest) = rest.split_first_chunk::<8>().ok_or(FrameError::Length)?;
                (u64::from_be_bytes(*bytes), rest)
            }
            short => (u64::from(short), rest.as_slice()),
        };
        let is_minimal = match short {
            LENGTH_16 => length >= u64::from(LENGTH_16),
            LENGTH_64 => length > u64::from(u16::MAX),
            _ => true,
        };
        if !is_minimal || length > i64::MAX.unsigned_abs() {
            return Err(FrameError::Length);
        }
        let mask = rest.first_chunk::<4>().copied().filter(|_| second & MASKED != 0);
        // A length beyond the address space is beyond every maximum as well.
        let length = usize::try_from(length).map_err(|_| FrameError::TooLong(length))?;
        Ok(FrameHeader { opcode, is_final: first & FINAL != 0, mask, length })
    }

    /// Checks the order and the length of a frame before its content arrives.
    fn begin(&mut self, header: FrameHeader) -> Result<(), FrameError> {
        if header.opcode.is_control() {
            self.controls_in_row = self.controls_in_row.saturating_add(1);
            if self.controls_in_row > MAX_CONTROLS_IN_ROW {
                return Err(FrameError::TooManyControls);
            }
            let is_valid = header.is_final && header.length <= MAX_CONTROL_BYTES;
            return if is_valid { Ok(()) } else { Err(FrameError::Control) };
        }
        match (header.opcode, self.fragments) {
            (Opcode::Text, _) => return Err(FrameError::Text),
            (Opcode::Continuation, 0) => return Err(FrameError::Fragment),
            (Opcode::Continuation, MAX_FRAGMENTS..) => return Err(FrameError::TooManyFragments),
            (Opcode::Continuation, _) => {}
            (_, 0) => {
                self.message.clear();
                self.message.shrink_to(KEPT_CAPACITY);
            }
            _ => return Err(FrameError::Fragment),
        }
        self.fragments = self.fragments.saturating_add(1);
        let length = self.message.len().saturating_add(header.length);
        if length > self.max_message {
            return Err(FrameError::TooLong(u64::try_from(length).unwrap_or(u64::MAX)));
        }
        Ok(())
    }

    /// Unmasks the next bytes of a content into its buffer. Returns the number of bytes that have arrived.
    fn read_content(&mut self, header: FrameHeader, received: usize, data: &mut &[u8]) -> usize {
        let missing = header.length.saturating_sub(received);
        let (part, rest) = data.split_at(missing.min(data.len()));
        *data = rest;
        let end = received.saturating_add(part.len());
        let target = if header.opcode.is_control() {
            let target = self.control.get_mut(received..end).unwrap_or_default();
            for (to, from) in target.iter_mut().zip(part) {
                *to = *from;
            }
            target
        } else {
            let start = self.message.len();
            self.message.extend_from_slice(part);
            self.message.get_mut(start..).unwrap_or_default()
        };
        if let Some(mask) = header.mask {
            apply_mask(target, mask, received);
        }
        end
    }

    /// Handles the end of a frame.
    fn complete(&mut self, header: FrameHeader) -> Result<Option<Completed>, FrameError> {
        Ok(match header.opcode {
            Opcode::Ping => Some(Completed::Ping(header.length)),
            Opcode::Pong => Some(Completed::Pong),
            Opcode::Close => Some(Completed::Close(self.close_code(header.length)?)),
            Opcode::Continuation | Opcode::Text | Opcode::Binary if header.is_final => {
                self.fragments = 0;
                self.controls_in_row = 0;
                Some(Completed::Message)
            }
            Opcode::Continuation | Opcode::Text | Opcode::Binary => None,
        })
    }

    /// Returns the status code of a close frame.
    fn close_code(&self, length: usize) -> Result<Option<u16>, FrameError> {
        if length == 0 {
            return Ok(None);
        }
        let content = self.control.get(..length).unwrap_or_default();
        let code = content.first_chunk::<2>().map(|code| u16::from_be_bytes(*code));
        // The other numbers are reserved, or only reported by an end to itself (RFC 6455, section 7.4).
        let code = code.filter(|code| matches!(code, 1000..=1003 | 1007..=1014 | 3000..=4999));
        code.map(Some).ok_or(FrameError::Close)
    }
}

fn opcode(first: u8) -> Result<Opcode, FrameError> {
    let number = first & 0x0f;
    Opcode::from_number(number).ok_or(FrameError::UnknownOpcode(number))
}
