//! Ctrl-C, as a flag that is looked at between two steps of work.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::end::Failure;

/// Whether Ctrl-C was pressed. The second time ends the command at once.
#[derive(Clone, Debug)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Begins to listen for it; once in a command.
    pub(crate) fn listen() -> Result<Self, Failure> {
        let pressed = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&pressed);
        ctrlc::set_handler(move || {
            if flag.swap(true, Ordering::Relaxed) {
                std::process::exit(1);
            }
        })
        .map_err(|error| Failure::Failed(format!("cannot listen for Ctrl-C: {error}")))?;
        Ok(Self(pressed))
    }

    pub(crate) fn is_pressed(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
