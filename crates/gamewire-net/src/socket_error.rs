use std::io::{Error, ErrorKind};

use crate::Errors;
use crate::log::log;
use crate::stats::increment;

/// The meaning of a socket's error for the current datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SocketError {
    /// There is nothing to read, or no space to write.
    NotReady,
    /// The system is out of buffers. Try again later.
    Full,
    /// A host refused an earlier datagram. The current one was not sent.
    Refused,
    TooLong,
    Unreachable,
    Forbidden,
    Interrupted,
    Other,
}

impl SocketError {
    pub(crate) fn of(error: &Error) -> Self {
        // The standard library has no kind for `NOBUFS`.
        if rustix::io::Errno::from_io_error(error) == Some(rustix::io::Errno::NOBUFS) {
            return Self::Full;
        }
        if quinn_udp::is_msg_size_err(error) {
            return Self::TooLong;
        }
        match error.kind() {
            ErrorKind::WouldBlock => Self::NotReady,
            ErrorKind::OutOfMemory => Self::Full,
            ErrorKind::ConnectionRefused | ErrorKind::ConnectionReset => Self::Refused,
            ErrorKind::NetworkUnreachable
            | ErrorKind::HostUnreachable
            | ErrorKind::NetworkDown
            | ErrorKind::AddrNotAvailable => Self::Unreachable,
            ErrorKind::PermissionDenied => Self::Forbidden,
            ErrorKind::Interrupted => Self::Interrupted,
            _ => Self::Other,
        }
    }

    /// Returns whether the current datagram stays queued until there is space.
    pub(crate) const fn is_retryable(self) -> bool {
        matches!(self, Self::NotReady | Self::Full)
    }

    /// Returns whether the error belongs to an earlier datagram, so that the current one can be sent immediately.
    pub(crate) const fn is_unrelated(self) -> bool {
        matches!(self, Self::Refused | Self::Interrupted)
    }
}

impl Errors {
    pub(crate) fn count(&mut self, failure: SocketError) {
        if !failure.is_retryable() {
            log!(debug, "the UDP socket failed: {failure:?}");
        }
        increment(match failure {
            SocketError::NotReady | SocketError::Full => &mut self.full,
            SocketError::Refused => &mut self.refused,
            SocketError::TooLong => &mut self.too_long,
            SocketError::Unreachable => &mut self.unreachable,
            SocketError::Forbidden => &mut self.forbidden,
            SocketError::Interrupted => &mut self.interrupted,
            SocketError::Other => &mut self.other,
        });
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use rustix::io::Errno;

    use super::*;

    #[test]
    fn g8_the_systems_errors_are_distinguished() {
        let kinds = [
            (Errno::AGAIN, SocketError::NotReady),
            (Errno::NOBUFS, SocketError::Full),
            (Errno::NOMEM, SocketError::Full),
            (Errno::CONNREFUSED, SocketError::Refused),
            (Errno::CONNRESET, SocketError::Refused),
            (Errno::MSGSIZE, SocketError::TooLong),
            (Errno::NETUNREACH, SocketError::Unreachable),
            (Errno::HOSTUNREACH, SocketError::Unreachable),
            (Errno::NETDOWN, SocketError::Unreachable),
            (Errno::PERM, SocketError::Forbidden),
            (Errno::ACCESS, SocketError::Forbidden),
            (Errno::INTR, SocketError::Interrupted),
            (Errno::IO, SocketError::Other),
        ];
        for (errno, failure) in kinds {
            assert_eq!(SocketError::of(&errno.into()), failure, "{errno:?}");
        }
    }
}
