use core::fmt;

/// How a message is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MessageSendMode {
    /// Once; it may be lost, come twice, or come out of order.
    Unreliable,
    /// Again and again until the peer acknowledges it; it comes once, but may come out of order.
    Reliable,
    /// Once and without an id; older ones are dropped, and the sender is told whether it came.
    /// 2.0 does not have it.
    Notify,
}

impl MessageSendMode {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Unreliable, Self::Reliable, Self::Notify];
}

/// Its name in lower case.
impl fmt::Display for MessageSendMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Unreliable => "unreliable",
            Self::Reliable => "reliable",
            Self::Notify => "notify",
        })
    }
}
