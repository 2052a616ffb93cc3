use gamewire_machine::{ConversationSide, Role};

use super::Follower;
use super::detect::{Confidence, RoleHint, decode, detect, is_padding, role_hint};
use super::framing::packets;
use super::websocket::{is_upgrade, messages};
use crate::Format;
use crate::shared::packet::{Packet, Reject};
use crate::shared::payload::Payload;
use crate::shared::reason::RejectReason;
use crate::shared::version::Version;
use crate::versions::by_format;

/// A detector for conversations of Riptide.
///
/// Packets of Riptide have no magic number, so the detector looks for exchanges that rarely occur by chance: a Welcome
/// or first heartbeat of the exact form, a Reject right after a Connect (in datagrams of 2.1, two Rejects, or one after
/// the notice that the server has not decided), or two matching replies: acks of the previous message or replies to the
/// previous heartbeat.
#[derive(Clone, Copy, Debug, Default)]
pub struct Detector {
    v20: FormatEvidence,
    v21: FormatEvidence,
}

/// Result of looking at a part of a conversation.
#[derive(Debug)]
pub enum Detection {
    /// The conversation is Riptide. Follow these bytes and all later ones.
    Match(Box<Follower>),
    /// These bytes may be Riptide. Keep them: if a later part matches, follow them before it.
    Possible,
    /// These bytes are not evidence.
    NoMatch,
}

/// State of the detection for one format.
#[derive(Clone, Copy, Debug, Default)]
struct FormatEvidence {
    last: LastPacket,
    /// Set after a reply that matched the packet before it.
    has_reply: bool,
    first: Sent,
    second: Sent,
}

/// The previous packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum LastPacket {
    #[default]
    Other,
    /// A connect request of this side.
    Request(ConversationSide),
    /// The notice to this side, after its request, that the server has not decided yet.
    Notice(ConversationSide),
    /// A rejection of this side's request.
    Rejection(ConversationSide),
}

/// The last ids that one side sent.
#[derive(Clone, Copy, Debug, Default)]
struct Sent {
    reliable: Option<u16>,
    heartbeat: Option<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Evidence {
    None,
    Possible,
    Proof,
}

/// Maximum bytes of an ack or heartbeat, with or without a frame.
const MAX_CANDIDATE_BYTES: usize = 11;

impl Detector {
    /// Returns whether bytes are worth checking in a conversation with many packets that did not match.
    pub const fn is_candidate(bytes: &[u8]) -> bool {
        bytes.len() <= MAX_CANDIDATE_BYTES
    }

    /// Checks the next datagram of the conversation.
    pub fn datagram(&mut self, from: ConversationSide, datagram: &[u8]) -> Detection {
        let is_framed = false;
        self.check(Follower::datagrams, |evidence, format| {
            evidence.consider(format, is_framed, from, datagram)
        })
    }

    /// Checks the next bytes of one of the streams of a connection.
    pub fn run(&mut self, from: ConversationSide, run: &[u8]) -> Detection {
        if let Some(messages) = messages(run) {
            let none = if is_upgrade(run) { Evidence::Possible } else { Evidence::None };
            return self.check(Follower::websockets, |evidence, format| {
                let found = messages.iter().map(|packet| evidence.consider(format, true, from, packet));
                found.max().unwrap_or(none).max(none)
            });
        }
        self.check(Follower::streams, |evidence, format| {
            let packets = packets(format, run).into_iter().flatten();
            packets
                .map(|packet| evidence.consider(format, true, from, packet))
                .max()
                .unwrap_or(Evidence::None)
        })
    }

