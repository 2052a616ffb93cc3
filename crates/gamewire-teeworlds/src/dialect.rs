use gamewire_tee::rules::Rules;

use crate::shared::pack::FifthByte;

/// A dialect of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Dialect {
    /// 0.6 up to 0.6.4, and DDNet with a peer that has no tokens.
    V06,
    /// 0.6.5: a token in the header, after a flag.
    V065,
    /// 0.6 of DDNet: a token at the end of every payload.
    Tken,
    /// 0.7: a token in every header.
    V07,
}

impl Dialect {
    /// Returns the name, as in URLs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::V06 => "tw-0.6",
            Self::V065 => "tw-0.6.5",
            Self::Tken => "tw-0.6-tken",
            Self::V07 => "tw-0.7",
        }
    }

    /// Returns the dialect with a name, as in URLs.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::V06, Self::V065, Self::Tken, Self::V07].into_iter().find(|dialect| dialect.name() == name)
    }

    /// Returns the rules of movement that servers of this dialect usually have. A DDNet server also speaks the others.
    #[must_use]
    pub const fn rules(self) -> Rules {
        match self {
            Self::V06 | Self::V065 => Rules::Teeworlds06,
            Self::Tken => Rules::Ddnet20,
            Self::V07 => Rules::Teeworlds07,
        }
    }

    /// Returns how programs of this dialect read the fifth byte of an integer.
    #[must_use]
    pub const fn fifth_byte(self) -> FifthByte {
        match self {
            Self::Tken => FifthByte::DdNet,
            Self::V06 | Self::V065 | Self::V07 => FifthByte::Teeworlds,
        }
    }
}

/// Evaluates an expression with `$V` as the version of a dialect.
macro_rules! with_version {
    ($dialect:expr, $V:ident => $result:expr) => {
        match $dialect {
            $crate::Dialect::V07 => {
                type $V = $crate::v07::V07;
                $result
            }
            $crate::Dialect::V06 | $crate::Dialect::V065 | $crate::Dialect::Tken => {
                type $V = $crate::v06::V06;
                $result
            }
        }
    };
}
pub(crate) use with_version;
