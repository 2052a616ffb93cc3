use ::core::fmt;

/// The reason why bytes are not a teehistorian file, with the place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TeehistorianError {
    /// Byte offset in the file.
    pub at: usize,
    /// The kind of the error.
    pub kind: TeehistorianErrorKind,
}

/// The kinds of errors of a teehistorian file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TeehistorianErrorKind {
    /// The file ends in a record.
    Truncated,
    /// The file does not begin with the UUID of the format.
    Magic,
    /// The header is not text that ends with a zero byte.
    Header,
    /// An integer has more than five bytes.
    Integer,
    /// The kind of a record is not known.
    Record(i32),
    /// A player is not one of [`MAX_PLAYERS`](super::MAX_PLAYERS).
    Player(i32),
    /// A position or input is a difference, but the player has none.
    NoBase(i32),
    /// A size or number is negative.
    Size(i32),
    /// The number of a tick is too large.
    Tick,
    /// Bytes follow the last record.
    Surplus,
}

impl fmt::Display for TeehistorianError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: ", self.at)?;
        match self.kind {
            TeehistorianErrorKind::Truncated => f.write_str("expected more bytes, found the end"),
            TeehistorianErrorKind::Magic => f.write_str("expected the UUID of teehistorian files"),
            TeehistorianErrorKind::Header => f.write_str("expected a text that ends with a zero byte"),
            TeehistorianErrorKind::Integer => f.write_str("expected an integer of up to five bytes"),
            TeehistorianErrorKind::Record(kind) => write!(f, "unknown kind of record {kind}"),
            TeehistorianErrorKind::Player(player) => write!(f, "invalid player {player}"),
            TeehistorianErrorKind::NoBase(player) => {
                write!(f, "found a difference for player {player}, who has nothing to add it to")
            }
            TeehistorianErrorKind::Size(size) => write!(f, "invalid size {size}"),
            TeehistorianErrorKind::Tick => f.write_str("the number of the tick is too large"),
            TeehistorianErrorKind::Surplus => f.write_str("expected the end after the last record"),
        }
    }
}

impl ::core::error::Error for TeehistorianError {}
