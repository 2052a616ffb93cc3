//! The main loop of `join`, `play`, `serve`, `replay` and `proxy`.

use std::io;
use std::task::Waker;
use std::time::{Duration, Instant};

use gamewire_page::Command as PageCommand;

use crate::bottom;
use crate::duration::from_now;
use crate::exit_status::{ExitStatus, Failure, note};
use crate::interrupt::Interrupt;
use crate::output::Output;
use crate::page::ServedPage;
use crate::record::Recording;
use crate::stdin::{Input, InputEvent};

/// Number of lines of standard input that are handled before the next poll.
const MAX_LINES_PER_STEP: usize = 32;
/// Time after the time limit, or after a signal, for messages in flight to arrive.
const LAST_MESSAGES_TIMEOUT: Duration = Duration::from_secs(1);
/// Time without progress after which a user who asked to leave no longer waits.
const STALLED_TIMEOUT: Duration = Duration::from_secs(10);
/// Time without another line after which no more lines of standard input are counted.
const NEXT_LINE_TIMEOUT: Duration = Duration::from_millis(20);
/// The same if lines were not sent in time, so that more are probable: the thread that reads them may wait for a processor.
const PROBABLE_LINE_TIMEOUT: Duration = Duration::from_secs(1);
/// Time of the whole count.
const COUNT_TIMEOUT: Duration = Duration::from_secs(5);

/// The reason why a command of standard input was not executed.
pub(crate) enum CommandError {
    /// The program continues.
    Rejected(String),
    /// The send queue is full. The line is executed again later.
    Full,
    /// The user asked to leave.
    Leave,
    /// The program ends.
    Fatal(Failure),
}

impl From<Failure> for CommandError {
    fn from(failure: Failure) -> Self {
        Self::Fatal(failure)
    }
}

/// A client, server or proxy that runs until it ends, and that the user controls.
pub(crate) trait Controlled {
    /// A command of standard input, as text or as JSON.
    type Command;

    /// Returns a waker that ends a [`poll`](Self::poll) early.
    fn waker(&mut self) -> io::Result<Waker>;

    /// Waits at most `wait` for the sockets, a timer or the waker, handles the next event, and performs work that is due.
    fn poll(&mut self, wait: Duration) -> Result<(), Failure>;

    /// Returns the time at which [`poll`](Self::poll) has work to do, apart from the timers of its driver.
    fn wake_at(&self) -> Option<Instant> {
        None
    }

    /// Returns whether lines of standard input can be handled.
    fn takes_lines(&self) -> bool;

    /// Parses a line of text or of JSON, or returns an error message.
    fn parse(&self, line: &str, is_json: bool) -> Result<Self::Command, String>;

    /// Executes a command.
    fn execute(&mut self, command: Self::Command) -> Result<(), CommandError>;

    /// Reports a line that was not executed.
    fn reject(&mut self, line: &str, error: String) -> Result<(), Failure> {
        self.output().command_error(line, error)
    }

    fn output(&self) -> &Output;

    /// Returns the page. Its users may send commands.
    fn page(&self) -> Option<&ServedPage> {
        None
    }

    /// Reports a line that was read after the end.
    fn unread(&mut self, _line: &str) -> Result<(), Failure> {
        Ok(())
    }

    /// Handles the end of standard input that is not a terminal.
    fn input_ended(&mut self) {}

    /// Returns the number of messages that the user sent and the server has not acknowledged.
    fn unsent(&self) -> usize {
        0
    }

    /// Called in each step after a first signal. Returns whether the program continues, because it drains; a second signal
    /// ends the drain.
    fn drain(&mut self) -> Result<bool, Failure> {
        Ok(false)
    }

    /// Starts to disconnect. It ends after that.
    fn leave(&mut self);

    fn is_over(&self) -> bool;

    /// Returns an error message for a requested task that is not done yet. If the time limit ends before that, the
    /// program fails with this message.
    fn unfinished(&self) -> Option<String> {
        None
    }
}

/// Signals, standard input and the time limit of a [`Controlled`].
pub(crate) struct Controls {
    interrupt: Interrupt,
    /// Standard input. It is opened when the program takes lines, because earlier input may be a password.
    input: Option<Input>,
    end: Option<Instant>,
    /// A line that is executed again, because the send queue was full.
    held: Option<String>,
    /// True if more lines may wait than one step handles.
    has_more_lines: bool,
    /// The error message for a task that was not done when the time limit ended.
    late: Option<String>,
    /// True after the time limit has ended.
    is_late: bool,
    /// True after the user asked to leave.
    is_leaving: bool,
    /// The time at which messages in flight are given up.
    give_up_at: Option<Instant>,
    /// The number of unsent messages, and the time since which it has not decreased.
    progress: Option<(usize, Instant)>,
}

