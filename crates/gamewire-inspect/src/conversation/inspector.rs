use std::net::SocketAddr;

use gamewire_machine::Transport;

use super::log::{Bytes, ConversationLog, SendPacket};
use super::packet::{Counter, FrameOutcome, Key, PacketContext, Share, SocketPayload};
use super::table::ConversationLimits;
use crate::capture::Frame;
use crate::net::tcp::Reassembler;
use crate::net::{Decoder, Payload, SkipReason, Udp};
use crate::protocol::{Detect, Protocol, TraceTarget};

/// A follower of every conversation in the frames of a capture.
///
/// A frame can complete several runs of bytes of a stream, or show the protocol of earlier datagrams:
/// [`Inspector::next_outcome`] returns the rest after each frame.
///
/// Its memory is bounded by [`ConversationLimits`] and
/// [`ReassemblyLimits`](crate::net::tcp::ReassemblyLimits).
pub struct Inspector<F: Detect = Protocol> {
    decoder: Decoder,
    reassembler: Reassembler,
    conversations: ConversationLog<F>,
    share: Share,
    /// Number and time of the last frame.
    last: (u64, i64),
}

impl<F: Detect> Inspector<F> {
    /// Returns an inspector with the default configuration of the protocols.
    pub fn new(limits: ConversationLimits) -> Self {
        Self::with_config(limits, F::Config::default())
    }

    /// Returns an inspector.
    pub fn with_config(limits: ConversationLimits, config: F::Config) -> Self {
        Self {
            decoder: Decoder::new(),
            reassembler: Reassembler::default(),
            conversations: ConversationLog::new(limits, config),
            share: Share::ALL,
            last: (0, 0),
        }
    }

    /// Follows only the conversations of a share. Other frames are [`FrameOutcome::OtherShare`].
    #[must_use]
    pub fn with_share(self, share: Share) -> Self {
        Self { share, ..self }
    }

    /// Traces the packets of state ([`FrameOutcome::State`]), too. Otherwise they are followed without a trace.
    #[must_use]
    pub fn with_state(mut self) -> Self {
        self.conversations.traces_state = true;
        self
    }

    pub(super) fn frame_to(&mut self, frame: &Frame<'_>, trace: TraceTarget<'_>) -> FrameOutcome {
        let Frame { number, time, is_state, .. } = *frame;
        let frame_length = usize::try_from(frame.original_len).unwrap_or(usize::MAX);
        self.conversations.begin(time, frame_length);
        self.last = (number, time);
        let share = self.share;
        match self.decoder.decode(frame) {
            Ok(Payload::Udp(Udp { source: from, destination: to, data, wire_len: length, cut })) => {
                let key = Key::new(Transport::Udp, from, to);
                if !key.is_in(share) {
                    return FrameOutcome::OtherShare;
                }
                let context = PacketContext { key, frame: number, frame_length, time, is_state, from, to };
                let bytes = Bytes { data, length, cut };
                self.conversations.datagram(context, bytes, trace).unwrap_or(FrameOutcome::Unrecognized)
            }
            Ok(Payload::Tcp(segment)) => {
                let key = Key::new(Transport::Tcp, segment.source, segment.destination);
                if !key.is_in(share) {
                    return FrameOutcome::OtherShare;
                }
                let conversations = &mut self.conversations;
                if is_state && conversations.is_live(key) {
                    return FrameOutcome::State(None);
                }
                self.reassembler.push(time, &segment, |delivery| {
                    conversations.deliver(number, time, is_state, &delivery)
                });
                match conversations.next_outcome(trace) {
                    Some(outcome) => outcome,
                    None if is_state => FrameOutcome::State(None),
                    // A SYN, or an ack without data, does not show a protocol.
                    None if segment.wire_len == 0 || conversations.is_followed(key) => {
                        FrameOutcome::Skipped(SkipReason::NoNewBytes)
                    }
                    None => FrameOutcome::Unrecognized,
                }
            }
            _ if share.index > 0 => FrameOutcome::OtherShare,
            Ok(Payload::Skipped(skip)) => FrameOutcome::Skipped(skip),
            Err(error) => FrameOutcome::Damaged(error),
        }
    }

