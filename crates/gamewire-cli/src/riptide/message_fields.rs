use gamewire_riptide::command::UserData;
use gamewire_riptide::layout::MessageLayouts;
use serde::Deserialize;

use crate::exit_status::Failure;

/// A message in JSON. Its fields are the parts of the text of a message.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct MessageFields {
    /// `reliable`, `unreliable` or `notify`.
    mode: Option<String>,
    id: Option<u16>,
    /// The name in the file of `--messages`, instead of an id.
    name: Option<String>,
    /// Types with values, or names with values.
    values: String,
    /// The payload in hex, instead of values.
    hex: Option<String>,
}

impl MessageFields {
    /// Creates a message from its whole text.
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

/// Parses `text`, the value of `option`, as data without an id.
pub(crate) fn user_data(option: &str, text: &str, layouts: &MessageLayouts) -> Result<UserData, Failure> {
    UserData::parse(text, layouts).map_err(|error| Failure::Usage(format!("invalid {option}: {error}")))
}
