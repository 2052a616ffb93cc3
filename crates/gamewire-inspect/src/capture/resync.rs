//! Finding the framing again after damage.

use std::io::Read;

use super::step::{ReadError, fill};
use super::window::Window;

/// The longest record or block a search believes in: the snap length of tcpdump, and a block's own fields.
/// It bounds how far the search looks ahead.
pub(super) const MAX_CANDIDATE: u32 = 262_144 + 1024;

/// Moves the window on, at least one byte, to the first place where `holds` says that a record begins there;
/// false if the input ends before. Looks at places only while `least` bytes are there.
pub(super) fn search<R: Read>(
    window: &mut Window<R>,
    least: usize,
    mut holds: impl FnMut(&mut Window<R>) -> Result<bool, ReadError>,
) -> Result<bool, ReadError> {
    loop {
        window.consume(1);
        if !fill(window, least)? {
            // What is left is shorter than any record.
            window.consume(window.available());
            return Ok(false);
        }
        if holds(window)? {
            return Ok(true);
        }
    }
}
