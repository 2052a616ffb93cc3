use std::net::SocketAddr;
use std::path::Path;
use std::thread;
use std::time::Duration;

use gamewire_inspect::conversation::PacketSplitter;
use gamewire_inspect::protocol::ProtocolConfig;
use gamewire_machine::{Role, Transport};
use gamewire_net::Conditions;
use gamewire_page::traffic::SourceKind;
use gamewire_page::{CommandKind, Feeder, Source};
use gamewire_proxy::relay::{Limits, OpenError, OpenedRelay, Relay, RelayConfig, Timeouts};
use gamewire_watch::recording::{RecordingConfig, Rotation};
use gamewire_watch::{Sinks, WatchConfig, Watcher};

use super::bridge_kind::BridgeKind;
use super::describe::listening;
use super::live_rules::LiveRules;
use super::options::Proxy;
use super::relay_end::RelayEnd;
use super::resolver;
use super::running::RunningProxy;
use super::sink::{Printer, Shared, Shown};
use super::summary::summary;
use crate::controls::Controls;
use crate::exit_status::{ExitStatus, Failure};
use crate::fleet::Fleet;
use crate::impairment::{Impairment, LinkConditions, random_seed};
use crate::interrupt::{Hangup, Interrupt};
use crate::output::{Output, palette};
use crate::page::ServedPage;
use crate::protocols::{catalog, parse_filter, protocols};
use crate::record;
use crate::url::{RiptideTransport, UrlProtocol};

impl Proxy {
    pub(crate) fn run(mut self) -> Result<ExitStatus, Failure> {
        self.read_scheme()?;
        let settings =
            protocols(self.messages.as_deref(), self.definition.as_deref(), self.constants.as_deref())?;
        let shown = self.shown(&settings)?;
        let nats = Fleet::server(self.fleet.nats.as_deref())?;
        let published = self
            .fleet
            .nats_records
            .as_deref()
            .map(|text| parse_filter(text, &catalog(&settings)))
            .transpose()?;
        let name = self.server()?;
        let server = name.resolve()?;
        let bridges = self.bridges(&settings)?;
        let (interrupt, hangup) = match &self.rules {
            Some(_) => Interrupt::listen_with_hangup()?,
            None => (Interrupt::listen()?, Hangup::default()),
        };
        let OpenedRelay { relay, control, watched } = self.open(&server, &bridges)?;
        let output = Output::begin_server(self.json, self.quiet);
        resolver::start(name, relay.server_addr(), control.clone(), output.clone());
        let end = RelayEnd::awaited_here();
        let shared = Shared::default();
        let mut printer = Printer {
            output: output.clone(),
            shared: shared.clone(),
            waker: end.waker(),
            source: None,
            shown,
            palette: palette(),
            splitter: PacketSplitter::default(),
        };
        let watch = WatchConfig {
            protocols: Some(settings.clone()),
            both_sides: self.terminates(),
            recording: self.recording(),
        };
        let (local, server) = (relay.local_addr(), relay.server_addr());
        let title = format!("proxy {} → {}", self.listen, self.to);
        let rules = LiveRules { proxy: &self, bridges: &bridges, settings: settings.clone(), hangup };
        let commands = vec![CommandKind::Link, CommandKind::Close];
        let open_page = |page| ServedPage::open(page, &title, settings.clone(), commands, &self.maps);
        let served = self.page.map(open_page).transpose()?;
        let source = match &served {
            Some(served) => Some(served.page.add_source(&title, SourceKind::Live)),
            // Without a page, only the conversations are needed.
            None => nats.as_ref().map(|_| Source::new(1, &title, SourceKind::Live, 0)),
        };
        printer.source.clone_from(&source);
        let mut sinks: Sinks = vec![Box::new(printer)];
        if let Some(source) = &source {
            sinks.insert(0, Box::new(Feeder::new(source.clone(), settings)));
        }
        let mut fleet = None;
        if let (Some(nats), Some(source)) = (nats, &source) {
            let name = self.fleet.nats_name.as_deref();
            let addresses = [local, server];
            let joined =
                Fleet::publish(nats, name, addresses, source, served.as_ref(), published, &mut sinks)?;
            fleet = Some(joined);
        }
        let watcher = Watcher::new(watch).map_err(|error| {
            record::cannot_record(self.record.as_deref().unwrap_or_else(|| Path::new("")), &error)
        })?;
        output.emit(&listening(local, self.transport(), server))?;

        if let Some(served) = &served {
            served.announce();
        }
        let watcher = thread::spawn(move || watcher.run(&watched, &mut sinks));
        let relay_end = end.clone();
        let relay = thread::spawn(move || relay_end.after(|| relay.run()));
        let mut proxy = RunningProxy {
            control,
            shared: shared.clone(),
            output: output.clone(),
            end,
            links: self.links(),
            page: served,
            rules,
            _fleet: fleet,
        };
        proxy.show_links();
        let outcome =
            Controls::begin(interrupt, self.duration).run(&mut proxy, &record::Recording::default());
        drop(proxy);
        let relayed = relay.join();
        let watch = watcher.join().unwrap_or_default();
        outcome?;
        if let Some(failure) = shared.lock().failure.take() {
            return Err(failure);
        }
        let stats = match relayed {
            Ok(Ok(stats)) => stats,
            Ok(Err(error)) => return Err(Failure::Failed(format!("the sockets failed: {error}"))),
            Err(_) => return Err(Failure::Failed("the relay has ended unexpectedly".into())),
        };
        output.print_summary(summary(&stats, &watch, shared.lock().not_shown))?;
        Ok(ExitStatus::Success)
    }

