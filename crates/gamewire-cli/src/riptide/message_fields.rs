use serde::Deserialize;

/// A message in JSON. It is the text of a [`MessageArg`](super::MessageArg) in parts.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct MessageFields {
    /// `reliable`, `unreliable` or `notify`.
    mode: Option<String>,
    id: Option<u16>,
    /// The name in the file of `--messages`, in place of an id.
    name: Option<String>,
    /// Types with values, or names with values.
    values: String,
    /// The payload, in place of values.
    hex: Option<String>,
}

impl MessageFields {
    /// Returns the message of a text.
    pub(crate) fn from_text(text: &str) -> Self {
        Self { values: text.to_owned(), ..Self::default() }
    }

    /// Returns the text of the message.
    pub(crate) fn to_text(&self) -> String {
        let id = self.id.map(|id| id.to_string());
        let hex = self.hex.as_ref().filter(|hex| !hex.is_empty()).map(|hex| format!("hex:{hex}"));
        let parts = [self.mode.clone(), id.or_else(|| self.name.clone()), hex, Some(self.values.clone())];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}
