//! Stub for systems without Unix terminals: there is no prompt, and a typed line appears among the output.

/// Maximum length of a line in bytes.
pub(crate) const MAX_TYPED_LINE: usize = 4096;

/// An open prompt. There is none on this system.
#[derive(Debug)]
pub(crate) enum Prompt {}

/// The effect of a key.
pub(crate) enum Key {
    Edit,
    Enter(String),
    TooLong(String),
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
