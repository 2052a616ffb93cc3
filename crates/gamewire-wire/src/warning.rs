/// A warning about unusual bytes that could still be decoded.
///
/// Protocol crates define their warnings as constants. Names are stable, so that filters can use them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Warning {
    /// Stable name in snake case.
    pub name: &'static str,
    /// Explanation in one sentence, for display.
    pub text: &'static str,
    /// Reaction of the real programs.
    pub consequence: Consequence,
}

/// The reaction of the real programs to the cause of a [`Warning`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Consequence {
    /// They ignore the cause and continue to read.
    Tolerated,
    /// They drop the message or item that contains it. A session must drop it, too.
    Dropped,
}

impl Warning {
    /// Creates a warning about bytes that the real programs tolerate.
    pub const fn tolerated(name: &'static str, text: &'static str) -> Self {
        Self { name, text, consequence: Consequence::Tolerated }
    }

    /// Creates a warning about bytes that make the real programs drop the whole message or item.
    pub const fn dropped(name: &'static str, text: &'static str) -> Self {
        Self { name, text, consequence: Consequence::Dropped }
    }
}

/// Defines the warnings of a protocol: a constant for each with its text as documentation, and `ALL` of them in order.
#[macro_export]
macro_rules! warnings {
    ($($NAME:ident $consequence:ident $name:literal $text:literal;)+) => {
        /// All warnings of this protocol.
        pub const ALL: &[&$crate::Warning] = &[$(&$NAME),+];

        $(
            #[doc = $text]
            pub const $NAME: $crate::Warning = $crate::Warning::$consequence($name, $text);
        )+
    };
}
