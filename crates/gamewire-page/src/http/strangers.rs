//! Connections without an accepted request. They are the first to be closed.

use std::collections::VecDeque;
use std::future::Future;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gamewire_machine::limited_network;
use tokio::sync::oneshot;
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
        // The task must not end before it has its entry. Nothing is spawned under the lock: a runtime that shuts down drops
        // the task at once, and its `Stranger` takes the lock.
        let (start, started) = oneshot::channel();
        let task = task(stranger);
        let task = tokio::spawn(async move {
            if started.await.is_ok() {
                task.await;
            }
        });
        let entry = Entry { network, id, task: task.abort_handle() };
        if let Some(oldest) = self.insert(entry) {
            oldest.task.abort();
        }
        // It fails if the task was dropped.
        let _ = start.send(());
    }

    /// Inserts an entry. Returns the oldest one of its address if there are too many.
    fn insert(&self, entry: Entry) -> Option<Entry> {
        let mut table = self.lock();
        let is_known = |known: &Entry| known.network == entry.network;
        let is_full = table.iter().filter(|known| is_known(known)).count() >= self.max_per_address;
        let oldest = table.iter().position(is_known).filter(|_| is_full && !entry.network.is_loopback());
        let oldest = oldest.and_then(|oldest| table.remove(oldest));
        table.push_back(entry);
        oldest
    }

    /// Closes the oldest connection.
    pub(super) fn close_oldest(&self) {
        let oldest = self.lock().pop_front();
        if let Some(oldest) = oldest {
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

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    /// Maximum time until the test fails.
    const LIMIT: Duration = Duration::from_secs(60);

    #[test]
    fn a_connection_that_arrives_while_the_runtime_ends_is_dropped() {
        let (done, ended) = mpsc::channel();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
            let handle = runtime.handle().clone();
            drop(runtime);
            let _context = handle.enter();
            let strangers = Strangers::new(1);
            strangers.admit([192, 0, 2, 1].into(), |stranger| async move { drop(stranger) });
            done.send(()).unwrap();
        });
        ended.recv_timeout(LIMIT).expect("admitting a connection blocks");
    }
}
