use core::time::Duration;
use std::io;
use std::time::Instant as Monotonic;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::buffered_stream::{BufferedStream, ReadOutcome, WriteOutcome};
use crate::limits::STREAM_READ_BYTES;
use crate::socket::StdStream;
use crate::socket::StreamSocket;

/// Writes the unsent bytes of streams whose driver was dropped, for at most `most`, and closes them.
pub(crate) fn drain_on_drop(mut pipes: Vec<BufferedStream<StdStream>>, most: Duration) {
    let deadline = Monotonic::now().checked_add(most);
    loop {
        pipes.retain_mut(|pipe| match pipe.write(|_| {}) {
            WriteOutcome::Blocked => true,
            WriteOutcome::All => {
                close(pipe);
                false
            }
            WriteOutcome::Failure => false,
        });
        let left =
            deadline.map_or(Duration::ZERO, |deadline| deadline.saturating_duration_since(Monotonic::now()));
        if pipes.is_empty() || left.is_zero() || wait(&pipes, left).is_err() {
            return;
        }
        for pipe in &mut pipes {
            pipe.is_blocked = false;
        }
    }
}

/// Closes a stream. Unread bytes would make the system reset it, and a reset can overtake the last bytes, so they are read
/// first.
fn close(pipe: &mut BufferedStream<StdStream>) {
    pipe.connection.finish();
    let mut nowhere = [0; 4 << 10];
    let mut read = 0_usize;
    while let ReadOutcome::Bytes(count) = pipe.read(&mut nowhere) {
        read = read.saturating_add(count);
        if read > STREAM_READ_BYTES {
            return;
        }
    }
}

fn wait(pipes: &[BufferedStream<StdStream>], most: Duration) -> io::Result<()> {
    let mut sockets: Vec<_> =
        pipes.iter().map(|pipe| PollFd::new(&pipe.connection.0, PollFlags::OUT)).collect();
    let most = Timespec::try_from(most).ok();
    poll(&mut sockets, most.as_ref())?;
    Ok(())
}
