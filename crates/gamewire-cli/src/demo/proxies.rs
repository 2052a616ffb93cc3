//! The proxies between the demo's players and servers, over a slightly lossy link.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use gamewire_inspect::protocol::ProtocolConfig;
use gamewire_machine::{Role, Transport};
use gamewire_net::Conditions;
use gamewire_page::{Feeder, Source};
use gamewire_proxy::relay::{Control, OpenedRelay, Relay, RelayConfig};
use gamewire_watch::{Sinks, WatchConfig, WatchStats, Watcher};

use super::figures::PageFigures;
use super::messages::layouts;
use super::sink::TrafficMonitor;
use crate::exit_status::Failure;
use crate::impairment::{LinkConditions, random_seed};

/// The running proxies.
pub(super) struct Proxies {
    source: Source,
    monitor: TrafficMonitor,
    links: LinkConditions,
    running: Vec<RunningProxy>,
}

/// Packets that are not in the figures of any player.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct UnseenPackets {
    /// Packets of an unknown protocol.
    pub(super) unrecognized: u64,
    /// Packets that the followers did not handle in time.
    pub(super) missed: u64,
}

struct RunningProxy {
    control: Control,
    relay: JoinHandle<()>,
    watcher: JoinHandle<WatchStats>,
}

impl Proxies {
    /// Creates an empty set of proxies. Each proxy that is opened passes its traffic to `source` and to `monitor`.
    pub(super) const fn new(source: Source, monitor: TrafficMonitor, conditions: Conditions) -> Self {
        let links = LinkConditions { to_server: conditions, to_client: conditions };
        Self { source, monitor, links, running: Vec::new() }
    }

    /// Returns the settings of the followers, with the layouts of the demo's own messages.
    pub(super) fn protocols() -> ProtocolConfig {
        ProtocolConfig { riptide_messages: Arc::new(layouts()), ..ProtocolConfig::default() }
    }

    /// Opens a proxy in front of a server, and returns its address.
    pub(super) fn open(&mut self, server: SocketAddr, transport: Transport) -> Result<SocketAddr, Failure> {
        let failed = |error: &dyn std::fmt::Display| Failure::Failed(format!("cannot open a proxy: {error}"));
        let mut config = RelayConfig::new(SocketAddr::new(server.ip(), 0), server);
        (config.udp, config.tcp) = (transport == Transport::Udp, transport == Transport::Tcp);
        config.seed = random_seed();
        config = config.with_conditions(Role::Server, self.links.to_server);
        config = config.with_conditions(Role::Client, self.links.to_client);
        let OpenedRelay { relay, control, watched } = Relay::open(config).map_err(|error| failed(&error))?;
        let local = relay.local_addr();
        let watch = WatchConfig { protocols: Some(Self::protocols()), ..WatchConfig::default() };
        let watcher = Watcher::new(watch).map_err(|error| failed(&error))?;
        let feeder = Feeder::new(self.source.clone(), Self::protocols());
        let mut sinks: Sinks = vec![Box::new(feeder), Box::new(self.monitor.clone())];
        self.running.push(RunningProxy {
            control,
            watcher: thread::spawn(move || watcher.run(&watched, &mut sinks)),
            // If a proxy fails, its players time out.
            relay: thread::spawn(move || drop(relay.run())),
        });
        Ok(local)
    }

    pub(super) const fn links(&self) -> LinkConditions {
        self.links
    }

    /// Returns the figures that the page shows, by the name of the player.
    pub(super) fn figures(&self) -> BTreeMap<String, PageFigures> {
        PageFigures::of(&self.source)
    }

    /// Changes the conditions of one direction on all links.
    pub(super) fn set_conditions(&mut self, to: Role, conditions: Conditions) {
        self.links.set(to, conditions);
        for proxy in &self.running {
            // A proxy that has stopped has no link.
            let _ = proxy.control.set_conditions(to, conditions);
        }
    }

    /// Stops all proxies. Returns the packets that are not in the figures of any player.
    pub(super) fn close(&mut self) -> UnseenPackets {
        for proxy in &self.running {
            // An error means that the proxy has already stopped.
            let _ = proxy.control.stop();
        }
        let mut unseen = UnseenPackets::default();
        for proxy in self.running.drain(..) {
            let _ = proxy.relay.join();
            let watched = proxy.watcher.join().unwrap_or_default();
            unseen.unrecognized = unseen.unrecognized.saturating_add(watched.unrecognized);
            unseen.missed = unseen.missed.saturating_add(proxy.control.stats().missed);
        }
        unseen
    }
}
