use std::net::{SocketAddr, UdpSocket};

use gamewire_machine::{Instant, Role};
use gamewire_net::DriverConfig;
use gamewire_net::blocking::Driver;
use gamewire_riptide::server::{Server, ServerConfig};
use gamewire_riptide::websocket::{AllowedOrigins, WebSocketConfig};

use super::agones::Agones;
use super::describe;
use super::options::{RiptideRelay, Transport};
use super::reports::Reports;
use super::server::{Plan, RelayServer};
use super::status::StatusScreen;
use crate::controls::Controls;
use crate::driving::open_server;
use crate::exit_status::{ExitStatus, Failure};
use crate::interrupt::Interrupt;
use crate::metrics::{Audience, MetricsServer};
use crate::output::Output;
use crate::page::{ProtocolFiles, shown_on};
use crate::record::Recording;
use crate::riptide::EncryptionKey;
use crate::tls::Certificate;
use crate::url::HostPort;

impl RiptideRelay {
    pub(in crate::serve) fn run(self) -> Result<ExitStatus, Failure> {
        if self.transport == Transport::Tcp && self.impair.is_some() {
            return Err(Failure::Usage(
                "--impair is for datagrams only; remove it for --transport tcp".into(),
            ));
        }
        let key = self.load_key()?;
        let plan = Plan::of(&self)?;
        let interrupt = match self.drain {
            Some(_) => Interrupt::listen_with_drain(),
            None => Interrupt::listen(),
        }?;
        let files = ProtocolFiles { messages: self.messages.as_deref(), ..ProtocolFiles::default() };
        let page =
            self.page.open(format!("serve riptide {}", self.listen), Role::Server, files, Vec::new())?;
        let certificate = self.certificate()?;
        let websockets: Vec<_> = self.ws.as_ref().map(local_address).transpose()?.into_iter().collect();
        let secure = self.wss.as_ref().map(local_address).transpose()?;
        let driver = open_server(&self.listen, |local| {
            let settings = shown_on(page.as_ref(), DriverConfig::default());
            let settings = match self.impair {
                Some(impairment) => impairment.apply(settings),
                None => settings,
            };
            let settings = DriverConfig { also_listen: websockets.clone(), ..settings };
            let settings = match (&certificate, secure) {
                (Some(certificate), Some(local)) => certificate.listen(local, settings),
                _ => settings,
            };
            let server = Server::new(config(&self), Instant::ZERO);
            let server = match &key {
                Some(key) => key.protect(server, self.require_key),
                None => server,
            };
            Driver::listen_with(local, self.transport.into(), server, settings)
        })?;
        // Listen for metrics after the server's sockets are open, so that a free port for the metrics cannot be the
        // server's port. No client is accepted yet.
        let http =
            (self.metrics.is_some() || self.health.is_some()).then(MetricsServer::start).transpose()?;
        let listen = |local: Option<SocketAddr>, audience| match (&http, local) {
            (Some(http), Some(local)) => http.listen(local, audience).map(Some),
            _ => Ok(None),
        };
        let metrics = listen(self.metrics, Audience::ThisMachine)?;
        let health = listen(self.health, Audience::Orchestrators)?;
        let agones = Agones::from_environment()?;
        let output = Output::begin_server(self.json, self.quiet);
        output.emit(&describe::listening(driver.local_addr(), self.transport.into(), self.max_clients))?;
        // Those with TLS are after those without.
        let schemes = websockets.iter().map(|_| "ws").chain(secure.map(|_| "wss"));
        for (scheme, local) in schemes.zip(driver.also_local_addrs()) {
            output.emit(&describe::websocket(scheme, *local))?;
        }
        if let Some(local) = metrics {
            output.emit(&describe::metrics(local))?;
        }
        if let Some(local) = health {
            output.emit(&describe::health(local))?;
        }
        let status = if self.json { None } else { StatusScreen::open() };
        let reports = Reports::begin(http, agones, status);
        let mut server = RelayServer::new(driver, &plan, output, reports, certificate);
        Controls::begin(interrupt, self.duration).run(&mut server, &Recording::default())?;
        server.end()?;
        Ok(ExitStatus::Success)
    }

    /// Reads the certificate of `--wss`.
    fn certificate(&self) -> Result<Option<Certificate>, Failure> {
        let files = self.cert.as_deref().zip(self.key_file.as_deref());
        files.map(|(certificate, key)| Certificate::load(certificate, key)).transpose()
    }

    /// Reads the key of `--key`, which is for datagrams.
    fn load_key(&self) -> Result<Option<EncryptionKey>, Failure> {
        if self.require_key && self.transport != Transport::Udp {
            return Err(Failure::Usage(
                "--require-key needs --transport udp, because TCP is not encrypted".into(),
            ));
        }
        if self.key.is_some() && self.transport == Transport::Tcp {
            return Err(Failure::Usage("--key is for datagrams only; remove it for --transport tcp".into()));
        }
        self.key.as_deref().map(EncryptionKey::load).transpose()
    }
}

fn allowed_origins(origins: &[String]) -> AllowedOrigins {
    match origins {
        [] => AllowedOrigins::loopback(),
        origins if origins.iter().any(|origin| origin == "any") => AllowedOrigins::any(),
        origins => AllowedOrigins::list(origins),
    }
}

/// Returns the first address that this system can listen on.
fn local_address(host: &HostPort) -> Result<SocketAddr, Failure> {
    let addresses = host.resolve()?;
    let can_bind = |address: &&SocketAddr| UdpSocket::bind((address.ip(), 0)).is_ok();
    let address = addresses.iter().find(can_bind).or_else(|| addresses.first());
    address.copied().ok_or_else(|| Failure::Failed(format!("cannot listen on {host}: no address")))
}

fn config(options: &RiptideRelay) -> ServerConfig {
    let mut config = ServerConfig::new(options.max_clients);
    config.relay_budget = options.relay_budget;
    config.settings = options.limits.settings();
    config.handle_connection = options.require_data.is_some();
    config.disconnect_unknown = true;
    let has_websockets = options.ws.is_some() || options.wss.is_some();
    config.websocket = has_websockets.then(|| WebSocketConfig::new(allowed_origins(&options.ws_origin)));
    if options.strict { config.hardened() } else { config }
}
