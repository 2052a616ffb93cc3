use gamewire_machine::Instant;
use gamewire_net::DriverConfig;
use gamewire_net::blocking::Driver;
use gamewire_riptide::server::{Server, ServerConfig};

use super::describe;
use super::figures::SharedFigures;
use super::options::{RiptideRelay, Transport};
use super::server::{Plan, RelayServer};
use crate::exit_status::{ExitStatus, Failure};
use crate::interrupt::Interrupt;
use crate::metrics::MetricsServer;
use crate::output::{Output, Value, event};
use crate::record::Recording;
use crate::session::{Controls, open_server};

impl RiptideRelay {
    pub(in crate::serve) fn run(self) -> Result<ExitStatus, Failure> {
        if self.transport == Transport::Tcp && self.impair.is_some() {
            return Err(Failure::Usage(
                "--impair is for datagrams only; remove it for --transport tcp".into(),
            ));
        }
        let plan = Plan::of(&self)?;
        let figures = SharedFigures::new();
        let metrics = self.metrics.map(|address| MetricsServer::open(address, figures.page())).transpose()?;
        let interrupt = Interrupt::listen()?;
        let driver = open_server(&self.bind, |local| {
            let settings = match self.impair {
                Some(impairment) => impairment.apply(DriverConfig::default()),
                None => DriverConfig::default(),
            };
            let server = Server::new(config(&self), Instant::ZERO);
            Driver::listen_with(local, self.transport.into(), server, settings)
        })?;
        let output = Output::begin(self.json, self.quiet);
        output.emit(&describe::listening(driver.local_addr(), self.transport.into(), self.max_clients))?;
        if let Some(metrics) = &metrics {
            output.emit(&event!("metrics", url: Value::Escaped(metrics.url())))?;
        }
        let mut server = RelayServer::new(driver, &plan, output, figures);
        Controls::begin(interrupt, self.duration).run(&mut server, &Recording::default())?;
        server.end()?;
        Ok(ExitStatus::Success)
    }
}

fn config(options: &RiptideRelay) -> ServerConfig {
    let mut config = ServerConfig::new(options.max_clients);
    config.relay_budget = options.relay_budget;
    config.handle_connection = options.require_data.is_some();
    if options.strict { config.hardened() } else { config }
}
