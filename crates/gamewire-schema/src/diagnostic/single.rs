use std::ops::Range;

/// One thing that is wrong with a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What is wrong, in one sentence.
    pub message: String,
    /// The text it is about, in bytes of the file. Of several files see
    /// [`Sources::at`](crate::Sources::at).
    pub span: Range<usize>,
    /// What to write under that text; may be empty.
    pub label: String,
    /// Another place that matters, and why.
    pub related: Option<Box<(Range<usize>, String)>>,
    /// How to mend it.
    pub hint: Option<String>,
}

impl Diagnostic {
    pub(crate) fn new(message: impl Into<String>, span: Range<usize>) -> Self {
        Self { message: message.into(), span, label: String::new(), related: None, hint: None }
    }

    pub(crate) fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub(crate) fn secondary_label(mut self, span: Range<usize>, why: impl Into<String>) -> Self {
        self.related = Some(Box::new((span, why.into())));
        self
    }
}

/// The longest piece of a file that is repeated in a message, in characters.
const MAX_QUOTED: usize = 64;

/// A piece of the file for a message: escaped, cut where it is long.
pub(crate) fn quoted(text: &str) -> String {
    let mut shown: String = text.chars().take(MAX_QUOTED).flat_map(char::escape_debug).collect();
    if text.chars().nth(MAX_QUOTED).is_some() {
        shown.push_str("...");
    }
    format!("`{shown}`")
}
