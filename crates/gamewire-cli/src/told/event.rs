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
    Keyword(&'static str),
    /// Text in which nothing is left to escape.
    Escaped(String),
    /// A value with parts; whoever shows it escapes the text in it.
    Json(serde_json::Value),
}

/// An event, ready to be shown.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OutputEvent {
    pub(crate) name: &'static str,
    pub(crate) fields: Vec<(&'static str, Value)>,
    /// What people are shown instead of `fields`.
    pub(crate) human_fields: Option<Vec<(&'static str, Value)>>,
}

impl OutputEvent {
    pub(crate) fn new<const N: usize>(name: &'static str, fields: [(&'static str, Value); N]) -> Self {
        Self { name, fields: fields.into(), human_fields: None }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that fails")]
impl OutputEvent {
    /// How it is told to programs and to people, without colours, at the beginning.
    pub(crate) fn lines(&self) -> (String, String) {
        let mut json = Vec::new();
        super::json::write(&mut json, 0.0, self).unwrap();
        let text = super::text::line(0.0, self);
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
