use std::fs::File;
use std::io::{self, BufReader, IsTerminal, Read, Seek};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use gamewire_inspect::capture::{CaptureError, Damage, Reader};
use gamewire_inspect::render::Escaped;

use super::live::LiveCapture;
use super::status::StatusOutput;
use crate::exit_status::{Failure, io_message};
use crate::user_file::name_of;

/// The first bytes of a gzip file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Sixty frames of real games: a login on a 0.7 server, then on a 0.6.5 server a map download, a
/// login, snapshots, chat and a disconnect.
const SAMPLE: &[u8] = include_bytes!("../sample.pcap");

/// The source of a capture.
pub(super) struct Input {
    /// The name of the source in messages.
    pub(super) name: String,
    pub(super) bytes: Box<dyn Read>,
    /// The size in bytes, if it is known.
    pub(super) size: Option<u64>,
    /// True if frames may arrive slowly and should be shown immediately.
    pub(super) is_live: bool,
}

impl Input {
    pub(super) fn sample() -> Self {
        let size = u64::try_from(SAMPLE.len()).ok();
        Self { name: "the sample".into(), bytes: Box::new(SAMPLE), size, is_live: false }
    }

    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        if path.as_os_str() == "-" {
            if io::stdin().is_terminal() {
                let message = "standard input is a terminal: pipe a capture into it, or name a file";
                return Err(Failure::Usage(message.into()));
            }
            let bytes = Box::new(io::stdin().lock());
            return Ok(Self { name: "standard input".into(), bytes, size: None, is_live: true });
        }
        let name = name_of(path).to_string();
        let opened = File::open(path).and_then(|file| file.metadata().map(|metadata| (file, metadata)));
        match opened {
            Ok((_, metadata)) if metadata.is_dir() => {
                Err(Failure::Failed(format!("{name} is a folder: name a capture file in it")))
            }
            Ok((mut file, metadata)) if metadata.is_file() => {
                let mut magic = [0; GZIP.len()];
                let is_gzip = file.read_exact(&mut magic).is_ok() && magic == GZIP;
                let bytes: Result<Box<dyn Read>, _> = file.rewind().map(|()| match is_gzip {
                    true => Box::new(MultiGzDecoder::new(BufReader::new(file))) as Box<dyn Read>,
                    false => Box::new(file),
                });
                let size = Some(metadata.len()).filter(|_| !is_gzip);
                let bytes = bytes.map_err(|error| cannot_open(&name, &error))?;
                Ok(Self { name, bytes, size, is_live: false })
            }
            Ok((file, _)) => Ok(Self { name, bytes: Box::new(file), size: None, is_live: true }),
            Err(error) => Err(cannot_open(&name, &error)),
        }
    }

    /// Captures on an interface.
    pub(super) fn live(interface: &str, filter: Option<&str>) -> Result<Self, Failure> {
        let name = Escaped(interface.as_bytes()).to_string();
        let bytes = Box::new(LiveCapture::start(interface, filter)?);
        Ok(Self { name, bytes, size: None, is_live: true })
    }
}

fn cannot_open(name: &str, error: &io::Error) -> Failure {
    Failure::Failed(format!("cannot open {name}: {}", io_message(error)))
}

/// Reads the header of a capture.
pub(super) fn open_capture(input: Input) -> Result<Reader<Box<dyn Read>>, Failure> {
    Reader::new(input.bytes).map_err(|error| not_a_capture(&input.name, &error))
}

/// Reports damage in a capture. Fails if the capture cannot be read further.
pub(super) fn capture_error(error: CaptureError, status: Option<&mut StatusOutput>) -> Result<(), Failure> {
    if let CaptureError { offset, damage: Damage::Io(cause) } = error {
        if let Some(status) = status {
            status.finish();
        }
        return Err(Failure::Failed(format!("cannot read the capture at byte {offset}: {cause}")));
    }
    if let Some(status) = status {
        status.report_damage(error);
    }
    Ok(())
}

/// Returns the error message for input that is not a capture.
fn not_a_capture(name: &str, error: &CaptureError) -> Failure {
    Failure::Failed(match &error.damage {
        Damage::Io(error) => format!("cannot read {name}: {}", io_message(error)),
        Damage::Truncated { available: 0, .. } if error.offset == 0 => {
            format!("{name} is empty: name a pcap or pcapng file")
        }
        damage => format!(
            "{name} is not a capture: {damage}; use a pcap or pcapng file of tcpdump, dumpcap or Wireshark"
        ),
    })
}
