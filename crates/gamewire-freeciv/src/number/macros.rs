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

            /// Returns the name, if the number has one.
            #[must_use]
            pub const fn name(self) -> Option<&'static str> {
                match self.0 {
                    $($number => Some($name),)+
                    _ => None,
                }
            }

            /// Returns the number with this name.
            #[must_use]
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

#[cfg(test)]
mod tests {
    use crate::number::{Action, Activity, Clause, DiplomaticState, Event, Known, UnitOrder};

    #[test]
    fn numbers_are_found_by_their_names() {
        assert_eq!(Activity::named("fortifying"), Some(Activity(15)));
        assert_eq!(Action::named("found city"), Some(Action(25)));
        assert_eq!(Clause::named("embassy"), Some(Clause(9)));
        assert_eq!(DiplomaticState::named("war"), Some(DiplomaticState(1)));
        assert_eq!(Event::named("bad command"), Some(Event(93)));
        assert_eq!(Known::named("seen"), Some(Known(2)));
        assert_eq!(UnitOrder::named("move"), Some(UnitOrder(0)));
        assert_eq!(Activity::named("dancing"), None);
    }

    #[test]
    fn names_are_unique() {
        for number in Action::NAMED {
            assert_eq!(Action::named(number.name().unwrap()), Some(*number));
        }
        for number in Event::NAMED {
            assert_eq!(Event::named(number.name().unwrap()), Some(*number));
        }
    }

    #[test]
    fn an_unnamed_number_is_displayed_as_digits() {
        assert_eq!(Activity(200).to_string(), "200");
        assert_eq!(Activity(200).name(), None);
    }
}
