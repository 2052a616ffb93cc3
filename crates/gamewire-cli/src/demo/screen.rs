use std::io::{self, IsTerminal as _, Write as _};
use std::time::Duration;

use super::stats::ConversationStats;
use super::terminal::TerminalScreen;
use crate::page::ServedPage;

/// The demo's output: a screen on a terminal, otherwise one line per datagram.
pub(super) enum Screen {
    Terminal(Box<TerminalScreen>),
    Lines,
    /// Nothing is shown. The JSON is printed at the end.
    Silent,
}

impl Screen {
    pub(super) fn open(is_silent: bool, served: &ServedPage) -> io::Result<Self> {
        if io::stdout().is_terminal() && !is_silent {
            return Ok(Self::Terminal(Box::new(TerminalScreen::open(served.url.clone())?)));
        }
        served.announce();
        Ok(if is_silent { Self::Silent } else { Self::Lines })
    }

    /// Shows the line of a datagram.
    pub(super) fn line(&mut self, line: String) -> io::Result<()> {
        match self {
            Self::Terminal(screen) => {
                screen.add_line(line);
                Ok(())
            }
            Self::Lines => writeln!(anstream::stdout(), "{line}"),
            Self::Silent => Ok(()),
        }
    }

    /// Draws the players, and handles key presses.
    pub(super) fn draw(
        &mut self,
        figures: impl FnOnce() -> Vec<ConversationStats>,
        time: Duration,
    ) -> io::Result<()> {
        match self {
            Self::Terminal(screen) => screen.draw(&figures(), time),
            Self::Lines | Self::Silent => Ok(()),
        }
    }

    /// Returns whether the user asked to stop.
    pub(super) const fn is_left(&self) -> bool {
        matches!(self, Self::Terminal(screen) if screen.is_left())
    }

    /// Restores the terminal.
    pub(super) fn close(&mut self) {
        if let Self::Terminal(_) = self {
            *self = Self::Silent;
        }
    }
}
