use gamewire_machine::Role;
use gamewire_wire::{CodecError, Found, Layer, Trace, Value};

use super::{
    Ack, ClientConnected, ClientDisconnected, Connect, Disconnect, Heartbeat, HeartbeatReply, Leave, Notify,
    Pending, Reject, Reliable, Unknown, Unreliable, Welcome,
};
use crate::shared::header::Header;
use crate::shared::message::{Reader, Writer};
use crate::shared::payload::{Payload, span};
use crate::shared::reason::DisconnectReason;
use crate::shared::version::Version;
use crate::shared::warning;

/// Defines the enum of all packets.
macro_rules! packets {
    ($($name:ident: $header:ident $text:literal)+) => {
        /// A packet of either version.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Packet<'a> {
            $(
                #[doc = concat!("[`", stringify!($name), "`].")]
                $name($name<'a>),
            )+
            /// A number from 11 on, which has no meaning, and the rest of the packet.
            Unknown(u8, Unknown<'a>),
        }

        impl Packet<'_> {
            /// Returns the header. [`Ack::header`] returns that of an ack in a version.
            #[must_use]
            pub const fn header(&self) -> Header {
                match self {
                    $(Self::$name(_) => Header::$header,)+
                    Self::Unknown(number, _) => Header::Unknown(*number),
                }
            }

            /// Returns the name in traces.
            #[must_use]
            pub const fn name(&self) -> &'static str {
                match self {
                    $(Self::$name(_) => $text,)+
                    Self::Unknown(..) => Unknown::DEFINITION.name,
                }
            }
        }

        $(impl<'a> From<$name<'a>> for Packet<'a> {
            fn from(packet: $name<'a>) -> Self {
                Self::$name(packet)
            }
        })+
    };
}

packets! {
    Unreliable: Unreliable "unreliable"
    Ack: Ack "ack"
    Connect: Connect "connect"
    Pending: Connect "pending"
    Reject: Reject "reject"
    Heartbeat: Heartbeat "heartbeat"
    HeartbeatReply: Heartbeat "heartbeat_reply"
    Leave: Disconnect "leave"
    Disconnect: Disconnect "disconnect"
    Notify: Notify "notify"
    Reliable: Reliable "reliable"
    Welcome: Welcome "welcome"
    ClientConnected: ClientConnected "client_connected"
    ClientDisconnected: ClientDisconnected "client_disconnected"
}

