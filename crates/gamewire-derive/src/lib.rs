//! Derive macros for messages of Riptide Networking and packets of Freeciv. Use them through `gamewire_riptide`,
//! `gamewire::riptide` and `gamewire_freeciv::codec`, which document them. The derive macros of Riptide exist twice,
//! because generated code contains the path of the runtime crate.

#![forbid(unsafe_code)]

mod message;
mod message_attributes;
mod message_id;
mod packet;
mod packet_attributes;
mod packet_field;

use proc_macro::TokenStream;

/// Derives `gamewire_riptide::Message` for a message with an id.
#[proc_macro_derive(Message, attributes(message))]
pub fn message(item: TokenStream) -> TokenStream {
    message::message(item, "::gamewire_riptide")
}

/// Derives `gamewire_riptide::Value` for a value inside messages.
#[proc_macro_derive(Value, attributes(message))]
pub fn value(item: TokenStream) -> TokenStream {
    message::value(item, "::gamewire_riptide")
}

/// Derives `gamewire::riptide::Message` for a message with an id.
#[proc_macro_derive(FacadeMessage, attributes(message))]
pub fn facade_message(item: TokenStream) -> TokenStream {
    message::message(item, "::gamewire::riptide")
}

/// Derives `gamewire::riptide::Value` for a value inside messages.
#[proc_macro_derive(FacadeValue, attributes(message))]
pub fn facade_value(item: TokenStream) -> TokenStream {
    message::value(item, "::gamewire::riptide")
}

/// Derives conversions between an enum and message ids: `From<Enum> for u16`, which allows the enum as `impl
/// Into<u16>`, and `TryFrom<u16> for Enum`. The error of the latter is the number that no variant has.
///
/// ```
/// # use gamewire_derive::MessageId;
/// #[derive(Debug, PartialEq, MessageId)]
/// enum ToServer {
///     Name = 1,
///     Input,
/// }
///
/// assert_eq!(u16::from(ToServer::Input), 2);
/// assert_eq!(ToServer::try_from(1), Ok(ToServer::Name));
/// assert_eq!(ToServer::try_from(3), Err(3));
/// ```
///
/// An id has 16 bits, and a variant has no fields:
///
/// ```compile_fail,E0080
/// #[derive(gamewire_derive::MessageId)]
/// enum Far { Away = 65_536 }
/// ```
///
/// ```compile_fail
/// #[derive(gamewire_derive::MessageId)]
/// enum Named { One(u8) }
/// ```
#[proc_macro_derive(MessageId)]
pub fn message_id(item: TokenStream) -> TokenStream {
    message_id::message_id(item)
}

/// Derives `gamewire_freeciv::codec::Packet` for a packet of Freeciv: a struct with attributes.
///
/// `#[packet(...)]` on the struct contains the `name` in the definition, the `number` on the wire, the flags in the
/// definition (`sc`, `cs`, `no_delta`, `is_info`, `is_game_info`, `force`, `cancel(...)`), the `capabilities(...)` that
/// the fields name, and the `topic`. If the path of `gamewire_freeciv::codec` is not the default, `codec` contains it.
///
/// `#[field(...)]` on each field contains its type in the definition language: `"uint8(int)"`, or `"PlayerNo =
/// uint8(int)"` for an alias. Optional parts are `key`, the dimensions of an `array` (`"[10:count][3]"`), the form of
/// `diff`, the capabilities that the field needs (`with`) and that exclude it (`without`), and its `name` in the
/// definition if it differs from the field's name. A field of the type `Option` is `None` if the connection does not
/// send it.
#[proc_macro_derive(Packet, attributes(packet, field))]
pub fn packet(item: TokenStream) -> TokenStream {
    packet::packet(item)
}
