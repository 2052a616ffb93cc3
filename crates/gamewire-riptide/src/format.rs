use core::fmt;

/// Which of the two formats a peer speaks, as a value: `V20` and `V21` are the same as types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// The byte format of 2.0.
    V20,
    /// The bit format of 2.1 and all that came after it.
    V21,
}

impl Format {
    /// Both.
    pub const ALL: [Self; 2] = [Self::V20, Self::V21];
}

/// The number of the version: `2.0` or `2.1`.
impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::V20 => "2.0",
            Self::V21 => "2.1",
        })
    }
}