    /// Opens the relay at the first address that can be opened.
    fn open(&self, servers: &[SocketAddr], bridges: &BridgeKind) -> Result<OpenedRelay, Failure> {
        let mut failure = None;
        for local in self.listen.host.resolve()? {
            let same_family = servers.iter().find(|server| server.is_ipv4() == local.is_ipv4());
            let Some(server) = same_family.or_else(|| servers.first()) else { break };
            match Relay::open(self.config(local, *server, bridges)) {
                Ok(opened) => return Ok(opened),
                Err(error @ OpenError::Itself(_)) => {
                    return Err(Failure::Usage(format!("{error}; name the real server in --to")));
                }
                Err(error) => _ = failure.get_or_insert_with(|| error.to_string()),
            }
        }
        Err(Failure::Failed(failure.unwrap_or_default()))
    }

    fn config(&self, local: SocketAddr, server: SocketAddr, bridges: &BridgeKind) -> RelayConfig {
        let transport = self.transport();
        let mut config = RelayConfig::new(local, server);
        (config.udp, config.tcp) = (transport == Transport::Udp, transport == Transport::Tcp);
        config.seed = random_seed();
        let [clients, clients_per_address] = [self.max_clients, self.max_clients_per_address]
            .map(|max| usize::try_from(max).unwrap_or(usize::MAX));
        config.limits = Limits { clients, clients_per_address, ..Limits::default() };
        config.timeouts = Timeouts { idle: self.idle_time(), ..Timeouts::default() };
        if let Some(factory) = bridges.factory() {
            config.bridges = factory;
        }
        let links = self.links();
        config.with_conditions(Role::Server, links.to_server).with_conditions(Role::Client, links.to_client)
    }

    fn links(&self) -> LinkConditions {
        let of = |own: Option<Impairment>| own.or(self.impair).map_or(Conditions::PERFECT, |given| given.0);
        LinkConditions { to_server: of(self.impair_to_server), to_client: of(self.impair_to_client) }
    }

    pub(super) const fn terminates(&self) -> bool {
        self.terminate || self.to_dialect.is_some() || self.rules.is_some()
    }

    /// Returns the time after which a silent client is forgotten. The default depends on the game.
    fn idle_time(&self) -> Duration {
        let default = match self.listen.protocol {
            UrlProtocol::Riptide(..) => Duration::from_secs(60),
            UrlProtocol::Teeworlds(_) | UrlProtocol::Freeciv(_) => Duration::from_secs(120),
        };
        self.idle.unwrap_or(default)
    }

    pub(super) const fn transport(&self) -> Transport {
        match self.listen.protocol {
            UrlProtocol::Teeworlds(_) => Transport::Udp,
            UrlProtocol::Riptide(_, RiptideTransport::Udp | RiptideTransport::EncryptedUdp) => Transport::Udp,
            // Without --terminate, a proxy forwards the bytes of a stream, whatever they are.
            UrlProtocol::Riptide(..) | UrlProtocol::Freeciv(_) => Transport::Tcp,
        }
    }

    fn shown(&self, settings: &ProtocolConfig) -> Result<Shown, Failure> {
        let Some(text) = &self.filter else {
            return Ok(if self.show { Shown::All } else { Shown::Nothing });
        };
        Ok(Shown::Matching(Box::new(parse_filter(text, &catalog(settings))?)))
    }

    fn recording(&self) -> Option<RecordingConfig> {
        let keep = self.keep.map(|keep| usize::try_from(keep).unwrap_or(usize::MAX));
        let rotation = Rotation { size: self.rotate_size, time: self.rotate_time, keep };
        let sides = self.record_side.sides();
        self.record.clone().map(|path| RecordingConfig { path, rotation, sides })
    }
}
