use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Wake, Waker};
use std::thread::{self, Thread};

/// The end of the relay's thread. The main thread parks until then.
#[derive(Clone, Debug)]
pub(super) struct RelayEnd(Arc<EndState>);

#[derive(Debug)]
struct EndState {
    is_reached: AtomicBool,
    main: Thread,
}

impl RelayEnd {
    /// Creates the end that the current thread waits for.
    pub(super) fn awaited_here() -> Self {
        Self(Arc::new(EndState { is_reached: AtomicBool::new(false), main: thread::current() }))
    }

    pub(super) fn is_reached(&self) -> bool {
        self.0.is_reached.load(Ordering::Acquire)
    }

    /// Returns a waker that unparks the main thread.
    pub(super) fn waker(&self) -> Waker {
        Waker::from(Arc::clone(&self.0))
    }

    /// Runs the relay on its thread. The end is also reached if it panics.
    pub(super) fn after<T>(self, run: impl FnOnce() -> T) -> T {
        let _reached = Reached(self);
        run()
    }
}

struct Reached(RelayEnd);

impl Drop for Reached {
    fn drop(&mut self) {
        let Self(RelayEnd(state)) = self;
        state.is_reached.store(true, Ordering::Release);
        state.main.unpark();
    }
}

impl Wake for EndState {
    fn wake(self: Arc<Self>) {
        self.main.unpark();
    }
}
