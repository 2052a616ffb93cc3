//! `-w`: the frames that match, as a capture.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use gamewire_inspect::capture::{Frame, LinkType, WriteError, Writer, create_file};

use crate::exit_status::{Failure, io_message};
use crate::user_file::name_of;

/// Maximum number of kept frames of unrecognized conversations. A later frame may show their protocol.
const MAX_FRAMES: usize = 1024;
/// Maximum length of a kept frame, in bytes.
const MAX_LENGTH: usize = 4096;

/// A writer of frames to a capture file.
pub(super) struct Save {
    name: String,
    output: Output,
    /// True if all frames are written, without a filter.
    is_whole: bool,
    /// True if the input cannot be read again. Each frame is written immediately then, so that the file is complete if the
    /// program is killed.
    is_live: bool,
    /// The current frame, until it is written.
    current: Option<OwnedFrame>,
    unrecognized: VecDeque<OwnedFrame>,
    written: u64,
}

/// The output. Its writer is opened with the first frame, which determines the link layer.
enum Output {
    Pending(Box<dyn Write>),
    Open(Writer<Box<dyn Write>>),
    Failed,
}

struct OwnedFrame {
    number: u64,
    time: i64,
    link: LinkType,
    is_state: bool,
    data: Vec<u8>,
    original_len: u32,
}

impl Save {
    /// Creates the file `path`, which must not be the input; `-` is standard output. Traffic of an
    /// interface or of standard input cannot be read again, so its file must not exist.
    pub(super) fn create(path: &Path, input: Option<&Path>, is_whole: bool) -> Result<Self, Failure> {
        let name = name_of(path).to_string();
        let is_same = input.is_some_and(|input| {
            fs::canonicalize(input).is_ok_and(|input| fs::canonicalize(path).is_ok_and(|path| path == input))
        });
        if is_same {
            return Err(Failure::Usage(format!("cannot write {name}: it is the input; name another file")));
        }
        let can_repeat = input.is_some_and(|input| input.as_os_str() != "-");
        let output: Box<dyn Write> = if path.as_os_str() == "-" {
            Box::new(io::stdout())
        } else {
            let file = if can_repeat { File::create(path) } else { create_file(path) };
            Box::new(file.map_err(|error| {
                Failure::Failed(match error.kind() {
                    io::ErrorKind::AlreadyExists => {
                        format!("cannot write {name}: the file exists; name another file")
                    }
                    _ => format!("cannot write {name}: {}", io_message(&error)),
                })
            })?)
        };
        let output = Output::Pending(output);
        let (is_live, current, unrecognized) = (!can_repeat, None, VecDeque::new());
        Ok(Self { name, output, is_whole, is_live, current, unrecognized, written: 0 })
    }

    /// Begins the next frame. Writes it immediately if all frames are written.
    pub(super) fn begin(&mut self, frame: &Frame<'_>) -> Result<(), Failure> {
        if self.is_whole {
            return self.write(frame);
        }
        let Frame { number, time, link, is_state, data, original_len, .. } = *frame;
        let mut kept = self.current.take().map_or_else(Vec::new, |before| before.data);
        kept.clear();
        kept.extend_from_slice(data);
        self.current = Some(OwnedFrame { number, time, link, is_state, data: kept, original_len });
        Ok(())
    }

    /// Writes the frame `number`, unless it was already written.
    pub(super) fn want(&mut self, number: u64) -> Result<(), Failure> {
        let is_wanted = |frame: &OwnedFrame| frame.number == number;
        let earlier = self.unrecognized.iter().position(is_wanted);
        let found = match earlier {
            Some(index) => self.unrecognized.remove(index),
            None => self.current.take_if(|frame| is_wanted(frame)),
        };
        let Some(OwnedFrame { number, time, link, is_state, data, original_len }) = found else {
            return Ok(());
        };
        self.write(&Frame { number, time, link, interface: 0, is_state, data: &data, original_len })
    }

    /// Keeps the current frame, because its conversation is not recognized yet.
    pub(super) fn keep(&mut self) {
        let Some(frame) = self.current.take_if(|frame| frame.data.len() <= MAX_LENGTH) else { return };
        if self.unrecognized.len() >= MAX_FRAMES {
            self.unrecognized.pop_front();
        }
        self.unrecognized.push_back(frame);
    }

    fn write(&mut self, frame: &Frame<'_>) -> Result<(), Failure> {
        self.written = self.written.saturating_add(1);
        let is_live = self.is_live;
        let writer = self.writer(frame.link);
        let written = writer.and_then(|writer| {
            let Some(writer) = writer else { return Ok(()) };
            writer.captured(frame)?;
            if is_live { writer.flush() } else { Ok(()) }
        });
        written.map_err(|error| self.failure(&error))
    }

    /// Returns the writer. The first call opens it.
    fn writer(&mut self, link: LinkType) -> Result<Option<&mut Writer<Box<dyn Write>>>, WriteError> {
        self.output = match std::mem::replace(&mut self.output, Output::Failed) {
            Output::Pending(output) => Output::Open(Writer::new(output, link)?),
            output => output,
        };
        Ok(match &mut self.output {
            Output::Open(writer) => Some(writer),
            _ => None,
        })
    }

    /// Writes the buffered frames. Returns the number of written frames.
    pub(super) fn finish(mut self) -> Result<u64, Failure> {
        let flushed = self.writer(LinkType::RAW).and_then(|writer| writer.map_or(Ok(()), Writer::flush));
        flushed.map_err(|error| self.failure(&error))?;
        Ok(self.written)
    }

    fn failure(&self, error: &WriteError) -> Failure {
        Failure::Failed(format!("cannot write {}: {}", self.name, io_message(&error.source)))
    }
}
