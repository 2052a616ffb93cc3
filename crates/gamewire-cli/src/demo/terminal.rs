//! The demo on a terminal: one row for each player, and the latest messages below.

use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Row, Table};
use ratatui::{DefaultTerminal, Frame};

use super::stats::ConversationStats;

/// Maximum number of messages that are kept.
const MAX_MESSAGES: usize = 1_000;
/// Interval over which a rate is computed.
const RATE: Duration = Duration::from_millis(1_000);
/// Time that messages are shown before new ones replace them, so that they can be read.
const LINES: Duration = Duration::from_millis(1_000);
/// Minimum number of rows below the players.
const MIN_MESSAGES: u16 = 2;

const HELP: &str = "\
q, Ctrl-C   stop
space       pause the messages
/           show only messages with a text; Enter keeps it, Esc removes it
↑ ↓         scroll the players
?           this help";

/// The screen of the demo. Dropping it restores the terminal.
pub(super) struct TerminalScreen {
    terminal: DefaultTerminal,
    view: View,
    /// Messages that are shown with the next step.
    new_lines: VecDeque<String>,
    /// Time of the next step.
    next_lines: Duration,
    is_left: bool,
    rates: Rates,
}

/// The page's address, the latest messages, and the choices of the user.
#[derive(Default)]
struct View {
    url: String,
    messages: VecDeque<String>,
    is_paused: bool,
    shows_help: bool,
    /// The text that a message must contain to be shown.
    filter: String,
    /// True while the user types the filter.
    is_typing: bool,
    scrolled: usize,
}

/// Packets and bytes per second of each player.
#[derive(Default)]
struct Rates {
    at: Duration,
    before: Vec<[u64; 3]>,
    now: Vec<[u64; 3]>,
}

impl TerminalScreen {
    pub(super) fn open(url: String) -> io::Result<Self> {
        Ok(Self {
            terminal: ratatui::try_init()?,
            view: View { url, ..View::default() },
            new_lines: VecDeque::new(),
            next_lines: Duration::ZERO,
            is_left: false,
            rates: Rates::default(),
        })
    }

    pub(super) const fn is_left(&self) -> bool {
        self.is_left
    }

    pub(super) fn add_line(&mut self, line: String) {
        if !self.view.is_paused {
            if self.new_lines.len() >= MAX_MESSAGES {
                self.new_lines.pop_front();
            }
            self.new_lines.push_back(line);
        }
    }

    /// Handles key presses, and draws the screen.
    pub(super) fn draw(&mut self, players: &[ConversationStats], time: Duration) -> io::Result<()> {
        while event::poll(Duration::ZERO)? {
            if let Event::Key(key) = event::read()?
                && key.kind != KeyEventKind::Release
            {
                self.is_left |= self.view.key(key, players.len());
            }
        }
        self.rates.update(players, time);
        let Self { terminal, view, rates, .. } = self;
        if time >= self.next_lines {
            self.next_lines = time.saturating_add(LINES);
            view.messages.append(&mut self.new_lines);
            let excess = view.messages.len().saturating_sub(MAX_MESSAGES);
            view.messages.drain(..excess);
        }
        terminal.draw(|frame| view.draw(frame, players, &rates.now, time)).map(drop)
    }
}

impl Drop for TerminalScreen {
    fn drop(&mut self) {
        ratatui::restore();
    }
}

impl Rates {
    fn update(&mut self, players: &[ConversationStats], time: Duration) {
        let passed = time.saturating_sub(self.at);
        if passed < RATE {
            return;
        }
        let counts: Vec<_> = players.iter().map(counts).collect();
        let millis = passed.as_millis().try_into().unwrap_or(u64::MAX).max(1);
        let rate =
            |now: u64, before: u64| now.saturating_sub(before).saturating_mul(1_000).checked_div(millis);
        self.now = counts
            .iter()
            .enumerate()
            .map(|(index, now)| {
                let before = self.before.get(index).copied().unwrap_or_default();
                let [up, down, bytes] = [0, 1, 2].map(|place: usize| {
                    let value = |of: &[u64; 3]| of.get(place).copied().unwrap_or(0);
                    rate(value(now), value(&before)).unwrap_or(0)
                });
                [up, down, bytes]
            })
            .collect();
        self.before = counts;
        self.at = time;
    }
}

const fn counts(player: &ConversationStats) -> [u64; 3] {
    let page = &player.page;
    [page.packets_up, page.packets_down, page.bytes]
}

