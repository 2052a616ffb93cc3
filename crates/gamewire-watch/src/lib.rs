#![forbid(unsafe_code)]
//! The traffic that a program with sockets observes, decoded and recorded on a separate thread.
//!
//! * A [`Feed`] takes each [`ObservedPacket`] with its bytes, and each [`Event`] of a client. It never blocks: its queue
//!   is bounded, and it counts the dropped ones. A relay writes to it directly, a driver through a `FeedTap` (feature `net`).
//! * A [`Watcher`] reads the queue on another thread. It decodes the packets, records them, and passes the result to a
//!   [`Sink`], such as a page.
//! * A [`recording::Recorder`] writes datagrams and streams as pcapng, also without a watcher.

mod batch;
mod event;
mod feed;
mod packet;
mod passed;
pub mod recording;
mod sink;
#[cfg(feature = "net")]
mod tap;
mod watcher;

pub use event::{ClientStats, CloseReason, DirectionStats, Event};
pub use feed::{Feed, Watched, feed};
pub use packet::{ObservedPacket, PeerConnection, PeerNumber, unix_nanos};
pub use sink::{Sink, Sinks};
#[cfg(feature = "net")]
pub use tap::{FeedTap, TapObserver};
pub use watcher::{WatchConfig, WatchStats, Watcher};
