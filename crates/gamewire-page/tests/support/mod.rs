//! Captures as sources.
#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "each test uses a part of it, and a test that panics fails"
)]

pub(crate) mod targets;

use std::fs::File;
use std::path::{Path, PathBuf};

use gamewire_inspect::protocol::ProtocolConfig;
use gamewire_page::Source;
use gamewire_page::traffic::{Selection, SourceKind, read_capture};

pub(crate) fn vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors")
}

pub(crate) const TEEWORLDS_07: &str = "teeworlds/captures/tw-0.7-two-clients.pcap";
pub(crate) const TEEWORLDS_TKEN: &str = "teeworlds/captures/tw-0.6-ddnet-20-tken.pcap";
/// Some of its messages were sent again.
pub(crate) const TEEWORLDS_LOSSY: &str = "teeworlds/captures/tw-0.6-ddnet-tken.pcap";
pub(crate) const FREECIV: &str = "freeciv/captures/game.pcap";
pub(crate) const RIPTIDE: &str = "riptide/captures/pytide-2.1.0a0-udp.pcapng";

/// Returns a capture as a source of at most `max_bytes` bytes.
pub(crate) fn source(name: &str, max_bytes: usize) -> Source {
    let source = Source::new(1, name, SourceKind::File, max_bytes);
    let file = File::open(vectors().join(name)).unwrap();
    read_capture(&source, file, ProtocolConfig::default(), &Selection::default(), u64::MAX).unwrap();
    source
}
