//! The reader of capture files: detects the format and numbers the frames.

use std::io::Read;

use super::error::{CaptureError, Damage};
use super::frame::Frame;
use super::pcap::Pcap;
use super::pcapng::{self, PcapNg};
use super::window::{ReadError, Window};

/// The format of a capture file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileFormat {
    /// pcap: a file header and one record per frame.
    Pcap,
    /// pcapng: sections of blocks.
    PcapNg,
}

enum Format {
    Pcap(Pcap),
    PcapNg(PcapNg),
}

/// A reader for the frames of a capture, from a file or a pipe, in constant memory.
///
/// ```
/// # use std::io::Read;
/// # fn count(input: impl Read) -> Result<u64, gamewire_inspect::capture::CaptureError> {
/// let mut reader = gamewire_inspect::capture::Reader::new(input)?;
/// let mut bytes = 0;
/// while let Some(frame) = reader.next() {
///     match frame {
///         Ok(frame) => bytes += u64::from(frame.original_len),
///         Err(damage) => eprintln!("{damage}"),
///     }
/// }
/// # Ok(bytes)
/// # }
/// # assert!(count(&b"no capture"[..]).is_err());
/// ```
pub struct Reader<R> {
    window: Window<R>,
    format: Format,
    number: u64,
    ended: bool,
}

impl<R: Read> Reader<R> {
    /// Reads the file header.
    ///
    /// # Errors
    /// [`Damage::Io`] if the input fails, [`Damage::Truncated`] if it ends within the header,
    /// [`Damage::NotACapture`] or [`Damage::Version`] if it is not a supported capture file.
    pub fn new(input: R) -> Result<Self, CaptureError> {
        let mut window = Window::new(input);
        let format = Self::detect(&mut window).map_err(|error| error.error)?;
        Ok(Self { window, format, number: 0, ended: false })
    }

    fn detect(window: &mut Window<R>) -> Result<Format, ReadError> {
        if !window.fill(4)? {
            return Err(ReadError::truncated(window, "a file header", 4));
        }
        let first = *window.bytes().first_chunk().unwrap_or(&[0; 4]);
        if first == pcapng::SECTION_HEADER.to_be_bytes() {
            return Ok(Format::PcapNg(PcapNg::open()));
        }
        match Pcap::open(window, first)? {
            Some(pcap) => Ok(Format::Pcap(pcap)),
            None => Err(ReadError::last(window, Damage::NotACapture { first })),
        }
    }

    /// Returns the next frame, the damage before it, or `None` at the end.
    ///
    /// After an error, the next call resumes at the next plausible record or block.
    #[expect(clippy::should_implement_trait, reason = "an Iterator cannot lend from itself")]
    pub fn next(&mut self) -> Option<Result<Frame<'_>, CaptureError>> {
        if self.ended {
            return None;
        }
        let step = match &mut self.format {
            Format::Pcap(pcap) => pcap.step(&mut self.window),
            Format::PcapNg(pcapng) => pcapng.step(&mut self.window),
        };
        match step {
            Ok(Some(found)) => {
                self.number = self.number.saturating_add(1);
                Some(Ok(Frame {
                    number: self.number,
                    time: found.time,
                    link: found.link,
                    interface: found.interface,
                    is_state: found.is_state,
                    data: self.window.consumed(found.back, found.len),
                    original_len: found.original_len,
                }))
            }
            Ok(None) => {
                self.ended = true;
                None
            }
            Err(error) => {
                self.ended = error.last;
                Some(Err(error.error))
            }
        }
    }

    /// Returns the format of the input.
    pub fn format(&self) -> FileFormat {
        match self.format {
            Format::Pcap(_) => FileFormat::Pcap,
            Format::PcapNg(_) => FileFormat::PcapNg,
        }
    }

    /// Returns the number of consumed bytes of the input.
    pub fn position(&self) -> u64 {
        self.window.offset()
    }

    /// Returns the memory that the reader uses for its buffer and the interfaces, in bytes.
    pub fn buffered_bytes(&self) -> usize {
        let interfaces = match &self.format {
            Format::Pcap(_) => 0,
            Format::PcapNg(pcapng) => pcapng.held_bytes(),
        };
        self.window.capacity().saturating_add(interfaces)
    }
}
