//! Connections without an accepted request. They are the first to be closed.

use std::collections::VecDeque;
use std::future::Future;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gamewire_machine::limited_network;
use tokio::task::AbortHandle;

/// The connections without an accepted request, oldest first.
#[derive(Clone, Debug)]
pub(super) struct Strangers {
    table: Arc<Mutex<VecDeque<Entry>>>,
    max_per_address: usize,
}

#[derive(Debug)]
struct Entry {
    network: IpAddr,
    id: Arc<()>,
    task: AbortHandle,
}

/// A connection in [`Strangers`], until it is dropped or a request is accepted.
#[derive(Clone, Debug)]
pub(super) struct Stranger(Arc<Membership>);

#[derive(Debug)]
struct Membership {
    strangers: Strangers,
    id: Arc<()>,
}

impl Strangers {
    pub(super) fn new(max_per_address: usize) -> Self {
        Self { table: Arc::default(), max_per_address }
    }

    /// Spawns the task of a connection. If there are too many from its address, closes the oldest of them.
    pub(super) fn admit<F>(&self, from: IpAddr, task: impl FnOnce(Stranger) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (network, id) = (limited_network(from), Arc::new(()));
        let stranger = Stranger(Arc::new(Membership { strangers: self.clone(), id: Arc::clone(&id) }));
        // Hold the lock while spawning, because the task may end immediately and must find its entry.
        let mut table = self.lock();
        let of_address = table.iter().filter(|known| known.network == network).count();
        if of_address >= self.max_per_address
            && !network.is_loopback()
            && let Some(oldest) = table.iter().position(|known| known.network == network)
            && let Some(oldest) = table.remove(oldest)
        {
            oldest.task.abort();
        }
        let task = tokio::spawn(task(stranger)).abort_handle();
        table.push_back(Entry { network, id, task });
    }

    /// Closes the oldest connection.
    pub(super) fn close_oldest(&self) {
        if let Some(oldest) = self.lock().pop_front() {
            oldest.task.abort();
        }
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Entry>> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stranger {
    /// Keeps the connection open: one of its requests was accepted.
    pub(super) fn accept(&self) {
        self.0.remove();
    }
}

impl Membership {
    fn remove(&self) {
        self.strangers.lock().retain(|known| !Arc::ptr_eq(&known.id, &self.id));
    }
}

impl Drop for Membership {
    fn drop(&mut self) {
        self.remove();
    }
}
