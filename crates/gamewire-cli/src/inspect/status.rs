use std::fmt;
use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::exit_status::warn;

/// Maximum number of damage reports that are printed.
const MAX_COMPLAINTS: u64 = 10;

/// The progress bar and the warnings on standard error while a capture is read.
pub(super) struct StatusOutput {
    bar: Option<ProgressBar>,
    name: String,
    is_quiet: bool,
    damages: u64,
}

impl StatusOutput {
    /// Creates the output. `is_long` enables the progress bar.
    pub(super) fn new(name: &str, size: Option<u64>, is_long: bool, is_quiet: bool) -> Self {
        let is_wanted = is_long && !is_quiet && io::stderr().is_terminal();
        Self { bar: is_wanted.then(|| bar(size)), name: name.to_owned(), is_quiet, damages: 0 }
    }

    /// Shows that the capture was read up to `position`.
    pub(super) fn at(&self, position: u64) {
        if let Some(bar) = &self.bar {
            bar.set_position(position);
        }
    }

    /// Reports damage in the capture file.
    pub(super) fn report_damage(&mut self, damage: impl fmt::Display) {
        self.damages = self.damages.saturating_add(1);
        if self.damages > MAX_COMPLAINTS {
            return;
        }
        let name = &self.name;
        self.suspend_bar(|| warn(format_args!("{name}: {damage}")));
    }

    pub(super) fn damages(&self) -> u64 {
        self.damages
    }

    /// Prints a message while the bar is hidden.
    fn suspend_bar(&self, say: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(say),
            None => say(),
        }
    }

    /// Removes the bar.
    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        let hidden = self.damages.saturating_sub(MAX_COMPLAINTS);
        if hidden > 0 {
            warn(format_args!("{}: {hidden} more damaged places", self.name));
        }
    }

    /// Prints the summary line.
    pub(super) fn summary(&self, summary: impl fmt::Display) {
        if !self.is_quiet {
            anstream::eprintln!("{summary}");
        }
    }
}

fn bar(size: Option<u64>) -> ProgressBar {
    let (bar, template) = match size {
        Some(size) => (
            ProgressBar::new(size),
            "{wide_bar:.cyan/dim} {bytes}/{total_bytes}  {binary_bytes_per_sec}  {eta}",
        ),
        None => (ProgressBar::no_length(), "{spinner} {bytes}  {binary_bytes_per_sec}"),
    };
    bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// A count and its noun, displayed as `1 frame` or `2 frames`.
pub(super) struct Plural<'a>(pub(super) u64, pub(super) &'a str);

impl fmt::Display for Plural<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(count, thing) = self;
        write!(f, "{count} {thing}{}", if *count == 1 { "" } else { "s" })
    }
}
