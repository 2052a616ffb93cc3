use gamewire_machine::ConversationSide;
use gamewire_machine::Role;

use super::carrier::{Framing, packets};
use super::follower::{Followed, Follower};
use super::roles::{RoleHint, shown};
use crate::RejectReason;
use crate::recognise::{Confidence, detect};
use crate::shared::packet::{Packet, Reject};
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
pub struct Detector {
    v20: FormatEvidence,
    v21: FormatEvidence,
}

/// What is thought of a conversation.
#[derive(Debug)]
pub enum Detection {
    /// It is Riptide; the bytes that showed it are to be followed like all later ones.
    Match(Box<Follower>),
    /// These bytes may be Riptide's: should the conversation turn out to be, they are to be
    /// followed before those that show it.
    Possible,
    /// These bytes say nothing.
    NoMatch,
}

/// What was seen in one format.
#[derive(Clone, Copy, Debug, Default)]
struct FormatEvidence {
    last: LastPacket,
    /// Whether an answer has fitted what was sent before it.
    has_answer: bool,
    first: Sent,
    second: Sent,
}

/// What was sent right before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum LastPacket {
    #[default]
    Anything,
    /// This end asked for a connection.
    Request(ConversationSide),
    /// This end was refused so far.
    Refusal(ConversationSide),
}

/// The last numbers that one end sent.
#[derive(Clone, Copy, Debug, Default)]
struct Sent {
    reliable: Option<u16>,
    heartbeat: Option<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Recognition {
    Nothing,
    Possible,
    Sure,
}

/// No longer datagram or run can be an ack or belong to a heartbeat, in a frame or not.
const LONGEST_TELLING: usize = 11;

impl Detector {
    /// Whether bytes are worth a look though many others of their conversation said nothing.
    #[must_use]
    pub const fn is_candidate(bytes: &[u8]) -> bool {
        bytes.len() <= LONGEST_TELLING
    }

    /// Looks at the next datagram of the conversation.
    pub fn datagram(&mut self, from: ConversationSide, datagram: &[u8]) -> Detection {
        let of_21 = self.v21.consider::<V21>(from, datagram);
        let of_20 = self.v20.consider::<V20>(from, datagram);
        match (of_21, of_20) {
            (Recognition::Sure, _) => Detection::Match(Box::new(V21::follower(Framing::Datagrams))),
            (_, Recognition::Sure) => Detection::Match(Box::new(V20::follower(Framing::Datagrams))),
            (Recognition::Possible, _) | (_, Recognition::Possible) => Detection::Possible,
            _ => Detection::NoMatch,
        }
    }

    /// Looks at the next run of bytes of one of the streams of a connection.
    pub fn run(&mut self, from: ConversationSide, run: &[u8]) -> Detection {
        let of_21 = self.v21.consider_frames::<V21>(from, run);
        let of_20 = self.v20.consider_frames::<V20>(from, run);
        match (of_21, of_20) {
            (Recognition::Sure, _) => Detection::Match(Box::new(V21::follower(Framing::streams()))),
            (_, Recognition::Sure) => Detection::Match(Box::new(V20::follower(Framing::streams()))),
            (Recognition::Possible, _) | (_, Recognition::Possible) => Detection::Possible,
            _ => Detection::NoMatch,
        }
    }
}

impl FormatEvidence {
    fn consider_frames<V: Version>(&mut self, from: ConversationSide, run: &[u8]) -> Recognition {
        let Some(packets) = packets::<V>(run) else { return Recognition::Nothing };
        packets.map(|packet| self.consider::<V>(from, packet)).max().unwrap_or(Recognition::Nothing)
    }

