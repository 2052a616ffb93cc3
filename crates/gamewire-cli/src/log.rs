//! `-v`: the log of the drivers, on standard error.

use std::io::{self, Write};

use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::time::Uptime;

use crate::exit_status::note;

/// Starts the log. `-v` logs connections, streams and dropped datagrams. `-vv` logs every datagram.
pub(crate) fn start(verbosity: u8) {
    let level = match verbosity {
        0 => return,
        1 => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    };
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_timer(Uptime::default())
        .with_target(false)
        .with_ansi(false)
        .with_writer(|| LogWriter)
        .init();
}

/// A writer of lines to standard error, above the bottom lines of the terminal. No line can control the terminal.
struct LogWriter;

impl Write for LogWriter {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let mut text = String::with_capacity(line.len());
        for character in String::from_utf8_lossy(line).trim_end_matches('\n').chars() {
            if character.is_control() {
                text.extend(character.escape_default());
            } else {
                text.push(character);
            }
        }
        note(text);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
