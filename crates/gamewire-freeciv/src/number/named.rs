//! The macro for numbers that are the same in all versions.

/// Defines a newtype for a number on the wire, with a constant for each named value and a lookup by name.
macro_rules! numbers {
    ($(#[$doc:meta])* $type:ident: $of:ty; $($number:literal => $constant:ident $name:literal,)+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $type(
            /// The number on the wire.
            pub $of,
        );

        impl $type {
            $(
                #[doc = concat!("`", $number, "`: ", $name, ".")]
                pub const $constant: Self = Self($number);
            )+

            /// All named numbers in ascending order.
            pub const NAMED: &'static [Self] = &[$(Self::$constant,)+];

            /// Returns the name, or `None` if the number has no name.
            #[must_use]
            pub const fn name(self) -> Option<&'static str> {
                match self.0 {
                    $($number => Some($name),)+
                    _ => None,
                }
            }

            /// Returns the number with this name.
            pub fn named(name: &str) -> Option<Self> {
                Self::NAMED.iter().copied().find(|number| number.name() == Some(name))
            }
        }

        impl core::fmt::Display for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                match self.name() {
                    Some(name) => f.pad(name),
                    None => write!(f, "{}", self.0),
                }
            }
        }
    };
}

pub(super) use numbers;