impl View {
    /// Handles a key press. Returns true if the user leaves.
    fn key(&mut self, key: KeyEvent, players: usize) -> bool {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c') if is_control => return true,
            KeyCode::Char(letter) if self.is_typing => self.filter.push(letter),
            KeyCode::Backspace if self.is_typing => _ = self.filter.pop(),
            KeyCode::Enter => self.is_typing = false,
            KeyCode::Esc if self.shows_help => self.shows_help = false,
            KeyCode::Esc => {
                self.is_typing = false;
                self.filter.clear();
            }
            KeyCode::Char('q') => return true,
            KeyCode::Char('?') => self.shows_help ^= true,
            KeyCode::Char(' ' | 'p') => self.is_paused ^= true,
            KeyCode::Char('/') => (self.is_typing, self.shows_help) = (true, false),
            KeyCode::Up => self.scrolled = self.scrolled.saturating_sub(1),
            KeyCode::Down => self.scrolled = self.scrolled.saturating_add(1).min(players.saturating_sub(1)),
            _ => {}
        }
        false
    }

    fn draw(&self, frame: &mut Frame<'_>, players: &[ConversationStats], rates: &[[u64; 3]], time: Duration) {
        let area = frame.area();
        // The title, two headings, the minimum of messages, and the keys need rows.
        let room = area.height.saturating_sub(MIN_MESSAGES.saturating_add(4));
        let rows = u16::try_from(players.len()).unwrap_or(u16::MAX).min(room);
        let [title, table, heading, messages, keys] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Length(rows.saturating_add(1)),
            Constraint::Length(1),
            Constraint::Min(0),
            Constraint::Length(1),
        ])
        .areas(area);
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let dim = Style::new().add_modifier(Modifier::DIM);
        let seconds = time.as_secs();
        frame.render_widget(
            Line::from(vec![
                Span::styled("gamewire demo", bold),
                Span::raw("  the page: "),
                Span::styled(&self.url, Style::new().fg(Color::Cyan).add_modifier(Modifier::UNDERLINED)),
                Span::styled(format!("  {seconds} s"), dim),
            ]),
            title,
        );
        self.draw_players(frame, table, players, rates);
        let what = match (self.is_paused, self.filter.as_str()) {
            (true, _) => "messages, paused".to_owned(),
            (false, "") => "messages".to_owned(),
            (false, filter) => format!("messages with {filter:?}"),
        };
        frame.render_widget(Line::styled(what, bold), heading);
        self.draw_messages(frame, messages);
        let hint = if self.is_typing {
            format!("/{}█  Enter keeps it, Esc removes it", self.filter)
        } else {
            "q stop   space pause   / filter   ↑↓ scroll   ? help".to_owned()
        };
        frame.render_widget(Line::styled(hint, dim), keys);
        if self.shows_help {
            let [width, height] = [area.width.min(76), area.height.min(7)];
            let help = Rect {
                x: area.width.saturating_sub(width) / 2,
                y: area.height.saturating_sub(height) / 2,
                width,
                height,
            };
            frame.render_widget(Clear, help);
            frame.render_widget(Paragraph::new(HELP).block(Block::bordered().title("Keys")), help);
        }
    }

    fn draw_players(
        &self,
        frame: &mut Frame<'_>,
        area: Rect,
        players: &[ConversationStats],
        rates: &[[u64; 3]],
    ) {
        let rows = usize::from(area.height.saturating_sub(1));
        let scrolled = self.scrolled.min(players.len().saturating_sub(rows));
        let shown = players.iter().enumerate().skip(scrolled).take(rows).map(|(index, player)| {
            let [up, down, bytes] = rates.get(index).copied().unwrap_or_default();
            let page = &player.page;
            let right = |text: String| Line::from(text).right_aligned();
            let row = Row::new(vec![
                Line::from(player.name.clone()),
                Line::from(page.state.clone()),
                right(up.to_string()),
                right(down.to_string()),
                right(format!("{}.{}", bytes / 1_000, bytes / 100 % 10)),
                right(page.round_trip.clone().unwrap_or_default()),
                right(page.lost.to_string()),
                right(page.resent.to_string()),
                right(page.errors.to_string()),
            ]);
            if page.errors > 0 { row.style(Style::new().fg(Color::Red)) } else { row }
        });
        let head = ["player", "state", "up/s", "down/s", "kB/s", "trip ms", "lost", "resent", "errors"];
        let head = head.into_iter().enumerate().map(|(column, name)| {
            let line = Line::from(name);
            if column > 1 { line.right_aligned() } else { line }
        });
        let widths = [
            Constraint::Length(15),
            Constraint::Length(if area.width > 120 { 40 } else { 15 }),
            Constraint::Length(5),
            Constraint::Length(6),
            Constraint::Length(6),
            Constraint::Length(7),
            Constraint::Length(5),
            Constraint::Length(6),
            Constraint::Length(6),
        ];
        let head = Row::new(head).style(Style::new().add_modifier(Modifier::DIM));
        frame.render_widget(Table::new(shown, widths).header(head), area);
    }

    fn draw_messages(&self, frame: &mut Frame<'_>, area: Rect) {
        let wanted = self.messages.iter().filter(|line| line.contains(&self.filter));
        let mut latest: Vec<_> = wanted.rev().take(usize::from(area.height)).collect();
        latest.reverse();
        let lines: Vec<_> = latest.into_iter().map(|line| Line::raw(line.as_str())).collect();
        frame.render_widget(Paragraph::new(lines), area);
    }
}