impl Controls {
    /// Starts the time limit.
    pub(crate) fn begin(interrupt: Interrupt, duration: Option<Duration>) -> Self {
        Self {
            interrupt,
            input: None,
            end: duration.and_then(from_now),
            held: None,
            has_more_lines: false,
            late: None,
            is_late: false,
            is_leaving: false,
            give_up_at: None,
            progress: None,
        }
    }

    /// Returns true if the user asked to stop.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.is_set()
    }

    /// Returns true if the time limit has ended.
    pub(crate) const fn is_late(&self) -> bool {
        self.is_late
    }

    /// Returns the outcome of a run that ended with `end`: an error if a task was not done in time.
    pub(crate) fn outcome(self, end: Result<ExitStatus, Failure>) -> Result<ExitStatus, Failure> {
        end.and_then(|end| self.late.map_or(Ok(end), |missing| Err(Failure::Failed(missing))))
    }

    /// Runs `target` to its end.
    pub(crate) fn run(&mut self, target: &mut impl Controlled, recording: &Recording) -> Result<(), Failure> {
        let waker = target
            .waker()
            .map_err(|error| Failure::Failed(format!("cannot wait for standard input: {error}")))?;
        self.interrupt.set_waker(waker.clone());
        if let Some(served) = target.page() {
            served.page.set_command_waker(waker.clone());
        }
        while !target.is_over() {
            // Disconnect on any error, for example if a pipe is closed.
            let step = self.step(target, &waker);
            step.inspect_err(|_| target.leave())?;
            recording.flush();
        }
        while let Some(InputEvent::Line(line)) = self.next_line_at_end() {
            target.unread(&line)?;
        }
        self.input = None;
        recording.finish();
        Ok(())
    }

    fn step(&mut self, target: &mut impl Controlled, waker: &Waker) -> Result<(), Failure> {
        self.handle_lines(target, waker)?;
        while let Some(command) = target.page().and_then(|served| served.commands.try_recv().ok()) {
            handle_page_command(target, command)?;
        }
        if !self.is_late && self.end.is_some_and(|end| Instant::now() >= end) {
            self.is_late = true;
            self.late = target.unfinished();
        }
        if self.is_late || self.is_interrupted() && !self.drains(target)? {
            self.is_leaving = true;
            self.give_up_at = self.give_up_at.or_else(|| from_now(LAST_MESSAGES_TIMEOUT));
        }
        if self.is_leaving && !target.is_over() {
            self.leave(target);
        }
        if !target.is_over() {
            target.poll(self.wait(target))?;
        }
        Ok(bottom::refresh()?)
    }

    /// Returns whether `target` continues after a first signal.
    fn drains(&self, target: &mut impl Controlled) -> Result<bool, Failure> {
        Ok(!self.is_leaving && !target.is_over() && !self.interrupt.is_repeated() && target.drain()?)
    }

    /// Returns the time until the next work of these controls or of `target`.
    fn wait(&self, target: &impl Controlled) -> Duration {
        if self.has_more_lines {
            return Duration::ZERO;
        }
        let now = Instant::now();
        let stalled = self.progress.and_then(|(_, since)| since.checked_add(STALLED_TIMEOUT));
        let end = self.end.filter(|_| !self.is_late);
        let times = [end, self.give_up_at, stalled, target.wake_at(), bottom::refresh_at()];
        let next = times.into_iter().flatten().min().map(|next| next.saturating_duration_since(now));
        next.into_iter().chain(Interrupt::CHECK_INTERVAL).min().unwrap_or(Duration::MAX)
    }

    /// Returns a line of standard input that was not handled before the end.
    fn next_line_at_end(&mut self) -> Option<InputEvent> {
        let held = self.held.take().map(InputEvent::Line);
        held.or_else(|| self.input.as_ref()?.lines.try_recv().ok())
    }

    /// Handles lines of standard input, until one has to wait.
    fn handle_lines(&mut self, target: &mut impl Controlled, waker: &Waker) -> Result<(), Failure> {
        self.has_more_lines = false;
        for _ in 0..MAX_LINES_PER_STEP {
            if self.is_leaving || target.is_over() || !target.takes_lines() {
                return Ok(());
            }
            let input = self.input.get_or_insert_with(|| Input::open(waker.clone()));
            let event = self.held.take().map(InputEvent::Line).or_else(|| input.lines.try_recv().ok());
            match event {
                Some(InputEvent::Line(line)) => match handle_line(target, &line)? {
                    LineOutcome::Done => {}
                    LineOutcome::Leave => self.is_leaving = true,
                    LineOutcome::Held => {
                        self.held = Some(line);
                        return Ok(());
                    }
                },
                Some(InputEvent::Rejected { start, error }) => target.reject(&start, error)?,
                Some(InputEvent::Leave) => self.is_leaving = true,
                Some(InputEvent::End) => target.input_ended(),
                None => return Ok(()),
            }
        }
        self.has_more_lines = true;
        Ok(())
    }

    /// Disconnects once the messages of the user have arrived, or will not arrive in time.
    fn leave(&mut self, target: &mut impl Controlled) {
        let (unsent, now) = (target.unsent(), Instant::now());
        if self.progress.is_none() && unsent > 1 && self.give_up_at.is_none() {
            note(format_args!("leaving after {unsent} lines or messages are sent; Ctrl-C leaves now"));
        }
        let (_, since) = *self.progress.take_if(|(before, _)| unsent >= *before).get_or_insert((unsent, now));
        self.progress = Some((unsent, since));
        let is_given_up =
            self.give_up_at.is_some_and(|at| now >= at) || now.duration_since(since) >= STALLED_TIMEOUT;
        if unsent > 0 && !is_given_up {
            return;
        }
        let is_complete = !self.is_late && !self.is_interrupted();
        let unread = if is_complete { 0 } else { self.count_unread(unsent > 0) };
        // Restore the terminal before the summary is printed.
        self.input = None;
        let lost = unsent.saturating_add(unread);
        if lost > 0 {
            self.late.get_or_insert_with(|| {
                format!(
                    "{lost} lines or messages were not sent in time: use a longer --duration, or fewer lines"
                )
            });
        }
        target.leave();
    }

    /// Returns the number of lines of standard input that were not handled. `are_probable` is true if others were not sent.
    fn count_unread(&mut self, are_probable: bool) -> usize {
        let mut count = usize::from(self.held.take().is_some());
        let is_interrupted = self.is_interrupted();
        let Some(input) = &self.input else { return count };
        let begin = Instant::now();
        while begin.elapsed() < COUNT_TIMEOUT {
            let is_patient = !is_interrupted && (are_probable || count > 0);
            let timeout = if is_patient { PROBABLE_LINE_TIMEOUT } else { NEXT_LINE_TIMEOUT };
            match input.lines.recv_timeout(timeout) {
                Ok(InputEvent::Line(line)) => {
                    count = count.saturating_add(usize::from(!line.trim().is_empty()));
                }
                Ok(InputEvent::Rejected { .. }) => count = count.saturating_add(1),
                Ok(InputEvent::Leave | InputEvent::End) | Err(_) => break,
            }
        }
        count
    }
}

