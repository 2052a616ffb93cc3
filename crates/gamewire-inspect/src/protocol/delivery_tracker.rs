//! Tracks reliable messages: which were resent and why, and how long an acknowledgement took.

use std::collections::VecDeque;

use gamewire_machine::record::{NodeKind, NodeRef};
use gamewire_machine::{Record, Role};
use gamewire_wire::{Layer, Value};

use super::delivery::{Delivery, Resent, Sent};

/// Maximum number of sent messages that are remembered, half of them for each direction.
const MAX_UNACKED: usize = 1_024;
/// Minimum nanoseconds before a message is sent again. An earlier copy is a duplicate of the network. The C# library
/// of Riptide waits for 10 ms.
const MIN_RESEND_DELAY: i64 = 10_000_000;
/// Number of sequence numbers of Teeworlds.
const TEEWORLDS_SEQUENCES: u16 = 1_024;

/// The reliable messages of a conversation: which were sent again and why, and how long an acknowledgement took.
#[derive(Clone, Debug, Default)]
pub struct DeliveryTracker {
    from_client: SentMessages,
    from_server: SentMessages,
    /// The latest round trip that one of the peers measured, in nanoseconds.
    measured: Option<i64>,
    /// Time of the latest ping of a Freeciv server that has no reply yet.
    ping: Option<i64>,
}

/// The latest reliable messages of one direction.
#[derive(Clone, Debug, Default)]
struct SentMessages {
    sent: VecDeque<SentMessage>,
    /// Nanoseconds from sending a message to its acknowledgement: the round trip between the point of capture and the
    /// receiver.
    ack_delay: Option<i64>,
    /// Number of the latest packet in which the receiver asked for a resend. Cleared when a message that was not
    /// resent is acknowledged.
    asked: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
struct SentMessage {
    sequence: u16,
    /// Number of the packet with the message.
    packet: u64,
    time: i64,
    /// Time of the latest packet with the message.
    latest: i64,
    was_resent: bool,
    is_acked: bool,
}

/// A packet of a conversation, for a [`DeliveryTracker`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrackedPacket {
    /// Number of the packet.
    pub number: u64,
    /// Nanoseconds since any fixed time.
    pub time: i64,
    /// Name of the protocol.
    pub protocol: &'static str,
    /// Role of the sender.
    pub sender: Role,
}

impl DeliveryTracker {
    /// Returns the latest round trip in nanoseconds. It is the one that a peer measured, or else the sum of the round
    /// trips between the point of capture and each peer.
    pub fn round_trip(&self) -> Option<i64> {
        let sum = || Some(self.from_client.ack_delay?.saturating_add(self.from_server.ack_delay?));
        self.measured.or_else(sum)
    }

    /// Updates the tracker with a packet and its decoded content. Returns the packet's delivery.
    pub fn packet(&mut self, packet: TrackedPacket, record: &Record) -> Delivery {
        match packet.protocol {
            "teeworlds" => self.teeworlds(packet, record),
            "riptide" => self.riptide(packet, record),
            _ => self.freeciv(packet, record),
        }
    }

    fn teeworlds(&mut self, packet: TrackedPacket, record: &Record) -> Delivery {
        let mut delivery = Delivery::default();
        for node in record.nodes() {
            match (node.kind(), node.name()) {
                (NodeKind::Field, "ack") if node.depth() <= 2 => {
                    if let Some(ack) = sequence(node) {
                        self.acked(packet, |sequence| is_covered(sequence, ack));
                    }
                }
                (NodeKind::Field, "resend") => {
                    delivery.asks_for_resend = node.value() == Some(Value::Bool(true));
                }
                (NodeKind::Group(Layer::Group), "chunk") => {
                    let field = |name| node.child(name);
                    if let Some(sequence) = field("sequence").and_then(sequence) {
                        let mark = field("chunk_resend").map(|flag| flag.value() == Some(Value::Bool(true)));
                        delivery.add(self.sent(packet, sequence, mark));
                    }
                }
                (NodeKind::Group(Layer::Message), "connect") => self.restart(),
                _ => {}
            }
        }
        if delivery.asks_for_resend {
            self.of(packet.sender.other()).asked = Some(packet.number);
        }
        delivery
    }

