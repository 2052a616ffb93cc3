use std::io::{Error, ErrorKind};

use crate::Errors;

/// What an error of a socket means for the datagram at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// Nothing to read, or no room to write: not a failure at all when reading.
    NotReady,
    /// The system is out of buffers; that passes.
    Full,
    /// A host refused an earlier datagram. This one was not touched.
    Refused,
    TooLong,
    Unreachable,
    Forbidden,
    Interrupted,
    Other,
}

impl Failure {
    pub(crate) fn of(error: &Error) -> Self {
        // The standard library has no word for this one.
        let is_out_of_buffers =
            rustix::io::Errno::from_io_error(error).is_some_and(|errno| errno == rustix::io::Errno::NOBUFS);
        if is_out_of_buffers {
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

    /// Whether the datagram at hand stays, to be tried again once there is room.
    pub(crate) const fn passes(self) -> bool {
        matches!(self, Self::NotReady | Self::Full)
    }

    /// Whether it was not about the datagram at hand, which can be tried again at once.
    pub(crate) const fn is_of_another(self) -> bool {
        matches!(self, Self::Refused | Self::Interrupted)
    }
}

impl Errors {
    pub(crate) const fn count(&mut self, failure: Failure) {
        let kind = match failure {
            Failure::NotReady | Failure::Full => &mut self.full,
            Failure::Refused => &mut self.refused,
            Failure::TooLong => &mut self.too_long,
            Failure::Unreachable => &mut self.unreachable,
            Failure::Forbidden => &mut self.forbidden,
            Failure::Interrupted => &mut self.interrupted,
            Failure::Other => &mut self.other,
        };
        *kind = kind.saturating_add(1);
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use rustix::io::Errno;

    use super::*;

    #[test]
    fn g8_the_systems_errors_are_told_apart() {
        let kinds = [
            (Errno::AGAIN, Failure::NotReady),
            (Errno::NOBUFS, Failure::Full),
            (Errno::NOMEM, Failure::Full),
            (Errno::CONNREFUSED, Failure::Refused),
            (Errno::CONNRESET, Failure::Refused),
            (Errno::MSGSIZE, Failure::TooLong),
            (Errno::NETUNREACH, Failure::Unreachable),
            (Errno::HOSTUNREACH, Failure::Unreachable),
            (Errno::NETDOWN, Failure::Unreachable),
            (Errno::PERM, Failure::Forbidden),
            (Errno::ACCESS, Failure::Forbidden),
            (Errno::INTR, Failure::Interrupted),
            (Errno::IO, Failure::Other),
        ];
        for (errno, failure) in kinds {
            assert_eq!(Failure::of(&errno.into()), failure, "{errno:?}");
        }
    }
}
