//! The unit of an interface's timestamps, and timestamps in nanoseconds.

/// How a count of an interface's time units becomes nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Resolution {
    /// A decimal unit of a nanosecond or more: nanoseconds per unit.
    Coarse(u64),
    /// A decimal unit below a nanosecond: units per nanosecond.
    Fine(u64),
    /// One second divided by two to this power.
    Binary(u8),
    /// So fine that every count a timestamp can hold is less than a nanosecond.
    Vanishing,
}

impl Resolution {
    /// Microseconds, for interfaces that state nothing.
    pub(super) const DEFAULT: Self = Self::Coarse(1000);

    /// The unit by the value of option `if_tsresol`: the exponent of ten, or of two with the upper bit set,
    /// negated.
    pub(super) fn from_option(value: u8) -> Self {
        const NANO: u32 = 9;
        let exponent = value & 0x7f;
        if value & 0x80 != 0 {
            return Self::Binary(exponent);
        }
        let exponent = u32::from(exponent);
        let ratio = 10_u64.checked_pow(exponent.abs_diff(NANO));
        match ratio {
            Some(ratio) if exponent <= NANO => Self::Coarse(ratio),
            Some(ratio) => Self::Fine(ratio),
            None => Self::Vanishing,
        }
    }

    /// Nanoseconds since the epoch of `units` counted from `offset` seconds after it, saturating.
    #[inline]
    pub(super) fn nanoseconds(self, units: u64, offset: i64) -> i64 {
        const NANOS: i128 = 1_000_000_000;
        let units = i128::from(units);
        let since_offset = match self {
            Self::Coarse(ratio) => units.saturating_mul(i128::from(ratio)),
            Self::Fine(ratio) => units.checked_div(i128::from(ratio)).unwrap_or(0),
            Self::Binary(power) => units.saturating_mul(NANOS).checked_shr(u32::from(power)).unwrap_or(0),
            Self::Vanishing => 0,
        };
        let time = since_offset.saturating_add(i128::from(offset).saturating_mul(NANOS));
        i64::try_from(time).unwrap_or(if time < 0 { i64::MIN } else { i64::MAX })
    }
}
