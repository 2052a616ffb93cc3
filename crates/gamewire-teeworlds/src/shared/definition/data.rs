//! Definitions as data, and what messages have in common.

use gamewire_wire::Layer;

/// A message, object or header as data: for lists, filters and other generators.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Definition {
    /// What kind of group it is told as.
    pub layer: Layer,
    /// Its name in traces.
    pub name: &'static str,
    /// Its documentation, a line each.
    pub doc: &'static [&'static str],
    /// Its fields in wire order.
    pub fields: &'static [FieldDefinition],
}

/// A field of a [`Definition`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldDefinition {
    /// Its name in traces, unless it has `parts`.
    pub name: &'static str,
    /// Its type as the definition spells it, with its rule.
    pub kind: &'static str,
    /// Its documentation, a line each; may be empty.
    pub doc: &'static [&'static str],
    /// The fields that stand in its place, if it is made of several.
    pub parts: Option<&'static Definition>,
}

/// A message with a body of typed fields.
pub trait Message<'a>: Sized {
    /// The message as data.
    const DEFINITION: &'static Definition;

    /// Reads the body: all fields in order.
    ///
    /// # Errors
    /// When a field cannot be read; what came before it has been told.
    fn decode<T: gamewire_wire::Trace>(
        from: &mut crate::shared::pack::Unpacker<'a>,
        trace: &mut T,
    ) -> Result<Self, gamewire_wire::CodecError>;

    /// Writes the body.
    ///
    /// # Errors
    /// When the buffer is full or a value has no form on the wire.
    fn encode(&self, to: &mut gamewire_wire::Writer<'_>) -> Result<(), gamewire_wire::CodecError>;
}

/// A set of messages told apart by an id.
pub trait MessageSet<'a>: Sized {
    /// What tells them apart.
    type Id;

    /// Reads the body of message `id` and wraps it, where the caller wants it; `None` when the
    /// set has no such id.
    ///
    /// # Errors
    /// When a field cannot be read; what came before it has been told.
    fn decode<R, T: gamewire_wire::Trace>(
        id: Self::Id,
        from: &mut crate::shared::pack::Unpacker<'a>,
        trace: &mut T,
        wrap: impl FnOnce(Self) -> R,
    ) -> Result<Option<R>, gamewire_wire::CodecError>;

    /// The definition of message `id`, if the set has one.
    fn definition_of(id: Self::Id) -> Option<&'static Definition>;

    /// The id of this message.
    fn id(&self) -> Self::Id;

    /// The definition of this message.
    fn definition(&self) -> &'static Definition;

    /// Writes the body.
    ///
    /// # Errors
    /// When the buffer is full or a value has no form on the wire.
    fn encode(&self, to: &mut gamewire_wire::Writer<'_>) -> Result<(), gamewire_wire::CodecError>;
}
