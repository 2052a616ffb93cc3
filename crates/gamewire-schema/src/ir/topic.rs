/// What a part of the packets is about: one file of a definition that has several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Topic {
    /// The name of the file without its ending, such as `city`.
    pub name: String,
    /// What the file says about itself in `//!` lines; may be empty.
    pub doc: String,
}
