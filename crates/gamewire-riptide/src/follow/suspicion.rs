use gamewire_machine::End;

use super::carrier::{Carrier, packets};
use super::follower::{Followed, Follower};
use super::roles::{Shown, shown};
use crate::recognise::{Strength, recognise};
use crate::shared::packet::{Packet, Reject, Side};
use crate::shared::payload::Payload;
use crate::shared::version::Version;
use crate::v20::V20;
use crate::v21::V21;

/// What the packets of a conversation that nobody knows yet add up to.
///
/// No packet of Riptide has a mark, so a conversation is known by an exchange that hardly comes
/// about by chance: a Welcome or a first heartbeat of exactly their form, a refusal right behind a
/// request, two answers that fit: acks of the message before, or replies to the heartbeat before.
#[derive(Clone, Copy, Debug, Default)]
pub struct Suspicion {
    v20: Clues,
    v21: Clues,
}

/// What is thought of a conversation.
#[derive(Debug)]
pub enum Verdict {
    /// It is Riptide; the bytes that showed it are to be followed like all later ones.
    Known(Box<Follower>),
    /// These bytes may be Riptide's: should the conversation turn out to be, they are to be
    /// followed before those that show it.
    Perhaps,
    /// These bytes say nothing.
    Foreign,
}

/// What was seen in one format.
#[derive(Clone, Copy, Debug, Default)]
struct Clues {
    last: Last,
    /// Whether an answer has fitted what was sent before it.
    has_answer: bool,
    first: Sent,
    second: Sent,
}

/// What was sent right before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Last {
    #[default]
    Anything,
    /// This end asked for a connection.
    Request(End),
    /// This end was refused so far.
    Refusal(End),
}

/// The last numbers that one end sent.
#[derive(Clone, Copy, Debug, Default)]
struct Sent {
    reliable: Option<u16>,
    heartbeat: Option<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    Nothing,
    Possible,
    Sure,
}

/// No longer datagram or run can be an ack or belong to a heartbeat, in a frame or not.
const LONGEST_TELLING: usize = 11;

impl Suspicion {
    /// Whether bytes are worth a look though many others of their conversation said nothing.
    #[must_use]
    pub const fn is_telling(bytes: &[u8]) -> bool {
        bytes.len() <= LONGEST_TELLING
    }

    /// Looks at the next datagram of the conversation.
    pub fn datagram(&mut self, from: End, datagram: &[u8]) -> Verdict {
        let of_21 = self.v21.consider::<V21>(from, datagram);
        let of_20 = self.v20.consider::<V20>(from, datagram);
        match (of_21, of_20) {
            (Weight::Sure, _) => Verdict::Known(Box::new(V21::follower(Carrier::Datagrams))),
            (_, Weight::Sure) => Verdict::Known(Box::new(V20::follower(Carrier::Datagrams))),
            (Weight::Possible, _) | (_, Weight::Possible) => Verdict::Perhaps,
            _ => Verdict::Foreign,
        }
    }

    /// Looks at the next run of bytes of one of the streams of a connection.
    pub fn run(&mut self, from: End, run: &[u8]) -> Verdict {
        let of_21 = self.v21.consider_frames::<V21>(from, run);
        let of_20 = self.v20.consider_frames::<V20>(from, run);
        match (of_21, of_20) {
            (Weight::Sure, _) => Verdict::Known(Box::new(V21::follower(Carrier::streams()))),
            (_, Weight::Sure) => Verdict::Known(Box::new(V20::follower(Carrier::streams()))),
            (Weight::Possible, _) | (_, Weight::Possible) => Verdict::Perhaps,
            _ => Verdict::Foreign,
        }
    }
}

impl Clues {
    fn consider_frames<V: Version>(&mut self, from: End, run: &[u8]) -> Weight {
        let Some(packets) = packets::<V>(run) else { return Weight::Nothing };
        packets.map(|packet| self.consider::<V>(from, packet)).max().unwrap_or(Weight::Nothing)
    }

