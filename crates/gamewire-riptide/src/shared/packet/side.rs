/// Who sent a packet. Four headers mean different things from either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The one that asked for the connection.
    Client,
    /// The one that was asked.
    Server,
}

impl Side {
    /// The opposite one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Client => Self::Server,
            Self::Server => Self::Client,
        }
    }
}
