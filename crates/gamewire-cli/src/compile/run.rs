use std::path::Path;

use gamewire_schema::emit;

use super::options::{Compile, EmitFormat};
use super::output::{rust, summary, write};
use super::source::load;
use crate::end::{ExitStatus, Failure};

impl Compile {
    pub(crate) fn run(self) -> Result<ExitStatus, Failure> {
        let most = if self.diff.is_empty() { 1 } else { 2 };
        if self.constants.len() > most {
            let limit = if most == 1 { "once" } else { "twice" };
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

    /// Returns the file of constants for the first or second definition; a single file is for both.
    fn constants(&self, index: usize) -> Option<&Path> {
        self.constants.get(index).or_else(|| self.constants.last()).map(AsRef::as_ref)
    }
}
