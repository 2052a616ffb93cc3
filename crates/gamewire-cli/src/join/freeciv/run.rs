use std::io;
use std::net::SocketAddr;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use gamewire_freeciv::session::check_name;
use gamewire_freeciv::session::client::{Client, ClientConfig};
use gamewire_inspect::render::Escaped;
use gamewire_machine::Instant as Moment;
use gamewire_net::blocking::Driver;
use gamewire_net::{DriverConfig, OpenError};

use super::session::Plan;
use super::session::Session;
use crate::compile::definition;
use crate::duration::from_now;
use crate::exit_status::{ExitStatus, Failure};
use crate::interrupt::Interrupt;
use crate::join::Join;
use crate::output::Output;
use crate::record::Recording;
use crate::stdin;
use crate::url::FreecivUrl;

/// Maximum wait for an event before other work is checked.
const TURN: Duration = Duration::from_millis(20);

impl Join {
    /// Plays or observes on a Freeciv server.
    pub(in crate::join) fn run_freeciv(&self, url: &FreecivUrl) -> Result<ExitStatus, Failure> {
        let config = self.client_config()?;
        let interrupt = Interrupt::listen()?;
        let addresses = url.place.resolve()?;
        let (driver, recording) = self.reach(&addresses, &config, url)?;
        let output = Output::begin(self.json, self.quiet);
        let mut session = Session::new(driver, Plan::of(self), output, url.to_string())?;
        let end = self.duration.and_then(from_now);
        // Earlier input may be a password.
        let mut input: Option<Receiver<String>> = None;
        let mut turn = |session: &mut Session| {
            session.poll(TURN)?;
            if session.has_joined() {
                let lines = input.get_or_insert_with(stdin::lines);
                lines.try_iter().for_each(|line| session.say(&line));
            }
            recording.check();
            if interrupt.is_set() || end.is_some_and(|end| Instant::now() >= end) {
                session.leave();
            }
            Ok(())
        };
        while !session.is_over() {
            // On any error, such as a closed pipe, the player still disconnects.
            turn(&mut session).inspect_err(|_: &Failure| session.leave())?;
        }
        let end = session.end();
        recording.finish();
        end
    }

    fn client_config(&self) -> Result<ClientConfig, Failure> {
        let options = &self.freeciv;
        let name = self.players.name();
        check_name(name).map_err(|fault| {
            Failure::Usage(format!("invalid --name {}: {fault}", Escaped(name.as_bytes())))
        })?;
        let definition = definition(options.definition.as_deref(), options.constants.as_deref())?;
        let mut config = ClientConfig::new(definition, name);
        config.login_timeout = self.timeout;
        config.packet_events = true;
        if let Some(capabilities) = &options.capabilities {
            config.capabilities.clone_from(capabilities);
        }
        Ok(config)
    }

    /// Connects to the first address that accepts a connection.
    fn reach(
        &self,
        addresses: &[SocketAddr],
        config: &ClientConfig,
        url: &FreecivUrl,
    ) -> Result<(Driver<Client>, Recording), Failure> {
        let share = u32::try_from(addresses.len()).ok().and_then(|count| self.timeout.checked_div(count));
        let patience = share.unwrap_or(self.timeout);
        let mut why = String::new();
        for address in addresses {
            let client = Client::new(config.clone(), Moment::ZERO)
                .map_err(|error| Failure::Usage(format!("cannot connect with these options: {error}")))?;
            let (recording, settings) = Recording::begin(self.record.as_deref(), DriverConfig::default())?;
            match Driver::connect_with(*address, patience, client, settings) {
                Ok(driver) => return Ok((driver, recording)),
                Err(OpenError::Connect { source, .. }) => why = connect_error(&source, *address),
                Err(other) => why = other.to_string(),
            }
        }
        Err(Failure::Failed(format!("cannot connect to {url}: {why}")))
    }
}

/// Returns the error message for an address that cannot be connected to.
fn connect_error(error: &io::Error, address: SocketAddr) -> String {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => format!("no server is listening at {address}"),
        io::ErrorKind::TimedOut => format!("timed out waiting for {address}"),
        _ => error.to_string(),
    }
}
