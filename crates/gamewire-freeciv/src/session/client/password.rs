/// Which password a server asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PasswordRequest {
    /// That of a user it knows.
    Login,
    /// A new one, for a user it does not know.
    NewUser,
    /// That of a user it knows, again: the one before was wrong.
    LoginRetry,
    /// A new one, again: the one before will not do.
    NewUserRetry,
}

impl PasswordRequest {
    /// As it stands on the wire.
    #[must_use]
    pub const fn number(self) -> i64 {
        match self {
            Self::Login => 0,
            Self::NewUser => 1,
            Self::LoginRetry => 2,
            Self::NewUserRetry => 3,
        }
    }

    /// The request of a number.
    #[must_use]
    pub const fn from_number(number: i64) -> Option<Self> {
        match number {
            0 => Some(Self::Login),
            1 => Some(Self::NewUser),
            2 => Some(Self::LoginRetry),
            3 => Some(Self::NewUserRetry),
            _ => None,
        }
    }

    /// Whether a password was sent before and would not do.
    #[must_use]
    pub const fn is_again(self) -> bool {
        matches!(self, Self::LoginRetry | Self::NewUserRetry)
    }
}
