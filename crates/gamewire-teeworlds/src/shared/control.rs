//! Control messages of either version, and their fields (docs/protocols/teeworlds.md, "Control messages and
//! handshakes").

use gamewire_wire::{Layer, Reader, Result, Shape, Span, Trace, Value, Writer};

use crate::shared::data::{Token, trace_rest};
use crate::shared::definition::{Definition, FieldDefinition, MessageSet};
use crate::shared::field::Field;
use crate::shared::pack::{FifthByte, Sanitize, Text, Unpacker};
use crate::shared::warning;

/// Marker of DDNet's token dialect in CONNECT and CONNECTACCEPT.
pub const TKEN: [u8; 4] = *b"TKEN";
/// Bytes after the id of a CONNECT with a token of 0.6.5. The padding keeps every reply shorter than
/// the request.
pub const CONNECT_065: usize = 512;

/// The token in a CONNECT or CONNECTACCEPT of 0.6.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum ConnectToken<'a> {
    /// No token: up to 0.6.4.
    #[default]
    Plain,
    /// `TKEN`: every payload ends with a token from now on. Bytes after the marker are stored.
    Tken(&'a [u8]),
    /// The server's token of 0.6.5, without padding (in CONNECTACCEPT).
    ServerToken(Token),
    /// The client's token of 0.6.5 after four bytes, and the padding of the datagram (in CONNECT).
    ClientToken {
        /// Zeros, or `TKEN` as an offer to DDNet, which ignores the padding. 0.6.5 does not read these bytes.
        lead: [u8; 4],
        /// Token of the client.
        token: Token,
        /// Bytes that no game reads; zeros.
        padding: &'a [u8],
    },
    /// Bytes that no known game sends.
    Other(&'a [u8]),
}

impl<'a> Field<'a> for ConnectToken<'a> {
    type Rule = ();
    const RULE: () = ();

    fn shape((): &()) -> Shape {
        const MAGIC: &str = "`TKEN`: every payload ends with a token from now on.";
        Shape::Custom(
            const {
                &Definition {
                    layer: Layer::Group,
                    name: "greeting",
                    doc: &["The token in a CONNECT or CONNECTACCEPT of 0.6."],
                    fields: &[
                        FieldDefinition::new("magic", "Text<'a>", &[MAGIC]),
                        FieldDefinition::new("token", "Token", &["Token of the sender (0.6.5)."]),
                        FieldDefinition::new("padding", "Rest<'a>", &["Bytes that no game reads."]),
                    ],
                }
            },
        )
    }

    fn read<T: Trace>(from: &mut Unpacker<'a>, (): &(), _: &'static str, trace: &mut T) -> Result<Self> {
        let start = from.reader.offset();
        let body = from.reader.remaining();
        if body.is_empty() {
            return Ok(Self::Plain);
        }
        let is_tken = body.starts_with(&TKEN);
        if body.len() == 4 && !is_tken {
            return Token::read(from, &(), "token", trace).map(Self::ServerToken);
        }
        if body.len() < CONNECT_065 && !is_tken {
            return Ok(Self::Other(trace_rest("padding", &mut from.reader, trace).0));
        }
        let lead = from.reader.array("four bytes before the token")?;
        if is_tken {
            trace.field("magic", from.span_since(start), Value::Text(&TKEN));
        }
        if body.len() < CONNECT_065 {
            return Ok(Self::Tken(trace_unless_empty("padding", from, trace)));
        }
        let token = Token::read(from, &(), "token", trace)?;
        let padding = trace_unless_empty("padding", from, trace);
        Ok(Self::ClientToken { lead, token, padding })
    }

    fn write(&self, to: &mut Writer<'_>) -> Result<()> {
        match self {
            Self::Plain => Ok(()),
            Self::Tken(rest) => {
                to.bytes(&TKEN)?;
                to.bytes(rest)
            }
            Self::ServerToken(token) => token.write(to),
            Self::ClientToken { lead, token, padding } => {
                to.bytes(lead)?;
                token.write(to)?;
                to.bytes(padding)
            }
            Self::Other(rest) => to.bytes(rest),
        }
    }
}

