use std::io::{self, IsTerminal as _, Write as _};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::stats::{ConversationStats, HEAD};

/// The demo's output: on a terminal, a table at the bottom with lines for datagrams above it; otherwise only
/// the lines.
pub(super) struct Screen {
    table: Option<Table>,
    is_silent: bool,
}

struct Table {
    all: MultiProgress,
    head: ProgressBar,
    rows: Vec<ProgressBar>,
}

impl Screen {
    pub(super) fn new(rows: usize, is_silent: bool) -> Self {
        let table = (io::stdout().is_terminal() && !is_silent).then(|| Table::new(rows));
        Self { table, is_silent }
    }

    pub(super) fn print_line(&self, line: &str) -> io::Result<()> {
        match &self.table {
            Some(table) => table.all.println(console::truncate_str(line, width(), "…")),
            None if self.is_silent => Ok(()),
            None => writeln!(anstream::stdout(), "{line}"),
        }
    }

    pub(super) fn show(&self, figures: &[ConversationStats], time: Duration) {
        let Some(table) = &self.table else { return };
        table.head.set_message(HEAD);
        for (row, figures) in table.rows.iter().zip(figures) {
            row.set_message(figures.row(time));
        }
    }

    pub(super) const fn is_live(&self) -> bool {
        self.table.is_some()
    }

    /// Removes the table.
    pub(super) fn close(&self) {
        if let Some(table) = &self.table {
            table.rows.iter().for_each(ProgressBar::finish_and_clear);
            table.head.finish_and_clear();
        }
    }
}

/// Returns the number of characters in a line.
fn width() -> usize {
    usize::from(console::Term::stdout().size().1).saturating_sub(1)
}

impl Table {
    fn new(rows: usize) -> Self {
        let all = MultiProgress::with_draw_target(ProgressDrawTarget::stdout_with_hz(10));
        let head_style = ProgressStyle::with_template("{msg:.bold}");
        let style = ProgressStyle::with_template("{msg}").unwrap_or_else(|_| ProgressStyle::default_bar());
        let line = || all.add(ProgressBar::no_length().with_style(style.clone()));
        let head = line();
        if let Ok(style) = head_style {
            head.set_style(style);
        }
        let rows = (0..rows).map(|_| line()).collect();
        Self { all, head, rows }
    }
}
