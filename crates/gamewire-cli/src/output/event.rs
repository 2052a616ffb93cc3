/// A value of a field.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// None, or unknown.
    None,
    Bool(bool),
    Number(i64),
    /// Text of a peer, which is escaped when it is shown.
    Text(Vec<u8>),
    /// A word of this program.
    Keyword(&'static str),
    /// Text that is already escaped.
    Escaped(String),
    /// A structured value, whose text is escaped when it is shown.
    Json(serde_json::Value),
}

/// An event for output.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OutputEvent {
    pub(crate) name: &'static str,
    pub(crate) fields: Vec<(&'static str, Value)>,
    /// The text form, if it differs from `fields`.
    pub(crate) human_fields: Option<Vec<(&'static str, Value)>>,
}

impl OutputEvent {
    pub(crate) fn new<const N: usize>(name: &'static str, fields: [(&'static str, Value); N]) -> Self {
        Self { name, fields: fields.into(), human_fields: None }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
impl OutputEvent {
    /// Returns its JSON and text forms, without color, at time 0.
    pub(crate) fn lines(&self) -> (String, String) {
        let mut json = Vec::new();
        super::render::write_event(&mut json, 0.0, self).unwrap();
        let text = super::render::line(0.0, self);
        (String::from_utf8(json).unwrap().trim_end().into(), anstream::adapter::strip_str(&text).to_string())
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