/// Padding of a datagram.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Padding<'a>(pub &'a [u8]);

impl<'a> Field<'a> for Padding<'a> {
    type Rule = ();
    const RULE: () = ();

    fn shape((): &()) -> Shape {
        Shape::Padding
    }

    fn read<T: Trace>(from: &mut Unpacker<'a>, (): &(), _: &'static str, trace: &mut T) -> Result<Self> {
        Ok(Self(trace_unless_empty("padding", from, trace)))
    }

    fn write(&self, to: &mut Writer<'_>) -> Result<()> {
        to.bytes(self.0)
    }
}

/// The reason of a CLOSE. The games read it up to a zero byte or the end of the packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ReasonText<'a>(pub Text<'a>);

impl<'a> Field<'a> for ReasonText<'a> {
    type Rule = ();
    const RULE: () = ();

    fn shape((): &()) -> Shape {
        Shape::TextToEnd
    }

    fn read<T: Trace>(from: &mut Unpacker<'a>, (): &(), name: &'static str, trace: &mut T) -> Result<Self> {
        let (start, bytes) = (from.reader.offset(), from.reader.remaining());
        if bytes.contains(&0) {
            return Text::read(from, &Sanitize::Controls, name, trace).map(Self);
        }
        from.reader.advance(bytes.len());
        let span = from.span_since(start);
        trace.field(name, span, Value::Text(bytes));
        trace.warning(span, &warning::UNTERMINATED_STRING);
        Ok(Self(Text::received(bytes, Sanitize::Controls)))
    }

    fn write(&self, to: &mut Writer<'_>) -> Result<()> {
        self.0.write(to)
    }
}

fn trace_unless_empty<'a, T: Trace>(name: &str, from: &mut Unpacker<'a>, trace: &mut T) -> &'a [u8] {
    if from.reader.is_empty() { &[] } else { trace_rest(name, &mut from.reader, trace).0 }
}

/// A control message of a version, or one with an unknown id.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Control<'a, C> {
    /// A message of the version.
    Known(C),
    /// A message with an unknown id.
    Unknown {
        /// First byte of the payload.
        id: u8,
        /// Bytes after the id.
        body: &'a [u8],
    },
}

impl<'a, C: MessageSet<'a, Id = u8>> Control<'a, C> {
    /// Reads the control message that fills `reader` and reports it as one group.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the payload is empty or a field cannot be read. The trace has
    /// received the error.
    pub fn decode<T: Trace>(mut reader: Reader<'a>, trace: &mut T) -> Result<Self> {
        let start = reader.offset();
        let id = match reader.u8("the id of a control message") {
            Ok(id) => id,
            Err(error) => {
                let error = error.in_packet("control");
                trace.error(&error);
                return Err(error);
            }
        };
        let span = Span::bytes(start, reader.offset());
        let name = C::definition_of(id).map_or("unknown_control", |definition| definition.name);
        trace.enter(Layer::Message, name, span);
        trace.field("control_id", span, Value::Int(id.into()));
        let mut from = Unpacker::new(reader, FifthByte::Teeworlds);
        let decoded = C::decode(id, &mut from, trace).map(|message| match message {
            Some(message) => {
                trace_unless_empty("padding", &mut from, trace);
                Self::Known(message)
            }
            None => {
                trace.warning(span, &warning::UNKNOWN_MESSAGE);
                Self::Unknown { id, body: trace_unless_empty("body", &mut from, trace) }
            }
        });
        trace.exit();
        decoded
    }

    /// Writes id and body.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the buffer is full or a value has no encoding.
    pub fn encode(&self, to: &mut Writer<'_>) -> Result<()> {
        match self {
            Self::Known(message) => {
                to.u8(message.id())?;
                message.encode(to)
            }
            Self::Unknown { id, body } => {
                to.u8(*id)?;
                to.bytes(body)
            }
        }
    }
}
