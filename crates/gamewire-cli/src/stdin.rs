use std::io::{self, BufRead, Read as _};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use crate::exit_status::warn;
use crate::prompt::{Key, Prompt, read_key};

/// Maximum number of lines that wait to be handled.
const MAX_WAITING: usize = 256;
/// Maximum length of a line in bytes, longer than any game's chat line.
const MAX_LINE: usize = 4096;

/// Standard input, which a thread reads. The thread ends with the input, or when the receiver is dropped.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) lines: Receiver<InputEvent>,
    _prompt: Option<Prompt>,
}

/// A line of standard input, or its end on a terminal.
#[derive(Debug)]
pub(crate) enum InputEvent {
    Line(String),
    /// Ctrl-D or Ctrl-C on a terminal.
    Leave,
    /// The end of input that is not a terminal.
    End,
}

impl Input {
    /// Starts to read lines. On a terminal, this opens a prompt.
    pub(crate) fn open() -> Self {
        let prompt = Prompt::open();
        let lines = if prompt.is_some() { typed_lines() } else { lines() };
        Self { lines, _prompt: prompt }
    }
}

fn typed_lines() -> Receiver<InputEvent> {
    let (sender, receiver) = sync_channel(MAX_WAITING);
    thread::spawn(move || {
        while let Some(key) = read_key() {
            let event = match key {
                Key::Edit => continue,
                Key::Enter(line) => InputEvent::Line(line),
                Key::End => InputEvent::Leave,
            };
            if sender.send(event).is_err() {
                return;
            }
        }
    });
    receiver
}

fn lines() -> Receiver<InputEvent> {
    let (sender, receiver) = sync_channel(MAX_WAITING);
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        let mut has_warned = false;
        // Invalid UTF-8 ends the input, because chat is text.
        while let Ok(Some(line)) = next_line(&mut input) {
            if line.is_cut && !has_warned {
                has_warned = true;
                warn(format_args!("lines of standard input are truncated at {MAX_LINE} bytes"));
            }
            if sender.send(InputEvent::Line(line.text)).is_err() {
                return;
            }
        }
        // The session may have ended already.
        let _ = sender.send(InputEvent::End);
    });
    receiver
}

/// A line without its line end.
#[derive(Debug, PartialEq, Eq)]
struct InputLine {
    text: String,
    /// True if the line was too long and its end was dropped.
    is_cut: bool,
}

/// Returns the next line; `None` at the end.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<InputLine>> {
    let mut bytes = Vec::new();
    let most = u64::try_from(MAX_LINE).unwrap_or(u64::MAX).saturating_add(1);
    if input.by_ref().take(most).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    let is_cut = bytes.last() != Some(&b'\n') && bytes.len() > MAX_LINE;
    if is_cut {
        input.skip_until(b'\n')?;
        bytes.truncate(MAX_LINE);
    } else if bytes.pop_if(|byte| *byte == b'\n').is_some() {
        bytes.pop_if(|byte| *byte == b'\r');
    }
    let text = String::from_utf8(bytes).or_else(|error| {
        let (whole, half) = (error.utf8_error().valid_up_to(), error.utf8_error().error_len().is_none());
        let mut bytes = error.into_bytes();
        bytes.truncate(if is_cut && half { whole } else { bytes.len() });
        String::from_utf8(bytes)
    });
    let text = text.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
    Ok(Some(InputLine { text, is_cut }))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use super::*;

    fn lines(mut input: impl BufRead) -> Vec<(String, bool)> {
        let lines = std::iter::from_fn(|| next_line(&mut input).unwrap());
        lines.map(|InputLine { text, is_cut }| (text, is_cut)).collect()
    }

    #[test]
    fn lines_have_no_line_end_and_the_last_one_needs_none() {
        let expected = ["a", "", "b\u{e4}", "c"].map(|line| (line.to_owned(), false));
        assert_eq!(lines("a\n\nb\u{e4}\r\nc".as_bytes()), expected);
    }

    #[test]
    fn a_line_that_is_too_long_is_cut_between_characters_and_the_next_one_is_whole() {
        let (fits, long) = ("x".repeat(MAX_LINE), "x".repeat(MAX_LINE - 1));
        let input = format!("{fits}\n{long}\u{e4}{fits}{fits}\nnext\n{fits}y");
        let expected = [(fits.clone(), false), (long, true), ("next".into(), false), (fits, true)];
        assert_eq!(lines(input.as_bytes()), expected);
    }

    #[test]
    fn invalid_utf8_ends_the_input() {
        assert!(next_line(&mut &b"\xff\n"[..]).is_err());
        assert!(next_line(&mut &[b"\xff".repeat(MAX_LINE), b"x\n".to_vec()].concat()[..]).is_err());
    }
}
