use anstyle::{AnsiColor, Effects, Style};

/// The styles of everything that is shown; all of them empty without colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Palette {
    /// Frame numbers, spans, offsets: what the eye skips.
    pub dim: Style,
    /// What the client sent.
    pub client: Style,
    /// What the server sent.
    pub server: Style,
    /// The dialect.
    pub dialect: Style,
    /// Names of packets, messages, items and groups.
    pub group: Style,
    /// Names of fields.
    pub field: Style,
    /// Text that people typed.
    pub text: Style,
    /// What is odd.
    pub warning: Style,
    /// What could not be decoded.
    pub error: Style,
    /// Headings.
    pub heading: Style,
    /// The bytes of one field after the other, in turn.
    pub marks: [Style; 6],
}

impl Palette {
    /// No colour at all.
    #[must_use]
    pub fn plain() -> Self {
        Self::default()
    }

    /// The sixteen colours that every terminal has, in the user's own shades.
    #[must_use]
    pub fn colored() -> Self {
        let of = |colour: AnsiColor| colour.on_default();
        Self {
            dim: Style::new().effects(Effects::DIMMED),
            client: of(AnsiColor::Cyan),
            server: of(AnsiColor::Magenta),
            dialect: of(AnsiColor::BrightBlue),
            group: of(AnsiColor::Green).effects(Effects::BOLD),
            field: Style::new(),
            text: of(AnsiColor::Yellow),
            warning: of(AnsiColor::Yellow).effects(Effects::BOLD),
            error: of(AnsiColor::Red).effects(Effects::BOLD),
            heading: Style::new().effects(Effects::BOLD),
            marks: [
                of(AnsiColor::Cyan),
                of(AnsiColor::Yellow),
                of(AnsiColor::Green),
                of(AnsiColor::Magenta),
                of(AnsiColor::BrightBlue),
                of(AnsiColor::Red),
            ],
        }
    }
}
