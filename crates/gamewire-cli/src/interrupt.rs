//! The wish that the command ends, as a flag that is looked at between two steps of work.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::end::Failure;

/// What means it: Ctrl-C, and what a system or a supervisor sends. Not SIGHUP: under `nohup` it goes on.
const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

/// Whether the command is to end. The second signal ends it at once.
#[derive(Clone, Debug)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Begins to listen for it; once in a command.
    pub(crate) fn listen() -> Result<Self, Failure> {
        let wanted = Arc::new(AtomicBool::new(false));
        SIGNALS
            .iter()
            .try_for_each(|signal| register(&wanted, *signal))
            .map_err(|error| Failure::Failed(format!("cannot listen for Ctrl-C: {error}")))?;
        Ok(Self(wanted))
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A signal ends the command where the flag is up, else it raises it: signals do things in the order
/// in which they are told.
fn register(wanted: &Arc<AtomicBool>, signal: i32) -> io::Result<()> {
    flag::register_conditional_shutdown(signal, 1, Arc::clone(wanted))?;
    flag::register(signal, Arc::clone(wanted))?;
    Ok(())
}