    fn consider<V: Version>(&mut self, from: End, packet: &[u8]) -> Weight {
        let last = core::mem::take(&mut self.last);
        if packet.len() > V::MAX_SIZE {
            return Weight::Nothing;
        }
        let known = recognise(packet).filter(|evidence| evidence.version == V::NAME);
        if known.is_some_and(|evidence| evidence.strength == Strength::Strong) {
            return Weight::Sure;
        }
        let side = match shown::<V>(packet) {
            Shown::Surely(side) | Shown::Maybe(side) => side,
            Shown::Nothing => Side::Client,
        };
        let Ok(read) = Packet::decode::<V, _>(packet, side, &mut ()) else { return Weight::Nothing };
        let [sent, received] = match from {
            End::First => [&mut self.first, &mut self.second],
            End::Second => [&mut self.second, &mut self.first],
        };
        let when = |is_sure: bool| if is_sure { Weight::Sure } else { Weight::Nothing };
        match read {
            Packet::Connect(_) => {
                self.last = Last::Request(from);
                Weight::Possible
            }
            Packet::Pending(pending)
                if pending.trailing.is_empty() && last == Last::Request(from.other()) =>
            {
                self.last = last;
                Weight::Possible
            }
            Packet::Reject(reject) if is_refusal::<V>(&reject) => match last {
                // In 2.1 it is sent three times.
                Last::Request(end) if end == from.other() && V::HEADER_BITS < 8 => {
                    self.last = Last::Refusal(end);
                    Weight::Possible
                }
                Last::Request(end) | Last::Refusal(end) => when(end == from.other()),
                Last::Anything => Weight::Nothing,
            },
            Packet::Heartbeat(heartbeat) if is_padding(&heartbeat.trailing) => {
                sent.heartbeat = Some(heartbeat.ping_id);
                Weight::Possible
            }
            Packet::HeartbeatReply(reply) if is_padding(&reply.trailing) => {
                let fits = received.heartbeat.take() == Some(reply.ping_id);
                self.has_answer &= fits;
                self.answer(fits)
            }
            Packet::Ack(ack) if is_ack_padding(&ack.trailing, ack.for_seq_id) => {
                let ids = [Some(ack.last_received_seq_id), ack.for_seq_id];
                let fits = received.reliable.is_some() && ids.contains(&received.reliable);
                self.answer(fits)
            }
            Packet::Reliable(packet) => sent.reliable(packet.seq_id),
            Packet::Welcome(packet) if is_padding(&packet.trailing) => sent.reliable(packet.seq_id),
            Packet::ClientConnected(packet) if is_padding(&packet.trailing) => sent.reliable(packet.seq_id),
            Packet::ClientDisconnected(packet) if is_padding(&packet.trailing) => {
                sent.reliable(packet.seq_id)
            }
            _ => Weight::Nothing,
        }
    }
}

impl Clues {
    /// An answer came. One may fit by chance.
    const fn answer(&mut self, fits: bool) -> Weight {
        let had_answer = self.has_answer;
        self.has_answer |= fits;
        match (fits, had_answer) {
            (false, _) => Weight::Nothing,
            (true, false) => Weight::Possible,
            (true, true) => Weight::Sure,
        }
    }
}

impl Sent {
    const fn reliable(&mut self, seq_id: u16) -> Weight {
        self.reliable = Some(seq_id);
        Weight::Possible
    }
}

fn is_padding(trailing: &Payload<'_>) -> bool {
    trailing.bit_len() < 8 && trailing.is_zero()
}

/// Only a refusal for a reason of the application's own comes with its data.
fn is_refusal<V: Version>(reject: &Reject<'_>) -> bool {
    V::reject_reason(reject.reason).is_some_and(|name| name == "Custom" || is_padding(&reject.data))
}

/// Senders of 2.1.0 to 2.1.2 append an id that the flag denies.
fn is_ack_padding(trailing: &Payload<'_>, for_seq_id: Option<u16>) -> bool {
    is_padding(trailing) || for_seq_id.is_none() && (17..24).contains(&trailing.bit_len())
}
