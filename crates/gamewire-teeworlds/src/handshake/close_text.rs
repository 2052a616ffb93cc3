use crate::link::LinkConfig;
use crate::shared::pack::{Sanitize, Text};

/// Maximum length of a reason in any game, in bytes.
const MAX_BYTES: usize = 255;

/// The reason of a CLOSE without its zero byte, cut to the limit of the games. Empty for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CloseText<'a>(&'a [u8]);

impl<'a> CloseText<'a> {
    /// Returns the reason at the start of `bytes`, up to its zero byte and the limit of `config`.
    pub(super) fn cut(bytes: &'a [u8], config: &LinkConfig) -> Self {
        let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
        let limit = config.close_reason_max.min(MAX_BYTES);
        Self(text.get(..limit).unwrap_or(text))
    }

    /// Returns the text to write, or `None` for no reason.
    pub(super) fn text(self) -> Option<Text<'a>> {
        (!self.0.is_empty()).then(|| Text::received(self.0, Sanitize::Controls))
    }

    /// Returns the text to show.
    pub(super) fn to_shown_text(self) -> String {
        self.text().map(|text| text.to_string()).unwrap_or_default()
    }
}
