//! The line that a user types on a terminal.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::stdio;
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

use crate::bottom;

/// Maximum length of a line in bytes, longer than any game's chat line.
pub(crate) const MAX_TYPED_LINE: usize = 4096;
const MARK: &str = "> ";

/// The typed line while the prompt is open. There is only one standard input, so this is global.
static PROMPT: Mutex<Option<Typed>> = Mutex::new(None);

/// The modes that the terminal had before the prompt was opened.
static ORIGINAL: Mutex<Option<Termios>> = Mutex::new(None);

/// The open prompt; dropping it restores the terminal.
#[derive(Debug)]
pub(crate) struct Prompt(());

/// The effect of a key.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Edit,
    Enter(String),
    /// Enter after a line of more than [`MAX_TYPED_LINE`] bytes. It contains the bytes up to the limit.
    TooLong(String),
    /// Ctrl-D on an empty line.
    End,
}

impl Prompt {
    /// Opens the prompt if standard input and output are a terminal.
    pub(crate) fn open() -> Option<Self> {
        if !(io::stdin().is_terminal() && io::stdout().is_terminal()) {
            return None;
        }
        let original = tcgetattr(stdio::stdin()).ok()?;
        let mut raw = original.clone();
        // Keys such as Ctrl-C still send signals.
        raw.local_modes.remove(LocalModes::ICANON.union(LocalModes::ECHO));
        *ORIGINAL.lock().unwrap_or_else(PoisonError::into_inner) = Some(original);
        tcsetattr(stdio::stdin(), OptionalActions::Now, &raw).ok()?;
        let typed = Typed::default();
        typed.draw();
        *lock() = Some(typed);
        Some(Self(()))
    }
}

impl Drop for Prompt {
    fn drop(&mut self) {
        *lock() = None;
        bottom::set_input(None);
        restore_terminal();
    }
}

/// Restores the modes of the terminal, if a prompt has changed them.
pub(crate) fn restore_terminal() {
    if let Some(original) = ORIGINAL.lock().unwrap_or_else(PoisonError::into_inner).take() {
        // The terminal may be closed. Nothing more can be done then.
        _ = tcsetattr(stdio::stdin(), OptionalActions::Flush, &original);
    }
}

/// Waits for a key and returns its effect; `None` if the terminal or the prompt is closed.
pub(crate) fn read_key() -> Option<Key> {
    let mut byte = [0];
    let [byte] = match rustix::io::read(stdio::stdin(), &mut byte) {
        Err(rustix::io::Errno::INTR) => return Some(Key::Edit),
        Ok(1) => byte,
        Ok(_) | Err(_) => return None,
    };
    let mut typed = lock();
    let typed = typed.as_mut()?;
    let key = typed.press(byte);
    if let Key::Enter(line) | Key::TooLong(line) = &key {
        // An error is ignored, because a terminal that cannot be written to shows nothing.
        _ = bottom::above(|| writeln!(io::stdout(), "{MARK}{line}"));
    }
    typed.draw();
    Some(key)
}

fn lock() -> MutexGuard<'static, Option<Typed>> {
    PROMPT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The typed line.
#[derive(Debug, Default)]
struct Typed {
    bytes: Vec<u8>,
    /// True if a byte did not fit. Only an empty line resets it.
    is_too_long: bool,
    /// The part of an escape sequence that was read, for example the first bytes of an arrow key. Escape sequences are
    /// ignored.
    escape: Option<u8>,
}

impl Typed {
    fn press(&mut self, byte: u8) -> Key {
        if let Some(before) = self.escape.take() {
            let goes_on = match before {
                0x1b => matches!(byte, b'[' | b'O'),
                b'[' => !matches!(byte, 0x40..=0x7e),
                _ => false,
            };
            self.escape = goes_on.then_some(if before == 0x1b { byte } else { before });
            return Key::Edit;
        }
        match byte {
            b'\n' | b'\r' => {
                let Self { bytes, is_too_long, .. } = std::mem::take(self);
                let line = String::from_utf8_lossy(&bytes).into_owned();
                return if is_too_long { Key::TooLong(line) } else { Key::Enter(line) };
            }
            // Ctrl-D, backspace, Ctrl-U, Ctrl-W.
            0x04 if self.bytes.is_empty() => return Key::End,
            0x08 | 0x7f => self.erase_char(),
            0x15 => self.bytes.clear(),
            0x17 => {
                let line = self.bytes.trim_ascii_end();
                let end =
                    line.iter().rposition(|byte| *byte == b' ').map_or(0, |space| space.saturating_add(1));
                self.bytes.truncate(end);
            }
            0x1b => self.escape = Some(byte),
            0x00..0x20 => {}
            _ if self.bytes.len() < MAX_TYPED_LINE => self.bytes.push(byte),
            _ => self.is_too_long = true,
        }
        self.is_too_long &= !self.bytes.is_empty();
        Key::Edit
    }

    fn erase_char(&mut self) {
        while let Some(byte) = self.bytes.pop() {
            if byte & 0xc0 != 0x80 {
                return;
            }
        }
    }

    fn draw(&self) {
        bottom::set_input(Some(format!("{MARK}{}", self.text())));
    }

    /// Returns the line without an incomplete character at its end.
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).trim_end_matches('\u{fffd}').to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pressed(keys: &str) -> (Vec<Key>, String) {
        let mut typed = Typed::default();
        let keys = keys.bytes().map(|byte| typed.press(byte)).filter(|key| *key != Key::Edit).collect();
        (keys, typed.text())
    }

    #[test]
    fn keys_edit_the_line() {
        for (keys, shown) in [
            ("hi \u{e4}\u{20ac}", "hi \u{e4}\u{20ac}"),
            ("hi\u{20ac}\x7f", "hi"),
            ("one two\x17", "one "),
            ("one two  \x17\x17", ""),
            ("hi\x15\x7f", ""),
            ("a\x1b[A\x1b[1;5Cb\x1bOPc\td", "abcd"),
            ("a\x04b", "ab"),
        ] {
            assert_eq!(pressed(keys), (vec![], shown.into()), "{keys:?}");
        }
        assert_eq!(pressed("one\ntw"), (vec![Key::Enter("one".into())], "tw".into()));
        assert_eq!(pressed("\x04").0, [Key::End]);
    }

    #[test]
    fn a_line_that_is_too_long_is_not_sent_in_part() {
        let fits = "x".repeat(MAX_TYPED_LINE);
        let (keys, shown) = pressed(&format!("{fits}\n{fits}y\x7f\n{fits}yz\x15short\n{fits}y"));
        assert_eq!(
            keys,
            [
                Key::Enter(fits.clone()),
                Key::TooLong("x".repeat(MAX_TYPED_LINE - 1)),
                Key::Enter("short".into())
            ]
        );
        assert_eq!(shown, fits);
    }
}
