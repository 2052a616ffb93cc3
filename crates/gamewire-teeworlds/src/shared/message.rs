//! A message of either version: known by number, known by UUID, or kept as it is.

use gamewire_wire::{CodecError, Layer, Reader, Span, Trace, Value, Writer};

use crate::shared::data::{Uuid, tell_rest};
use crate::shared::definition::{Definition, MessageSet};
use crate::shared::extended::{ExtendedGame, ExtendedSystem};
use crate::shared::field::Field;
use crate::shared::oddity;
use crate::shared::pack::{FifthByte, Unpacker, pack_int};

/// A message; `S` and `G` are the system and game messages of a version.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Message<'a, S, G> {
    /// A system message.
    System(S),
    /// A game message.
    Game(G),
    /// A system message with a UUID.
    ExtendedSystem(ExtendedSystem<'a>),
    /// A game message with a UUID.
    ExtendedGame(ExtendedGame<'a>),
    /// A message that this version does not know.
    Unknown(Unknown<'a>),
}

/// One of the two roles in a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The player's side.
    Client,
    /// The side of the game.
    Server,
}

impl Side {
    /// The role across.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Client => Self::Server,
            Self::Server => Self::Client,
        }
    }
}

/// A message that is not known: kept so that it can be passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unknown<'a> {
    /// Whether it is marked as a system message.
    pub system: bool,
    /// What it is called by.
    pub id: MessageId,
    /// Everything behind the id.
    pub body: &'a [u8],
}

/// What a message is called by on the wire: `id << 1 | system` as a packed integer; id 0 stands
/// for a UUID that follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MessageId {
    /// A number.
    Number(i32),
    /// A UUID of DDNet and its relatives.
    Uuid(Uuid),
}

impl<'a, S, G> Message<'a, S, G>
where
    S: MessageSet<'a, Id = i32>,
    G: MessageSet<'a, Id = i32>,
{
    /// Reads the message that fills `reader`, and tells it as one group.
    ///
    /// # Errors
    /// When a field cannot be read. What came before it has been told, and so has the error.
    pub fn decode<T: Trace>(
        reader: Reader<'a>,
        fifth_byte: FifthByte,
        trace: &mut T,
    ) -> Result<Self, CodecError> {
        let start = reader.offset();
        let mut from = Unpacker::new(reader, fifth_byte);
        match read_id(&mut from, trace) {
            Ok((system, id)) => Self::decode_named(system, id, from.span_since(start), &mut from, trace),
            Err(error) => {
                let error = error.in_field("id").in_packet("message");
                trace.error(&error);
                Err(error)
            }
        }
    }

    /// Reads the body and tells the message as one group. Apart from [`Message::decode`] so that
    /// the result is made where the caller wants it, not copied there.
    #[inline]
    fn decode_named<T: Trace>(
        system: bool,
        id: MessageId,
        id_span: Span,
        from: &mut Unpacker<'a>,
        trace: &mut T,
    ) -> Result<Self, CodecError> {
        let name = Self::definition_of(system, id).map_or("unknown_message", |definition| definition.name);
        trace.enter(Layer::Message, name, id_span);
        trace.field("system", id_span, Value::Bool(system));
        match id {
            MessageId::Number(number) => trace.field("message_id", id_span, Value::Int(number.into())),
            MessageId::Uuid(uuid) => trace.field("uuid", id_span, Value::Uuid(uuid.0)),
        }
        let unknown = |body| Self::Unknown(Unknown { system, id, body });
        match (system, id) {
            (true, MessageId::Number(id)) => {
                let read = S::decode(id, from, trace, Self::System);
                finish(read, id_span, from, trace, unknown)
            }
            (false, MessageId::Number(id)) => {
                let read = G::decode(id, from, trace, Self::Game);
                finish(read, id_span, from, trace, unknown)
            }
            (true, MessageId::Uuid(id)) => {
                let read = ExtendedSystem::decode(id.number(), from, trace, Self::ExtendedSystem);
                finish(read, id_span, from, trace, unknown)
            }
            (false, MessageId::Uuid(id)) => {
                let read = ExtendedGame::decode(id.number(), from, trace, Self::ExtendedGame);
                finish(read, id_span, from, trace, unknown)
            }
        }
    }

    /// What this message is called by, and whether it is a system message.
    #[must_use]
    pub fn id(&self) -> (bool, MessageId) {
        match self {
            Self::System(message) => (true, MessageId::Number(message.id())),
            Self::Game(message) => (false, MessageId::Number(message.id())),
            Self::ExtendedSystem(message) => (true, MessageId::Uuid(Uuid::from_number(message.id()))),
            Self::ExtendedGame(message) => (false, MessageId::Uuid(Uuid::from_number(message.id()))),
            Self::Unknown(message) => (message.system, message.id),
        }
    }

    /// The definition of a message by what it is called by.
    #[must_use]
    pub fn definition_of(system: bool, id: MessageId) -> Option<&'static Definition> {
        match (system, id) {
            (true, MessageId::Number(id)) => S::definition_of(id),
            (false, MessageId::Number(id)) => G::definition_of(id),
            (true, MessageId::Uuid(id)) => ExtendedSystem::definition_of(id.number()),
            (false, MessageId::Uuid(id)) => ExtendedGame::definition_of(id.number()),
        }
    }

    /// Writes id and body: the content of one chunk.
    ///
    /// # Errors
    /// When the buffer is full or a value has no form on the wire.
    pub fn encode(&self, to: &mut Writer<'_>) -> Result<(), CodecError> {
        match self {
            Self::System(message) => {
                write_number(message.id(), true, to)?;
                message.encode(to)
            }
            Self::Game(message) => {
                write_number(message.id(), false, to)?;
                message.encode(to)
            }
            Self::ExtendedSystem(message) => {
                write_uuid(Uuid::from_number(message.id()), true, to)?;
                message.encode(to)
            }
            Self::ExtendedGame(message) => {
                write_uuid(Uuid::from_number(message.id()), false, to)?;
                message.encode(to)
            }
            Self::Unknown(message) => {
                match message.id {
                    MessageId::Number(id) => write_number(id, message.system, to)?,
                    MessageId::Uuid(uuid) => write_uuid(uuid, message.system, to)?,
                }
                to.bytes(message.body)
            }
        }
    }
}

