use core::time::Duration;
use std::io;
use std::time::Instant as Monotonic;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use crate::blocking::sockets::{Listener, Socket};
use crate::connections::Connections;
use crate::limits::{MAX_WAIT, POLL_INTERVAL};

/// A stream can be read, or has failed.
const READABLE: PollFlags = PollFlags::IN.union(FAILED);
/// A stream can be written to, or has failed.
const WRITABLE: PollFlags = PollFlags::OUT.union(FAILED);
const FAILED: PollFlags = PollFlags::ERR.union(PollFlags::HUP).union(PollFlags::NVAL);

/// Waits until one of `sockets` is ready, for at most `most`; `None` waits without a limit.
fn wait(sockets: &mut [PollFd<'_>], most: Option<Duration>) -> io::Result<()> {
    // Not every system can wait for nothing.
    if let (true, Some(most)) = (sockets.is_empty(), most) {
        std::thread::sleep(most.min(MAX_WAIT));
        return Ok(());
    }
    let most = most.and_then(|most| Timespec::try_from(most.min(MAX_WAIT)).ok());
    match poll(sockets, most.as_ref()) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Waits for the sockets of a host, with memory of its own so that no wait allocates.
#[derive(Default)]
pub(super) struct Poller {
    /// Empty between two waits.
    sockets: Vec<PollFd<'static>>,
    /// The streams that are ready, by index.
    ready: Vec<(usize, PollFlags)>,
    /// When it last looked at streams.
    last_refresh: Option<Monotonic>,
}

impl Poller {
    /// Marks what there is to do with streams, if it has not for long.
    pub(super) fn refresh(&mut self, connections: Option<&mut Connections<Listener>>) -> io::Result<()> {
        if connections.is_none() || self.last_refresh.is_some_and(|at| at.elapsed() < POLL_INTERVAL) {
            return Ok(());
        }
        self.wait(None, connections, Some(Duration::ZERO))
    }

    /// Waits until there is something to do, for at most `most`, and marks what it is.
    pub(super) fn wait(
        &mut self,
        socket: Option<&Socket>,
        connections: Option<&mut Connections<Listener>>,
        most: Option<Duration>,
    ) -> io::Result<()> {
        let mut sockets: Vec<PollFd<'_>> = core::mem::take(&mut self.sockets);
        sockets.extend(socket.map(|socket| PollFd::new(&socket.socket, PollFlags::IN)));
        let datagrams = sockets.len();
        let Some(connections) = connections else {
            let result = wait(&mut sockets, most);
            self.sockets = recycle(sockets);
            return result;
        };
        let listener = connections.listener.as_ref().filter(|_| connections.wants_accept());
        sockets.extend(listener.map(|listener| PollFd::new(&listener.0, PollFlags::IN)));
        let others = sockets.len();
        sockets.extend(connections.slots().iter().map(|line| {
            let read = if line.wants_read() { PollFlags::IN } else { PollFlags::empty() };
            let write = if line.pipe.is_blocked { PollFlags::OUT } else { PollFlags::empty() };
            PollFd::new(&line.pipe.connection.0, read | write)
        }));
        let result = wait(&mut sockets, most);
        let can_accept = sockets.get(datagrams..others).unwrap_or_default().iter().any(is_ready);
        let lines = sockets.iter().skip(others).map(PollFd::revents).enumerate();
        self.last_refresh = Some(Monotonic::now());
        self.ready.extend(lines.filter(|(_, events)| !events.is_empty()));
        self.sockets = recycle(sockets);
        if can_accept {
            connections.mark_listener();
        }
        for (place, events) in self.ready.drain(..) {
            connections.set_readiness(place, events.intersects(READABLE), events.intersects(WRITABLE));
        }
        result
    }
}

fn is_ready(socket: &PollFd<'_>) -> bool {
    !socket.revents().is_empty()
}

/// The memory of a list, with nothing in it: a list that is collected in place keeps its memory.
fn recycle(sockets: Vec<PollFd<'_>>) -> Vec<PollFd<'static>> {
    sockets.into_iter().map_while(|_| None).collect()
}
