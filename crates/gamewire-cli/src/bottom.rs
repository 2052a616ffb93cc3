//! The bottom lines of the terminal: a status, and below it the line that a user types. Output is printed above them.

use std::io::{self, Write as _};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use console::{Term, measure_text_width, truncate_str};

/// Minimum time between two writes of events above the bottom lines. Events in between are collected.
const WRITE_INTERVAL: Duration = Duration::from_millis(100);
/// Number of collected bytes at which the text is written immediately.
const MAX_COLLECTED: usize = 64 << 10;

/// There is only one standard output, so this is global.
static BOTTOM: Mutex<Bottom> = Mutex::new(Bottom::new());

/// Writes text to standard output, above the bottom lines. The text may be collected until [`refresh`], so that a lot
/// of output does not hide the lines.
pub(crate) fn write_above(text: &[u8]) -> io::Result<()> {
    let mut bottom = lock();
    bottom.collected.extend_from_slice(text);
    let is_much = bottom.collected.len() >= MAX_COLLECTED;
    if bottom.is_empty() || is_much { bottom.write_collected() } else { bottom.write_if_due() }
}

/// Writes the collected text if it is due. Call it repeatedly.
pub(crate) fn refresh() -> io::Result<()> {
    lock().write_if_due()
}

/// Returns the time at which [`refresh`] has text to write.
pub(crate) fn refresh_at() -> Option<Instant> {
    let bottom = lock();
    bottom.written_at.filter(|_| !bottom.collected.is_empty())?.checked_add(WRITE_INTERVAL)
}

/// Writes the collected text, then runs `output`, which prints above the bottom lines.
pub(crate) fn above<T>(output: impl FnOnce() -> T) -> T {
    lock().change(|_| output())
}

/// Replaces the status. An empty list removes it.
pub(crate) fn set_status(status: Vec<String>) {
    lock().change(|bottom| bottom.status = status);
}

/// Replaces the typed line. `None` means that there is no prompt.
#[cfg_attr(not(unix), allow(dead_code, reason = "there is no prompt"))]
pub(crate) fn set_input(input: Option<String>) {
    lock().change(|bottom| bottom.input = input);
}

fn lock() -> MutexGuard<'static, Bottom> {
    BOTTOM.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Debug)]
struct Bottom {
    status: Vec<String>,
    input: Option<String>,
    /// The widths of the lines on the terminal; empty if there are none.
    drawn: Vec<usize>,
    /// Text that is not yet written.
    collected: Vec<u8>,
    written_at: Option<Instant>,
}

impl Bottom {
    const fn new() -> Self {
        Self { status: Vec::new(), input: None, drawn: Vec::new(), collected: Vec::new(), written_at: None }
    }

    const fn is_empty(&self) -> bool {
        self.status.is_empty() && self.input.is_none()
    }

    fn write_if_due(&mut self) -> io::Result<()> {
        let is_due = self.written_at.is_none_or(|time| time.elapsed() >= WRITE_INTERVAL);
        if is_due && !self.collected.is_empty() { self.write_collected() } else { Ok(()) }
    }

    fn write_collected(&mut self) -> io::Result<()> {
        self.written_at = Some(Instant::now());
        self.erase();
        let written = self.write();
        self.draw();
        written
    }

    /// Erases the lines, runs `change`, and draws the lines again. `change` may change the lines, or print above them.
    fn change<T>(&mut self, change: impl FnOnce(&mut Self) -> T) -> T {
        self.erase();
        // The next write reports this error as well.
        _ = self.write();
        let changed = change(self);
        self.draw();
        changed
    }

    fn write(&mut self) -> io::Result<()> {
        // Without text, do not lock standard output: another thread may hold it while it waits for a reader.
        if self.collected.is_empty() {
            return Ok(());
        }
        let text = std::mem::take(&mut self.collected);
        let mut out = anstream::stdout().lock();
        out.write_all(&text)?;
        out.flush()
    }

    fn erase(&mut self) {
        if !self.drawn.is_empty() {
            print(&erasing(&std::mem::take(&mut self.drawn), size().1));
        }
    }

    fn draw(&mut self) {
        let lines = self.lines(size());
        if !lines.is_empty() {
            print(&lines.join("\n"));
            self.drawn = lines.iter().map(|line| measure_text_width(line)).collect();
        }
    }

    /// Returns the lines that fit on a terminal of this size and leave a row above them.
    fn lines(&self, (rows, columns): (usize, usize)) -> Vec<String> {
        // Leave a column for the cursor.
        let columns = columns.saturating_sub(1);
        let input = self.input.as_ref().map(|input| end_of(input, columns));
        let rows = rows.saturating_sub(1).saturating_sub(input.iter().len());
        let status = self.status.iter().take(rows);
        status.map(|line| truncate_str(line, columns, "").into_owned()).chain(input).collect()
    }
}

/// Returns the rows and columns of the terminal.
fn size() -> (usize, usize) {
    let (rows, columns) = Term::stdout().size();
    (rows.into(), columns.into())
}

/// Returns the control sequence that moves the cursor from the end of lines of these widths to their start, and erases
/// them. A terminal that became narrower has wrapped them into more rows.
fn erasing(widths: &[usize], columns: usize) -> String {
    let rows = widths.iter().map(|width| width.div_ceil(columns.max(1)).max(1));
    match rows.fold(0, usize::saturating_add).saturating_sub(1) {
        0 => "\r\x1b[J".into(),
        up => format!("\r\x1b[{up}A\x1b[J"),
    }
}

/// Returns the longest end of a text that fits into `columns`.
fn end_of(text: &str, columns: usize) -> String {
    let mut text = text;
    while measure_text_width(text) > columns {
        let mut chars = text.chars();
        chars.next();
        text = chars.as_str();
    }
    text.to_owned()
}

/// Prints text. Errors are ignored, because a terminal that cannot be written to shows nothing.
fn print(text: &str) {
    let mut out = io::stdout().lock();
    _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bottom(status: &[&str], input: Option<&str>) -> Bottom {
        let status = status.iter().map(|line| (*line).to_owned()).collect();
        Bottom { status, input: input.map(Into::into), ..Bottom::new() }
    }

    #[test]
    fn the_typed_line_is_the_last_one_and_shows_its_end() {
        let bottom = bottom(&["\x1b[2mone\x1b[0m", "two and more"], Some("> 0123456789"));
        assert_eq!(bottom.lines((24, 80)), ["\x1b[2mone\x1b[0m", "two and more", "> 0123456789"]);
        assert_eq!(bottom.lines((24, 6)), ["\x1b[2mone\x1b[0m", "two a", "56789"]);
    }

    #[test]
    fn a_low_terminal_has_less_status_and_a_row_for_output() {
        let bottom = bottom(&["one", "two", "three"], Some("> "));
        for (rows, shown) in [(24, 4), (5, 4), (4, 3), (3, 2), (2, 1), (1, 1)] {
            let lines = bottom.lines((rows, 80));
            assert_eq!((lines.len(), lines.last().map(String::as_str)), (shown, Some("> ")), "{rows}");
        }
    }

    #[test]
    fn lines_that_a_narrower_terminal_has_broken_are_erased_whole() {
        assert_eq!(erasing(&[5], 80), "\r\x1b[J");
        assert_eq!(erasing(&[79, 0, 5], 80), "\r\x1b[2A\x1b[J");
        assert_eq!(erasing(&[79, 40, 5], 40), "\r\x1b[3A\x1b[J");
    }
}
