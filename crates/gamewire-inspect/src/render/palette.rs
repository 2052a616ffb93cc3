use anstyle::{AnsiColor, Effects, Style};

/// The styles of all output; all are empty without color.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Palette {
    /// Frame numbers, spans, offsets.
    pub dim: Style,
    /// Data from the client.
    pub client: Style,
    /// Data from the server.
    pub server: Style,
    /// The dialect.
    pub dialect: Style,
    /// Names of packets, messages, items and groups.
    pub group: Style,
    /// Names of fields.
    pub field: Style,
    /// Text values.
    pub text: Style,
    /// Warnings.
    pub warning: Style,
    /// Errors.
    pub error: Style,
    /// Headings.
    pub heading: Style,
    /// Styles for the bytes of successive fields, in turn.
    pub marks: [Style; 6],
}

impl Palette {
    /// Returns a palette without color.
    pub fn plain() -> Self {
        Self::default()
    }

    /// Returns a palette with the sixteen colors that every terminal supports.
    pub fn colored() -> Self {
        let of = |color: AnsiColor| color.on_default();
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
