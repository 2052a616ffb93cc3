//! Traits and macros of messages and of the groups in them.

use gamewire_machine::Role;
use gamewire_wire::{CodecError, Definition, Result, Trace, Writer};

use crate::shared::pack::{FifthByte, Unpacker};

/// A message with a body of typed fields.
pub trait Message<'a>: Sized {
    /// Definition of the message.
    const DEFINITION: &'static Definition;

    /// Reads the body from `rest`, the unread bytes of `source`, and calls `then` with it and the cursor after it.
    /// `then` constructs its result in place, without a copy of the body.
    ///
    /// # Errors
    /// [`CodecError`] if a field cannot be read. The trace has received it and the fields before it.
    fn decode_then<R, T: Trace>(
        source: &'a [u8],
        rest: &'a [u8],
        trace: &mut T,
        fifth_byte: FifthByte,
        then: impl FnOnce(Self, Unpacker<'a>, &mut T) -> R,
    ) -> Result<R>;

    /// Writes the body.
    ///
    /// # Errors
    /// [`CodecError`] if the buffer is full or a value has no encoding.
    fn encode(&self, to: &mut Writer<'_>) -> Result<()>;
}

/// A set of messages with different ids.
pub trait MessageSet<'a>: Sized {
    /// Type of the ids.
    type Id;

    /// Reads the body of message `id` and calls `known` with it and the cursor after it. Calls `unknown`
    /// if the set has no such id.
    ///
    /// # Errors
    /// [`CodecError`] if a field cannot be read. The trace has received it and the fields before it.
    fn decode_then<R, T: Trace>(
        id: Self::Id,
        from: Unpacker<'a>,
        trace: &mut T,
        known: impl FnOnce(Self, Unpacker<'a>, &mut T) -> R,
        unknown: impl FnOnce(Unpacker<'a>, &mut T) -> R,
    ) -> Result<R>;

    /// Reads the body of message `id`, or returns `None` if the set has no such id.
    ///
    /// # Errors
    /// [`CodecError`] if a field cannot be read. The trace has received it and the fields before it.
    fn decode<T: Trace>(id: Self::Id, from: &mut Unpacker<'a>, trace: &mut T) -> Result<Option<Self>> {
        let known = |message, after, _: &mut T| (Some(message), after);
        let (read, after) = Self::decode_then(id, *from, trace, known, |after, _| (None, after))?;
        *from = after;
        Ok(read)
    }

    /// Returns the definition of message `id`, if the set has one.
    fn definition_of(id: Self::Id) -> Option<&'static Definition>;

    /// Returns the role that sends message `id`, if the table of the set names it and only one role does.
    fn sender_of(id: Self::Id) -> Option<Role>;

    /// Returns the id of this message.
    fn id(&self) -> Self::Id;

    /// Writes the body.
    ///
    /// # Errors
    /// [`CodecError`] if the buffer is full or a value has no encoding.
    fn encode(&self, to: &mut Writer<'_>) -> Result<()>;
}

/// The rule of a field. It is the rule in the definition if there is one, otherwise the rule of the type.
macro_rules! rule {
    ($ty:ty) => {
        const { &<$ty as $crate::shared::field::Field<'_>>::RULE }
    };
    ($ty:ty, $rule:expr) => {
        const { &$rule }
    };
}

/// Defines messages: for each a struct, its [`Message`] implementation and its definition.
macro_rules! message {
    ($($(#[doc = $doc:literal])+ $Type:ident $(<$lt:lifetime>)? $name:literal { $($fields:tt)* })+) => {$(
        $crate::shared::definition::message! { @one $(#[doc = $doc])+ $Type $(<$lt>)? $name { $($fields)* } }
    )+};
    (@one
        $(#[doc = $doc:literal])+
        $Type:ident $(<$lt:lifetime>)? $name:literal {
            $($(#[doc = $fdoc:literal])* $field:ident : $ty:ty $(as $rule:expr)?),* $(,)?
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize))]
        pub struct $Type $(<$lt>)? {
            $(
                #[doc = $crate::shared::definition::field_doc!(text $field $($fdoc)*)]
                #[doc = concat!("\n\nOn the wire: `", stringify!($ty) $(, " as ", stringify!($rule))?, "`.")]
                pub $field: $ty,
            )*
        }

        impl<'a> $crate::shared::definition::Message<'a> for $crate::shared::definition::message!(@type $Type $(, $lt)?) {
            const DEFINITION: &'static $crate::shared::definition::Definition =
                &$crate::shared::definition::Definition {
                    layer: gamewire_wire::Layer::Message,
                    name: $name,
                    doc: &[$($doc),+],
                    fields: $crate::shared::definition::fields!($($(#[doc = $fdoc])* $field: $ty $(as $rule)?),*),
                };

            // Each message has a separate function, in which a small message and the parts of the cursor fit into
            // registers.
            #[inline(never)]
            fn decode_then<R, T: gamewire_wire::Trace>(
                source: &'a [u8],
                rest: &'a [u8],
                trace: &mut T,
                fifth_byte: $crate::shared::pack::FifthByte,
                then: impl FnOnce(Self, $crate::shared::pack::Unpacker<'a>, &mut T) -> R,
            ) -> gamewire_wire::Result<R> {
                let mut here =
                    $crate::shared::pack::Unpacker::new(gamewire_wire::Reader::within(source, rest), fifth_byte);
                let _ = (&mut here, &trace);
                let message = Self {
                    $($field: match $crate::shared::field::Field::read(
                        &mut here,
                        $crate::shared::definition::rule!($ty $(, $rule)?),
                        stringify!($field),
                        trace,
                    ) {
                        Ok(field) => field,
                        Err(error) => return $crate::shared::definition::failed(error, $name, trace),
                    },)*
                };
                Ok(then(message, here, trace))
            }

            #[inline]
            fn encode(&self, to: &mut gamewire_wire::Writer<'_>) -> gamewire_wire::Result<()> {
                let _ = &to;
                $(if let Err(error) = $crate::shared::field::Field::write(&self.$field, to) {
                    return Err(error.in_field(stringify!($field)).in_packet($name));
                })*
                Ok(())
            }
        }
    };
    // The message is defined in `shared`.
    ($Type:ident $(<$lt:lifetime>)? $name:literal ;) => {};
    (@type $Type:ident) => { $Type };
    (@type $Type:ident, $lt:lifetime) => { $Type<'a> };
}

/// Defines structures that are elements of a list. They are reported as groups.
macro_rules! group {
    ($(
        $(#[doc = $doc:literal])+
        $Type:ident<$lt:lifetime> {
            $($(#[doc = $fdoc:literal])* $field:ident : $ty:ty $(as $rule:expr)?),* $(,)?
        }
    )+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize))]
        pub struct $Type<$lt> {
            $(
                #[doc = $crate::shared::definition::field_doc!(text $field $($fdoc)*)]
                #[doc = concat!("\n\nOn the wire: `", stringify!($ty) $(, " as ", stringify!($rule))?, "`.")]
                pub $field: $ty,
            )*
        }

        impl<$lt> $crate::shared::field::Field<$lt> for $Type<$lt> {
            type Rule = ();
            const RULE: () = ();

            fn shape((): &()) -> gamewire_wire::Shape {
                gamewire_wire::Shape::Group(const {
                    &$crate::shared::definition::Definition {
                        layer: gamewire_wire::Layer::Group,
                        name: "",
                        doc: &[$($doc),+],
                        fields: $crate::shared::definition::fields!($($(#[doc = $fdoc])* $field: $ty $(as $rule)?),*),
                    }
                })
            }

            fn read<T: gamewire_wire::Trace>(
                from: &mut $crate::shared::pack::Unpacker<$lt>,
                (): &(),
                name: &'static str,
                trace: &mut T,
            ) -> gamewire_wire::Result<Self> {
                let start = from.reader.offset();
                trace.enter(gamewire_wire::Layer::Group, name, from.span_since(start));
                let mut group = Self::default();
                let read = (|| {
                    $(group.$field = $crate::shared::field::Field::read(
                        from,
                        $crate::shared::definition::rule!($ty $(, $rule)?),
                        stringify!($field),
                        trace,
                    )?;)*
                    Ok(group)
                })();
                trace.exit();
                read
            }

            fn write(&self, to: &mut gamewire_wire::Writer<'_>) -> gamewire_wire::Result<()> {
                $($crate::shared::field::Field::write(&self.$field, to)?;)*
                Ok(())
            }
        }
    )+};
}

/// The doc of a field. It is the field's own doc if there is one, otherwise the doc of its name, which has the same
/// meaning in every definition. `text` is for Rust, and `lines` is for a definition.
macro_rules! field_doc {
    (text x) => { " Horizontal position in 32nds of a tile." };
    (text y) => { " Vertical position in 32nds of a tile, downwards." };
    (text vel_x) => { " Horizontal velocity." };
    (text vel_y) => { " Vertical velocity, downwards." };
    (text client_id) => { " Client id of the player." };
    (text country) => { " Country by ISO 3166 number; -1 for none." };
    (text start_tick) => { " Tick of its start." };
    (text tick) => { " Tick of the snapshot." };
    (text delta) => { " Distance from `tick` back to the base, in ticks; `tick + 1` for the empty snapshot." };
    (text ack_snapshot) => { " Tick of the last complete snapshot; -1 for none." };
    (text intended_tick) => { " Tick that the input is for." };
    (text local) => { " Whether this is the player of the receiving client." };
    (text latency) => { " Ping in milliseconds." };
    (text sha256) => { " SHA-256 of the file." };
    (text reserved) => { " For later extensions." };
    (text $field:ident) => { "" };
    (text $field:ident $($doc:literal)+) => { concat!($($doc, "\n"),+) };
    (lines $field:ident) => {{
        const DOC: &str = $crate::shared::definition::field_doc!(text $field);
        const LINES: &[&str] = if DOC.is_empty() { &[] } else { &[DOC] };
        LINES
    }};
    (lines $field:ident $($doc:literal)+) => { &[$($doc),+] };
}

/// Lists the fields of a definition.
macro_rules! fields {
    ($($(#[doc = $fdoc:literal])* $field:ident : $ty:ty $(as $rule:expr)?),* $(,)?) => {
        &[$(
            $crate::shared::definition::FieldDefinition {
                name: stringify!($field),
                kind: concat!(stringify!($ty) $(, " as ", stringify!($rule))?),
                doc: $crate::shared::definition::field_doc!(lines $field $($fdoc)*),
                encoding: &$crate::shared::field::RuleEncoding {
                    rule: $crate::shared::definition::rule!($ty $(, $rule)?),
                    shape: <$ty as $crate::shared::field::Field<'_>>::shape,
                },
            }
        ),*]
    };
}

/// Defines a set of messages: the structs, an enum of them, decoding by id, and a golden test for each. A test does not
/// build without its vector in `vectors/teeworlds/`.
macro_rules! messages {
    (
        $(#[$meta:meta])*
        pub enum $Set:ident<'a>: $Id:ty, golden $dir:literal, sender $by:ident;
        $(
            $(#[doc = $doc:literal])*
            $id:literal $(= $unique:literal)? $(from $sender:ident)? => $Type:ident $(<$lt:lifetime>)? $name:literal $body:tt
        )+
    ) => {
        $(
            $crate::shared::definition::message! {
                $(#[doc = $doc])*
                $Type $(<$lt>)? $name $body
            }
        )+

        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize))]
        #[non_exhaustive]
        #[allow(clippy::large_enum_variant, reason = "a message borrows; boxing one would allocate")]
        pub enum $Set<'a> {
            $(
                #[doc = concat!("`", stringify!($id), "`: ", $name, ".")]
                $Type($crate::shared::definition::message!(@type $Type $(, $lt)?)),
            )+
        }

        impl<'a> $Set<'a> {
            /// Returns the id and the definition of every message of this set, in the order of the ids.
            pub const fn definitions() -> &'a [($Id, &'static $crate::shared::definition::Definition)] {
                &[$(($id, <$Type as $crate::shared::definition::Message<'_>>::DEFINITION)),+]
            }
            /// The unique names by id. An id is a hash of its name.
            pub const NAMES: &'static [(u128, &'static str)] = &[$($(($id, $unique),)?)+];
        }

        impl<'a> $crate::shared::definition::MessageSet<'a> for $Set<'a> {
            type Id = $Id;

            #[inline(always)]
            fn decode_then<R, T: gamewire_wire::Trace>(
                id: $Id,
                from: $crate::shared::pack::Unpacker<'a>,
                trace: &mut T,
                known: impl FnOnce(Self, $crate::shared::pack::Unpacker<'a>, &mut T) -> R,
                unknown: impl FnOnce($crate::shared::pack::Unpacker<'a>, &mut T) -> R,
            ) -> gamewire_wire::Result<R> {
                let (source, rest, fifth_byte) = (from.reader.source(), from.reader.remaining(), from.fifth_byte());
                match id {
                    $($id => $crate::shared::definition::Message::decode_then(
                        source,
                        rest,
                        trace,
                        fifth_byte,
                        |message, from, trace| known(Self::$Type(message), from, trace),
                    ),)+
                    _ => Ok(unknown(from, trace)),
                }
            }

            #[inline]
            fn definition_of(id: $Id) -> Option<&'static $crate::shared::definition::Definition> {
                match id {
                    $($id => Some(<$Type as $crate::shared::definition::Message>::DEFINITION),)+
                    _ => None,
                }
            }

            fn sender_of(id: $Id) -> Option<gamewire_machine::Role> {
                match id {
                    $($id => $crate::shared::definition::sender!($by $Type $($sender)?),)+
                    _ => None,
                }
            }

            #[inline]
            fn id(&self) -> $Id {
                match self {
                    $(Self::$Type(_) => $id,)+
                }
            }

            #[inline]
            fn encode(&self, to: &mut gamewire_wire::Writer<'_>) -> gamewire_wire::Result<()> {
                match self {
                    $(Self::$Type(message) => $crate::shared::definition::Message::encode(message, to),)+
                }
            }
        }

        $(
            impl<'a> From<$crate::shared::definition::message!(@type $Type $(, $lt)?)> for $Set<'a> {
                fn from(message: $crate::shared::definition::message!(@type $Type $(, $lt)?)) -> Self {
                    Self::$Type(message)
                }
            }
        )+

        #[cfg(test)]
        #[allow(non_snake_case, reason = "a test has the name of its message")]
        mod golden {
            $(
                #[test]
                fn $Type() {
                    $crate::golden_tests::message::<super::$Set<'static>>(
                        $name,
                        include_str!(concat!(
                            env!("CARGO_MANIFEST_DIR"), "/../../vectors/teeworlds/", $dir, "/",
                            stringify!($Type), ".json"
                        )),
                    );
                }
            )+
        }
    };
}

/// Sets the message of an error and reports it. The caller returns the result immediately, because a
/// path shared by error and message would slow down every message.
#[inline(always)]
pub(crate) fn failed<R, T: Trace>(error: CodecError, message: &'static str, trace: &mut T) -> Result<R> {
    let error = error.in_packet(message);
    trace.error(&error);
    Err(error)
}

pub(crate) use {field_doc, fields, group, message, messages, rule};
