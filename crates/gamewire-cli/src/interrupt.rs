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

/// True once the command should stop. A second signal ends it immediately.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupt {
    is_set: Arc<AtomicBool>,
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
        Self::start(None)
    }

    /// Starts to listen for signals. SIGHUP does not stop the command, but sets the `Hangup`.
    pub(crate) fn listen_with_hangup() -> Result<(Self, Hangup), Failure> {
        let hangup = Hangup::default();
        Ok((Self::start(Some(&hangup))?, hangup))
    }

    fn start(hangup: Option<&Hangup>) -> Result<Self, Failure> {
        let interrupt = Self::default();
        register(&interrupt, hangup)
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

    #[cfg(unix)]
    fn wake(&self) {
        if let Some(waker) = &*self.waker.lock().unwrap_or_else(PoisonError::into_inner) {
            waker.wake_by_ref();
        }
    }
}

/// Starts a thread that sets the flag at the first signal, and ends the command at the second one.
#[cfg(unix)]
fn register(interrupt: &Interrupt, hangup: Option<&Hangup>) -> io::Result<()> {
    let mut signals = signal_hook::iterator::Signals::new(SIGNALS)?;
    if hangup.is_some() || !is_hangup_ignored() {
        signals.add_signal(SIGHUP)?;
    }
    let (interrupt, hangup) = (interrupt.clone(), hangup.map(|hangup| Arc::clone(&hangup.0)));
    std::thread::spawn(move || {
        let mut first: Option<Instant> = None;
        for signal in &mut signals {
            if let (SIGHUP, Some(hangup)) = (signal, &hangup) {
                hangup.store(true, Ordering::Relaxed);
                interrupt.wake();
                continue;
            }
            interrupt.is_set.store(true, Ordering::Relaxed);
            interrupt.wake();
            if first.get_or_insert_with(Instant::now).elapsed() > AT_ONCE {
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
fn register(interrupt: &Interrupt, _: Option<&Hangup>) -> io::Result<()> {
    for signal in SIGNALS {
        signal_hook::flag::register_conditional_shutdown(signal, 1, Arc::clone(&interrupt.is_set))?;
        signal_hook::flag::register(signal, Arc::clone(&interrupt.is_set))?;
    }
    Ok(())
}