    pub(super) fn outcome_to(&mut self, trace: TraceTarget<'_>) -> Option<FrameOutcome> {
        self.conversations.next_outcome(trace)
    }

    /// Ends the capture. [`Inspector::next_outcome`] then returns the bytes of TCP connections that waited
    /// for missing segments.
    pub fn finish(&mut self) {
        let (number, time) = self.last;
        let conversations = &mut self.conversations;
        conversations.begin(time, 0);
        conversations.finish(number);
        self.reassembler.finish(|delivery| conversations.deliver(number, time, false, &delivery));
    }

    fn payload_to(&mut self, payload: &SocketPayload<'_>, trace: TraceTarget<'_>) -> Option<FrameOutcome> {
        let SocketPayload { transport, number: frame, time, from, to, data } = *payload;
        let frame_length = data.len();
        self.conversations.begin(time, frame_length);
        let key = Key::new(transport, from, to);
        let context = PacketContext { key, frame, frame_length, time, is_state: false, from, to };
        self.conversations.datagram(context, Bytes { data, length: data.len(), cut: false }, trace)
    }

    /// Returns whether a conversation may have begun within the last second before `time`, in nanoseconds since 1970:
    /// it has a request that shows its protocol only together with a reply. A recording should not begin a new file
    /// between the two, because neither file alone would show the request.
    pub fn is_half_open(&self, time: i64) -> bool {
        self.conversations.is_half_open(time)
    }

    /// Passes to `send` the packets from which a follower that begins at `time` learns the state of the conversation between
    /// two addresses: datagrams, or parts of the two streams of a connection, with the addresses of sender and receiver.
    /// Times are in nanoseconds since 1970. A recording writes the packets to the interface
    /// [`STATE_INTERFACE`](crate::capture::STATE_INTERFACE).
    pub fn resume(
        &self,
        transport: Transport,
        ends: (SocketAddr, SocketAddr),
        time: i64,
        send: &mut SendPacket<'_>,
    ) {
        self.conversations.resume(transport, ends, time, send);
    }

    /// Returns the counters of all followers that are not zero, by conversation.
    pub fn counters(&self) -> Vec<Counter> {
        self.conversations.counters()
    }
}

impl Inspector<Protocol> {
    /// Inspects the next frame and decodes its payload into `trace`.
    pub fn frame<'a>(&mut self, frame: &Frame<'_>, trace: impl Into<TraceTarget<'a>>) -> FrameOutcome {
        self.compiled_frame(frame, trace.into())
    }

    /// Decodes into `trace` the next datagram or run of bytes that the last frame completed. Returns `None` if there
    /// are no more. If the caller does not poll all of them, the next call of [`Inspector::frame`] passes the others to
    /// their followers without a trace.
    pub fn next_outcome<'a>(&mut self, trace: impl Into<TraceTarget<'a>>) -> Option<FrameOutcome> {
        self.compiled_outcome(trace.into())
    }

    /// Inspects bytes of a socket instead of a frame of a capture. A new connection between the same addresses counts
    /// as the same connection.
    ///
    /// Returns `None` if the protocol is not recognized. If the bytes show the protocol of earlier datagrams, the first
    /// of these is decoded, and [`Inspector::next_outcome`] returns the rest.
    pub fn payload<'a>(
        &mut self,
        payload: &SocketPayload<'_>,
        trace: impl Into<TraceTarget<'a>>,
    ) -> Option<FrameOutcome> {
        self.compiled_payload(payload, trace.into())
    }

    // These are not generic, so that they are compiled in this crate, and not in each crate with an inspector.

    fn compiled_frame(&mut self, frame: &Frame<'_>, trace: TraceTarget<'_>) -> FrameOutcome {
        self.frame_to(frame, trace)
    }

    fn compiled_outcome(&mut self, trace: TraceTarget<'_>) -> Option<FrameOutcome> {
        self.outcome_to(trace)
    }

    fn compiled_payload(
        &mut self,
        payload: &SocketPayload<'_>,
        trace: TraceTarget<'_>,
    ) -> Option<FrameOutcome> {
        self.payload_to(payload, trace)
    }
}

