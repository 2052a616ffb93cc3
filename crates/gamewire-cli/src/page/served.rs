use std::net::SocketAddr;
use std::sync::mpsc::Receiver;

use gamewire_inspect::protocol::ProtocolConfig;
use gamewire_page::{Command, CommandKind, Page, PageConfig, PageServer};

use crate::exit_status::{Failure, note};

/// A page that is served.
pub(crate) struct ServedPage {
    pub(crate) page: Page,
    /// Commands from the users of the page.
    pub(crate) commands: Receiver<Command>,
    pub(crate) url: String,
    _server: PageServer,
}

impl ServedPage {
    /// Serves a page.
    pub(crate) fn open(
        local: SocketAddr,
        title: &str,
        protocols: ProtocolConfig,
        commands: Vec<CommandKind>,
    ) -> Result<Self, Failure> {
        let title = title.to_owned();
        Self::open_with(local, PageConfig { title, protocols, commands, ..PageConfig::default() })
    }

    /// Serves a page with this configuration.
    pub(crate) fn open_with(local: SocketAddr, config: PageConfig) -> Result<Self, Failure> {
        let (page, commands) = Page::new(config);
        let server =
            PageServer::open(page.clone(), local).map_err(|error| Failure::Failed(error.to_string()))?;
        Ok(Self { page, commands, url: server.url(), _server: server })
    }

    /// Prints the address of the page.
    pub(crate) fn announce(&self) {
        note(format_args!("page: {}", self.url));
    }
}
