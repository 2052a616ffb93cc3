//! `--page`: the traffic of a verb in a browser.

mod address;
mod served;

pub(crate) use address::{DEFAULT_ADDRESS, parse_address};
pub(crate) use served::ServedPage;

use std::net::SocketAddr;
use std::path::Path;
use std::thread;

use clap::Args;
use gamewire_machine::{Role, StreamId};
use gamewire_net::{DriverConfig, Tap, TapPacket};
use gamewire_page::traffic::SourceKind;
use gamewire_page::{CommandKind, Feeder};
use gamewire_watch::{FeedTap, WatchConfig, Watcher};

use crate::exit_status::Failure;
use crate::protocols::protocols;

/// The option of verbs that open sockets.
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

/// The page of a client or server.
pub(crate) struct TappedPage {
    served: ServedPage,
    tap: FeedTap,
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
        let served = ServedPage::open(local, &title, protocols.clone(), commands, &[])?;
        let source = served.page.add_source(&title, SourceKind::Live);
        let mut feeder = Feeder::new(source, protocols.clone());
        let watch = WatchConfig { protocols: Some(protocols), ..WatchConfig::default() };
        let watcher = Watcher::new(watch).map_err(|error| Failure::Failed(error.to_string()))?;
        let (tap, watched) = FeedTap::open(role);
        thread::spawn(move || watcher.run(&watched, &mut feeder));
        served.announce();
        Ok(Some(TappedPage { served, tap }))
    }
}

impl TappedPage {
    pub(crate) const fn served(&self) -> &ServedPage {
        &self.served
    }
}

/// Returns the settings of a driver. If there is a page, it will show the driver's traffic.
pub(crate) fn shown_on(page: Option<&TappedPage>, settings: DriverConfig) -> DriverConfig {
    let Some(TappedPage { tap, .. }) = page else { return settings };
    let tap: Box<dyn Tap + Send> = match settings.tap {
        Some(other) => Box::new(Both(other, tap.clone())),
        None => Box::new(tap.clone()),
    };
    DriverConfig { tap: Some(tap), ..settings }
}

/// Two taps on one driver.
struct Both(Box<dyn Tap + Send>, FeedTap);

impl Tap for Both {
    fn on_datagram(&mut self, packet: &TapPacket<'_>) {
        self.0.on_datagram(packet);
        self.1.on_datagram(packet);
    }

    fn on_stream_bytes(&mut self, stream: StreamId, packet: &TapPacket<'_>) {
        self.0.on_stream_bytes(stream, packet);
        self.1.on_stream_bytes(stream, packet);
    }
}
