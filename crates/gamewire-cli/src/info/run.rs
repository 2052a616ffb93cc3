use std::io::{self, BufWriter, Write};

use gamewire_inspect::render;

use super::json::Object;
use super::options::Info;
use super::text;
use crate::exit_status::{ExitStatus, Failure};
use crate::query::{self, ServerAnswer};

impl Info {
    pub(crate) fn run(self) -> Result<ExitStatus, Failure> {
        let addresses = self.url.place.resolve()?;
        let mut answers = query::query_info(&addresses, query::forms(self.url.dialect), self.timeout)?;
        if answers.is_empty() {
            return Err(self.silence());
        }
        if self.url.dialect.is_some() {
            // DDNet answers in both forms of 0.6; the later form has more fields.
            answers.drain(..answers.len().saturating_sub(1));
        }
        let mut out = BufWriter::new(io::stdout().lock());
        for (number, answer) in answers.iter().enumerate() {
            self.show(&mut out, number, answer)?;
        }
        out.flush()?;
        Ok(ExitStatus::Success)
    }

    fn show(&self, out: &mut impl Write, number: usize, answer: &ServerAnswer) -> io::Result<()> {
        if self.json {
            return render::write_json(out, &Object::of(answer));
        }
        if number > 0 {
            writeln!(out)?;
        }
        text::write(out, answer)
    }

    fn silence(&self) -> Failure {
        let Self { url, timeout, .. } = self;
        let advice = if url.dialect.is_some() {
            "is it running, and does it support this dialect?"
        } else {
            "is it running, and is this its port?"
        };
        Failure::Failed(format!("no answer from {url} within {timeout:?}: {advice}"))
    }
}
