//! `gamewire demo`: servers and clients of every dialect on this machine.

mod client;
mod figures;
mod freeciv;
mod games;
mod map;
mod messages;
mod proxies;
mod riptide;
mod screen;
mod sink;
mod stats;
mod teeworlds;
mod terminal;

use std::io::Write as _;
use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

use clap::Args;
use gamewire_page::traffic::SourceKind;
use gamewire_page::{CommandKind, PageConfig};

use self::games::{DemoRun, PAUSE};
use self::proxies::{Proxies, UnseenPackets};
use self::screen::Screen;
use self::stats::{ConversationStats, DemoStats, HEAD};
use crate::exit_status::{ExitStatus, Failure};
use crate::impairment::Impairment;
use crate::interrupt::Interrupt;
use crate::page::{DEFAULT_ADDRESS, ServedPage, parse_address};
use crate::proxy::link_command;

/// Run servers and players of every protocol on this machine, and watch them
///
/// Starts a Teeworlds server for every dialect on one port with players of each dialect, a Riptide
/// relay for 2.0 and 2.1 over UDP and TCP on one port with clients of each kind, and a small Freeciv
/// game with made-up rules, which the scripted opponent plays. Between them are proxies with a slightly
/// lossy link, and followers that decode every datagram and stream. A page in the browser shows all of
/// it; a terminal shows the players.
/// All sockets are on the loopback interface. Stop it with q, Ctrl-C or SIGTERM.
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
    /// Address of the page [default: 127.0.0.1:8642, or another port if that is taken]
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address)]
    page: Option<SocketAddr>,
    /// Impair datagrams in both directions
    #[arg(
        long,
        alias = "bad-link",
        value_name = "LIST",
        default_value = "loss=2%,delay=15ms,jitter=5ms,reorder=1%,duplicate=1%"
    )]
    impair: Impairment,
}

/// Maximum bytes of packets that the page keeps. The demo must run on any machine.
const MAX_PAGE_BYTES: usize = 48 << 20;
/// Interval at which the screen is drawn.
const DRAW: Duration = Duration::from_millis(100);

impl Demo {
    pub(crate) fn run(self) -> Result<ExitStatus, Failure> {
        let interrupt = Interrupt::listen()?;
        let served = self.open_page()?;
        let source = served.page.add_source("demo", SourceKind::Live);
        let mut demo = DemoRun::open(self.players, self.impair, &source)?;
        served.page.set_program_state(demo.proxies.links().json());
        let mut screen = Screen::open(self.json, &served)?;
        let mut drawn = Duration::ZERO;
        let is_time = |time: Duration| self.duration.is_some_and(|end| time >= end);
        let mut outcome = Ok(());
        while outcome.is_ok() && !interrupt.is_set() && !is_time(demo.time()) && !screen.is_left() {
            outcome = demo.play();
            execute_commands(&served, &mut demo.proxies);
            while let Some(line) = demo.monitor.next_line() {
                screen.line(line)?;
            }
            if demo.time() >= drawn {
                drawn = demo.time().saturating_add(DRAW);
                screen.draw(|| demo.stats(), demo.time())?;
            }
            thread::sleep(PAUSE);
        }
        screen.close();
        outcome?;
        let (time, figures) = (demo.time(), demo.stats());
        let unseen = demo.close()?;
        let lines_lost = if self.json { 0 } else { demo.monitor.lines_lost() };
        self.sum_up(&figures, unseen, lines_lost, time)
    }

    fn open_page(&self) -> Result<ServedPage, Failure> {
        let commands = vec![CommandKind::Link];
        let config = PageConfig {
            title: "demo".into(),
            protocols: Proxies::protocols(),
            commands,
            live_bytes: MAX_PAGE_BYTES,
            ..PageConfig::default()
        };
        if let Some(local) = self.page {
            return ServedPage::open_with(local, config);
        }
        let usual = parse_address(DEFAULT_ADDRESS).map_err(Failure::Failed)?;
        ServedPage::open_with(usual, config.clone())
            .or_else(|_| ServedPage::open_with(SocketAddr::new(usual.ip(), 0), config))
    }

    fn sum_up(
        &self,
        figures: &[ConversationStats],
        unseen: UnseenPackets,
        lines_lost: u64,
        time: Duration,
    ) -> Result<ExitStatus, Failure> {
        let mut totals = DemoStats::of(figures, time);
        totals.errors = totals.errors.saturating_add(unseen.unrecognized);
        totals.missed = unseen.missed;
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
            if unseen.missed > 0 || lines_lost > 0 {
                writeln!(
                    out,
                    "{} packets not followed in time; {lines_lost} lines not shown",
                    unseen.missed
                )?;
            }
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

/// Executes the commands of the page's users.
fn execute_commands(served: &ServedPage, proxies: &mut Proxies) {
    for command in served.commands.try_iter() {
        let changed = link_command(&command.line).map(|(sides, conditions)| {
            sides.iter().for_each(|to| proxies.set_conditions(*to, conditions));
            served.page.set_program_state(proxies.links().json());
        });
        // The user who sent the command may have disconnected.
        let _ = command.answer.try_send(changed);
    }
}

const EXAMPLES: &str = "\
Examples:
  gamewire demo
  gamewire demo --duration 10s --json
  gamewire demo --players 16 --impair loss=20%,delay=80ms,jitter=40ms
  gamewire demo --page 127.0.0.1:9000

Exit status:
  0  every player joined, and everything was decoded
  1  a socket could not be opened, or a player failed to join
  3  something could not be decoded";