    fn consider<V: Version>(&mut self, from: ConversationSide, packet: &[u8]) -> Recognition {
        let last = core::mem::take(&mut self.last);
        if packet.len() > V::MAX_SIZE {
            return Recognition::Nothing;
        }
        let known = detect(packet).filter(|evidence| evidence.version == V::NAME);
        if known.is_some_and(|evidence| evidence.strength == Confidence::Strong) {
            return Recognition::Sure;
        }
        let side = match shown::<V>(packet) {
            RoleHint::Certain(side) | RoleHint::Maybe(side) => side,
            RoleHint::Nothing => Role::Client,
        };
        let Ok(read) = Packet::decode::<V, _>(packet, side, &mut ()) else { return Recognition::Nothing };
        let [sent, received] = match from {
            ConversationSide::First => [&mut self.first, &mut self.second],
            ConversationSide::Second => [&mut self.second, &mut self.first],
        };
        let when = |is_sure: bool| if is_sure { Recognition::Sure } else { Recognition::Nothing };
        match read {
            Packet::Connect(_) => {
                self.last = LastPacket::Request(from);
                Recognition::Possible
            }
            Packet::Pending(pending)
                if pending.trailing.is_empty() && last == LastPacket::Request(from.other()) =>
            {
                self.last = last;
                Recognition::Possible
            }
            Packet::Reject(reject) if is_refusal::<V>(&reject) => match last {
                // In 2.1 it is sent three times.
                LastPacket::Request(end) if end == from.other() && V::HEADER_BITS < 8 => {
                    self.last = LastPacket::Refusal(end);
                    Recognition::Possible
                }
                LastPacket::Request(end) | LastPacket::Refusal(end) => when(end == from.other()),
                LastPacket::Anything => Recognition::Nothing,
            },
            Packet::Heartbeat(heartbeat) if is_padding(&heartbeat.trailing) => {
                sent.heartbeat = Some(heartbeat.ping_id);
                Recognition::Possible
            }
            Packet::HeartbeatReply(reply) if is_padding(&reply.trailing) => {
                let fits = received.heartbeat.take() == Some(reply.ping_id);
                self.has_answer &= fits;
                self.on_reply(fits)
            }
            Packet::Ack(ack) if is_ack_padding(&ack.trailing, ack.for_seq_id) => {
                let ids = [Some(ack.last_received_seq_id), ack.for_seq_id];
                let fits = received.reliable.is_some() && ids.contains(&received.reliable);
                self.on_reply(fits)
            }
            Packet::Reliable(packet) => sent.reliable(packet.seq_id),
            Packet::Welcome(packet) if is_padding(&packet.trailing) => sent.reliable(packet.seq_id),
            Packet::ClientConnected(packet) if is_padding(&packet.trailing) => sent.reliable(packet.seq_id),
            Packet::ClientDisconnected(packet) if is_padding(&packet.trailing) => {
                sent.reliable(packet.seq_id)
            }
            _ => Recognition::Nothing,
        }
    }
}

impl FormatEvidence {
    /// An answer came. One may fit by chance.
    const fn on_reply(&mut self, fits: bool) -> Recognition {
        let had_answer = self.has_answer;
        self.has_answer |= fits;
        match (fits, had_answer) {
            (false, _) => Recognition::Nothing,
            (true, false) => Recognition::Possible,
            (true, true) => Recognition::Sure,
        }
    }
}

impl Sent {
    const fn reliable(&mut self, seq_id: u16) -> Recognition {
        self.reliable = Some(seq_id);
        Recognition::Possible
    }
}

fn is_padding(trailing: &Payload<'_>) -> bool {
    trailing.bit_len() < 8 && trailing.is_zero()
}

/// Only a refusal for a reason of the application's own comes with its data.
fn is_refusal<V: Version>(reject: &Reject<'_>) -> bool {
    V::REJECT_REASONS
        .get(usize::from(reject.reason))
        .is_some_and(|reason| *reason == RejectReason::Custom || is_padding(&reject.data))
}

/// Senders of 2.1.0 to 2.1.2 append an id that the flag denies.
fn is_ack_padding(trailing: &Payload<'_>, for_seq_id: Option<u16>) -> bool {
    is_padding(trailing) || for_seq_id.is_none() && (17..24).contains(&trailing.bit_len())
}
