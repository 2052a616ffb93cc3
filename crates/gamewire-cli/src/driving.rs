//! The drivers of the main loops.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Wake, Waker};
use std::time::Duration;

use gamewire_machine::Machine;
use gamewire_net::OpenError;
use gamewire_net::blocking::Driver;

use crate::exit_status::Failure;
use crate::url::HostPort;

/// A waker that can be given another driver.
#[derive(Clone, Debug, Default)]
pub(crate) struct SharedWaker(Arc<WakerSlot>);

#[derive(Debug, Default)]
struct WakerSlot(Mutex<Option<Waker>>);

impl SharedWaker {
    /// Wakes this waker from now on.
    pub(crate) fn set(&self, waker: Waker) {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(waker);
    }

    pub(crate) fn waker(&self) -> Waker {
        Waker::from(Arc::clone(&self.0))
    }
}

impl Wake for WakerSlot {
    fn wake(self: Arc<Self>) {
        if let Some(waker) = &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            waker.wake_by_ref();
        }
    }
}

/// Waits at most `wait` for the sockets of a driver, a timer or its waker. Returns the next event. It also returns
/// `None` if the state of the machine changed without an event, such as the number of unacknowledged messages.
pub(crate) fn next_event<M: Machine>(driver: &mut Driver<M>, wait: Duration) -> io::Result<Option<M::Event>> {
    driver.wait(wait)?;
    driver.next_event(Duration::ZERO)
}

/// Opens a server at the first address of `bind` that can be opened.
pub(crate) fn open_server<D>(
    bind: &HostPort,
    open: impl Fn(SocketAddr) -> Result<D, OpenError>,
) -> Result<D, Failure> {
    let mut failure = None;
    // Not every system has IPv6, or all addresses of a name. If no address works, report the first error.
    for local in bind.resolve()? {
        match open(local) {
            Ok(driver) => return Ok(driver),
            Err(error) => _ = failure.get_or_insert_with(|| error.to_string()),
        }
    }
    Err(Failure::Failed(failure.unwrap_or_default()))
}
