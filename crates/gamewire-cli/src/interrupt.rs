//! A request to stop, as a flag that is checked between two steps of work.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::exit_status::Failure;

/// The signals: Ctrl-C, and those of a system or supervisor. SIGHUP is not one of them, because of `nohup`.
const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

/// True once the command should stop. A second signal ends it immediately.
#[derive(Clone, Debug)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Installs the signal handlers; called once per command.
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

/// A signal ends the command if the flag is set, otherwise it sets the flag: the actions of a signal run in
/// the order of their registration.
fn register(wanted: &Arc<AtomicBool>, signal: i32) -> io::Result<()> {
    flag::register_conditional_shutdown(signal, 1, Arc::clone(wanted))?;
    flag::register(signal, Arc::clone(wanted))?;
    Ok(())
}
