//! A message of either version: known by number, known by UUID, or unknown.

use gamewire_machine::Role;
use gamewire_wire::{CodecError, Layer, Reader, Result, Span, Trace, Value, Writer};

use crate::shared::data::{Uuid, trace_rest};
use crate::shared::definition::{Definition, MessageSet};
use crate::shared::extended::{self, ExtendedGame, ExtendedSystem};
use crate::shared::field::Field;
use crate::shared::pack::{FifthByte, Unpacker, pack_int};
use crate::shared::warning;

/// A message. `S` and `G` are the system and game messages of a version.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
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

/// A message that this version does not know, stored so that it can be forwarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Unknown<'a> {
    /// The id marks it as a system message.
    pub system: bool,
    /// Id of the message.
    pub id: MessageId,
    /// All bytes after the id.
    pub body: &'a [u8],
}

/// The id of a message. On the wire it is `id << 1 | system` as a packed integer. If the id is 0, a UUID follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum MessageId {
    /// A number.
    Number(i32),
    /// A UUID, as DDNet and its forks use them.
    Uuid(Uuid),
}

impl<'a, S, G> Message<'a, S, G>
where
    S: MessageSet<'a, Id = i32>,
    G: MessageSet<'a, Id = i32>,
{
    /// Reads the message that fills `reader` and reports it as one group.
    ///
    /// # Errors
    /// [`CodecError`] if a field cannot be read. The trace has received the fields before it and the error.
    #[inline(always)]
    pub fn decode<T: Trace>(reader: Reader<'a>, fifth_byte: FifthByte, trace: &mut T) -> Result<Self> {
        let mut from = Unpacker::new(reader, fifth_byte);
        let packed = match from.int("a message id", trace) {
            Ok(packed) => packed,
            Err(error) => return Err(trace_bad_id(error, trace)),
        };
        if packed & 1 == 1 {
            Self::decode_numbered(true, packed >> 1, Self::System, reader, from, trace)
        } else {
            Self::decode_numbered(false, packed >> 1, Self::Game, reader, from, trace)
        }
    }

    /// Reads the rest of a message with a number that `M` may know. Reports the message as one group from `start`.
    #[inline(always)]
    fn decode_numbered<M: MessageSet<'a, Id = i32>, T: Trace>(
        system: bool,
        number: i32,
        wrap: impl FnOnce(M) -> Self,
        start: Reader<'a>,
        from: Unpacker<'a>,
        trace: &mut T,
    ) -> Result<Self> {
        if number == 0 {
            // A separate cursor, so that `from` stays in registers.
            let own = Unpacker::new(from.reader, from.fifth_byte());
            return Self::decode_extended(system, start.offset(), own, trace);
        }
        let (id, id_span) = (MessageId::Number(number), from.span_since(start.offset()));
        let group = Self::enter(system, id, id_span, trace);
        let known = |message, from, trace: &mut T| finish(wrap(message), from, trace);
        let unknown = |from, trace: &mut T| Self::Unknown(unknown(system, id, id_span, from, trace));
        M::decode_then(number, from, group.0, known, unknown)
    }

    /// Reads the rest of a message with a UUID. Most messages have none.
    #[inline(never)]
    fn decode_extended<T: Trace>(
        system: bool,
        start: usize,
        mut from: Unpacker<'a>,
        trace: &mut T,
    ) -> Result<Self> {
        let uuid = match Uuid::read(&mut from, &(), "uuid", &mut ()) {
            Ok(uuid) => uuid,
            Err(error) => return Err(trace_bad_id(error, trace)),
        };
        let (id, id_span) = (MessageId::Uuid(uuid), from.span_since(start));
        let group = Self::enter(system, id, id_span, trace);
        let known = if system {
            extended::decode_system(uuid, &mut from, group.0)?.map(Self::ExtendedSystem)
        } else {
            extended::decode_game(uuid, &mut from, group.0)?.map(Self::ExtendedGame)
        };
        Ok(match known {
            Some(message) => finish(message, from, group.0),
            None => Self::Unknown(unknown(system, id, id_span, from, group.0)),
        })
    }

    /// Begins the group of a message.
    #[inline(always)]
    fn enter<T: Trace>(system: bool, id: MessageId, id_span: Span, trace: &mut T) -> Group<'_, T> {
        let name = Self::definition_of(system, id).map_or("unknown_message", |definition| definition.name);
        trace.enter(Layer::Message, name, id_span);
        trace.field("system", id_span, Value::Bool(system));
        match id {
            MessageId::Number(number) => trace.field("message_id", id_span, Value::Int(number.into())),
            MessageId::Uuid(uuid) => trace.field("uuid", id_span, Value::Uuid(uuid.0)),
        }
        Group(trace)
    }

    /// Returns whether this is a system message, and its id.
    pub fn id(&self) -> (bool, MessageId) {
        match self {
            Self::System(message) => (true, MessageId::Number(message.id())),
            Self::Game(message) => (false, MessageId::Number(message.id())),
            Self::ExtendedSystem(message) => (true, MessageId::Uuid(Uuid::from_number(message.id()))),
            Self::ExtendedGame(message) => (false, MessageId::Uuid(Uuid::from_number(message.id()))),
            Self::Unknown(message) => (message.system, message.id),
        }
    }

    /// Returns the name of the message, or `unknown_message`.
    pub fn name(&self) -> &'static str {
        let (system, id) = self.id();
        Self::definition_of(system, id).map_or("unknown_message", |definition| definition.name)
    }

    /// Returns the definition of a message by its id.
    pub fn definition_of(system: bool, id: MessageId) -> Option<&'static Definition> {
        match (system, id) {
            (true, MessageId::Number(id)) => S::definition_of(id),
            (false, MessageId::Number(id)) => G::definition_of(id),
            (true, MessageId::Uuid(id)) => ExtendedSystem::definition_of(id.number()),
            (false, MessageId::Uuid(id)) => ExtendedGame::definition_of(id.number()),
        }
    }

    /// Returns the role that sends messages of this kind, if only one role does.
    pub fn sender_of(system: bool, id: MessageId) -> Option<Role> {
        match (system, id) {
            (true, MessageId::Number(id)) => S::sender_of(id),
            (false, MessageId::Number(id)) => G::sender_of(id),
            (true, MessageId::Uuid(id)) => ExtendedSystem::sender_of(id.number()),
            (false, MessageId::Uuid(id)) => ExtendedGame::sender_of(id.number()),
        }
    }

    /// Writes id and body: the content of one chunk.
    ///
    /// # Errors
    /// [`CodecError`] if the buffer is full or a value has no encoding.
    pub fn encode(&self, to: &mut Writer<'_>) -> Result<()> {
        let (system, id) = self.id();
        match id {
            MessageId::Number(id) => pack_int(id.wrapping_shl(1) | i32::from(system), to)?,
            MessageId::Uuid(uuid) => {
                pack_int(i32::from(system), to)?;
                to.bytes(&uuid.0)?;
            }
        }
        match self {
            Self::System(message) => message.encode(to),
            Self::Game(message) => message.encode(to),
            Self::ExtendedSystem(message) => message.encode(to),
            Self::ExtendedGame(message) => message.encode(to),
            Self::Unknown(message) => to.bytes(message.body),
        }
    }
}

