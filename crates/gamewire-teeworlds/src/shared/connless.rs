//! Browsing messages of either version, and their fields (docs/protocols/teeworlds.md, "Connless").

use std::io::Write as _;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use gamewire_wire::{CodecError, Found, Layer, Reader, Result, Shape, Trace, Value, Writer};

use crate::shared::data::{BigEndian16, Decimal, List, trace_rest};
use crate::shared::definition::{MessageSet, group, message};
use crate::shared::field::Field;
use crate::shared::pack::{FifthByte, Text, Unpacker};
use crate::shared::version::Version;
use crate::shared::warning;

/// First bytes of every browsing message, before its four letters.
pub const PREFIX: [u8; 4] = [0xff; 4];

group! {
    /// A player in the server info of 0.6, with all numbers in decimal text.
    Client06<'a> {
        name: Text<'a>,
        clan: Text<'a>,
        country: Decimal<'a>,
        score: Decimal<'a>,
        /// 1 for a player, 0 for a spectator.
        is_player: Decimal<'a>,
    }
    /// A player in DDNet's extended server info.
    ExtendedClient<'a> {
        name: Text<'a>,
        clan: Text<'a>,
        country: Decimal<'a>,
        score: Decimal<'a>,
        /// 1 for a player, 0 for a spectator.
        is_player: Decimal<'a>,
        reserved: Text<'a>,
    }
    /// A player in the server info of 0.7.
    Client07<'a> {
        name: Text<'a>,
        clan: Text<'a>,
        country: i32,
        score: i32,
        /// 0 for a player; bit 0 marks a spectator, bit 1 a bot.
        is_player: i32,
    }
}

message! {
    /// Requests the server list of a master server.
    RequestList "request_list" {}
    /// Part of the server list of a master server.
    ServerList<'a> "server_list" {
        servers: List<'a, ServerAddress>,
    }
    /// Requests the number of servers of a master server.
    RequestCount "request_count" {}
    /// Number of servers of a master server.
    ServerCount "server_count" {
        count: BigEndian16,
    }
    /// Registers a server at a master server.
    Heartbeat "heartbeat" {
        /// Another port to check; 0 for none.
        alt_port: BigEndian16,
    }
    /// A master server checks whether the server is reachable.
    ForwardCheck "forward_check" {}
    /// Reply of a reachable server.
    ForwardResponse "forward_response" {}
    /// The master server lists the server.
    ForwardOk "forward_ok" {}
    /// The master server cannot reach the server.
    ForwardError "forward_error" {}
    /// A master server of DDNet proves to a server that it knows its address. The server registers with the token.
    Challenge<'a> "challenge" {
        /// The secret of the registration, a colon, and the protocol, such as `tw0.6/ipv4`.
        secret: Text<'a>,
        token: Text<'a>,
    }
}

/// The address of a server in a master server's list: 16 bytes of IPv6 address (IPv4 mapped into it)
/// and the big-endian port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ServerAddress(pub SocketAddr);

impl<'a> Field<'a> for ServerAddress {
    type Rule = ();
    const RULE: () = ();

    fn shape((): &()) -> Shape {
        Shape::Address
    }

    fn read<T: Trace>(from: &mut Unpacker<'a>, (): &(), name: &'static str, trace: &mut T) -> Result<Self> {
        let start = from.reader.offset();
        let ip = Ipv6Addr::from(from.reader.array::<16>("the 16 bytes of an address")?);
        let port = from.reader.be_u16("a port")?;
        let address = SocketAddr::new(ip.to_ipv4_mapped().map_or(IpAddr::V6(ip), IpAddr::V4), port);
        if trace.wants_details() {
            let mut text = [0_u8; 64];
            let mut free = text.as_mut_slice();
            let written = write!(free, "{address}").map_or(0, |()| 64_usize.saturating_sub(free.len()));
            trace.field(name, from.span_since(start), Value::Text(text.get(..written).unwrap_or_default()));
        }
        Ok(Self(address))
    }

    fn write(&self, to: &mut Writer<'_>) -> Result<()> {
        let ip = match self.0.ip() {
            IpAddr::V4(ip) => ip.to_ipv6_mapped(),
            IpAddr::V6(ip) => ip,
        };
        to.bytes(&ip.octets())?;
        to.bytes(&self.0.port().to_be_bytes())
    }
}

/// Reports the browsing message that fills `payload`.
pub(crate) fn trace_connless<V: Version, T: Trace>(mut payload: Reader<'_>, trace: &mut T) {
    let start = payload.offset();
    let head = payload.array::<4>("four bytes ff").and_then(|prefix| {
        let letters = payload.take(4, "four letters")?;
        match (prefix == PREFIX, letters.first_chunk::<4>()) {
            (true, Some(letters)) => Ok(letters),
            _ => Err(CodecError::new(start, "four bytes ff", Found::Value(prefix[0].into()))),
        }
    });
    let letters = match head {
        Ok(letters) => letters,
        Err(error) => return trace.error(&error.in_packet("connless")),
    };
    let span = payload.span_since(start);
    let name = V::Connless::definition_of(letters).map_or("unknown_connless", |definition| definition.name);
    trace.enter(Layer::Message, name, span);
    trace.field("letters", span, Value::Text(letters));
    let mut from = Unpacker::new(payload, FifthByte::Teeworlds);
    match V::Connless::decode(letters, &mut from, trace) {
        // The decoder has reported the error.
        Err(_) => {}
        Ok(Some(_)) if from.reader.is_empty() => {}
        Ok(known) => {
            let (name, warning) = match known {
                Some(_) => ("extra_bytes", &warning::EXTRA_BYTES),
                None => ("body", &warning::UNKNOWN_MESSAGE),
            };
            let (_, span) = trace_rest(name, &mut from.reader, trace);
            trace.warning(span, warning);
        }
    }
    trace.exit();
}
