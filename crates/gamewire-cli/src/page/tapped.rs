//! The page of a verb that opens its own sockets. A tap passes their traffic to a watcher on another thread.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use gamewire_inspect::protocol::ProtocolConfig;
use gamewire_machine::{Role, StreamId, Transport};
use gamewire_net::{Direction, DriverConfig, Tap, TapPacket};
use gamewire_page::traffic::SourceKind;
use gamewire_page::{CommandKind, PageConfig};
use gamewire_proxy::traffic::{ClientNumber, Packet};
use gamewire_proxy::watch::{Feed, WatchConfig, Watcher, feed};

use super::served::ServedPage;
use super::sink::{Nothing, PageSink};
use crate::exit_status::Failure;

/// Maximum time until the watcher receives traffic.
const FLUSH: Duration = Duration::from_millis(20);
/// Maximum number of peers with a remembered number.
const PEERS: usize = 65_536;

/// The page of a client or server.
pub(crate) struct TappedPage {
    served: ServedPage,
    tap: PageTap,
}

#[derive(Clone)]
struct PageTap(Arc<Mutex<Tapped>>);

struct Tapped {
    feed: Feed,
    role: Role,
    peers: HashMap<(SocketAddr, Transport), ClientNumber>,
    next_peer: u64,
}

impl TappedPage {
    /// Serves a page for a program in this role.
    pub(crate) fn open(
        local: SocketAddr,
        title: String,
        role: Role,
        protocols: ProtocolConfig,
        commands: Vec<CommandKind>,
    ) -> Result<Self, Failure> {
        let config = PageConfig {
            title: title.clone(),
            protocols: protocols.clone(),
            commands,
            ..PageConfig::default()
        };
        let served = ServedPage::open(local, config)?;
        let source = served.page.add_source(&title, SourceKind::Live);
        let sink = PageSink::new(source.clone(), protocols.clone(), Nothing);
        let watch = WatchConfig { protocols: Some(protocols), ..WatchConfig::default() };
        let watcher = Watcher::new(watch, sink).map_err(|error| Failure::Failed(error.to_string()))?;
        let (feed, watched) = feed();
        thread::spawn(move || watcher.run(&watched).1);
        let tapped = Tapped { feed, role, peers: HashMap::new(), next_peer: 1 };
        let tap = PageTap(Arc::new(Mutex::new(tapped)));
        let shared = Arc::downgrade(&tap.0);
        thread::spawn(move || {
            while let Some(tapped) = shared.upgrade() {
                let tap = PageTap(tapped);
                let mut tapped = tap.lock();
                tapped.feed.flush();
                let missed = tapped.feed.missed();
                drop(tapped);
                source.set_missed(missed);
                drop(tap);
                thread::sleep(FLUSH);
            }
        });
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
struct Both(Box<dyn Tap + Send>, PageTap);

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

impl PageTap {
    fn lock(&self) -> MutexGuard<'_, Tapped> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tap for PageTap {
    fn on_datagram(&mut self, packet: &TapPacket<'_>) {
        self.lock().packet(Transport::Udp, packet);
    }

    fn on_stream_bytes(&mut self, _: StreamId, packet: &TapPacket<'_>) {
        self.lock().packet(Transport::Tcp, packet);
    }
}

impl Tapped {
    fn packet(&mut self, transport: Transport, crossing: &TapPacket<'_>) {
        let client = self.client(crossing.peer, transport);
        let sender = match crossing.direction {
            Direction::Outgoing => self.role,
            Direction::Incoming => self.role.other(),
        };
        let (client_address, server_address) = match self.role {
            Role::Client => (crossing.local, crossing.peer),
            Role::Server => (crossing.peer, crossing.local),
        };
        let packet = Packet {
            time: i64::try_from(crossing.unix_micros.saturating_mul(1_000)).unwrap_or(i64::MAX),
            is_lost: false,
            client,
            side: Role::Client,
            sender,
            transport,
            client_address,
            server_address,
        };
        self.feed.packet(packet, crossing.bytes);
    }

    fn client(&mut self, peer: SocketAddr, transport: Transport) -> ClientNumber {
        if let Some(known) = self.peers.get(&(peer, transport)) {
            return *known;
        }
        if self.peers.len() >= PEERS {
            self.peers.clear();
        }
        let number = ClientNumber(self.next_peer);
        self.next_peer = self.next_peer.saturating_add(1);
        self.peers.insert((peer, transport), number);
        number
    }
}
