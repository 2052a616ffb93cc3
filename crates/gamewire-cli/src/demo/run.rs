use std::io::Write as _;
use std::thread;
use std::time::Duration;

use clap::Args;

use super::games::{DemoRun, PAUSE};
use super::screen::Screen;
use super::stats::{ConversationStats, DemoStats, HEAD};
use crate::exit_status::{ExitStatus, Failure};
use crate::impairment::Impairment;
use crate::interrupt::Interrupt;

/// Run servers and clients of every protocol on this machine
///
/// Starts a Teeworlds server for every dialect on one port with players of each dialect, a Riptide
/// relay for 2.0 and 2.1 over UDP and TCP on one port with clients of each kind, and a small Freeciv
/// game in a made-up world. All sockets are on the loopback interface, and datagrams cross a slightly
/// lossy link. A follower decodes every datagram and stream. Stop it with Ctrl-C or SIGTERM.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Demo {
    /// Stop after this time, such as 10s or 2m
    #[arg(long, visible_alias = "for", value_name = "TIME", value_parser = crate::duration::parse)]
    duration: Option<Duration>,
    /// Print JSON at the end: one object per line for each conversation and for the totals
    #[arg(long)]
    json: bool,
    /// Players of each dialect, and clients of each kind
    #[arg(long, value_name = "N", default_value = "2", value_parser = clap::value_parser!(u8).range(1..=16))]
    players: u8,
    /// Impair datagrams in both directions
    #[arg(
        long,
        alias = "bad-link",
        value_name = "LIST",
        default_value = "loss=2%,delay=15ms,jitter=5ms,reorder=1%,duplicate=1%"
    )]
    impair: Impairment,
}

/// Interval at which the table is drawn.
const DRAW: Duration = Duration::from_millis(100);

impl Demo {
    pub(crate) fn run(self) -> Result<ExitStatus, Failure> {
        let interrupt = Interrupt::listen()?;
        let mut demo = DemoRun::open(self.players, self.impair)?;
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

const EXAMPLES: &str = "\
Examples:
  gamewire demo
  gamewire demo --duration 10s --json
  gamewire demo --players 16 --impair loss=20%,delay=80ms,jitter=40ms

Exit status:
  0  every player joined, and everything was decoded
  1  a socket could not be opened, or a player failed to join
  3  something could not be decoded";
