//! Every packet: its header, its sender and its fields (docs/protocols/riptide.md, "Headers").

use gamewire_machine::Role;
use gamewire_wire::{Definition, FieldDefinition, Layer, Result, Trace};

use super::Ack;
use super::field::{
    Bits8, Byte, DisconnectReason, HeaderField, MessageId, RejectReason, Short, Ushort, trace_rest,
};
use crate::shared::header::Header;
use crate::shared::message::{Reader, Writer};
use crate::shared::payload::Payload;
use crate::shared::version::Version;

/// Defines the type of one packet. If the fields are followed by `then`, data of the application follow them; otherwise
/// only padding.
macro_rules! packet_type {
    ($(#[doc = $doc:literal])+ $name:ident $text:literal { $($(#[doc = $field_doc:literal])+ $field:ident: $value:ty as $field_type:ident,)* }) => {
        packet_type! { $(#[doc = $doc])+ $name $text false {
            $($(#[doc = $field_doc])+ $field: $value as $field_type,)* then trailing: " Bits without a meaning."
        } }
    };
    ($(#[doc = $doc:literal])+ $name:ident $text:literal { $($fields:tt)* }) => {
        packet_type! { $(#[doc = $doc])+ $name $text true { $($fields)* } }
    };
    (
        $(#[doc = $doc:literal])+ $name:ident $text:literal $has_data:literal {
            $($(#[doc = $field_doc:literal])+ $field:ident: $value:ty as $field_type:ident,)*
            then $rest:ident: $rest_doc:literal
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name<'a> {
            $($(#[doc = $field_doc])+ pub $field: $value,)*
            #[doc = $rest_doc]
            pub $rest: Payload<'a>,
        }

        impl<'a> $name<'a> {
            /// The packet as data.
            pub const DEFINITION: &'static Definition = &Definition {
                layer: Layer::Message,
                name: $text,
                doc: &[$($doc),+],
                fields: &[
                    $(FieldDefinition::new(stringify!($field), stringify!($field_type), &[$($field_doc),+]),)*
                    FieldDefinition::new(stringify!($rest), "Payload", &[$rest_doc]),
                ],
            };

            /// Reads the fields after the header.
            #[inline]
            fn read<V: Version, T: Trace>(
                #[allow(unused_mut, reason = "some have no fields")] mut from: Reader<'a, V>,
                trace: &mut T,
            ) -> Result<Self> {
                $(let $field = $field_type::read(&mut from, stringify!($field), trace)?;)*
                let $rest = from.remaining();
                trace_rest(stringify!($rest), &$rest, $has_data, trace);
                Ok(Self { $($field,)* $rest })
            }

            /// Writes the fields after the header.
            #[inline]
            fn write<V: Version>(&self, to: &mut Writer<'_, V>) -> Result<()> {
                $($field_type::write(self.$field, to).map_err(|error| error.in_field(stringify!($field)))?;)*
                to.payload(&self.$rest).map_err(|error| error.in_field(stringify!($rest)))
            }

            /// Returns the bits of the fields and of the rest.
            #[allow(clippy::extra_unused_type_parameters, reason = "some have no fields")]
            fn bit_len<V: Version>(&self) -> usize {
                self.rest().0.bit_len() $(.saturating_add($field_type::bit_len::<V>(self.$field)))*
            }

            /// Returns the rest, and whether it is data of the application.
            const fn rest(&self) -> (&Payload<'a>, bool) {
                (&self.$rest, $has_data)
            }
        }
    };
}

/// Defines the packet types and an enum of all of them. The names are used in traces.
macro_rules! packets {
    ($($(#[doc = $doc:literal])+ $name:ident $text:literal: $header:ident from $sender:pat => { $($fields:tt)* })+) => {
        $(packet_type! { $(#[doc = $doc])+ $name $text { $($fields)* } })+

        /// A packet of either version.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Packet<'a> {
            $(
                #[doc = concat!("[`", stringify!($name), "`].")]
                $name($name<'a>),
            )+
            /// [`Ack`].
            Ack(Ack<'a>),
            /// A packet with a number from 11 on, which has no meaning: the number, and the rest of the packet.
            Unknown(u8, Unknown<'a>),
        }

        impl<'a> Packet<'a> {
            /// Returns the header. The header of an ack depends on the version: see [`Ack::header`].
            pub const fn header(&self) -> Header {
                match self {
                    $(Self::$name(_) => Header::$header,)+
                    Self::Ack(_) => Header::Ack,
                    Self::Unknown(number, _) => Header::Unknown(*number),
                }
            }

            /// Returns the name in traces.
            pub const fn name(&self) -> &'static str {
                match self {
                    $(Self::$name(_) => $text,)+
                    Self::Ack(_) => "ack",
                    Self::Unknown(..) => Unknown::DEFINITION.name,
                }
            }

            /// Returns the name of the packet with this header and sender.
            pub const fn name_of(header: Header, sender: Role) -> &'static str {
                match (header, sender) {
                    $((Header::$header, $sender) => $text,)+
                    (Header::Ack | Header::AckExtra, _) => "ack",
                    (Header::Unknown(_), _) => Unknown::DEFINITION.name,
                }
            }

            /// Returns the application's data, if the packet can have any.
            pub fn user_data(&self) -> Option<&Payload<'a>> {
                let (rest, is_data) = match self {
                    $(Self::$name(packet) => packet.rest(),)+
                    Self::Ack(_) | Self::Unknown(..) => return None,
                };
                is_data.then_some(rest)
            }

            /// Reads the fields after the header.
            #[inline]
            pub(super) fn read_fields<V: Version, T: Trace>(
                header: Header,
                sender: Role,
                from: Reader<'a, V>,
                trace: &mut T,
            ) -> Result<Self> {
                Ok(match (header, sender) {
                    $((Header::$header, $sender) => Self::$name($name::read(from, trace)?),)+
                    (Header::Ack | Header::AckExtra, _) => Self::Ack(Ack::read(header, from, trace)?),
                    (Header::Unknown(number), _) => Self::Unknown(number, Unknown::read(from, trace)?),
                })
            }

            /// Writes the fields after the header.
            #[inline]
            pub(super) fn write_fields<V: Version>(&self, to: &mut Writer<'_, V>) -> Result<()> {
                match self {
                    $(Self::$name(packet) => packet.write(to),)+
                    Self::Ack(packet) => packet.write(to),
                    Self::Unknown(_, packet) => packet.write(to),
                }
            }

            /// Returns the number of bits.
            pub(crate) fn bit_len<V: Version>(&self) -> usize {
                V::HEADER_BITS.saturating_add(match self {
                    $(Self::$name(packet) => packet.bit_len::<V>(),)+
                    Self::Ack(packet) => packet.bit_len::<V>(),
                    Self::Unknown(_, packet) => packet.bit_len::<V>(),
                })
            }
        }

        $(impl<'a> From<$name<'a>> for Packet<'a> {
            fn from(packet: $name<'a>) -> Self {
                Self::$name(packet)
            }
        })+

        /// Returns the definitions of the packets of a version.
        pub fn packet_definitions<V: Version>() -> impl Iterator<Item = &'static Definition> {
            let [(_, first), rest @ ..] = [$((Header::$header, $name::DEFINITION)),+];
            let rest = rest.into_iter().filter(|(header, _)| V::number(*header).is_some());
            let rest = rest.map(|(_, definition)| definition).chain([Unknown::DEFINITION]);
            [first, Ack::definition::<V>()].into_iter().chain(rest)
        }
    };
}

packets! {
    /// A message that may be lost.
    Unreliable "unreliable": Unreliable from _ => {
        /// Id of the message type.
        id: u16 as MessageId,
        then payload: " Values of the message."
    }
    /// A client requests a connection.
    Connect "connect": Connect from Role::Client => {
        then data: " Connect data of the client's application."
    }
    /// A server has received a connect request, and replies when its application has decided.
    Pending "pending": Connect from Role::Server => {}
    /// A server rejects a client.
    Reject "reject": Reject from _ => {
        /// Reason; the numbers differ by version, and the Python port uses the numbers of 2.0.
        reason: u8 as RejectReason,
        then data: " Data of the server's application; used with reason `Custom` only."
    }
    /// A ping of a client.
    Heartbeat "heartbeat": Heartbeat from Role::Client => {
        /// Id that the reply repeats.
        ping_id: u8 as Byte,
        /// Last round-trip time of the client in milliseconds; -1 (the Python port: 0) before the first one.
        rtt: i16 as Short,
    }
    /// The reply of a server to a heartbeat.
    HeartbeatReply "heartbeat_reply": Heartbeat from Role::Server => {
        /// Id of the heartbeat.
        ping_id: u8 as Byte,
    }
    /// A client leaves: its `Disconnect`, which has no fields.
    Leave "leave": Disconnect from Role::Client => {}
    /// A server closes a connection.
    Disconnect "disconnect": Disconnect from Role::Server => {
        /// Reason; 80 is sent by a server of 2.1.0 to 2.2.0 that stops.
        reason: u8 as DisconnectReason,
        then data: " Data of the server's application; used with reason `Kicked` only."
    }
    /// A message (2.1); its sender is notified whether it arrived. It has no message id.
    Notify "notify": Notify from _ => {
        /// The newest notify message that the sender has received.
        last_received_seq_id: u16 as Ushort,
        /// The 8 messages before that: one bit for each, set if it has arrived. The lowest bit is the latest message.
        received_seq_ids: u8 as Bits8,
        /// Sequence number among the notify messages of the sender.
        seq_id: u16 as Ushort,
        then payload: " Values of the message."
    }
    /// A message that is resent until it is acknowledged.
    Reliable "reliable": Reliable from _ => {
        /// Sequence number among the reliable messages of the sender.
        seq_id: u16 as Ushort,
        /// Id of the message type.
        id: u16 as MessageId,
        then payload: " Values of the message."
    }
    /// A server accepts a client and assigns its id; the client echoes the packet. Reliable.
    Welcome "welcome": Welcome from _ => {
        /// Sequence number among the reliable messages of the sender.
        seq_id: u16 as Ushort,
        /// Id of the client.
        client_id: u16 as Ushort,
    }
    /// Another client connected. Reliable.
    ClientConnected "client_connected": ClientConnected from _ => {
        /// Sequence number among the reliable messages of the sender.
        seq_id: u16 as Ushort,
        /// Id of the other client.
        client_id: u16 as Ushort,
    }
    /// Another client disconnected. Reliable.
    ClientDisconnected "client_disconnected": ClientDisconnected from _ => {
        /// Sequence number among the reliable messages of the sender.
        seq_id: u16 as Ushort,
        /// Id of the other client.
        client_id: u16 as Ushort,
    }
}

packet_type! {
    /// A packet with a header without a meaning. It is acknowledged like a reliable message, then dropped.
    Unknown "unknown_header" {
        /// Sequence number among the reliable messages of the sender.
        seq_id: u16 as Ushort,
        then payload: " The rest of the packet."
    }
}
