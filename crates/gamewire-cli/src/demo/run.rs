use std::io::Write as _;
use std::thread;
use std::time::Duration;

use super::games::{DemoRun, PAUSE};
use super::options::Demo;
use super::screen::Screen;
use super::stats::{ConversationStats, DemoStats, HEAD};
use crate::exit_status::{ExitStatus, Failure};
use crate::interrupt::Interrupt;

/// Interval at which the table is drawn.
const DRAW: Duration = Duration::from_millis(100);

impl Demo {
    pub(crate) fn run(self) -> Result<ExitStatus, Failure> {
        let interrupt = Interrupt::listen()?;
        let mut demo = DemoRun::open(&self)?;
        let screen = Screen::new(demo.count(), self.json);
        let mut drawn = Duration::ZERO;
        let is_time = |time: Duration| self.duration.is_some_and(|end| time >= end);
        while !interrupt.is_set() && !is_time(demo.time()) {
            demo.play()?;
            while let Some(line) = demo.monitor.next_line() {
                screen.print_line(&line)?;
            }
            if screen.is_live() && demo.time() >= drawn {
                drawn = demo.time().saturating_add(DRAW);
                screen.show(&demo.stats(), demo.time());
            }
            thread::sleep(PAUSE);
        }
        let (time, figures) = (demo.time(), demo.stats());
        demo.close()?;
        screen.close();
        self.sum_up(&figures, time)
    }

    fn sum_up(&self, figures: &[ConversationStats], time: Duration) -> Result<ExitStatus, Failure> {
        let totals = DemoStats::of(figures, time);
        let mut out = anstream::stdout().lock();
        if self.json {
            for one in figures {
                writeln!(out, "{}", one.json())?;
            }
            writeln!(out, "{}", totals.json())?;
        } else {
            writeln!(out, "{HEAD}")?;
            for one in figures {
                writeln!(out, "{}", one.row(time).trim_end())?;
            }
            writeln!(out, "{}", totals.text(time))?;
        }
        for one in figures {
            if let Some(error) = &one.view.first_error {
                crate::exit_status::warn(format_args!("{}: {error}", one.name));
            }
        }
        if !totals.failed_to_join.is_empty() {
            return Err(Failure::Failed(format!("failed to join: {}", totals.failed_to_join.join(", "))));
        }
        Ok(if totals.errors > 0 { ExitStatus::DamagedInput } else { ExitStatus::Success })
    }
}
