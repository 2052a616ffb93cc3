use std::fmt::Display;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use gamewire_schema::emit;
use gamewire_schema::emit::Rust;
use gamewire_schema::ir::Protocol;

use super::options::{Compile, EmitFormat};
use super::source::{load, shown};
use crate::exit_status::{ExitStatus, Failure, io_message};

impl Compile {
    pub(crate) fn run(self) -> Result<ExitStatus, Failure> {
        let max = if self.diff.is_empty() { 1 } else { 2 };
        if self.constants.len() > max {
            let limit = if max == 1 { "once" } else { "twice" };
            return Err(Failure::Usage(format!("--constants may be given at most {limit}")));
        }
        match (self.diff.as_slice(), &self.definition) {
            ([old, new], _) => self.compare(old, new),
            (_, Some(definition)) => self.emit(definition),
            _ => Err(Failure::Usage("missing definition: name a packets.def or a folder".into())),
        }
    }

    fn emit(&self, definition: &Path) -> Result<ExitStatus, Failure> {
        let protocol = load(definition, self.constants(0))?;
        let to = self.output.as_deref();
        match self.emit {
            Some(EmitFormat::Json) => write(to, &emit::Json(&protocol))?,
            Some(EmitFormat::Markdown) => write(to, &emit::Markdown(&protocol))?,
            Some(EmitFormat::Rust) => rust(&protocol, to)?,
            None => write(None, &format_args!("{}\n", summary(&protocol)))?,
        }
        if to.is_some() {
            anstream::eprintln!("{}", summary(&protocol));
        }
        Ok(ExitStatus::Success)
    }

    fn compare(&self, old: &Path, new: &Path) -> Result<ExitStatus, Failure> {
        let (old, new) = (load(old, self.constants(0)), load(new, self.constants(1)));
        write(None, &emit::compare(&old?, &new?))?;
        Ok(ExitStatus::Success)
    }

    /// Returns the file of constants for the first or second definition; a single file applies to both.
    fn constants(&self, index: usize) -> Option<&Path> {
        self.constants.get(index).or_else(|| self.constants.last()).map(AsRef::as_ref)
    }
}

/// Writes to a file, or to standard output without a path.
pub(super) fn write(to: Option<&Path>, content: &impl Display) -> Result<(), Failure> {
    let text = content.to_string();
    let Some(path) = to else {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        return Ok(out.flush()?);
    };
    fs::write(path, text).map_err(|error| write_error(path, &error))
}

/// Writes Rust code: a folder if the definition has topics and a path is given, otherwise a single file.
pub(super) fn rust(protocol: &Protocol, to: Option<&Path>) -> Result<(), Failure> {
    let rust = Rust::new(protocol).map_err(|error| Failure::Failed(error.to_string()))?;
    let Some(folder) = to.filter(|_| !protocol.topics.is_empty()) else { return write(to, &rust.file()) };
    fs::create_dir_all(folder).map_err(|error| write_error(folder, &error))?;
    rust.folder().iter().try_for_each(|file| write(Some(&folder.join(&file.name)), &file.text))
}

fn write_error(path: &Path, error: &io::Error) -> Failure {
    Failure::Failed(format!("cannot write {}: {}", shown(path), io_message(error)))
}

/// Summarizes the size of a definition in one line.
pub(super) fn summary(protocol: &Protocol) -> String {
    let fields = protocol.packets.iter().fold(0_usize, |sum, packet| sum.saturating_add(packet.fields.len()));
    let packets = protocol.packets.len();
    let aliases = protocol.aliases.len();
    let variants = protocol.variant_count();
    format!("{packets} packets, {fields} fields, {aliases} aliases, {variants} variants")
}
