use std::net::SocketAddr;
use std::time::Duration;

use gamewire_riptide::client::ClientConfig;

use super::describe;
use super::session::{Plan, RiptideSession, SessionEnd};
use crate::exit_status::{ExitStatus, Failure};
use crate::interrupt::Interrupt;
use crate::join::Join;
use crate::output::Output;
use crate::record::local_for;
use crate::riptide::{new_client, open_client};
use crate::session::Controls;
use crate::url::RiptideUrl;

impl Join {
    /// Joins a Riptide server.
    pub(in crate::join) fn run_riptide(&self, url: &RiptideUrl) -> Result<ExitStatus, Failure> {
        let plan = Plan::of(&self.riptide)?;
        let config = config(url, &plan)?;
        let mut controls = Controls::begin(Interrupt::listen()?, self.duration);
        let addresses = url.host.resolve()?;
        let output = Output::begin(self.json, self.quiet);
        // A server may listen at some of its addresses only.
        let timeout = self.timeout_for_each(&addresses);
        let mut why = None;
        for server in addresses {
            match self.join_at(server, url, (&config, &plan, &output), timeout, &mut controls)? {
                SessionEnd::Over(end) => return end,
                SessionEnd::Silent(_) if controls.is_over() => return Ok(ExitStatus::Success),
                SessionEnd::Silent(reason) => why = reason.or(why),
            }
        }
        output.emit(&describe::no_answer())?;
        Err(Failure::Failed(why.unwrap_or_else(|| {
            let version = url.format;
            format!("no answer from {url}: is it a Riptide {version} server?")
        })))
    }

    fn join_at(
        &self,
        server: SocketAddr,
        url: &RiptideUrl,
        (config, plan, output): (&ClientConfig, &Plan, &Output),
        timeout: Duration,
        controls: &mut Controls,
    ) -> Result<SessionEnd, Failure> {
        let (recording, settings) = self.driver_config()?;
        let client = new_client(url.transport, server, config)
            .map_err(|error| Failure::Usage(format!("invalid --connect-data: {error}")))?;
        let local = local_for(server);
        let driver = match open_client(url.transport, (local, server), timeout, client, settings) {
            Ok(driver) => driver,
            Err(error) => return Ok(SessionEnd::Silent(Some(error.to_string()))),
        };
        let name = url.to_string();
        let mut session = RiptideSession::new(driver, (plan, output, &name), timeout);
        controls.run(&mut session, &recording)?;
        session.end()
    }
}

fn config(url: &RiptideUrl, plan: &Plan) -> Result<ClientConfig, Failure> {
    let mut config = ClientConfig::new(url.format);
    // The options decide how long the client tries to connect.
    config.link.max_connection_attempts = u32::MAX;
    let data = plan.data.as_ref().map(|data| data.message(url.format)).transpose();
    config.connect_data = data.map_err(|error| {
        Failure::Usage(format!("invalid --connect-data for Riptide {}: {error}", url.format))
    })?;
    Ok(config)
}