impl<'a> Packet<'a> {
    /// Returns the application's data, if the packet can have any.
    #[must_use]
    pub const fn user_data(&self) -> Option<&Payload<'a>> {
        Some(match self {
            Self::Unreliable(packet) => &packet.payload,
            Self::Reliable(packet) => &packet.payload,
            Self::Notify(packet) => &packet.payload,
            Self::Connect(packet) => &packet.data,
            Self::Reject(packet) => &packet.data,
            Self::Disconnect(packet) => &packet.data,
            _ => return None,
        })
    }

    /// Decodes a datagram or the content of a TCP frame, and traces it as one group.
    ///
    /// # Errors
    /// If it is empty or ends before its last field does. The trace has the error too.
    pub fn decode<V: Version, T: Trace>(
        datagram: &'a [u8],
        sender: Role,
        trace: &mut T,
    ) -> Result<Self, CodecError> {
        Self::decode_with::<V, T>(datagram, sender, trace, |_, _| {})
    }

    /// Decodes a packet as [`Packet::decode`] does, and calls `trace_more` inside its group.
    pub(crate) fn decode_with<V: Version, T: Trace>(
        datagram: &'a [u8],
        sender: Role,
        trace: &mut T,
        trace_more: impl FnOnce(&Self, &mut T),
    ) -> Result<Self, CodecError> {
        let mut from = Reader::<V>::new(datagram);
        let number = match from.word(V::HEADER_BITS, "a header") {
            Ok(number) => number.to_le_bytes()[0],
            Err(error) => {
                trace.error(&error);
                return Err(error);
            }
        };
        let header = V::header(number);
        let name = group_name(header, sender);
        trace.enter(Layer::Message, name, Payload::new(datagram).span());
        let header_span = span(0, V::HEADER_BITS);
        trace.field("header", header_span, Value::Named { value: number.into(), name: header.name() });
        if datagram.len() > V::MAX_SIZE {
            trace.warning(Payload::new(datagram).span(), &warning::TOO_LONG);
        }
        if matches!(header, Header::Unknown(_)) {
            trace.warning(header_span, &warning::UNKNOWN_HEADER);
        }
        let packet = Self::read_fields(header, sender, from, trace).map_err(|error| error.in_packet(name));
        match &packet {
            Ok(Packet::Disconnect(disconnect)) if is_legacy_stop::<V>(disconnect) => {
                trace.warning(span(0, 16), &warning::LEGACY_STOP);
            }
            Ok(packet) => trace_more(packet, trace),
            Err(error) => trace.error(error),
        }
        trace.exit();
        packet
    }

    /// Reads the fields after the header.
    #[inline]
    fn read_fields<V: Version, T: Trace>(
        header: Header,
        sender: Role,
        from: Reader<'a, V>,
        trace: &mut T,
    ) -> Result<Self, CodecError> {
        Ok(match (header, sender) {
            (Header::Unreliable, _) => Unreliable::read(from, trace)?.into(),
            (Header::Ack | Header::AckExtra, _) => Ack::read(header, from, trace)?.into(),
            (Header::Connect, Role::Client) => Connect::read(from, trace)?.into(),
            (Header::Connect, Role::Server) => Pending::read(from, trace)?.into(),
            (Header::Reject, _) => Reject::read(from, trace)?.into(),
            (Header::Heartbeat, Role::Client) => Heartbeat::read(from, trace)?.into(),
            (Header::Heartbeat, Role::Server) => HeartbeatReply::read(from, trace)?.into(),
            (Header::Disconnect, Role::Client) => Leave::read(from, trace)?.into(),
            (Header::Disconnect, Role::Server) => Disconnect::read(from, trace)?.into(),
            (Header::Notify, _) => Notify::read(from, trace)?.into(),
            (Header::Reliable, _) => Reliable::read(from, trace)?.into(),
            (Header::Welcome, _) => Welcome::read(from, trace)?.into(),
            (Header::ClientConnected, _) => ClientConnected::read(from, trace)?.into(),
            (Header::ClientDisconnected, _) => ClientDisconnected::read(from, trace)?.into(),
            (Header::Unknown(number), _) => Self::Unknown(number, Unknown::read(from, trace)?),
        })
    }

    /// Writes the packet. If its payload is empty, the values of a message can follow in `to`.
    ///
    /// # Errors
    /// If the buffer is full or this version has no such packet. Nothing is written.
    pub fn encode<V: Version>(&self, to: &mut Writer<'_, V>) -> Result<(), CodecError> {
        to.all_or_nothing(|to| self.write(to)).map_err(|error| error.in_packet(self.name()))
    }

    #[inline]
    fn write<V: Version>(&self, to: &mut Writer<'_, V>) -> Result<(), CodecError> {
        let header = match self {
            Self::Ack(ack) => ack.header::<V>(),
            other => other.header(),
        };
        let number = V::number(header).filter(|number| usize::from(*number) >> V::HEADER_BITS == 0);
        let Some(number) = number else {
            let found = if let Header::Unknown(number) = header { number } else { u8::MAX };
            let expected = "a header that this version has";
            return Err(CodecError::new(0, expected, Found::Value(found.into())).in_field("header"));
        };
        to.word(V::HEADER_BITS, number.into()).map_err(|error| error.in_field("header"))?;
        match self {
            Self::Unreliable(packet) => packet.write(to),
            Self::Ack(packet) => packet.write(to),
            Self::Connect(packet) => packet.write(to),
            Self::Pending(packet) => packet.write(to),
            Self::Reject(packet) => packet.write(to),
            Self::Heartbeat(packet) => packet.write(to),
            Self::HeartbeatReply(packet) => packet.write(to),
            Self::Leave(packet) => packet.write(to),
            Self::Disconnect(packet) => packet.write(to),
            Self::Notify(packet) => packet.write(to),
            Self::Reliable(packet) => packet.write(to),
            Self::Welcome(packet) => packet.write(to),
            Self::ClientConnected(packet) => packet.write(to),
            Self::ClientDisconnected(packet) => packet.write(to),
            Self::Unknown(_, packet) => packet.write(to),
        }
    }
}

fn is_legacy_stop<V: Version>(disconnect: &Disconnect<'_>) -> bool {
    V::HAS_BITS && disconnect.reason == DisconnectReason::LEGACY_STOP
}

/// Returns the name of a packet's group, also if its fields cannot be read.
const fn group_name(header: Header, sender: Role) -> &'static str {
    match (header, sender) {
        (Header::Unreliable, _) => "unreliable",
        (Header::Ack | Header::AckExtra, _) => "ack",
        (Header::Connect, Role::Client) => "connect",
        (Header::Connect, Role::Server) => "pending",
        (Header::Reject, _) => "reject",
        (Header::Heartbeat, Role::Client) => "heartbeat",
        (Header::Heartbeat, Role::Server) => "heartbeat_reply",
        (Header::Disconnect, Role::Client) => "leave",
        (Header::Disconnect, Role::Server) => "disconnect",
        (Header::Notify, _) => "notify",
        (Header::Reliable, _) => "reliable",
        (Header::Welcome, _) => "welcome",
        (Header::ClientConnected, _) => "client_connected",
        (Header::ClientDisconnected, _) => "client_disconnected",
        (Header::Unknown(_), _) => "unknown_header",
    }
}