    fn riptide(&mut self, packet: TrackedPacket, record: &Record) -> Delivery {
        let mut delivery = Delivery::default();
        for message in record.nodes().filter(|node| node.kind() == NodeKind::Group(Layer::Message)) {
            let field = |name| message.child(name);
            match message.name() {
                "connect" => self.restart(),
                "ack" => {
                    let last = field("last_received_seq_id").and_then(sequence);
                    let one = field("for_seq_id").and_then(sequence).or(last);
                    let bits = field("received_seq_ids").and_then(sequence).unwrap_or(0);
                    self.acked(packet, |sequence| {
                        Some(sequence) == one || last.is_some_and(|last| is_in_window(sequence, last, bits))
                    });
                }
                // Notify messages are never resent.
                "notify" => {}
                _ => {
                    if let Some(sequence) = field("seq_id").and_then(sequence) {
                        delivery.add(self.sent(packet, sequence, None));
                    }
                }
            }
        }
        let measured = record.nodes().find(|node| node.name() == "round_trip").and_then(|node| node.value());
        if let Some(Value::Decimal { raw, scale: 1000 }) = measured {
            self.measured = Some(raw.saturating_mul(1_000));
        }
        delivery
    }

    fn freeciv(&mut self, packet: TrackedPacket, record: &Record) -> Delivery {
        for message in record.nodes().filter(|node| node.kind() == NodeKind::Group(Layer::Message)) {
            match message.name() {
                "conn_ping" => self.ping = Some(packet.time),
                "conn_pong" => {
                    let sent = self.ping.take();
                    self.measured = sent.map(|sent| packet.time.saturating_sub(sent)).or(self.measured);
                }
                _ => {}
            }
        }
        Delivery::default()
    }

    const fn of(&mut self, sender: Role) -> &mut SentMessages {
        match sender {
            Role::Client => &mut self.from_client,
            Role::Server => &mut self.from_server,
        }
    }

    /// Forgets all messages, because sequence numbers start again with a new connection.
    fn restart(&mut self) {
        self.from_client = SentMessages::default();
        self.from_server = SentMessages::default();
    }

    /// Records that a message was sent, and finds the earlier packet with the same message. `mark` is true if the
    /// message is marked as sent again, and `None` if the protocol has no such mark.
    fn sent(&mut self, packet: TrackedPacket, sequence: u16, mark: Option<bool>) -> Sent {
        let TrackedPacket { number, time, sender, .. } = packet;
        let messages = self.of(sender);
        // Without a mark, the sender waits for a round trip. The copies of a datagram are less than half of it apart.
        let half_trip = messages.ack_delay.unwrap_or(0) / 2;
        let known = messages.sent.iter_mut().rev().find(|known| known.sequence == sequence);
        // A marked message is also sent again if its first copy is in the same packet.
        let is_again = |known: &&mut SentMessage| known.packet != number || mark == Some(true);
        if let Some(known) = known.filter(is_again) {
            let min_delay = match mark {
                Some(false) => i64::MAX,
                Some(true) if !known.was_resent => 0,
                Some(true) => MIN_RESEND_DELAY,
                None => MIN_RESEND_DELAY.max(half_trip),
            };
            if time.saturating_sub(known.latest) < min_delay {
                return Sent::Duplicate(known.packet);
            }
            known.latest = time;
            let resent = Resent {
                first: known.packet,
                after: time.saturating_sub(known.time),
                sequence,
                others: 0,
                asked: messages.asked,
            };
            known.was_resent = true;
            return Sent::Again(resent);
        }
        if messages.sent.len() >= MAX_UNACKED / 2 {
            messages.sent.pop_front();
        }
        messages.sent.push_back(SentMessage {
            sequence,
            packet: number,
            time,
            latest: time,
            was_resent: false,
            is_acked: false,
        });
        Sent::First
    }

