//! Decodes frames to payloads.

use super::defrag::{DefragLimits, Defragmenter, FragmentKey};
use super::headers::{FragmentInfo, IpPacket, LinkPayload, read_ip, skip_extensions, strip_link};
use super::payload::{PacketError, Payload, SkipReason};
use crate::capture::Frame;

/// A decoder for frames. Its only state is the fragments of incomplete datagrams.
#[derive(Debug, Default)]
pub struct Decoder {
    defragmenter: Defragmenter,
}

impl Decoder {
    /// Returns a decoder with the default limits for fragments.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a decoder with other limits for fragments.
    pub fn with_limits(limits: DefragLimits) -> Self {
        Self { defragmenter: Defragmenter::new(limits) }
    }

    /// Returns the payload of `frame`; for the last fragment of a datagram, the whole datagram.
    ///
    /// Bytes after the IP packet and after the UDP length are cut off. If the snap length cut the payload, the
    /// payload has `cut` set; if it cut the headers, the frame is skipped as [`SkipReason::Cut`]. Checksums
    /// are not verified.
    ///
    /// # Errors
    /// [`PacketError`] if a header is damaged or contradicts its packet, so that the receiver would drop it. The
    /// fragments of a contradictory datagram are dropped.
    pub fn decode<'a>(&'a mut self, frame: &Frame<'a>) -> Result<Payload<'a>, PacketError> {
        let ip = match strip_link(frame.link, frame.data) {
            Ok(LinkPayload::Ip(data)) => read_ip(data),
            Ok(LinkPayload::Other(skip)) => return Ok(Payload::Skipped(skip)),
            Err(error) => Err(error),
        };
        let packet = match ip {
            Ok(packet) => packet,
            // The snap length cut off the missing bytes of a truncated frame.
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
            None => packet.read(),
            Some(fragment) => self.fragment(frame.time, packet, fragment),
        }
    }

    #[cold]
    fn fragment<'a>(
        &'a mut self,
        time: i64,
        packet: IpPacket<'a>,
        fragment: FragmentInfo,
    ) -> Result<Payload<'a>, PacketError> {
        if packet.missing > 0 {
            return Ok(Payload::Skipped(SkipReason::Cut));
        }
        let IpPacket { source, destination, protocol, payload, .. } = packet;
        let identification = fragment.identification;
        // RFC 8200 identifies an IPv6 datagram without its protocol, which only the first fragment states reliably.
        let keyed_protocol = if source.is_ipv4() { protocol.0 } else { 0 };
        let key = FragmentKey { source, destination, identification, protocol: keyed_protocol };
        let whole = self.defragmenter.add(time, key, protocol, fragment, payload)?;
        let Some((protocol, payload)) = whole else {
            return Ok(Payload::Skipped(SkipReason::FragmentPending));
        };
        let (protocol, payload, fragment) = skip_extensions(protocol, payload)?;
        if fragment.is_some() {
            return Err(PacketError::Header { header: "a fragment header within a fragment" });
        }
        IpPacket { source, destination, protocol, payload, missing: 0, fragment: None }.read()
    }

    /// Returns the memory used for fragments, in bytes; at most [`DefragLimits::worst_case_bytes`].
    pub fn buffered_bytes(&self) -> usize {
        self.defragmenter.buffered_bytes()
    }
}
