//! Derives for messages of Riptide Networking and packets of Freeciv. Use them through `gamewire_riptide`,
//! `gamewire::riptide` and `gamewire_freeciv::codec`, which document them. Riptide's derives exist twice, because the
//! generated code names the crate of the runtime.

#![forbid(unsafe_code)]

mod message;
mod message_attributes;
mod message_id;
mod packet;
mod packet_attributes;
mod packet_field;

use proc_macro::TokenStream;

/// `gamewire_riptide::Message`: a message with an id.
#[proc_macro_derive(Message, attributes(message))]
pub fn message(item: TokenStream) -> TokenStream {
    message::message(item, "::gamewire_riptide")
}

/// `gamewire_riptide::Value`: a value inside messages.
#[proc_macro_derive(Value, attributes(message))]
pub fn value(item: TokenStream) -> TokenStream {
    message::value(item, "::gamewire_riptide")
}

/// `gamewire::riptide::Message`: a message with an id.
#[proc_macro_derive(FacadeMessage, attributes(message))]
pub fn facade_message(item: TokenStream) -> TokenStream {
    message::message(item, "::gamewire::riptide")
}

/// `gamewire::riptide::Value`: a value inside messages.
#[proc_macro_derive(FacadeValue, attributes(message))]
pub fn facade_value(item: TokenStream) -> TokenStream {
    message::value(item, "::gamewire::riptide")
}

/// Converts between an enum and the ids of messages: `From<Enum> for u16`, for every `impl Into<u16>`, and
/// `TryFrom<u16> for Enum`, whose error is the number that no variant has.
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
/// An id has 16 bits and no fields:
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

/// `gamewire_freeciv::codec::Packet`: a packet of Freeciv, from a struct with attributes.
///
/// `#[packet(...)]` on the struct has the `name` in the definition, the `number` on the wire, the flags of the
/// definition (`sc`, `cs`, `no_delta`, `is_info`, `is_game_info`, `force`, `cancel(...)`), the `capabilities(...)`
/// that the fields name, the `topic`, and as `codec` the path of `gamewire_freeciv::codec` if it is another one.
///
/// `#[field(...)]` on each field has its type in the words of the definition, `"uint8(int)"` or with the alias
/// that was written `"PlayerNo = uint8(int)"`, then `key`, the dimensions of an `array` (`"[10:count][3]"`), the
/// form of `diff`, the capabilities `with` and `without` which it is sent, and its `name` in the definition if
/// that is not the name of the field. A field of the type `Option` is `None` where the connection does not send it.
#[proc_macro_derive(Packet, attributes(packet, field))]
pub fn packet(item: TokenStream) -> TokenStream {
    packet::packet(item)
}
