use crate::Dialect;

/// The dialects that a client offers to a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Offer {
    /// Any dialect of 0.6, in one CONNECT of 516 bytes. DDNet and Teeworlds 0.6.5 answer it with their tokens, and
    /// older servers without tokens.
    Any06,
    /// Exactly one dialect, with the CONNECT of its games. Answers in another dialect are dropped.
    Only(Dialect),
}

impl From<Dialect> for Offer {
    fn from(dialect: Dialect) -> Self {
        Self::Only(dialect)
    }
}

impl Offer {
    /// Returns whether the handshake can establish a connection in this dialect.
    pub fn includes(self, dialect: Dialect) -> bool {
        match self {
            Self::Any06 => dialect != Dialect::V07,
            Self::Only(only) => dialect == only,
        }
    }
}
