//! A request to stop, as a flag that is checked between two steps of work.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(unix)]
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};

use crate::exit_status::Failure;

/// SIGINT for Ctrl-C, and SIGTERM from the system or a supervisor. SIGHUP is left out because of `nohup`.
const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

/// Time in which further signals count as the same request. A supervisor may signal both a process and its group.
#[cfg(unix)]
const AT_ONCE: Duration = Duration::from_millis(300);

/// True once the command should stop. A second signal ends it immediately.
#[derive(Clone, Debug)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Starts to listen for signals. Call it once per command.
    pub(crate) fn listen() -> Result<Self, Failure> {
        let wanted = Arc::new(AtomicBool::new(false));
        register(&wanted).map_err(|error| Failure::Failed(format!("cannot listen for Ctrl-C: {error}")))?;
        Ok(Self(wanted))
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Starts a thread that sets the flag at the first signal, and ends the command at the second one.
#[cfg(unix)]
fn register(wanted: &Arc<AtomicBool>) -> io::Result<()> {
    let mut signals = signal_hook::iterator::Signals::new(SIGNALS)?;
    let wanted = Arc::clone(wanted);
    std::thread::spawn(move || {
        let mut first: Option<Instant> = None;
        for _ in &mut signals {
            wanted.store(true, Ordering::Relaxed);
            if first.get_or_insert_with(Instant::now).elapsed() > AT_ONCE {
                crate::prompt::restore_terminal();
                std::process::exit(1);
            }
        }
    });
    Ok(())
}

/// Registers two actions for each signal, which run in this order: one ends the command if the flag is set, the other
/// sets the flag.
#[cfg(not(unix))]
fn register(wanted: &Arc<AtomicBool>) -> io::Result<()> {
    for signal in SIGNALS {
        signal_hook::flag::register_conditional_shutdown(signal, 1, Arc::clone(wanted))?;
        signal_hook::flag::register(signal, Arc::clone(wanted))?;
    }
    Ok(())
}
