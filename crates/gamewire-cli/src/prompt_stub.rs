//! Stub for systems without Unix terminals: there is no prompt, and a typed line appears among the output.

/// An open prompt. There is none on this system.
#[derive(Debug)]
pub(crate) enum Prompt {}

/// The effect of a key.
pub(crate) enum Key {
    Edit,
    Enter(String),
    End,
}

impl Prompt {
    pub(crate) const fn open() -> Option<Self> {
        None
    }
}

pub(crate) const fn read_key() -> Option<Key> {
    None
}
