//! A driver that any thread of Python may use at any time.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::time::Duration;

use gamewire::machine::Machine;
use gamewire::net::blocking::Driver;
use pyo3::prelude::*;
use pyo3::sync::MutexExt as _;

use crate::error::io_error;
use crate::log;
use crate::waiting::Deadline;

/// A driver with a lock. A thread that waits for an event releases the lock for other threads.
pub(crate) struct Shared<M: Machine> {
    /// Threads queue here for the driver. Without it, a thread that waits for events could take the driver again before
    /// the queued thread.
    turn: Mutex<()>,
    driver: Mutex<Driver<M>>,
    waker: Waker,
    is_waiting: AtomicBool,
}

impl<M: Machine<Event: Send> + Send> Shared<M>
where
    Driver<M>: Send,
{
    /// Shares a driver.
    ///
    /// # Errors
    /// `OSError` if the system has no socket left for the waker.
    pub(crate) fn new(mut driver: Driver<M>) -> PyResult<Self> {
        let waker = driver.waker().map_err(|error| io_error(&error))?;
        Ok(Self {
            turn: Mutex::new(()),
            driver: Mutex::new(driver),
            waker,
            is_waiting: AtomicBool::new(false),
        })
    }

    /// Calls `use_it` with the driver. A waiting thread then processes the commands that the call has queued.
    pub(crate) fn with<R>(&self, py: Python<'_>, use_it: impl FnOnce(&mut Driver<M>) -> R) -> R {
        let turn = lock_attached(py, &self.turn);
        if self.is_waiting.load(Ordering::SeqCst) {
            self.waker.wake_by_ref();
        }
        let mut driver = lock_attached(py, &self.driver);
        drop(turn);
        use_it(&mut driver)
    }

    /// Returns the next event, or `None` after the deadline.
    ///
    /// # Errors
    /// `ClosedError` after the last event, `OSError` if the socket failed, or the exception of a signal's handler.
    pub(crate) fn next_event(&self, py: Python<'_>, deadline: Deadline) -> PyResult<Option<M::Event>> {
        loop {
            let event = py.detach(|| self.wait(deadline));
            log::deliver(py)?;
            if let Some(event) = event.map_err(|error| io_error(&error))? {
                return Ok(Some(event));
            }
            py.check_signals()?;
            if deadline.has_passed() {
                return Ok(None);
            }
        }
    }

    /// Receives and sends without waiting, and returns the events in order.
    ///
    /// # Errors
    /// `OSError` if the socket failed.
    pub(crate) fn update(&self, py: Python<'_>) -> PyResult<Vec<M::Event>> {
        let events = py.detach(|| {
            let mut driver = self.lock();
            let events = driver.update()?.collect();
            // The machine may have answered what it received.
            driver.wait(Duration::ZERO)?;
            Ok(events)
        });
        log::deliver(py)?;
        events.map_err(|error: io::Error| io_error(&error))
    }

    /// Sends what is queued, without waiting.
    ///
    /// # Errors
    /// `OSError` if the system cannot wait for the socket.
    pub(crate) fn flush(&self, py: Python<'_>) -> PyResult<()> {
        let sent = self.with(py, |driver| driver.wait(Duration::ZERO));
        log::deliver(py)?;
        sent.map_err(|error| io_error(&error))
    }

    fn lock(&self) -> MutexGuard<'_, Driver<M>> {
        let turn = lock(&self.turn);
        if self.is_waiting.load(Ordering::SeqCst) {
            self.waker.wake_by_ref();
        }
        let driver = lock(&self.driver);
        drop(turn);
        driver
    }

    fn wait(&self, deadline: Deadline) -> io::Result<Option<M::Event>> {
        let turn = lock(&self.turn);
        let mut driver = lock(&self.driver);
        self.is_waiting.store(true, Ordering::SeqCst);
        drop(turn);
        let event = driver.next_event(deadline.slice());
        self.is_waiting.store(false, Ordering::SeqCst);
        event
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Locks a mutex. Other threads of Python run while this one waits for it.
fn lock_attached<'a, T>(py: Python<'_>, mutex: &'a Mutex<T>) -> MutexGuard<'a, T> {
    mutex.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
}
