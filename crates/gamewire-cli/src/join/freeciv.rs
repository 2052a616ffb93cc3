//! A player or observer on a Freeciv server.

mod control;
mod describe;
mod password;
mod plan;
mod session;
mod stats;

use gamewire_freeciv::agent::{Agent, AgentConfig};
use gamewire_freeciv::codec::ProtocolVersion;
use gamewire_freeciv::session::check_name;
use gamewire_freeciv::session::client::ClientConfig;
use gamewire_inspect::render::Escaped;
use gamewire_machine::Instant;

use self::plan::Plan;
use self::session::FreecivSession;
use crate::compile::definition;
use crate::controls::Controls;
use crate::exit_status::{ExitStatus, Failure};
use crate::freeciv::{self, Connector, client_config};
use crate::interrupt::Interrupt;
use crate::join::Join;
use crate::output::Output;

impl Join {
    /// Plays or observes on a Freeciv server.
    pub(in crate::join) fn run_freeciv(
        &self,
        version: Option<ProtocolVersion>,
    ) -> Result<ExitStatus, Failure> {
        // The session starts the game itself, so that it can report the server's answer.
        let config = AgentConfig { client: self.client_config(version)?, starts: false, takes: None };
        let mut controls = Controls::begin(Interrupt::listen()?, self.duration);
        let agent = || Agent::new(config.clone(), Instant::ZERO);
        let page = self.open_page()?;
        let connector = Connector::new(&self.url, self.timeout, self.record.as_deref(), page.as_ref())?;
        let driver = connector.connect(agent)?;
        let output = Output::begin(self.json, self.quiet);
        if self.json {
            output.emit(&freeciv::describe::format())?;
        }
        let mut session = FreecivSession::new(driver, Plan::of(self), output, self.url.to_string())?;
        controls.run(&mut session, connector.recording())?;
        controls.outcome(session.end())
    }

    fn client_config(&self, version: Option<ProtocolVersion>) -> Result<ClientConfig, Failure> {
        let options = &self.freeciv;
        let name = &self.players.name;
        check_name(name).map_err(|error| {
            Failure::Usage(format!("invalid --name {}: {error}", Escaped(name.as_bytes())))
        })?;
        let mut config = match &options.definition {
            Some(path) => ClientConfig::of(definition(path, options.constants.as_deref())?, name),
            None => client_config(version, name),
        };
        config.login_timeout = self.timeout;
        config.packet_events = true;
        if let Some(capabilities) = &options.capabilities {
            config.capabilities.clone_from(capabilities);
        }
        if options.capabilities.is_none() && config.definition.protocol().capability_string.is_empty() {
            return Err(Failure::Usage(
                "the definition does not name the capabilities of a client: add `capabilities = \"...\"` to its \
                 constants file, or use --capabilities"
                    .into(),
            ));
        }
        Ok(config)
    }
}
