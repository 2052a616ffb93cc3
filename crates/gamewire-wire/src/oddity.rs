/// Something unusual in bytes that could nevertheless be decoded.
///
/// Protocol crates hold theirs as constants: the name is stable and can be filtered for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Warning {
    /// Stable name in snake case.
    pub name: &'static str,
    /// One sentence for people.
    pub text: &'static str,
    /// What the real programs make of it.
    pub consequence: Consequence,
}

/// What the real programs do when they meet an [`Warning`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Consequence {
    /// They read on as if nothing were the matter.
    Tolerated,
    /// They drop the message or item that holds it; a session must do the same.
    Dropped,
}

impl Warning {
    /// An oddity that the real programs do not mind.
    #[must_use]
    pub const fn tolerated(name: &'static str, text: &'static str) -> Self {
        Self { name, text, consequence: Consequence::Tolerated }
    }

    /// An oddity for which the real programs drop the whole message or item.
    #[must_use]
    pub const fn dropped(name: &'static str, text: &'static str) -> Self {
        Self { name, text, consequence: Consequence::Dropped }
    }
}
