//! A request to stop, as a flag that is checked between two steps of work.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Waker;
use std::time::Duration;
#[cfg(unix)]
use std::time::Instant;

#[cfg(unix)]
use signal_hook::consts::SIGHUP;
use signal_hook::consts::{SIGINT, SIGTERM};

use crate::exit_status::Failure;

/// SIGINT for Ctrl-C, and SIGTERM from the system or a supervisor.
const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

/// Time in which further signals count as the same request. A supervisor may signal both a process and its group.
#[cfg(unix)]
const AT_ONCE: Duration = Duration::from_millis(300);

/// Number of requests to stop; the next one ends the command immediately.
#[derive(Clone, Copy, Debug)]
enum MaxRequests {
    One = 1,
    /// The second request ends a drain.
    Two = 2,
}

/// True once the command should stop. A further signal ends it immediately.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupt {
    is_set: Arc<AtomicBool>,
    is_repeated: Arc<AtomicBool>,
    waker: Arc<Mutex<Option<Waker>>>,
}

/// True after a SIGHUP.
#[derive(Debug, Default)]
pub(crate) struct Hangup(Arc<AtomicBool>);

impl Hangup {
    /// Returns whether a SIGHUP has arrived since the last call.
    pub(crate) fn take(&self) -> bool {
        self.0.swap(false, Ordering::Relaxed)
    }
}

impl Interrupt {
    /// Maximum time to wait before checking for a signal. `None` where a signal uses the waker.
    pub(crate) const CHECK_INTERVAL: Option<Duration> =
        if cfg!(unix) { None } else { Some(Duration::from_millis(100)) };

    /// Starts to listen for signals. SIGHUP stops the command, too, except under `nohup`. Call it once per command.
    pub(crate) fn listen() -> Result<Self, Failure> {
        Self::start(None, MaxRequests::One)
    }

    /// Starts to listen for signals. SIGHUP does not stop the command, but sets the `Hangup`.
    pub(crate) fn listen_with_hangup() -> Result<(Self, Hangup), Failure> {
        let hangup = Hangup::default();
        Ok((Self::start(Some(&hangup), MaxRequests::One)?, hangup))
    }

    /// Starts to listen for signals, for a command that drains after the first one. A second signal sets
    /// [`is_repeated`](Self::is_repeated), and a third one ends the command; on Windows, the second one does.
    pub(crate) fn listen_with_drain() -> Result<Self, Failure> {
        Self::start(None, MaxRequests::Two)
    }

    fn start(hangup: Option<&Hangup>, max_requests: MaxRequests) -> Result<Self, Failure> {
        let interrupt = Self::default();
        register(&interrupt, hangup, max_requests)
            .map_err(|error| Failure::Failed(format!("cannot listen for Ctrl-C: {error}")))?;
        Ok(interrupt)
    }

    /// Wakes this waker at every later signal.
    pub(crate) fn set_waker(&self, waker: Waker) {
        *self.waker.lock().unwrap_or_else(PoisonError::into_inner) = Some(waker);
    }

    pub(crate) fn is_set(&self) -> bool {
        self.is_set.load(Ordering::Relaxed)
    }

    /// Returns whether a second signal has arrived.
    pub(crate) fn is_repeated(&self) -> bool {
        self.is_repeated.load(Ordering::Relaxed)
    }

    #[cfg(unix)]
    fn wake(&self) {
        if let Some(waker) = &*self.waker.lock().unwrap_or_else(PoisonError::into_inner) {
            waker.wake_by_ref();
        }
    }
}

/// Counts requests to stop. Signals that arrive soon after the first signal of a request belong to it.
#[cfg(unix)]
#[derive(Debug, Default)]
struct RequestCounter {
    count: u32,
    /// The time of the first signal of the last request.
    last: Option<Instant>,
}

#[cfg(unix)]
impl RequestCounter {
    /// Counts a signal, and returns the number of requests.
    fn add_signal(&mut self, now: Instant) -> u32 {
        if self.last.is_none_or(|last| now.saturating_duration_since(last) > AT_ONCE) {
            self.last = Some(now);
            self.count = self.count.saturating_add(1);
        }
        self.count
    }
}

/// Starts a thread that sets the flags at the first signals, and ends the command at the one after `max_requests`.
#[cfg(unix)]
fn register(interrupt: &Interrupt, hangup: Option<&Hangup>, max_requests: MaxRequests) -> io::Result<()> {
    let mut signals = signal_hook::iterator::Signals::new(SIGNALS)?;
    if hangup.is_some() || !is_hangup_ignored() {
        signals.add_signal(SIGHUP)?;
    }
    let (interrupt, hangup) = (interrupt.clone(), hangup.map(|hangup| Arc::clone(&hangup.0)));
    std::thread::spawn(move || {
        let mut requests = RequestCounter::default();
        for signal in &mut signals {
            if let (SIGHUP, Some(hangup)) = (signal, &hangup) {
                hangup.store(true, Ordering::Relaxed);
                interrupt.wake();
                continue;
            }
            let count = requests.add_signal(Instant::now());
            interrupt.is_set.store(true, Ordering::Relaxed);
            interrupt.is_repeated.store(count > 1, Ordering::Relaxed);
            interrupt.wake();
            if count > max_requests as u32 {
                crate::prompt::restore_terminal();
                std::process::exit(1);
            }
        }
    });
    Ok(())
}

/// Returns whether the command was started with SIGHUP ignored, as `nohup` does. Where the system does not show it,
/// SIGHUP is left as it is.
#[cfg(unix)]
fn is_hangup_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_none_or(|mask| mask & 1 != 0)
}

/// Registers two actions for each signal, which run in this order: one ends the command if the flag is set, the other
/// sets the flag.
#[cfg(not(unix))]
fn register(interrupt: &Interrupt, _: Option<&Hangup>, _: MaxRequests) -> io::Result<()> {
    for signal in SIGNALS {
        signal_hook::flag::register_conditional_shutdown(signal, 1, Arc::clone(&interrupt.is_set))?;
        signal_hook::flag::register(signal, Arc::clone(&interrupt.is_set))?;
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn signals_at_the_same_time_are_one_request() {
        let (began, mut requests) = (Instant::now(), RequestCounter::default());
        let counts = [0, 1, 299, 301, 302, 601, 602, 5000]
            .map(|millis| requests.add_signal(began + Duration::from_millis(millis)));
        assert_eq!(counts, [1, 1, 1, 2, 2, 2, 3, 4]);
    }
}