impl<F: Detect> Default for Inspector<F> {
    fn default() -> Self {
        Self::new(ConversationLimits::default())
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests {
    use gamewire_machine::Record;
    use gamewire_machine::Role;

    use super::*;
    use crate::capture::LinkType;
    use crate::conversation::PacketInfo;
    use crate::protocol::test_protocol::TestProtocol;

    /// Returns an IPv4 packet with a UDP datagram between two local ports.
    fn packet(from: u16, to: u16, data: &[u8]) -> Vec<u8> {
        let length = |count: usize| u16::try_from(count).unwrap().to_be_bytes();
        let mut packet = vec![0x45, 0];
        packet.extend(length(28 + data.len()));
        packet.extend([0, 1, 0, 0, 64, 17, 0, 0, 127, 0, 0, 1, 127, 0, 0, 1]);
        packet.extend(from.to_be_bytes());
        packet.extend(to.to_be_bytes());
        packet.extend(length(8 + data.len()));
        packet.extend([0, 0]);
        packet.extend_from_slice(data);
        packet
    }

    fn frame(number: u64, data: &[u8], original_len: usize) -> Frame<'_> {
        Frame {
            number,
            time: 1_000_000_000_000 + i64::try_from(number).unwrap() * 1_000_000,
            link: LinkType::RAW,
            interface: 0,
            is_state: false,
            data,
            original_len: u32::try_from(original_len).unwrap(),
        }
    }

    #[test]
    fn each_datagram_is_decoded_and_has_its_metadata() {
        let mut inspector = Inspector::<TestProtocol>::default();
        let mut record = Record::new();
        let packets = [packet(80, 5000, b"toy\x00say hi"), packet(5000, 80, b"toy\x01say ho")];
        let outcomes: Vec<_> = packets
            .iter()
            .zip(1..)
            .map(|(data, number)| {
                match inspector.frame_to(&frame(number, data, data.len()), (&mut record).into()) {
                    FrameOutcome::Datagram(packet) => packet,
                    other => panic!("{other:?}"),
                }
            })
            .collect();
        assert_eq!((outcomes[0].time, outcomes[1].time), (0, 1_000_000));
        assert_eq!((outcomes[0].sender, outcomes[1].sender), (Role::Client, Role::Server));
        assert_eq!((outcomes[1].conversation, outcomes[1].length), (1, 10));
        assert_eq!(outcomes[1].dialect, Some("toy-1"));
        assert_eq!(record.nodes().filter(|node| node.name() == "say").count(), 2);
        assert_eq!(inspector.counters(), [Counter { conversation: 1, name: "datagrams_seen", count: 2 }]);
    }

    #[test]
    fn datagrams_of_a_socket_are_followed_like_those_of_a_capture() {
        let mut inspector = Inspector::<TestProtocol>::default();
        let mut record = Record::new();
        let [port_80, port_5000, port_53] = [80, 5_000, 53].map(|port| ([127, 0, 0, 1], port).into());
        let (transport, number, time, data) = (Transport::Udp, 1, 1_000_000_000, b"toy\x00say hi".as_slice());
        let first = SocketPayload { transport, number, time, from: port_80, to: port_5000, data };
        let (time, data) = (1_005_000_000, b"toy\x01say ho".as_slice());
        let second = SocketPayload { number: 2, time, from: port_5000, to: port_80, data, ..first };
        let unknown = SocketPayload { number: 3, from: port_53, data: b"something else", ..first };
        let mut packet =
            |payload| *inspector.payload_to(payload, (&mut record).into()).unwrap().packet().unwrap();
        let (first, second) = (packet(&first), packet(&second));
        assert_eq!((first.time, second.time, second.frame), (0, 5_000_000, 2));
        assert_eq!((first.sender, second.sender), (Role::Client, Role::Server));
        assert_eq!(record.nodes().filter(|node| node.name() == "say").count(), 2);
        assert_eq!(inspector.payload_to(&unknown, (&mut ()).into()), None, "its protocol is unknown");
    }

    #[test]
    fn a_stream_and_datagrams_between_the_same_addresses_are_two_conversations() {
        let mut inspector = Inspector::<TestProtocol>::default();
        let [from, to] = [5_000, 80].map(|port| ([127, 0, 0, 1], port).into());
        let numbers = [Transport::Udp, Transport::Tcp].map(|transport| {
            let payload = SocketPayload { transport, number: 1, time: 0, from, to, data: b"toy\x00say hi" };
            inspector.payload_to(&payload, (&mut ()).into()).unwrap().packet().unwrap().conversation
        });
        assert_eq!(numbers, [1, 2]);
    }

    #[test]
    fn a_truncated_datagram_is_an_error_and_does_not_reach_the_follower() {
        let mut inspector = Inspector::<TestProtocol>::default();
        let mut record = Record::new();
        let whole = packet(5000, 80, b"toy\x00say something long");
        let cut = &whole[..40];
        let outcome = inspector.frame_to(&frame(1, cut, whole.len()), (&mut record).into());
        assert!(
            matches!(outcome, FrameOutcome::Datagram(PacketInfo { length: 22, dialect: None, .. })),
            "{outcome:?}"
        );
        assert_eq!((record.errors(), record.nodes().count()), (1, 2));
    }

    #[test]
    fn an_unrecognized_datagram_is_decoded_when_a_later_one_shows_its_protocol() {
        let mut inspector = Inspector::<TestProtocol>::default();
        let mut record = Record::new();
        let (early, shows) = (packet(5000, 80, b"perhaps"), packet(80, 5000, b"toy\x01say ho"));
        assert_eq!(
            inspector.frame_to(&frame(1, &early, early.len()), (&mut record).into()),
            FrameOutcome::Unrecognized
        );
        let outcome = inspector.frame_to(&frame(2, &shows, shows.len()), (&mut record).into());
        assert!(
            matches!(outcome, FrameOutcome::Deferred(PacketInfo { frame: 1, time: 0, length: 7, .. })),
            "{outcome:?}"
        );
        let outcome = inspector.outcome_to((&mut record).into());
        assert!(
            matches!(outcome, Some(FrameOutcome::Datagram(PacketInfo { frame: 2, conversation: 1, .. }))),
            "{outcome:?}"
        );
        assert_eq!(inspector.outcome_to((&mut record).into()), None);
    }

    #[test]
    fn other_traffic_is_unrecognized_damaged_or_skipped() {
        let mut inspector = Inspector::<TestProtocol>::default();
        let foreign = packet(5000, 80, b"something else");
        assert_eq!(
            inspector.frame_to(&frame(1, &foreign, foreign.len()), (&mut ()).into()),
            FrameOutcome::Unrecognized
        );
        let short = &foreign[..10];
        assert!(matches!(
            inspector.frame_to(&frame(2, short, short.len()), (&mut ()).into()),
            FrameOutcome::Damaged(_)
        ));
        let mut icmp = foreign.clone();
        icmp[9] = 1;
        let outcome = inspector.frame_to(&frame(3, &icmp, icmp.len()), (&mut ()).into());
        assert_eq!(outcome, FrameOutcome::Skipped(SkipReason::OtherTransport { protocol: 1 }));
    }
}
