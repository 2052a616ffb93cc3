/// A value of a field.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// Nobody, or not known.
    None,
    Bool(bool),
    Number(i64),
    /// What a peer wrote; whoever shows it escapes it.
    Text(Vec<u8>),
    /// A word of ours.
    Word(&'static str),
}

/// An event, ready to be shown.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Told {
    pub(crate) name: &'static str,
    pub(crate) fields: Vec<(&'static str, Value)>,
}

impl Told {
    pub(crate) fn new<const N: usize>(name: &'static str, fields: [(&'static str, Value); N]) -> Self {
        Self { name, fields: fields.into() }
    }
}

impl From<i32> for Value {
    fn from(number: i32) -> Self {
        Self::Number(number.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text.into_bytes())
    }
}
