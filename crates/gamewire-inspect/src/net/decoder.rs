//! From a frame to its payload.

use super::defrag::{DefragLimits, Defragmenter, FragmentKey, Reassembly};
use super::headers::{FragmentInfo, IpPacket, LinkPayload, Transport, read_ip, skip_extensions, strip_link};
use super::payload::{PacketError, Payload, SkipReason};
use crate::capture::Frame;

/// Takes frames apart. Holds the fragments of datagrams that are not complete, and nothing else.
#[derive(Debug, Default)]
pub struct Decoder {
    defragmenter: Defragmenter,
}

impl Decoder {
    /// A decoder with the usual limits on fragments.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A decoder with other limits on fragments.
    #[must_use]
    pub fn with_limits(limits: DefragLimits) -> Self {
        Self { defragmenter: Defragmenter::new(limits) }
    }

    /// What `frame` carries. The fragment that completes a datagram carries the whole of it.
    ///
    /// Ethernet padding behind the IP packet is cut off; so is what a UDP length leaves over. Where the snap
    /// length cut the payload, the rest is given with `cut` set; where it cut the headers, the frame is
    /// skipped as [`SkipReason::Cut`]. Checksums are not verified.
    ///
    /// # Errors
    /// If a header is damaged or contradicts the packet around it, so that its receiver would drop it.
    #[inline]
    pub fn decode<'a>(&'a mut self, frame: &Frame<'a>) -> Result<Payload<'a>, PacketError> {
        let ip = match strip_link(frame.link, frame.data) {
            Ok(LinkPayload::Ip(data)) => read_ip(data),
            Ok(LinkPayload::Other(skip)) => return Ok(Payload::Skipped(skip)),
            Err(error) => Err(error),
        };
        let packet = match ip {
            Ok(packet) => packet,
            // What does not fit in a cut frame was cut off.
            Err(PacketError::Short { .. }) if frame.is_cut() => return Ok(Payload::Skipped(SkipReason::Cut)),
            Err(error) => return Err(error),
        };
        if packet.missing > 0 && !frame.is_cut() {
            let available = packet.payload.len();
            return Err(PacketError::IpLength {
                claimed: available.saturating_add(packet.missing),
                available,
            });
        }
        match packet.fragment {
            None => {
                let IpPacket { source, destination, protocol, payload, missing, .. } = packet;
                Transport { source, destination, protocol, payload, missing }.read()
            }
            Some(place) => self.fragment(frame.time, packet, place),
        }
    }

    #[cold]
    fn fragment<'a>(
        &'a mut self,
        time: i64,
        packet: IpPacket<'a>,
        place: FragmentInfo,
    ) -> Result<Payload<'a>, PacketError> {
        if packet.missing > 0 {
            return Ok(Payload::Skipped(SkipReason::Cut));
        }
        let IpPacket { source, destination, protocol, payload, .. } = packet;
        let identification = place.identification;
        // RFC 8200 names an IPv6 datagram without its protocol, which only the first fragment knows for sure.
        let keyed_protocol = if source.is_ipv4() { protocol.0 } else { 0 };
        let key = FragmentKey { source, destination, identification, protocol: keyed_protocol };
        match self.defragmenter.add(time, key, protocol, place, payload)? {
            Reassembly::Pending => Ok(Payload::Skipped(SkipReason::FragmentPending)),
            Reassembly::Whole(protocol, payload) => {
                let inner = skip_extensions(protocol, payload)?;
                if inner.fragment.is_some() {
                    return Err(PacketError::Header { header: "a fragment header within a fragment" });
                }
                let (protocol, payload) = (inner.protocol, inner.payload);
                Transport { source, destination, protocol, payload, missing: 0 }.read()
            }
        }
    }

    /// The memory held for fragments, in bytes; at most [`DefragLimits::worst_case_bytes`].
    #[must_use]
    pub fn buffered_bytes(&self) -> usize {
        self.defragmenter.buffered_bytes()
    }
}
