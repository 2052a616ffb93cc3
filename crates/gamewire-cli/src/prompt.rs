//! The line that a user types on a terminal. Output is printed above it.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::{Mutex, MutexGuard, PoisonError};

use console::{Term, measure_text_width, truncate_str};
use rustix::stdio;
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

/// Maximum length of a line in bytes, longer than any game's chat line.
const MAX_LINE: usize = 4096;
const MARK: &str = "> ";
/// Minimum rows of a terminal for a status.
const MIN_ROWS: u16 = 8;
/// Moves to the start of the line and erases it.
const ERASE: &str = "\r\x1b[K";

/// The prompt, while it is open. Standard output has one, so it is global.
static PROMPT: Mutex<Option<Typed>> = Mutex::new(None);

/// The open prompt; dropping it restores the terminal.
#[derive(Debug)]
pub(crate) struct Prompt(Termios);

/// The effect of a key.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Edit,
    Enter(String),
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
        // Signals of keys still work.
        raw.local_modes.remove(LocalModes::ICANON.union(LocalModes::ECHO));
        tcsetattr(stdio::stdin(), OptionalActions::Now, &raw).ok()?;
        let mut prompt = lock();
        let typed = prompt.insert(Typed::default());
        typed.draw();
        Some(Self(original))
    }
}

impl Drop for Prompt {
    fn drop(&mut self) {
        if let Some(typed) = lock().take() {
            typed.erase();
        }
        // Nothing more can be done for a terminal that is gone.
        _ = tcsetattr(stdio::stdin(), OptionalActions::Flush, &self.0);
    }
}

/// Prints above the prompt, if it is open.
pub(crate) fn above<T>(output: impl FnOnce() -> T) -> T {
    let mut prompt = lock();
    if let Some(typed) = &*prompt {
        typed.erase();
    }
    let printed = output();
    if let Some(typed) = &mut *prompt {
        typed.draw();
    }
    printed
}

/// Shows lines above the prompt in place of the former ones, if it is open.
pub(crate) fn set_status(lines: Vec<String>) {
    if let Some(typed) = &mut *lock() {
        typed.erase();
        typed.status = lines;
        typed.draw();
    }
}

/// Waits for a key and returns its effect; `None` if the terminal or the prompt is gone.
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
    typed.erase();
    if let Key::Enter(line) = &key {
        print(&format!("{MARK}{line}\n"));
    }
    typed.draw();
    Some(key)
}

fn lock() -> MutexGuard<'static, Option<Typed>> {
    PROMPT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A terminal that cannot be written to shows nothing.
fn print(text: &str) {
    let mut out = io::stdout().lock();
    _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// The typed line.
#[derive(Debug, Default)]
struct Typed {
    bytes: Vec<u8>,
    /// The part of an escape sequence that was read, such as that of an arrow key. Sequences do nothing.
    escape: Option<u8>,
    /// Lines above the typed one.
    status: Vec<String>,
    /// The number of these lines that are on the screen.
    drawn: usize,
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
                let line = std::mem::take(&mut self.bytes);
                return Key::Enter(String::from_utf8_lossy(&line).into_owned());
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
            _ if self.bytes.len() < MAX_LINE => self.bytes.push(byte),
            _ => {}
        }
        Key::Edit
    }

    fn erase_char(&mut self) {
        while let Some(byte) = self.bytes.pop() {
            if byte & 0xc0 != 0x80 {
                return;
            }
        }
    }

    /// Erases the line and the status, and moves to where they began.
    fn erase(&self) {
        print(&if self.drawn == 0 { ERASE.to_owned() } else { format!("\r\x1b[{}A\x1b[J", self.drawn) });
    }

    /// Draws the status and the end of the line, each in one row.
    fn draw(&mut self) {
        let (rows, columns) = Term::stdout().size();
        let columns = usize::from(columns).saturating_sub(1);
        self.drawn = if rows < MIN_ROWS { 0 } else { self.status.len() };
        let mut text = ERASE.to_owned();
        for line in self.status.iter().take(self.drawn) {
            text.push_str(&truncate_str(line, columns, "…"));
            text.push('\n');
        }
        text.push_str(MARK);
        text.push_str(&self.shown(columns.saturating_sub(MARK.len())));
        print(&text);
    }

    fn shown(&self, columns: usize) -> String {
        let text = String::from_utf8_lossy(&self.bytes);
        let mut text = text.trim_end_matches('\u{fffd}');
        while measure_text_width(text) > columns {
            let mut chars = text.chars();
            chars.next();
            text = chars.as_str();
        }
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pressed(keys: &str) -> (Vec<Key>, String) {
        let mut typed = Typed::default();
        let keys = keys.bytes().map(|byte| typed.press(byte)).filter(|key| *key != Key::Edit).collect();
        (keys, typed.shown(20))
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
    fn a_long_line_shows_its_end() {
        assert_eq!(pressed(&"0123456789".repeat(3)).1, "01234567890123456789");
        let length = MAX_LINE + 10;
        assert_eq!(pressed(&"x".repeat(length)).1.len(), 20);
    }
}
