/// The transport of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Transport {
    /// Datagrams.
    Udp,
    /// The two streams of a connection.
    Tcp,
}

impl Transport {
    /// Returns the transport as URLs and JSON spell it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Udp => "udp",
            Self::Tcp => "tcp",
        }
    }
}
