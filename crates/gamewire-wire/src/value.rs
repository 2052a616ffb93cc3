/// One value as a [`Trace`](crate::Trace) is told of it: enough to show, compare and export.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// True or false.
    Bool(bool),
    /// A number.
    Int(i64),
    /// A number of types that reach beyond those of `Int`.
    Uint(u64),
    /// A floating-point number of 32 bits.
    Float(f32),
    /// A floating-point number of 64 bits.
    Double(f64),
    /// A number that people read in hexadecimal: tokens, checksums, addresses.
    Hex {
        /// The number.
        value: u64,
        /// How many hexadecimal digits it is shown with.
        digits: u8,
    },
    /// A fixed-point number: `raw / scale`.
    Decimal {
        /// The number on the wire.
        raw: i64,
        /// What one unit is on the wire; never 0.
        scale: u32,
    },
    /// A number that has a name in its protocol.
    Named {
        /// The number on the wire.
        value: i64,
        /// Its name.
        name: &'a str,
    },
    /// A set of flags; bit `i` is called `names[i]`.
    Flags {
        /// The bits on the wire.
        bits: u64,
        /// Names from the least significant bit up.
        names: &'static [&'static str],
    },
    /// Text as a peer sent it: any bytes, to be escaped before it is shown.
    Text(&'a [u8]),
    /// Bytes without further meaning.
    Bytes(&'a [u8]),
    /// A UUID in network order.
    Uuid([u8; 16]),
}

impl Value<'_> {
    /// The whole number behind this value, if it has one.
    #[must_use]
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
