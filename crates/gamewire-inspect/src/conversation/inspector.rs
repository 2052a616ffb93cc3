use std::net::SocketAddr;

use gamewire_machine::Instant;
use gamewire_wire::{CodecError, Found, Trace};

use super::sighting::Sighting;
use super::table::{Limits, Table};
use crate::capture::Frame;
use crate::net::{Decoder, PacketError, Payload, Skip, Udp};
use crate::protocol::{Protocol, Recognise, Transport};

/// Takes the frames of a capture one by one and follows every conversation in them.
///
/// All that it keeps is bounded: see [`Limits`].
pub struct Inspector<F = Protocol> {
    decoder: Decoder,
    table: Table<F>,
    start: Option<i64>,
    /// What the followers of forgotten conversations had counted.
    forgotten: Vec<Counter>,
}

/// Something that a follower counted, in its protocol's own words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// The number of the conversation.
    pub conversation: u64,
    /// What was counted.
    pub name: &'static str,
    /// How often it happened.
    pub count: u64,
}

/// How many counters of forgotten conversations are kept.
const COUNTERS: usize = 1 << 18;

/// What one frame turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// A datagram of a conversation; its content was told to the trace.
    Datagram(Sighting),
    /// A datagram or segment of no protocol that is known here.
    NotRecognised,
    /// A frame without anything to look at.
    Skipped(Skip),
    /// A frame whose headers contradict each other.
    Damaged(PacketError),
}

impl<F: Recognise> Inspector<F> {
    /// An inspector that has seen nothing yet.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { decoder: Decoder::new(), table: Table::new(limits), start: None, forgotten: Vec::new() }
    }

    /// Looks at the next frame and tells `trace` what a datagram in it says.
    #[inline]
    pub fn frame<T: Trace>(&mut self, frame: &Frame<'_>, trace: &mut T) -> Sight {
        self.start.get_or_insert(frame.time);
        let udp = match self.decoder.decode(frame) {
            Ok(Payload::Udp(udp)) => udp,
            Ok(Payload::Tcp(_)) => return Sight::NotRecognised,
            Ok(Payload::Skipped(skip)) => return Sight::Skipped(skip),
            Err(error) => return Sight::Damaged(error),
        };
        follow(&mut self.table, &mut self.forgotten, self.start, (frame.number, frame.time), &udp, trace)
            .map_or(Sight::NotRecognised, Sight::Datagram)
    }

    /// Looks at a datagram that did not come out of a capture but crossed a socket: the `number`th,
    /// at `time`, nanoseconds since 1970. `None` when it is of no protocol that is known here.
    pub fn datagram<T: Trace>(
        &mut self,
        number: u64,
        time: i64,
        (from, to): (SocketAddr, SocketAddr),
        data: &[u8],
        trace: &mut T,
    ) -> Option<Sighting> {
        self.start.get_or_insert(time);
        let udp = Udp { source: from, destination: to, data, wire_len: data.len(), cut: false };
        follow(&mut self.table, &mut self.forgotten, self.start, (number, time), &udp, trace)
    }

    /// What the followers counted, conversation by conversation, zeros left out.
    #[must_use]
    pub fn counters(&self) -> Vec<Counter> {
        let mut counters = self.forgotten.clone();
        for talk in self.table.followed() {
            count(talk.number, &talk.follower, &mut counters);
        }
        counters.sort_by_key(|counter| counter.conversation);
        counters
    }
}

/// Shows a datagram to the follower of its conversation, if it is of one.
#[inline]
fn follow<F: Recognise, T: Trace>(
    table: &mut Table<F>,
    forgotten: &mut Vec<Counter>,
    start: Option<i64>,
    (number, time): (u64, i64),
    udp: &Udp<'_>,
    trace: &mut T,
) -> Option<Sighting> {
    let Udp { source: from, destination: to, data, wire_len: length, cut } = *udp;
    let talk = table.find(Transport::Udp, from, to, data)?;
    let time = time.saturating_sub(start.unwrap_or(time));
    let end = talk.end(from);
    if cut {
        tell_cut(data, trace);
    } else {
        let at = Instant::from_micros(u64::try_from(time / 1000).unwrap_or_default());
        talk.follower.follow(at, end, data, trace);
    }
    let sighting = Sighting {
        frame: number,
        time,
        conversation: talk.number,
        protocol: talk.follower.protocol(),
        dialect: talk.follower.dialect(),
        sender: talk.role(end),
        from,
        to,
        length,
    };
    let held = talk.weigh();
    table.tidy(held, |conversation, follower| count(conversation, &follower, forgotten));
    Some(sighting)
}

fn count<F: Recognise>(conversation: u64, follower: &F, counters: &mut Vec<Counter>) {
    follower.counters(&mut |name, count| {
        if count > 0 && counters.len() < COUNTERS {
            counters.push(Counter { conversation, name, count });
        }
    });
}

impl<F: Recognise> Default for Inspector<F> {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

/// A datagram that the capture holds in part would mislead a follower.
#[cold]
fn tell_cut<T: Trace>(data: &[u8], trace: &mut T) {
    trace.enter_source("datagram", data);
    let expected = "the rest of the datagram, which the capture left out";
    trace.error(&CodecError::new(data.len(), expected, Found::End));
    trace.leave();
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests {
    use gamewire_machine::Record;

    use super::*;
    use crate::capture::LinkType;
    use crate::conversation::Role;
    use crate::protocol::toy::Toy;

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
        let mut inspector = Inspector::<Toy>::default();
        let mut record = Record::new();
        let packets = [packet(80, 5000, b"toy\x00say hi"), packet(5000, 80, b"toy\x01say ho")];
        let sights: Vec<_> = packets
            .iter()
            .zip(1..)
            .map(|(data, number)| match inspector.frame(&frame(number, data, data.len()), &mut record) {
                Sight::Datagram(sighting) => sighting,
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
        let mut inspector = Inspector::<Toy>::default();
        let mut record = Record::new();
        let ends = ("127.0.0.1:80".parse().unwrap(), "127.0.0.1:5000".parse().unwrap());
        let first = inspector.datagram(1, 1_000_000_000, ends, b"toy\x00say hi", &mut record).unwrap();
        let back = (ends.1, ends.0);
        let second = inspector.datagram(2, 1_005_000_000, back, b"toy\x01say ho", &mut record).unwrap();
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
    fn a_datagram_that_the_capture_cut_is_an_error_and_not_shown_to_the_follower() {
        let mut inspector = Inspector::<Toy>::default();
        let mut record = Record::new();
        let whole = packet(5000, 80, b"toy\x00say something long");
        let cut = &whole[..40];
        let sight = inspector.frame(&frame(1, cut, whole.len()), &mut record);
        assert!(matches!(sight, Sight::Datagram(Sighting { length: 22, dialect: None, .. })), "{sight:?}");
        assert_eq!((record.errors(), record.nodes().count()), (1, 2));
    }

    #[test]
    fn other_traffic_is_told_apart() {
        let mut inspector = Inspector::<Toy>::default();
        let foreign = packet(5000, 80, b"something else");
        assert_eq!(inspector.frame(&frame(1, &foreign, foreign.len()), &mut ()), Sight::NotRecognised);
        let short = &foreign[..10];
        assert!(matches!(inspector.frame(&frame(2, short, short.len()), &mut ()), Sight::Damaged(_)));
        let mut icmp = foreign.clone();
        icmp[9] = 1;
        let sight = inspector.frame(&frame(3, &icmp, icmp.len()), &mut ());
        assert_eq!(sight, Sight::Skipped(Skip::OtherTransport { protocol: 1 }));
    }
}
