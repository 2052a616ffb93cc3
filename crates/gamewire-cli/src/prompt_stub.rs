//! Systems without terminals of Unix have no prompt: a line is typed among the output.

/// An open prompt.
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
