//! Macros of named numbers and flags.

/// Defines named numbers: newtypes that keep unknown values.
macro_rules! named {
    ($(
        $(#[doc = $doc:literal])+
        $Type:ident in $range:expr;
        $($value:literal => $CONST:ident $name:literal),* $(,)?
    )+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $Type(pub i32);

        impl $Type {
            $(
                #[doc = concat!("`", stringify!($value), "`: ", $name, ".")]
                pub const $CONST: Self = Self($value);
            )*

            /// Returns the name of the value, if it has one.
            #[must_use]
            pub const fn name(self) -> Option<&'static str> {
                match self.0 {
                    $($value => Some($name),)*
                    _ => None,
                }
            }
        }

        $crate::shared::definition::int_newtype!($Type in $range, Named(&[$(($value, $name)),*]), |number| match $Type(number).name() {
            Some(name) => gamewire_wire::Value::Named { value: number.into(), name },
            None => gamewire_wire::Value::Int(number.into()),
        });
    )+};
}

/// Defines sets of flags: newtypes that keep unknown bits.
macro_rules! flags {
    ($(
        $(#[doc = $doc:literal])+
        $Type:ident in $range:expr;
        $($CONST:ident $name:literal),+ $(,)?
    )+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $Type(pub i32);

        impl $Type {
            /// Names of the flags, starting with the least significant bit.
            pub const NAMES: &'static [&'static str] = &[$($name),+];

            $crate::shared::definition::flags!(@consts 1_i32; $($CONST $name,)+);

            /// Returns whether all flags of `other` are set.
            #[must_use]
            pub const fn contains(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }

            /// Returns these flags if `is_set`, and none otherwise.
            #[allow(dead_code, reason = "not every set of flags is written")]
            pub(crate) const fn when(self, is_set: bool) -> Self {
                if is_set { self } else { Self(0) }
            }
        }

        impl core::ops::BitOr for $Type {
            type Output = Self;

            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }

        $crate::shared::definition::int_newtype!($Type in $range, Flags($Type::NAMES), |number| gamewire_wire::Value::Flags {
            bits: u64::from(number.cast_unsigned()),
            names: $Type::NAMES,
        });
    )+};
    (@consts $bit:expr; $CONST:ident $name:literal, $($rest:tt)*) => {
        #[doc = concat!("The flag `", $name, "`.")]
        pub const $CONST: Self = Self($bit);
        $crate::shared::definition::flags!(@consts ($bit << 1); $($rest)*);
    };
    (@consts $bit:expr;) => {};
}

/// Implements the field of a newtype of an integer with named values. A trace gets the number as `$show` converts it.
macro_rules! int_newtype {
    ($Type:ident in $range:expr, $Shape:ident($names:expr), |$number:ident| $show:expr) => {
        impl $crate::shared::field::IntFields for $Type {
            type Rule = core::ops::RangeInclusive<i32>;
            const RULE: Self::Rule = $range;
            const COUNT: usize = 1;

            fn shape(_: &Self::Rule) -> gamewire_wire::Shape {
                gamewire_wire::Shape::$Shape($names)
            }

            #[inline]
            fn read_ints<S: $crate::shared::field::IntSource, T: gamewire_wire::Trace>(
                from: &mut S,
                rule: &Self::Rule,
                name: &'static str,
                trace: &mut T,
            ) -> gamewire_wire::Result<Self> {
                $crate::shared::field::read_number(from, rule, name, trace, |$number: i32| $show).map(Self)
            }

            #[inline]
            fn write_ints<K: $crate::shared::field::IntSink>(&self, to: &mut K) -> gamewire_wire::Result<()> {
                to.put_int(self.0)
            }
        }
    };
}

pub(crate) use {flags, int_newtype, named};
