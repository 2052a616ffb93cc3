use std::net::SocketAddr;

use gamewire_machine::record::NodeKind;
use gamewire_machine::{Record, Transport};
use gamewire_wire::Value;

use super::value_type::ValueType;
use crate::conversation::{PacketInfo, PacketMeta, PacketSource};

/// Declares the built-in fields: variant, name, other names, type and documentation.
macro_rules! builtin_fields {
    ($($variant:ident, $name:literal $(= $alias:literal)*, $type:expr, $doc:literal;)*) => {
        /// A field that every datagram has, in any protocol.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum BuiltinField {
            $($variant),*
        }

        /// The built-in fields, with their documentation.
        pub const BUILTIN_FIELDS: &[(&str, &str)] = &[$(($name, $doc)),*];

        impl BuiltinField {
            pub(super) const ALL: &[(&str, Self)] =
                &[$(($name, Self::$variant), $(($alias, Self::$variant),)*)*];

            pub(super) fn value_type(self) -> ValueType {
                match self {
                    $(Self::$variant => $type),*
                }
            }
        }
    };
}

builtin_fields! {
    Frame, "frame" = "frame.number", ValueType::Number,
        "Number of the frame in the capture, or of the packet in a stream, from 1.";
    Time, "time" = "frame.time_relative", ValueType::Number, "Seconds since the first frame.";
    Date, "frame.time", ValueType::Time,
        r#"Date and time in UTC, such as "2023-11-14 22:13:20.5"."#;
    Epoch, "frame.time_epoch", ValueType::Number, "Seconds since 1970-01-01 00:00 UTC.";
    FrameLength, "frame.len", ValueType::Number, "Bytes of the frame on the wire, with all headers.";
    Conversation, "conversation", ValueType::Number, "Number of the conversation, from 1.";
    Direction, "direction", ValueType::Keyword(&["client", "server"]),
        r#"Sender of the datagram: "client" or "server"."#;
    Dialect, "dialect", ValueType::Text,
        r#"Dialect of the protocol, such as "tw-0.7"; absent until it is detected."#;
    From, "from", ValueType::Text, "Sender: address:port; the address alone is enough for == and !=.";
    To, "to", ValueType::Text, "Receiver: address:port; the address alone is enough for == and !=.";
    Address, "ip.addr" = "ipv6.addr", ValueType::Address,
        "IPv4 or IPv6 address of the sender or the receiver; 10.0.0.0/8 compares with a network.";
    Source, "ip.src" = "ipv6.src", ValueType::Address, "IPv4 or IPv6 address of the sender.";
    Destination, "ip.dst" = "ipv6.dst", ValueType::Address, "IPv4 or IPv6 address of the receiver.";
    UdpPort, "udp.port", ValueType::Number, "Port of the sender or the receiver of a datagram.";
    UdpSource, "udp.srcport", ValueType::Number, "Port of the sender of a datagram.";
    UdpDestination, "udp.dstport", ValueType::Number, "Port of the receiver of a datagram.";
    TcpPort, "tcp.port", ValueType::Number, "Port of the sender or the receiver of bytes of a stream.";
    TcpSource, "tcp.srcport", ValueType::Number, "Port of the sender of bytes of a stream.";
    TcpDestination, "tcp.dstport", ValueType::Number, "Port of the receiver of bytes of a stream.";
    Length, "length", ValueType::Number,
        "Bytes of the datagram, without the headers of UDP and below.";
    Error, "error", ValueType::Text, "Decode errors, as sentences.";
    Warning, "warning", ValueType::Text, "Names of warnings: unusual data that could be decoded.";
}

impl BuiltinField {
    /// Calls `visit` with each value, until it returns true. Returns whether it did.
    pub(super) fn any_value(
        self,
        meta: PacketMeta<'_>,
        record: &Record,
        mut visit: impl FnMut(Value<'_>) -> bool,
    ) -> bool {
        let length = |length: usize| Value::Uint(u64::try_from(length).unwrap_or(u64::MAX));
        let seconds = |nanos: i64| Value::Decimal { raw: nanos, scale: 1_000_000_000 };
        let packet = match meta.source {
            PacketSource::Conversation(packet) => Some(packet),
            PacketSource::File(_) => None,
        };
        match self {
            Self::Conversation => packet.is_some_and(|info| visit(Value::Uint(info.conversation))),
            Self::Time => packet.is_some_and(|info| visit(seconds(info.time))),
            Self::Date | Self::Epoch => packet.is_some_and(|info| visit(seconds(info.timestamp))),
            Self::FrameLength => packet.is_some_and(|info| visit(length(info.frame_length))),
            Self::Frame => visit(Value::Uint(meta.number)),
            Self::Length => visit(length(meta.length)),
            Self::Direction => visit(Value::Text(meta.sender.name().as_bytes())),
            Self::Dialect => meta.dialect.is_some_and(|dialect| visit(Value::Text(dialect.as_bytes()))),
            Self::Error => {
                let mut errors = record.nodes().filter(|node| node.kind() == NodeKind::Error);
                errors.any(|node| node.value().is_some_and(&mut visit))
            }
            Self::Warning => {
                let mut warnings = record.nodes().filter(|node| matches!(node.kind(), NodeKind::Warning(_)));
                warnings.any(|node| visit(Value::Text(node.name().as_bytes())))
            }
            Self::From | Self::To => packet.is_some_and(|info| {
                let address = if self == Self::From { info.from } else { info.to };
                let mut text = |text: String| visit(Value::Text(text.as_bytes()));
                text(address.to_string()) || text(address.ip().to_string())
            }),
            Self::Address | Self::Source | Self::Destination => packet.is_some_and(|info| {
                let mut addresses = self.ends(info);
                addresses.any(|address| visit(Value::Text(address.ip().to_string().as_bytes())))
            }),
            Self::UdpPort | Self::UdpSource | Self::UdpDestination => {
                let info = packet.filter(|info| info.transport == Transport::Udp);
                info.is_some_and(|info| {
                    self.ends(info).any(|address| visit(Value::Uint(address.port().into())))
                })
            }
            Self::TcpPort | Self::TcpSource | Self::TcpDestination => {
                let info = packet.filter(|info| info.transport == Transport::Tcp);
                info.is_some_and(|info| {
                    self.ends(info).any(|address| visit(Value::Uint(address.port().into())))
                })
            }
        }
    }

    /// Returns the addresses that a field of addresses or ports refers to.
    fn ends(self, info: &PacketInfo) -> impl Iterator<Item = SocketAddr> {
        let has_source = !matches!(self, Self::Destination | Self::UdpDestination | Self::TcpDestination);
        let has_destination = !matches!(self, Self::Source | Self::UdpSource | Self::TcpSource);
        has_source.then_some(info.from).into_iter().chain(has_destination.then_some(info.to))
    }

    /// Returns whether the values after the first are other forms of the first one.
    pub(super) const fn has_forms(self) -> bool {
        matches!(self, Self::From | Self::To)
    }
}
