use std::net::SocketAddr;
use std::path::Path;

use clap::Args;
use gamewire_machine::Role;
use gamewire_net::DriverConfig;
use gamewire_page::CommandKind;

use super::{TappedPage, parse_address};
use crate::exit_status::Failure;
use crate::protocols::protocols;

/// The option of verbs with sockets of their own.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct PageOption {
    /// Show the traffic on a page in the browser at this address, such as 127.0.0.1:8642
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address)]
    page: Option<SocketAddr>,
}

/// Files with the user's own messages and packets.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ProtocolFiles<'a> {
    pub(crate) messages: Option<&'a Path>,
    pub(crate) definition: Option<&'a Path>,
    pub(crate) constants: Option<&'a Path>,
}

impl PageOption {
    /// Serves the page of a program in this role and prints the page's address, if the option was given.
    pub(crate) fn open(
        self,
        title: String,
        role: Role,
        files: ProtocolFiles<'_>,
        commands: Vec<CommandKind>,
    ) -> Result<Option<TappedPage>, Failure> {
        let Some(local) = self.page else { return Ok(None) };
        let protocols = protocols(files.messages, files.definition, files.constants)?;
        let page = TappedPage::open(local, &title, role, protocols, commands)?;
        page.served().announce();
        Ok(Some(page))
    }
}

/// Returns the settings of a driver. If there is a page, it will show the driver's traffic.
pub(crate) fn shown_on(page: Option<&TappedPage>, settings: DriverConfig) -> DriverConfig {
    match page {
        Some(page) => page.on(settings),
        None => settings,
    }
}
