use core::fmt::{self, Write as _};

/// The severity of a [`LogLine`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LogLevel {
    /// Details for finding a fault.
    Debug,
    /// A regular event: a connection began or ended.
    Info,
    /// A problem that the application should prevent.
    Warning,
}

/// A log line about an event: [`Machine::log_line`](crate::Machine::log_line).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// The severity.
    pub level: LogLevel,
    /// One line of text. Control characters, and characters that reverse the direction of text, are escaped.
    pub text: String,
}

impl LogLine {
    /// Returns a line with [`LogLevel::Debug`].
    pub fn debug(text: fmt::Arguments<'_>) -> Self {
        Self::new(LogLevel::Debug, text)
    }

    /// Returns a line with [`LogLevel::Info`].
    pub fn info(text: fmt::Arguments<'_>) -> Self {
        Self::new(LogLevel::Info, text)
    }

    /// Returns a line with [`LogLevel::Warning`].
    pub fn warning(text: fmt::Arguments<'_>) -> Self {
        Self::new(LogLevel::Warning, text)
    }

    /// Returns the warning about lost events that the application did not poll in time.
    pub fn missed(count: u64) -> Self {
        Self::warning(format_args!("{count} events were lost because too many waited to be polled"))
    }

    fn new(level: LogLevel, text: fmt::Arguments<'_>) -> Self {
        let mut line = EscapedLine(String::new());
        // Writing to a `String` cannot fail. If the `Display` of a value fails, the text before the error is kept.
        let _ = line.write_fmt(text);
        Self { level, text: line.0 }
    }
}

/// Text of a peer, made safe for a terminal.
struct EscapedLine(String);

impl fmt::Write for EscapedLine {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            if character.is_control() || is_direction(character) {
                self.0.extend(character.escape_default());
            } else {
                self.0.push(character);
            }
        }
        Ok(())
    }
}

/// Returns whether a character reverses the direction of the text around it.
const fn is_direction(character: char) -> bool {
    matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_peer_is_one_safe_line() {
        let line = LogLine::info(format_args!("left: {}", "bye\n\u{1b}[2J\u{202e}ä"));
        assert_eq!((line.level, line.text.as_str()), (LogLevel::Info, "left: bye\\n\\u{1b}[2J\\u{202e}ä"));
    }
}