/// The outcome of a line of standard input.
enum LineOutcome {
    Done,
    Leave,
    Held,
}

/// Executes a line of standard input. If the line has an error, prints the error and continues.
fn handle_line<S: Controlled>(target: &mut S, line: &str) -> Result<LineOutcome, Failure> {
    let command = match line.trim() {
        "" => return Ok(LineOutcome::Done),
        "/quit" => return Ok(LineOutcome::Leave),
        text => target.parse(line, text.starts_with('{') && target.output().is_json()),
    };
    match command.map_err(CommandError::Rejected).and_then(|command| target.execute(command)) {
        Ok(()) => {}
        Err(CommandError::Fatal(failure)) => return Err(failure),
        Err(CommandError::Rejected(error)) => target.reject(line, error)?,
        Err(CommandError::Full) => return Ok(LineOutcome::Held),
        Err(CommandError::Leave) => return Ok(LineOutcome::Leave),
    }
    Ok(LineOutcome::Done)
}

/// Executes a command from the page, and sends the outcome back to the page.
fn handle_page_command<S: Controlled>(target: &mut S, command: PageCommand) -> Result<(), Failure> {
    let parsed = target.parse(&command.line, false).map_err(CommandError::Rejected);
    let outcome = match parsed.and_then(|parsed| target.execute(parsed)) {
        Ok(()) => Ok(()),
        Err(CommandError::Fatal(failure)) => return Err(failure),
        Err(CommandError::Rejected(error)) => Err(error),
        Err(CommandError::Full) => Err("the send queue is full; send the command again later".into()),
        Err(CommandError::Leave) => {
            target.leave();
            Ok(())
        }
    };
    // The user who sent the command may have disconnected.
    let _ = command.answer.try_send(outcome);
    Ok(())
}
