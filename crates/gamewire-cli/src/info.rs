//! `gamewire info`: server information.

mod freeciv;
mod json;
mod text;

use std::io::{self, BufWriter, Write};
use std::time::Duration;

use clap::Args;
use gamewire_inspect::render;
use gamewire_teeworlds::Offer;

use self::json::object;
use crate::duration;
use crate::exit_status::{ExitStatus, Failure};
use crate::query::{self, ServerAnswer};
use crate::url::{INFO_HELP, Url, UrlProtocol};

/// Query server information
///
/// Prints a server's name, version, map and players. A Teeworlds server is not joined. With teeworlds:// the server is queried in
/// every dialect and every answer is printed; a URL with a dialect prints the answer in that dialect.
///
/// A Freeciv server answers only clients that have joined, so the command joins under the name gamewire-info, and leaves
/// when it has the server's public information. Before the game starts, it occupies a player until it leaves.
#[derive(Debug, Args)]
#[command(after_help = SHORT_HELP, after_long_help = LONG_HELP.replace("{URLS}", INFO_HELP))]
pub(crate) struct Info {
    /// The server, such as teeworlds://example.org, tw-0.7+udp://127.0.0.1:8303 or freeciv://127.0.0.1
    #[arg(value_parser = Url::of_info)]
    url: Url,
    /// Print JSON: one object per line for each answer
    #[arg(long)]
    json: bool,
    /// Time to wait for answers, such as 3s or 500ms
    #[arg(long, value_name = "TIME", default_value = "3s", value_parser = duration::parse)]
    timeout: Duration,
}

impl Info {
    pub(crate) fn run(self) -> Result<ExitStatus, Failure> {
        if let UrlProtocol::Freeciv(version) = self.url.protocol {
            return self.run_freeciv(version);
        }
        let addresses = self.url.host.resolve()?;
        let mut answers = query::query_info(&addresses, query::forms(self.offer()), self.timeout)?;
        if answers.is_empty() {
            return Err(self.silence());
        }
        if self.offer().is_some() {
            // DDNet answers in both formats of 0.6. Keep the last answer, which has more fields.
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
            return render::write_json(out, &object(answer));
        }
        if number > 0 {
            writeln!(out)?;
        }
        text::write(out, answer)
    }

    /// Returns the dialects that the URL offers; `None` for every dialect.
    fn offer(&self) -> Option<Offer> {
        match self.url.protocol {
            UrlProtocol::Teeworlds(offer) => offer,
            UrlProtocol::Riptide(..) | UrlProtocol::Freeciv(_) => None,
        }
    }

    fn silence(&self) -> Failure {
        let Self { url, timeout, .. } = self;
        let advice = if self.offer().is_some() {
            "is it running, and does it support this dialect?"
        } else {
            "is it running, and is this its port?"
        };
        Failure::Failed(format!("no answer from {url} within {timeout:?}: {advice}"))
    }
}

const SHORT_HELP: &str = "\
Examples:
  gamewire info teeworlds://example.org
  gamewire info tw-0.7+udp://127.0.0.1:8303 --json
  gamewire info freeciv://127.0.0.1
See --help for the URLs.";

const LONG_HELP: &str = "\
{URLS}

Exit status:
  0  the server answered
  1  the server did not answer, or its host was not found
  2  invalid options or URL

Examples:
  gamewire info teeworlds://example.org
  gamewire info tw-0.7+udp://127.0.0.1:8303 --json | jq .num_players
  gamewire info tw-0.6+udp://[::1]:8304 --timeout 500ms";
