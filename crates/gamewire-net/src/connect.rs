use core::time::Duration;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::time::Instant as Monotonic;

use crate::OpenError;
use crate::limits::UNREACHABLE_RETRY;
use crate::socket_error::SocketError;

/// The attempts to open a TCP stream to one of several addresses of a server, each in turn. While no route leads to any of
/// them, the attempts are repeated until the timeout.
pub(crate) struct ConnectAttempts<'a> {
    servers: &'a [SocketAddr],
    next: usize,
    deadline: Option<Monotonic>,
    failure: Option<OpenError>,
    /// True if all attempts of this round failed for lack of a route.
    is_unreachable: bool,
}

/// The next step of [`ConnectAttempts`].
pub(crate) enum ConnectStep {
    /// Connect to this address, within this time.
    Connect(SocketAddr, Duration),
    Wait(Duration),
    Fail(OpenError),
}

impl<'a> ConnectAttempts<'a> {
    pub(crate) fn new(servers: &'a [SocketAddr], timeout: Duration) -> Self {
        let deadline = Monotonic::now().checked_add(timeout);
        Self { servers, next: 0, deadline, failure: None, is_unreachable: true }
    }

    pub(crate) fn step(&mut self) -> ConnectStep {
        let left = self.deadline.map_or(Duration::MAX, |at| at.saturating_duration_since(Monotonic::now()));
        let Some(to) = self.servers.get(self.next) else {
            if self.is_unreachable && !self.servers.is_empty() && left > UNREACHABLE_RETRY {
                self.next = 0;
                return ConnectStep::Wait(UNREACHABLE_RETRY);
            }
            let none = || OpenError::SetUp { source: io::Error::new(ErrorKind::NotFound, "no address") };
            return ConnectStep::Fail(self.failure.take().unwrap_or_else(none));
        };
        let remaining = self.servers.len().saturating_sub(self.next);
        let share = left.checked_div(remaining.try_into().unwrap_or(u32::MAX)).unwrap_or(left);
        self.next = self.next.saturating_add(1);
        // The standard library rejects a timeout of zero.
        ConnectStep::Connect(*to, share.max(Duration::from_nanos(1)))
    }

    /// Records the failure of the last attempt.
    pub(crate) fn failed(&mut self, to: SocketAddr, source: io::Error) {
        self.is_unreachable &= SocketError::of(&source) == SocketError::Unreachable;
        self.failure = Some(OpenError::Connect { to, source });
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests {
    use super::*;

    fn steps(servers: &[SocketAddr], timeout: Duration, kind: ErrorKind) -> (usize, usize, OpenError) {
        let mut attempts = ConnectAttempts::new(servers, timeout);
        let (mut connects, mut waits) = (0, 0);
        loop {
            match attempts.step() {
                ConnectStep::Connect(to, _) => {
                    connects += 1;
                    attempts.failed(to, kind.into());
                }
                ConnectStep::Wait(time) => {
                    waits += 1;
                    std::thread::sleep(time);
                }
                ConnectStep::Fail(error) => return (connects, waits, error),
            }
        }
    }

    #[test]
    fn every_address_is_tried_and_only_a_missing_route_is_waited_for() {
        let servers = ["[::1]:9", "127.0.0.1:9"].map(|server| server.parse().unwrap());
        let (connects, waits, error) = steps(&servers, Duration::from_secs(5), ErrorKind::ConnectionRefused);
        assert_eq!((connects, waits), (2, 0), "{error}");
        for kind in [ErrorKind::NetworkUnreachable, ErrorKind::HostUnreachable, ErrorKind::NetworkDown] {
            let (connects, waits, error) = steps(&servers, UNREACHABLE_RETRY * 3, kind);
            assert_eq!((connects, waits), (6, 2), "{error}");
        }
        let (connects, _, error) = steps(&[], Duration::from_secs(5), ErrorKind::NetworkDown);
        assert!(connects == 0 && error.to_string().contains("no address"), "{error}");
    }
}
