//! What one step through a capture file yields, whatever its format.

use std::io::{self, Read};

use super::error::{CaptureError, Damage};
use super::frame::LinkType;
use super::window::Window;

/// The longest record or block that is read, in bytes. A longer claim is damage.
pub const MAX_RECORD: u32 = 16 * 1024 * 1024;

/// A frame that was found and left behind in the window.
pub(super) struct Found {
    pub(super) time: i64,
    pub(super) link: LinkType,
    pub(super) interface: u32,
    pub(super) original_len: u32,
    /// Where its bytes are: so many bytes before the window, and so many of them.
    pub(super) back: usize,
    pub(super) len: usize,
}

/// An error, and whether anything can come after it.
pub(super) struct ReadError {
    pub(super) error: CaptureError,
    pub(super) last: bool,
}

impl ReadError {
    /// Damage at the window's position; reading goes on after it.
    #[cold]
    pub(super) fn here<R: Read>(window: &Window<R>, damage: Damage) -> Self {
        Self { error: CaptureError { offset: window.offset(), damage }, last: false }
    }

    /// Damage at the window's position that ends the reading.
    #[cold]
    pub(super) fn last<R: Read>(window: &Window<R>, damage: Damage) -> Self {
        Self { last: true, ..Self::here(window, damage) }
    }

    /// The input ends before `needed` bytes of `what`.
    #[cold]
    pub(super) fn truncated<R: Read>(window: &Window<R>, what: &'static str, needed: usize) -> Self {
        let available = window.available() as u64;
        Self::here(window, Damage::Truncated { what, needed: needed as u64, available })
    }

    /// The input failed.
    #[cold]
    pub(super) fn io<R: Read>(window: &Window<R>, error: io::Error) -> Self {
        Self::last(window, Damage::Io(error))
    }
}

/// Reads until `need` bytes are in the window, a failing input being a fault.
#[inline]
pub(super) fn fill<R: Read>(window: &mut Window<R>, need: usize) -> Result<bool, ReadError> {
    match window.fill(need) {
        Ok(enough) => Ok(enough),
        Err(error) => Err(ReadError::io(window, error)),
    }
}
