//! The page of a verb that opens its own sockets. A tap passes their traffic to a watcher on another thread.

use std::net::SocketAddr;
use std::thread;

use gamewire_inspect::protocol::ProtocolConfig;
use gamewire_machine::{Role, StreamId};
use gamewire_net::{DriverConfig, Tap, TapPacket};
use gamewire_page::traffic::SourceKind;
use gamewire_page::{CommandKind, Feeder};
use gamewire_watch::{FeedTap, WatchConfig, Watcher};

use super::served::ServedPage;
use crate::exit_status::Failure;

/// The page of a client or server.
pub(crate) struct TappedPage {
    served: ServedPage,
    tap: FeedTap,
}

impl TappedPage {
    /// Serves a page for a program in this role.
    pub(crate) fn open(
        local: SocketAddr,
        title: &str,
        role: Role,
        protocols: ProtocolConfig,
        commands: Vec<CommandKind>,
    ) -> Result<Self, Failure> {
        let served = ServedPage::open(local, title, protocols.clone(), commands)?;
        let source = served.page.add_source(title, SourceKind::Live);
        let mut feeder = Feeder::new(source, protocols.clone());
        let watch = WatchConfig { protocols: Some(protocols), ..WatchConfig::default() };
        let watcher = Watcher::new(watch).map_err(|error| Failure::Failed(error.to_string()))?;
        let (tap, watched) = FeedTap::open(role);
        thread::spawn(move || watcher.run(&watched, &mut feeder));
        Ok(Self { served, tap })
    }

    /// Returns the settings of a driver with a tap, so that the page shows the driver's traffic.
    pub(crate) fn on(&self, settings: DriverConfig) -> DriverConfig {
        let tap: Box<dyn Tap + Send> = match settings.tap {
            Some(other) => Box::new(Both(other, self.tap.clone())),
            None => Box::new(self.tap.clone()),
        };
        DriverConfig { tap: Some(tap), ..settings }
    }

    pub(crate) const fn served(&self) -> &ServedPage {
        &self.served
    }
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
