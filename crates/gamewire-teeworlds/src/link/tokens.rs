use crate::Dialect;
use crate::shared::data::Token;

/// The dialect of a connection, with the tokens that it was made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LinkTokens {
    /// Plain 0.6: none.
    V06,
    /// 0.6.5: the server's token is in the header of every packet of both sides.
    V065(Token),
    /// 0.6 of DDNet: the server's token ends every payload of both sides.
    Tken(Token),
    /// 0.7: each side puts the other's token into the header.
    V07 {
        /// The token that arriving packets must have.
        ours: Token,
        /// The token that our packets have.
        theirs: Token,
    },
}

impl LinkTokens {
    /// The dialect.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        match self {
            Self::V06 => Dialect::V06,
            Self::V065(_) => Dialect::V065,
            Self::Tken(_) => Dialect::Tken,
            Self::V07 { .. } => Dialect::V07,
        }
    }
}