impl Uuid {
    /// Returns the UUID as a big-endian number.
    #[must_use]
    pub const fn number(self) -> u128 {
        u128::from_be_bytes(self.0)
    }

    /// Creates a UUID from a big-endian number.
    pub const fn from_number(number: u128) -> Self {
        Self(number.to_be_bytes())
    }
}

/// An open group. It is closed on drop, because a result that is held until an explicit close would be copied.
struct Group<'t, T: Trace>(&'t mut T);

impl<T: Trace> Drop for Group<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.0.exit();
    }
}

/// Reports the bytes after a message.
#[inline(always)]
fn finish<M, T: Trace>(message: M, mut from: Unpacker<'_>, trace: &mut T) -> M {
    if !from.reader.is_empty() {
        let span = trace_rest("extra_bytes", &mut from.reader, trace).1;
        trace.warning(span, &warning::EXTRA_BYTES);
    }
    message
}

/// Stores and reports the body of a message without a definition.
#[inline(always)]
fn unknown<'a, T: Trace>(
    system: bool,
    id: MessageId,
    id_span: Span,
    mut from: Unpacker<'a>,
    trace: &mut T,
) -> Unknown<'a> {
    let (body, _) = trace_rest("body", &mut from.reader, trace);
    trace.warning(id_span, &warning::UNKNOWN_MESSAGE);
    Unknown { system, id, body }
}

#[cold]
fn trace_bad_id<T: Trace>(error: CodecError, trace: &mut T) -> CodecError {
    let error = error.in_field("id").in_packet("message");
    trace.error(&error);
    error
}
