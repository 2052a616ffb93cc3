//! A request to stop, as a flag that is checked between two steps of work.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::exit_status::Failure;
use crate::prompt;

/// The signals: Ctrl-C, and those of a system or supervisor. SIGHUP is not one of them, because of `nohup`.
const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

/// True once the command should stop. A second signal ends it immediately.
#[derive(Clone, Debug)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Starts to listen for signals; called once per command.
    pub(crate) fn listen() -> Result<Self, Failure> {
        let mut signals = Signals::new(SIGNALS)
            .map_err(|error| Failure::Failed(format!("cannot listen for Ctrl-C: {error}")))?;
        let wanted = Arc::new(AtomicBool::new(false));
        let interrupt = Self(Arc::clone(&wanted));
        thread::spawn(move || {
            for _ in &mut signals {
                if wanted.swap(true, Ordering::Relaxed) {
                    prompt::restore_terminal();
                    process::exit(1);
                }
            }
        });
        Ok(interrupt)
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