    fn check(
        &mut self,
        follower: fn(Format) -> Follower,
        mut consider: impl FnMut(&mut FormatEvidence, Format) -> Evidence,
    ) -> Detection {
        let formats = [(Format::V21, &mut self.v21), (Format::V20, &mut self.v20)];
        let found = formats.map(|(format, evidence)| (consider(evidence, format), format));
        if let Some((_, format)) = found.iter().find(|(evidence, _)| *evidence == Evidence::Proof) {
            return Detection::Match(Box::new(follower(*format)));
        }
        let is_possible = found.iter().any(|(evidence, _)| *evidence == Evidence::Possible);
        if is_possible { Detection::Possible } else { Detection::NoMatch }
    }
}

impl FormatEvidence {
    /// Considers a packet of a datagram or of a frame. The length of a frame is additional evidence.
    fn consider(
        &mut self,
        format: Format,
        is_framed: bool,
        from: ConversationSide,
        packet: &[u8],
    ) -> Evidence {
        let last = core::mem::take(&mut self.last);
        let (name, max_size) = by_format!(format, V => (V::NAME, V::MAX_SIZE));
        if packet.len() > max_size {
            return Evidence::None;
        }
        let known = detect(packet).filter(|guess| guess.version == name);
        if known.is_some_and(|guess| guess.confidence == Confidence::Strong) {
            return Evidence::Proof;
        }
        let role = match role_hint(format, packet) {
            // A server that has not decided yet returns a request without data.
            RoleHint::Possible(Role::Client) if last == LastPacket::Request(from.other()) => Role::Server,
            RoleHint::Certain(role) | RoleHint::Possible(role) => role,
            RoleHint::None => Role::Client,
        };
        let Some(read) = decode(format, packet, role) else { return Evidence::None };
        let [sent, received] = match from {
            ConversationSide::First => [&mut self.first, &mut self.second],
            ConversationSide::Second => [&mut self.second, &mut self.first],
        };
        let when = |is_proof: bool| if is_proof { Evidence::Proof } else { Evidence::None };
        match read {
            Packet::Connect(_) => {
                self.last = LastPacket::Request(from);
                Evidence::Possible
            }
            Packet::Pending(pending)
                if is_padding(&pending.trailing) && last == LastPacket::Request(from.other()) =>
            {
                self.last = LastPacket::Notice(from.other());
                Evidence::Possible
            }
            Packet::Reject(reject) if is_rejection(format, &reject) => match last {
                // In datagrams, servers of 2.1 send a Reject three times.
                LastPacket::Request(end) if end == from.other() && format == Format::V21 && !is_framed => {
                    self.last = LastPacket::Rejection(end);
                    Evidence::Possible
                }
                LastPacket::Request(end) | LastPacket::Notice(end) | LastPacket::Rejection(end) => {
                    when(end == from.other())
                }
                LastPacket::Other => Evidence::None,
            },
            Packet::Heartbeat(heartbeat) if is_padding(&heartbeat.trailing) => {
                sent.heartbeat = Some(heartbeat.ping_id);
                Evidence::Possible
            }
            Packet::HeartbeatReply(reply) if is_padding(&reply.trailing) => {
                let matches = received.heartbeat.take() == Some(reply.ping_id);
                self.has_reply &= matches;
                self.on_reply(matches)
            }
            Packet::Ack(ack) if is_ack_padding(&ack.trailing, ack.for_seq_id) => {
                let ids = [Some(ack.last_received_seq_id), ack.for_seq_id];
                let matches = received.reliable.is_some() && ids.contains(&received.reliable);
                self.on_reply(matches)
            }
            Packet::Reliable(packet) => sent.reliable(packet.seq_id),
            Packet::Welcome(packet) if is_padding(&packet.trailing) => sent.reliable(packet.seq_id),
            Packet::ClientConnected(packet) if is_padding(&packet.trailing) => sent.reliable(packet.seq_id),
            Packet::ClientDisconnected(packet) if is_padding(&packet.trailing) => {
                sent.reliable(packet.seq_id)
            }
            _ => Evidence::None,
        }
    }

    /// Handles a reply. One alone may match by chance.
    const fn on_reply(&mut self, matches: bool) -> Evidence {
        let had_reply = self.has_reply;
        self.has_reply |= matches;
        match (matches, had_reply) {
            (false, _) => Evidence::None,
            (true, false) => Evidence::Possible,
            (true, true) => Evidence::Proof,
        }
    }
}

impl Sent {
    const fn reliable(&mut self, seq_id: u16) -> Evidence {
        self.reliable = Some(seq_id);
        Evidence::Possible
    }
}

/// Returns whether a packet is a valid rejection. Only the reason `Custom` has data. The Python port sends the numbers
/// of 2.0 in 2.1.
fn is_rejection(format: Format, reject: &Reject<'_>) -> bool {
    [format, Format::V20].into_iter().any(|format| match RejectReason::from_number(format, reject.reason) {
        RejectReason::Other(_) => false,
        reason => reason == RejectReason::Custom || is_padding(&reject.data),
    })
}

/// Returns whether the bits after an ack are padding, or the id that senders of 2.1.0 to 2.1.2 append although the flag
/// denies it.
fn is_ack_padding(trailing: &Payload<'_>, for_seq_id: Option<u16>) -> bool {
    is_padding(trailing) || for_seq_id.is_none() && (17..24).contains(&trailing.bit_len())
}
