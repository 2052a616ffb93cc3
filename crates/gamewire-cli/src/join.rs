//! `gamewire join`: a headless player on a real server.

mod freeciv;
mod help;
mod options;
mod riptide;
mod teeworlds;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args as _, Command};
use gamewire_machine::Role;
use gamewire_net::DriverConfig;

use crate::exit_status::{ExitStatus, Failure};
use crate::page::{ProtocolFiles, TappedPage, shown_on};
use crate::record::Recording;
use crate::url::{RiptideTransport, UrlProtocol};

pub(crate) use self::help::help_by_protocol;
pub(crate) use self::options::Join;

/// Prefix of the help headings of options that only some protocols have.
const OPTIONS_FOR: &str = "Options for ";

impl Join {
    /// Joins the server. `matches` shows which options were given.
    pub(crate) fn run(self, matches: &ArgMatches) -> Result<ExitStatus, Failure> {
        let is_given = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
        let (protocol, has_datagrams) = match self.url.protocol {
            UrlProtocol::Teeworlds(_) => ("Teeworlds", true),
            UrlProtocol::Riptide(_, RiptideTransport::Udp | RiptideTransport::EncryptedUdp) => {
                ("Riptide", true)
            }
            UrlProtocol::Riptide(..) => ("Riptide", false),
            UrlProtocol::Freeciv(_) => ("Freeciv", false),
        };
        let command = Self::augment_args(Command::new("join"));
        for option in command.get_arguments().filter(|option| is_given(option.get_id().as_str())) {
            let heading = option.get_help_heading().and_then(|heading| heading.strip_prefix(OPTIONS_FOR));
            let name = option.get_long().unwrap_or_default();
            if let Some(protocols) = heading.filter(|protocols| !protocols.contains(protocol)) {
                return Err(self.unsuitable(name, protocols));
            }
        }
        if self.impair.is_some() && !has_datagrams {
            return Err(self.unsuitable("impair", "datagrams"));
        }
        match self.url.protocol {
            UrlProtocol::Teeworlds(offer) => self.run_teeworlds(offer),
            UrlProtocol::Riptide(format, transport) => self.run_riptide(format, transport),
            UrlProtocol::Freeciv(version) => self.run_freeciv(version),
        }
    }

    fn unsuitable(&self, option: &str, only: &str) -> Failure {
        Failure::Usage(format!("--{option} is for {only} only; remove it for {}", self.url))
    }

    /// Serves the page, if the option was given.
    fn open_page(&self) -> Result<Option<TappedPage>, Failure> {
        let files = ProtocolFiles {
            messages: self.riptide.messages.as_deref(),
            definition: self.freeciv.definition.as_deref(),
            constants: self.freeciv.constants.as_deref(),
        };
        self.page.open(format!("join {}", self.url), Role::Client, files, Vec::new())
    }

    /// Returns the configuration of the driver, and the recording that it writes.
    fn driver_config(&self, page: Option<&TappedPage>) -> Result<(Recording, DriverConfig), Failure> {
        let recording = Recording::begin(self.record.as_deref())?;
        let config = shown_on(page, recording.recorded(DriverConfig::default()));
        let config = match self.impair {
            Some(impairment) => impairment.apply(config),
            None => config,
        };
        Ok((recording, config))
    }
}
