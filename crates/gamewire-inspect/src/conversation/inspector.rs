use std::net::SocketAddr;

use gamewire_wire::Trace;

use super::held::PacketContext;
use super::key::Key;
use super::sight::{Counter, FrameOutcome};
use super::table::ConversationLimits;
use super::talks::{Bytes, ConversationLog};
use crate::capture::Frame;
use crate::net::tcp::Reassembler;
use crate::net::{Decoder, Payload, SkipReason, Udp};
use crate::protocol::{Detect, Protocol, Transport};

/// Takes the frames of a capture one by one and follows every conversation in them.
///
/// A frame may call earlier datagrams to mind, or make several runs of bytes of a stream known:
/// [`Inspector::more`] tells what is left after each.
///
/// All that it keeps is bounded: see [`Limits`] and [`tcp::Limits`](crate::net::tcp::Limits).
pub struct Inspector<F: Detect = Protocol> {
    decoder: Decoder,
    reassembler: Reassembler,
    talks: ConversationLog<F>,
    /// The number of the last frame, and its time.
    last: (u64, i64),
}

impl<F: Detect> Inspector<F> {
    /// An inspector that has seen nothing yet.
    #[must_use]
    pub fn new(limits: ConversationLimits) -> Self {
        Self::with_settings(limits, F::Settings::default())
    }

    /// An inspector that has seen nothing yet, of a user who has told something beforehand.
    #[must_use]
    pub fn with_settings(limits: ConversationLimits, settings: F::Settings) -> Self {
        Self {
            decoder: Decoder::new(),
            reassembler: Reassembler::default(),
            talks: ConversationLog::new(limits, settings),
            last: (0, 0),
        }
    }

    /// Looks at the next frame and tells `trace` what a datagram in it says.
    #[inline]
    pub fn frame<T: Trace>(&mut self, frame: &Frame<'_>, trace: &mut T) -> FrameOutcome {
        let Frame { number, time, .. } = *frame;
        self.talks.begin(time);
        self.last = (number, time);
        match self.decoder.decode(frame) {
            Ok(Payload::Udp(Udp { source: from, destination: to, data, wire_len: length, cut })) => {
                let passing =
                    PacketContext { key: Key::new(Transport::Udp, from, to), frame: number, time, from, to };
                let bytes = Bytes { data, length, cut };
                self.talks.datagram(passing, bytes, trace).unwrap_or(FrameOutcome::NotRecognised)
            }
            Ok(Payload::Tcp(segment)) => {
                let talks = &mut self.talks;
                self.reassembler.push(time, &segment, |delivery| talks.deliver(number, time, &delivery));
                let key = Key::new(Transport::Tcp, segment.source, segment.destination);
                match talks.more(trace) {
                    Some(sight) => sight,
                    None if talks.is_followed(key) => FrameOutcome::Skipped(SkipReason::NoNewBytes),
                    None => FrameOutcome::NotRecognised,
                }
            }
            Ok(Payload::Skipped(skip)) => FrameOutcome::Skipped(skip),
            Err(error) => FrameOutcome::Damaged(error),
        }
    }

    /// Tells `trace` the next datagram or run of bytes that the last frame made known beside what
    /// was told already; `None` when there is no more. What is not asked for reaches its follower
    /// with the next frame, and is told to nobody.
    pub fn next_outcome<T: Trace>(&mut self, trace: &mut T) -> Option<FrameOutcome> {
        self.talks.more(trace)
    }

    /// The capture has ended: [`Inspector::more`] tells what of TCP connections still waited for
    /// bytes that did not come.
    pub fn finish(&mut self) {
        let (number, time) = self.last;
        let talks = &mut self.talks;
        talks.begin(time);
        talks.finish(number);
        self.reassembler.finish(|delivery| talks.deliver(number, time, &delivery));
    }

    /// Looks at a datagram that did not come out of a capture but crossed a socket: the `number`th,
    /// at `time`, nanoseconds since 1970. `None` when it is of no protocol that is known here, or may
    /// turn out to be of one; it may call earlier ones to mind, and then [`Inspector::more`] tells what
    /// is left.
    pub fn datagram<T: Trace>(
        &mut self,
        number: u64,
        time: i64,
        ends: (SocketAddr, SocketAddr),
        data: &[u8],
        trace: &mut T,
    ) -> Option<FrameOutcome> {
        self.crossing(Transport::Udp, number, time, ends, data, trace)
    }

    /// The same for the next bytes of a TCP connection, in order and without gaps. Another one between
    /// the same ends is not told apart.
    pub fn run<T: Trace>(
        &mut self,
        number: u64,
        time: i64,
        ends: (SocketAddr, SocketAddr),
        data: &[u8],
        trace: &mut T,
    ) -> Option<FrameOutcome> {
        self.crossing(Transport::Tcp, number, time, ends, data, trace)
    }

    fn crossing<T: Trace>(
        &mut self,
        transport: Transport,
        number: u64,
        time: i64,
        (from, to): (SocketAddr, SocketAddr),
        data: &[u8],
        trace: &mut T,
    ) -> Option<FrameOutcome> {
        self.talks.begin(time);
        let passing = PacketContext { key: Key::new(transport, from, to), frame: number, time, from, to };
        self.talks.datagram(passing, Bytes { data, length: data.len(), cut: false }, trace)
    }

