//! `gamewire play`: a player that a program controls by lines of JSON.

mod options;
mod rights;
mod server;
mod session;

use gamewire_freeciv::agent::{Agent, AgentConfig};
use gamewire_freeciv::session::check_name;
use gamewire_inspect::render::Escaped;
use gamewire_machine::{Instant, Role};

use self::session::PlaySession;
use crate::controls::Controls;
use crate::exit_status::{ExitStatus, Failure};
use crate::freeciv::{Connector, client_config, describe};
use crate::interrupt::Interrupt;
use crate::output::Output;
use crate::page::ProtocolFiles;
use crate::url::UrlProtocol;

pub(crate) use self::options::Play;

impl Play {
    /// Plays on the server.
    pub(crate) fn run(self) -> Result<ExitStatus, Failure> {
        let server = self.server.start(self.timeout)?;
        let url = match (&server, &self.url) {
            (Some((_, url)), _) | (None, Some(url)) => url.clone(),
            (None, None) => return Err(Failure::Usage("missing the URL of a server".into())),
        };
        let UrlProtocol::Freeciv(version) = url.protocol else {
            return Err(Failure::Usage(format!("play is for Freeciv only; for {url} use `gamewire join`")));
        };
        check_name(&self.name).map_err(|error| {
            Failure::Usage(format!("invalid --name {}: {error}", Escaped(self.name.as_bytes())))
        })?;
        let mut config = client_config(version, &self.name);
        config.login_timeout = self.timeout;
        let mut controls = Controls::begin(Interrupt::listen()?, self.duration);
        let config = AgentConfig { client: config, starts: self.start, takes: self.take };
        let agent = || Agent::new(config.clone(), Instant::ZERO);
        let title = format!("play {url}");
        let page = self.page.open(title, Role::Client, ProtocolFiles::default(), Vec::new())?;
        let connector = Connector::new(&url, self.timeout, self.record.as_deref(), page.as_ref())?;
        let driver = connector.connect(agent)?;
        let output = Output::begin(true, false);
        output.emit(&describe::format())?;
        let mut session = PlaySession::new(driver, output, url.to_string(), self.password);
        session.request_rights(self.server_home.or_else(|| Some(server.as_ref()?.0.folder().to_owned())));
        if self.reconnect {
            session.reconnect_with(|| connector.connect(agent));
        }
        controls.run(&mut session, connector.recording())?;
        controls.outcome(session.end())
    }
}