impl Uuid {
    /// The UUID as one number, first byte highest.
    #[must_use]
    pub const fn number(self) -> u128 {
        u128::from_be_bytes(self.0)
    }

    /// The UUID of a number, first byte highest.
    #[must_use]
    pub const fn from_number(number: u128) -> Self {
        Self(number.to_be_bytes())
    }
}

/// Tells what is left over or went wrong, and closes the group of the message.
#[inline(always)]
fn finish<'a, M, T: Trace>(
    read: Result<Option<M>, CodecError>,
    id_span: Span,
    from: &mut Unpacker<'a>,
    trace: &mut T,
    unknown: impl FnOnce(&'a [u8]) -> M,
) -> Result<M, CodecError> {
    match read {
        Ok(Some(message)) => {
            if !from.reader.is_empty() {
                let span = tell_rest("extra_bytes", &mut from.reader, trace).1;
                trace.oddity(span, &oddity::EXTRA_BYTES);
            }
            trace.leave();
            Ok(message)
        }
        Ok(None) => {
            let (body, _) = tell_rest("body", &mut from.reader, trace);
            trace.oddity(id_span, &oddity::UNKNOWN_MESSAGE);
            trace.leave();
            Ok(unknown(body))
        }
        Err(error) => {
            trace.error(&error);
            trace.leave();
            Err(error)
        }
    }
}

#[inline(always)]
fn read_id<T: Trace>(from: &mut Unpacker<'_>, trace: &mut T) -> Result<(bool, MessageId), CodecError> {
    let packed = from.int("a message id", trace)?;
    let system = packed & 1 == 1;
    let id = match packed >> 1 {
        0 => MessageId::Uuid(Uuid::read(from, &(), "uuid", &mut ())?),
        number => MessageId::Number(number),
    };
    Ok((system, id))
}

fn write_number(id: i32, system: bool, to: &mut Writer<'_>) -> Result<(), CodecError> {
    pack_int(id.wrapping_shl(1) | i32::from(system), to)
}

fn write_uuid(uuid: Uuid, system: bool, to: &mut Writer<'_>) -> Result<(), CodecError> {
    pack_int(i32::from(system), to)?;
    to.bytes(&uuid.0)
}
