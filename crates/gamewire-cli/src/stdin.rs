use std::io::{self, BufRead, Read as _};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::task::Waker;
use std::thread;

use crate::prompt::{Key, MAX_TYPED_LINE, Prompt, read_key};

/// Maximum number of lines that wait to be handled.
const MAX_WAITING: usize = 256;
/// Maximum length of a line in bytes, longer than the longest command.
const MAX_LINE: usize = 64 << 10;
/// Number of characters of a rejected line that an error message shows.
const MAX_SHOWN: usize = 40;

/// Standard input, which a thread reads. The thread ends with the input, or when the receiver is dropped.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) lines: Receiver<InputEvent>,
    _prompt: Option<Prompt>,
}

/// A line of standard input, or its end on a terminal.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum InputEvent {
    Line(String),
    /// A line that cannot be read. Later lines can.
    Rejected {
        /// The start of the line.
        start: String,
        error: String,
    },
    /// Ctrl-D or Ctrl-C on a terminal.
    Leave,
    /// The end of input that is not a terminal.
    End,
}

impl Input {
    /// Starts to read lines, and wakes `waker` after each one. On a terminal, this opens a prompt.
    pub(crate) fn open(waker: Waker) -> Self {
        let prompt = Prompt::open();
        let (sender, lines) = sync_channel(MAX_WAITING);
        let sender = LineSender { sender, waker };
        let read = if prompt.is_some() { read_typed_lines } else { read_lines };
        thread::spawn(move || read(&sender));
        Self { lines, _prompt: prompt }
    }
}

/// A sender of lines to the main loop, which it wakes.
struct LineSender {
    sender: SyncSender<InputEvent>,
    waker: Waker,
}

impl LineSender {
    /// Sends an event. Returns false if the receiver is gone.
    fn send(&self, event: InputEvent) -> bool {
        let is_sent = self.sender.send(event).is_ok();
        self.waker.wake_by_ref();
        is_sent
    }
}

fn read_typed_lines(sender: &LineSender) {
    while let Some(key) = read_key() {
        let event = match key {
            Key::Edit => continue,
            Key::Enter(line) => InputEvent::Line(line),
            Key::TooLong(line) => too_long(line.as_bytes(), MAX_TYPED_LINE),
            Key::End => InputEvent::Leave,
        };
        if !sender.send(event) {
            return;
        }
    }
}

fn read_lines(sender: &LineSender) {
    let mut input = io::stdin().lock();
    while let Ok(Some(event)) = next_line(&mut input) {
        if !sender.send(event) {
            return;
        }
    }
    // The session may have ended already.
    sender.send(InputEvent::End);
}

/// Returns the next line without its line end; `None` at the end.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<InputEvent>> {
    let mut bytes = Vec::new();
    let most = u64::try_from(MAX_LINE).unwrap_or(u64::MAX).saturating_add(1);
    if input.by_ref().take(most).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.last() != Some(&b'\n') && bytes.len() > MAX_LINE {
        input.skip_until(b'\n')?;
        return Ok(Some(too_long(&bytes, MAX_LINE)));
    }
    if bytes.pop_if(|byte| *byte == b'\n').is_some() {
        bytes.pop_if(|byte| *byte == b'\r');
    }
    Ok(Some(match String::from_utf8(bytes) {
        Ok(line) => InputEvent::Line(line),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            rejected(error.as_bytes(), format!("the line is not UTF-8 at byte {at}"))
        }
    }))
}

fn too_long(line: &[u8], max: usize) -> InputEvent {
    rejected(line, format!("the line is longer than {max} bytes"))
}

fn rejected(line: &[u8], error: String) -> InputEvent {
    let start = line.get(..MAX_SHOWN).unwrap_or(line);
    InputEvent::Rejected { start: String::from_utf8_lossy(start).into_owned(), error }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that panics fails")]
mod tests {
    use super::*;

    fn events(mut input: impl BufRead) -> Vec<InputEvent> {
        std::iter::from_fn(|| next_line(&mut input).unwrap()).collect()
    }

    fn line(text: &str) -> InputEvent {
        InputEvent::Line(text.to_owned())
    }

    #[test]
    fn lines_have_no_line_end_and_the_last_one_needs_none() {
        assert_eq!(events("a\n\nb\u{e4}\r\nc".as_bytes()), ["a", "", "b\u{e4}", "c"].map(line));
    }

    #[test]
    fn a_line_that_is_too_long_is_rejected_and_the_next_one_is_read() {
        let fits = "x".repeat(MAX_LINE);
        let input = format!("{fits}\n{fits}{fits}\nnext\n{fits}y");
        let too_long = InputEvent::Rejected {
            start: "x".repeat(MAX_SHOWN),
            error: "the line is longer than 65536 bytes".into(),
        };
        let events = events(input.as_bytes());
        assert_eq!(
            events.iter().map(|event| *event == too_long).collect::<Vec<_>>(),
            [false, true, false, true]
        );
        assert_eq!(events[2], line("next"));
    }

    #[test]
    fn a_line_that_is_not_utf8_is_rejected_and_the_next_one_is_read() {
        let rejected = InputEvent::Rejected {
            start: "a\u{fffd}".into(),
            error: "the line is not UTF-8 at byte 1".into(),
        };
        assert_eq!(events(&b"a\xff\nb\n"[..]), [rejected, line("b")]);
    }
}
