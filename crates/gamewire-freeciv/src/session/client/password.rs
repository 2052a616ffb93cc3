/// The password that a server asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum PasswordRequest {
    /// The password of a known user.
    Login,
    /// A new password for an unknown user.
    NewUser,
    /// The password of a known user again, because the last one was wrong.
    LoginRetry,
    /// A new password again, because the last one was not accepted.
    NewUserRetry,
}

impl PasswordRequest {
    /// Returns the number on the wire.
    #[must_use]
    pub const fn number(self) -> i64 {
        match self {
            Self::Login => 0,
            Self::NewUser => 1,
            Self::LoginRetry => 2,
            Self::NewUserRetry => 3,
        }
    }

    /// Returns the request with this number.
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

    /// Returns whether the server has rejected a password before.
    #[must_use]
    pub const fn is_retry(self) -> bool {
        matches!(self, Self::LoginRetry | Self::NewUserRetry)
    }
}
