//! The reason of a CLOSE, cut to what the games keep.

use crate::link::LinkConfig;
use crate::shared::pack::{Sanitize, Text};

/// No game keeps more of a reason.
const LONGEST: usize = 255;

/// Why a connection ends, as bytes without a zero; empty for no reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CloseText<'a>(&'a [u8]);

impl<'a> CloseText<'a> {
    /// The reason at the start of `bytes`, up to its zero byte and the limit of `config`.
    pub(super) fn cut(bytes: &'a [u8], config: &LinkConfig) -> Self {
        let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
        let limit = config.close_reason_max.min(LONGEST);
        Self(text.get(..limit).unwrap_or(text))
    }

    /// As it is written; nothing is written for no reason.
    pub(super) fn text(self) -> Option<Text<'a>> {
        (!self.0.is_empty()).then(|| Text::received(self.0, Sanitize::Controls))
    }

    /// As it is shown.
    pub(super) fn shown(self) -> String {
        self.text().map(|text| text.to_string()).unwrap_or_default()
    }
}
