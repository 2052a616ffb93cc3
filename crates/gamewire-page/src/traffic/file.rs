//! Captures as sources.

use std::io::{Cursor, Read};

use flate2::read::MultiGzDecoder;
use gamewire_inspect::capture::{CaptureError, Damage, Reader};
use gamewire_inspect::conversation::{ConversationLimits, Inspector};
use gamewire_inspect::protocol::{Protocol, ProtocolConfig};
use gamewire_machine::Record;
use thiserror::Error;

use super::feeder::Feeder;
use super::selection::Selection;
use super::source::{Source, SourceKind};

/// The first bytes of a gzip file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The error of [`read_capture`].
#[derive(Debug, Error)]
pub enum FileError {
    /// The input is not a capture, or reading failed.
    #[error("it is not a capture: {0}; use a pcap or pcapng file")]
    Capture(#[from] CaptureError),
    /// The capture has no packet of a known protocol.
    #[error("there is no game traffic in this file")]
    Nothing,
}

/// Reads a capture into a source. The capture is a pcap or pcapng file, optionally compressed with gzip. If the source
/// is a [`SourceKind::File`], reading stops when its memory is full. Damaged parts are skipped, and each adds a notice
/// to the source. Reads at most `max_bytes` bytes, counted after decompression.
///
/// # Errors
/// [`FileError::Capture`] if the input is not a capture or reading failed. [`FileError::Nothing`] if the capture has
/// no game traffic.
pub fn read_capture(
    source: &Source,
    mut input: impl Read + 'static,
    config: ProtocolConfig,
    selection: &Selection,
    max_bytes: u64,
) -> Result<(), FileError> {
    let mut start = Vec::with_capacity(GZIP.len());
    // Ignored, because opening the reader reports the error.
    let _ = input.by_ref().take(2).read_to_end(&mut start);
    let is_gzip = start == GZIP;
    let whole = Cursor::new(start).chain(input);
    let input: Box<dyn Read> = if is_gzip { Box::new(MultiGzDecoder::new(whole)) } else { Box::new(whole) };
    let mut reader = Reader::new(input.take(max_bytes))?;
    let mut feeder = Feeder::new(source.clone(), config.clone());
    let mut inspector = Inspector::<Protocol>::with_config(ConversationLimits::default(), config);
    let mut record = Record::new();
    let mut is_found = false;
    let mut feed = |outcome: &gamewire_inspect::conversation::FrameOutcome, record: &Record| {
        if let Some(info) = outcome.packet() {
            is_found = true;
            if selection.filter.as_ref().is_none_or(|filter| filter.holds(info, record)) {
                feeder.add(None, info, record);
            }
        }
    };
    while let Some(frame) = reader.next() {
        match frame {
            Ok(frame) => {
                record.clear();
                let mut outcome = Some(inspector.frame(&frame, &mut record));
                while let Some(found) = outcome {
                    feed(&found, &record);
                    record.clear();
                    outcome = inspector.next_outcome(&mut record);
                }
            }
            Err(error) => {
                source.notice(error.to_string());
                if matches!(error.damage, Damage::Io(_)) {
                    break;
                }
            }
        }
        if source.kind() == SourceKind::File && source.range().dropped > 0 {
            source.notice(
                "the file does not fit into memory: only its first packets are shown; choose some with -Y"
                    .into(),
            );
            break;
        }
    }
    inspector.finish();
    record.clear();
    while let Some(found) = inspector.next_outcome(&mut record) {
        feed(&found, &record);
        record.clear();
    }
    if is_found { Ok(()) } else { Err(FileError::Nothing) }
}
