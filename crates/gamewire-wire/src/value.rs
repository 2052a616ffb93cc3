/// A value that a [`Trace`](crate::Trace) receives, for display, comparison or export.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// True or false.
    Bool(bool),
    /// A number.
    Int(i64),
    /// A number that exceeds the range of `Int`.
    Uint(u64),
    /// A 32-bit floating-point number.
    Float(f32),
    /// A 64-bit floating-point number.
    Double(f64),
    /// A number that is displayed in hexadecimal, such as a token or checksum.
    Hex {
        /// The number.
        value: u64,
        /// Number of hexadecimal digits to display.
        digits: u8,
    },
    /// A fixed-point number: `raw / scale`.
    Decimal {
        /// The number on the wire.
        raw: i64,
        /// Wire value of one unit; never 0.
        scale: u32,
    },
    /// A number with a name in its protocol.
    Named {
        /// The number on the wire.
        value: i64,
        /// Its name.
        name: &'a str,
    },
    /// A set of flags; bit `i` has the name `names[i]`.
    Flags {
        /// The bits on the wire.
        bits: u64,
        /// Names, starting with the least significant bit.
        names: &'static [&'static str],
    },
    /// Text as a peer sent it. It may contain any bytes; escape it before display.
    Text(&'a [u8]),
    /// Bytes without a known structure.
    Bytes(&'a [u8]),
    /// A UUID in network order.
    Uuid([u8; 16]),
}

impl Value<'_> {
    /// Returns the value as an integer, or `None` if it is not an integer or does not fit.
    pub fn number(&self) -> Option<i64> {
        match *self {
            Self::Bool(value) => Some(i64::from(value)),
            Self::Int(value) | Self::Decimal { raw: value, .. } | Self::Named { value, .. } => Some(value),
            Self::Uint(value) | Self::Hex { value, .. } | Self::Flags { bits: value, .. } => {
                i64::try_from(value).ok()
            }
            Self::Float(_) | Self::Double(_) | Self::Text(_) | Self::Bytes(_) | Self::Uuid(_) => None,
        }
    }
}