    /// What the followers counted, conversation by conversation, zeros left out.
    #[must_use]
    pub fn counters(&self) -> Vec<Counter> {
        self.talks.counters()
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
    use crate::protocol::toy::TestProtocol;

    /// An IPv4 packet with a UDP datagram between two local ports.
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
            data,
            original_len: u32::try_from(original_len).unwrap(),
        }
    }

    #[test]
    fn tells_the_content_and_the_circumstances_of_each_datagram() {
        let mut inspector = Inspector::<TestProtocol>::default();
        let mut record = Record::new();
        let packets = [packet(80, 5000, b"toy\x00say hi"), packet(5000, 80, b"toy\x01say ho")];
        let sights: Vec<_> = packets
            .iter()
            .zip(1..)
            .map(|(data, number)| match inspector.frame(&frame(number, data, data.len()), &mut record) {
                FrameOutcome::Datagram(sighting) => sighting,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!((sights[0].time, sights[1].time), (0, 1_000_000));
        assert_eq!((sights[0].sender, sights[1].sender), (Role::Client, Role::Server));
        assert_eq!((sights[1].conversation, sights[1].length), (1, 10));
        assert_eq!(sights[1].dialect, Some("toy-1"));
        assert_eq!(record.nodes().filter(|node| node.name() == "say").count(), 2);
        assert_eq!(inspector.counters(), [Counter { conversation: 1, name: "datagrams_seen", count: 2 }]);
    }

    #[test]
    fn datagrams_of_a_socket_are_followed_like_those_of_a_capture() {
        let mut inspector = Inspector::<TestProtocol>::default();
        let mut record = Record::new();
        let ends = ("127.0.0.1:80".parse().unwrap(), "127.0.0.1:5000".parse().unwrap());
        let mut crossed = |number, time, ends, data: &[u8]| {
            let sight = inspector.datagram(number, time, ends, data, &mut record);
            *sight.unwrap().sighting().unwrap()
        };
        let first = crossed(1, 1_000_000_000, ends, b"toy\x00say hi");
        let back = (ends.1, ends.0);
        let second = crossed(2, 1_005_000_000, back, b"toy\x01say ho");
        assert_eq!((first.time, second.time, second.frame), (0, 5_000_000, 2));
        assert_eq!((first.sender, second.sender), (Role::Client, Role::Server));
        assert_eq!(record.nodes().filter(|node| node.name() == "say").count(), 2);
        let others = ("127.0.0.1:53".parse().unwrap(), ends.1);
        assert_eq!(
            inspector.datagram(3, 0, others, b"something else", &mut ()),
            None,
            "it is of no protocol"
        );
    }

    #[test]
    fn runs_of_a_stream_are_another_conversation_than_datagrams_between_the_same_ends() {
        let mut inspector = Inspector::<TestProtocol>::default();
        let ends = ("127.0.0.1:5000".parse().unwrap(), "127.0.0.1:80".parse().unwrap());
        let number = |sight: Option<FrameOutcome>| sight.unwrap().sighting().unwrap().conversation;
        let datagram = number(inspector.datagram(1, 0, ends, b"toy\x00say hi", &mut ()));
        let run = number(inspector.run(2, 0, ends, b"toy\x00say hi", &mut ()));
        assert_eq!((datagram, run), (1, 2));
    }

    #[test]
    fn a_datagram_that_the_capture_cut_is_an_error_and_not_shown_to_the_follower() {
        let mut inspector = Inspector::<TestProtocol>::default();
        let mut record = Record::new();
        let whole = packet(5000, 80, b"toy\x00say something long");
        let cut = &whole[..40];
        let sight = inspector.frame(&frame(1, cut, whole.len()), &mut record);
        assert!(
            matches!(sight, FrameOutcome::Datagram(PacketInfo { length: 22, dialect: None, .. })),
            "{sight:?}"
        );
        assert_eq!((record.errors(), record.nodes().count()), (1, 2));
    }

    #[test]
    fn what_went_by_unrecognised_is_told_when_a_later_datagram_shows_what_it_was() {
        let mut inspector = Inspector::<TestProtocol>::default();
        let mut record = Record::new();
        let (early, shows) = (packet(5000, 80, b"perhaps"), packet(80, 5000, b"toy\x01say ho"));
        assert_eq!(inspector.frame(&frame(1, &early, early.len()), &mut record), FrameOutcome::NotRecognised);
        let sight = inspector.frame(&frame(2, &shows, shows.len()), &mut record);
        assert!(
            matches!(sight, FrameOutcome::Deferred(PacketInfo { frame: 1, time: 0, length: 7, .. })),
            "{sight:?}"
        );
        let sight = inspector.next_outcome(&mut record);
        assert!(
            matches!(sight, Some(FrameOutcome::Datagram(PacketInfo { frame: 2, conversation: 1, .. }))),
            "{sight:?}"
        );
        assert_eq!(inspector.next_outcome(&mut record), None);
    }

    #[test]
    fn other_traffic_is_told_apart() {
        let mut inspector = Inspector::<TestProtocol>::default();
        let foreign = packet(5000, 80, b"something else");
        assert_eq!(inspector.frame(&frame(1, &foreign, foreign.len()), &mut ()), FrameOutcome::NotRecognised);
        let short = &foreign[..10];
        assert!(matches!(inspector.frame(&frame(2, short, short.len()), &mut ()), FrameOutcome::Damaged(_)));
        let mut icmp = foreign.clone();
        icmp[9] = 1;
        let sight = inspector.frame(&frame(3, &icmp, icmp.len()), &mut ());
        assert_eq!(sight, FrameOutcome::Skipped(SkipReason::OtherTransport { protocol: 1 }));
    }
}
