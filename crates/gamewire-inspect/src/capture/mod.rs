//! Capture files: pcap and pcapng in, as a stream of [`Frame`]s; pcapng out, by a [`Writer`].
//!
//! The framings are read here and not by a crate. A damaged capture must yield every good packet, so the
//! reader has to know where a bad block began, what it claimed, and how to find the next believable one; the
//! parsers on offer answer a bad block with an error and no way past it, and ask for a buffer of the size a
//! block claims. Both framings are a few fixed fields and a length, so what remains is small.
//!
//! * One buffer, reused: a [`Frame`] borrows from it, and no packet costs an allocation.
//! * The buffer grows only when bytes have filled it and stops at [`MAX_RECORD`] and some slack.
//! * A record or block that contradicts itself is reported once, then the reader looks for the next place
//!   where the framing holds: in pcapng a known block whose two lengths agree, in pcap a chain of three
//!   believable record headers. A truncated tail is one error and then the end.
//!
//! Formats: draft-ietf-opsawg-pcap and draft-ietf-opsawg-pcapng.

mod error;
mod frame;
mod order;
mod pcap;
mod pcapng;
mod reader;
mod resync;
mod step;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests;
mod window;
mod writer;

pub use error::{CaptureError, Damage};
pub use frame::{Frame, LinkType};
pub use reader::{FileFormat, Reader};
pub use step::MAX_RECORD;
pub use writer::{WriteError, Writer};
