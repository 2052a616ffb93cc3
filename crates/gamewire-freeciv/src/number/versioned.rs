//! The macro for numbers that differ between versions.

/// Defines an enum for numbers that differ between versions. Each row has the name, and the number in each version or
/// `_` if the version lacks it.
macro_rules! versioned {
    ($(#[$doc:meta])* $type:ident; $($thing:ident $name:literal $v3_0:tt $v3_1:tt $v3_2:tt;)+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $type {
            $(
                #[doc = concat!("The ", $name, ".")]
                $thing,
            )+
        }

        impl $type {
            /// All values.
            pub const ALL: &'static [Self] = &[$(Self::$thing,)+];

            /// Returns the name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$thing => $name,)+
                }
            }

            /// Returns the value with this name.
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|thing| thing.name() == name)
            }

            /// Returns the number on the wire in a version, or `None` if the version lacks the value.
            #[must_use]
            pub const fn number(self, version: $crate::codec::ProtocolVersion) -> Option<u8> {
                let [v3_0, v3_1, v3_2] = match self {
                    $(Self::$thing => [
                        $crate::number::versioned::number!($v3_0),
                        $crate::number::versioned::number!($v3_1),
                        $crate::number::versioned::number!($v3_2),
                    ],)+
                };
                match version {
                    $crate::codec::ProtocolVersion::V3_0 => v3_0,
                    $crate::codec::ProtocolVersion::V3_1 => v3_1,
                    $crate::codec::ProtocolVersion::V3_2 => v3_2,
                }
            }

            /// Returns the value with this number on the wire in a version.
            pub fn of(version: $crate::codec::ProtocolVersion, number: u8) -> Option<Self> {
                Self::ALL.iter().copied().find(|thing| thing.number(version) == Some(number))
            }
        }

        impl core::fmt::Display for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(self.name())
            }
        }

        /// Serializes the value as its name.
        #[cfg(feature = "serde")]
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = String::deserialize(deserializer)?;
                Self::named(&name).ok_or_else(|| serde::de::Error::custom(format!("unknown name {name:?}")))
            }
        }
    };
}

/// Expands to `Some(number)`, or to `None` for `_`.
macro_rules! number {
    (_) => {
        None
    };
    ($number:literal) => {
        Some($number)
    };
}

pub(super) use {number, versioned};
