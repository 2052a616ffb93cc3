/// The facts about the delivery of a packet that earlier packets of its conversation show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delivery {
    /// Number of the earlier packet that this one is a copy of, if the network duplicated it.
    pub duplicate_of: Option<u64>,
    /// True if the sender asks the other side to resend missing messages.
    pub asks_for_resend: bool,
    /// The earlier packet with a message of this packet, if a message was resent.
    pub resent: Option<Resent>,
}

/// An earlier packet with the same message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resent {
    /// Number of the earlier packet with the message; 0 if unknown.
    pub first: u64,
    /// Nanoseconds between the two packets.
    pub after: i64,
    /// Sequence number of the message.
    pub sequence: u16,
    /// Number of further messages in the packet that were already sent.
    pub others: u16,
    /// Number of the packet in which the receiver asked for a resend, if there was one.
    pub asked: Option<u64>,
}

/// Number of times that a message was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sent {
    First,
    /// The sender sent it again.
    Again(Resent),
    /// The network duplicated the packet with this number.
    Duplicate(u64),
}

impl Delivery {
    /// Returns the number of messages in the packet that were sent again. Copies of the network do not count.
    pub fn resent_messages(&self) -> u64 {
        self.resent.map_or(0, |resent| u64::from(resent.others).saturating_add(1))
    }

    /// Adds a message, which may have been sent before.
    pub(super) fn add(&mut self, sent: Sent) {
        match (sent, &mut self.resent) {
            (Sent::First, _) => {}
            (Sent::Duplicate(number), _) => self.duplicate_of = self.duplicate_of.or(Some(number)),
            (Sent::Again(_), Some(first)) => first.others = first.others.saturating_add(1),
            (Sent::Again(resent), first) => *first = Some(resent),
        }
    }
}