    /// Marks messages as acknowledged if `is_acked` returns true for their sequence number.
    fn acked(&mut self, packet: TrackedPacket, is_acked: impl Fn(u16) -> bool) {
        let now = packet.time;
        let messages = self.of(packet.sender.other());
        let mut newest = None;
        for message in
            messages.sent.iter_mut().filter(|message| !message.is_acked && is_acked(message.sequence))
        {
            message.is_acked = true;
            // Leave out a resent message: it is unknown which of its packets the ack answers.
            newest = Some(*message).filter(|message| !message.was_resent).or(newest);
        }
        if let Some(message) = newest {
            messages.asked = None;
            messages.ack_delay = Some(now.saturating_sub(message.time));
        }
    }
}

fn sequence(field: NodeRef<'_>) -> Option<u16> {
    match field.value()? {
        Value::Int(value) | Value::Named { value, .. } => u16::try_from(value).ok(),
        Value::Uint(value) | Value::Hex { value, .. } => u16::try_from(value).ok(),
        _ => None,
    }
}

/// Returns whether an ack of Teeworlds covers a sequence number. It covers the 512 numbers up to the ack.
const fn is_covered(sequence: u16, ack: u16) -> bool {
    (ack.wrapping_sub(sequence) % TEEWORLDS_SEQUENCES) < TEEWORLDS_SEQUENCES / 2
}

/// Returns whether an ack of Riptide covers a sequence number: it is the last received one, or its bit is set.
fn is_in_window(sequence: u16, last: u16, bits: u16) -> bool {
    match last.wrapping_sub(sequence) {
        0 => true,
        age @ 1..=16 => bits.checked_shr(u32::from(age).saturating_sub(1)).unwrap_or(0) & 1 == 1,
        _ => false,
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests {
    use super::*;

    #[test]
    fn an_ack_covers_the_numbers_before_it_also_around_zero() {
        assert!(is_covered(5, 5) && is_covered(1_020, 3) && is_covered(3, 500));
        assert!(!is_covered(6, 5) && !is_covered(3, 1_020));
    }

    #[test]
    fn a_window_has_the_last_number_and_the_sixteen_before_it() {
        assert!(is_in_window(100, 100, 0));
        assert!(is_in_window(99, 100, 1) && !is_in_window(98, 100, 1) && is_in_window(98, 100, 2));
        assert!(is_in_window(65_535, 3, 8) && is_in_window(84, 100, 1 << 15));
        assert!(!is_in_window(83, 100, u16::MAX) && !is_in_window(101, 100, u16::MAX));
    }
    /// Returns the kinds of copies of a message that arrive at these milliseconds.
    fn copies(protocol: &'static str, copies: &[(i64, Option<bool>)], trip: Option<i64>) -> String {
        let mut tracker = DeliveryTracker::default();
        tracker.from_client.ack_delay = trip.map(|millis| millis * 1_000_000);
        let mut number = 0;
        let kinds = copies.iter().map(|(millis, mark)| {
            number += 1;
            let packet = TrackedPacket { number, time: millis * 1_000_000, protocol, sender: Role::Client };
            match tracker.sent(packet, 5, *mark) {
                Sent::First => 'f',
                Sent::Again(_) => 'r',
                Sent::Duplicate(_) => 'd',
            }
        });
        kinds.collect()
    }

    #[test]
    fn a_copy_by_the_network_is_not_a_resend() {
        let (plain, marked) = (Some(false), Some(true));
        let teeworlds =
            [(0, plain), (7, plain), (40, marked), (41, marked), (60, marked), (500, plain), (1_100, marked)];
        assert_eq!(copies("teeworlds", &teeworlds, Some(60)), "fdrdrdr");
        let riptide = |times: &[i64], trip| {
            let copies_at: Vec<_> = times.iter().map(|millis| (*millis, None)).collect();
            copies("riptide", &copies_at, trip)
        };
        assert_eq!(riptide(&[0, 7, 12, 19, 24], None), "fdrdr");
        assert_eq!(riptide(&[0, 20, 50, 57, 110], Some(42)), "fdrdr");
    }
}
