//! UDP and TCP headers.

use std::net::{IpAddr, SocketAddr};

use etherparse::{IpNumber, TcpSlice, UdpHeaderSlice, err, ip_number};

use super::error::PacketError;
use super::payload::{Payload, Segment, SkipReason, TcpFlags, Udp};

const UDP_HEADER: usize = 8;

/// A whole IP payload, or the captured part of one.
pub(super) struct Transport<'a> {
    pub(super) source: IpAddr,
    pub(super) destination: IpAddr,
    pub(super) protocol: IpNumber,
    pub(super) payload: &'a [u8],
    /// The bytes that the IP header promises and the snap length cut off.
    pub(super) missing: usize,
}

impl<'a> Transport<'a> {
    /// Reads the transport header.
    #[inline]
    pub(super) fn read(self) -> Result<Payload<'a>, PacketError> {
        match self.protocol {
            ip_number::UDP => self.udp(),
            ip_number::TCP => self.tcp(),
            IpNumber(protocol) => Ok(Payload::Skipped(SkipReason::OtherTransport { protocol })),
        }
    }

    #[inline]
    fn udp(self) -> Result<Payload<'a>, PacketError> {
        let Ok(header) = UdpHeaderSlice::from_slice(self.payload) else {
            return self.too_short("a UDP header");
        };
        let available = self.payload.len().saturating_add(self.missing);
        let claimed = match usize::from(header.length()) {
            // A jumbogram, or a length left to the network card.
            0 => available,
            length if (UDP_HEADER..=available).contains(&length) => length,
            claimed => return Err(PacketError::UdpLength { claimed, available }),
        };
        let body = self.payload.get(UDP_HEADER..).unwrap_or_default();
        let wire_len = claimed.saturating_sub(UDP_HEADER);
        let data = body.get(..wire_len).unwrap_or(body);
        Ok(Payload::Udp(Udp {
            source: SocketAddr::new(self.source, header.source_port()),
            destination: SocketAddr::new(self.destination, header.destination_port()),
            data,
            wire_len,
            cut: data.len() < wire_len,
        }))
    }

    fn tcp(self) -> Result<Payload<'a>, PacketError> {
        let header = match TcpSlice::from_slice(self.payload) {
            Ok(header) => header,
            Err(err::tcp::HeaderSliceError::Len(_)) => return self.too_short("a TCP header"),
            Err(err::tcp::HeaderSliceError::Content(_)) => {
                return Err(PacketError::Header { header: "a TCP header" });
            }
        };
        let data = header.payload();
        let flags = TcpFlags { syn: header.syn(), ack: header.ack(), fin: header.fin(), rst: header.rst() };
        Ok(Payload::Tcp(Segment {
            source: SocketAddr::new(self.source, header.source_port()),
            destination: SocketAddr::new(self.destination, header.destination_port()),
            seq: header.sequence_number(),
            ack: header.acknowledgment_number(),
            flags,
            data,
            wire_len: data.len().saturating_add(self.missing),
            cut: self.missing > 0,
        }))
    }

    /// A header that does not fit: cut off with the rest, or never there.
    #[cold]
    fn too_short(&self, header: &'static str) -> Result<Payload<'a>, PacketError> {
        if self.missing > 0 {
            return Ok(Payload::Skipped(SkipReason::Cut));
        }
        Err(PacketError::Short { header, available: self.payload.len() })
    }
}
