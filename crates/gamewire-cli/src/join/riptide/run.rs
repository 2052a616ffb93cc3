use std::net::SocketAddr;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use gamewire_net::DriverConfig;
use gamewire_riptide::client::ClientConfig;

use super::describe;
use super::session::Plan;
use super::session::{Session, SessionEnd};
use crate::duration::from_now;
use crate::exit_status::{ExitStatus, Failure};
use crate::interrupt::Interrupt;
use crate::join::Join;
use crate::output::Output;
use crate::record::Recording;
use crate::record::local_for;
use crate::riptide::{new_client, open_client};
use crate::stdin;
use crate::url::RiptideUrl;

/// Maximum wait for an event before other work is checked.
const TURN: Duration = Duration::from_millis(20);

/// Input, output and limits of a session.
struct SessionControls {
    interrupt: Interrupt,
    input: Receiver<String>,
    end: Option<Instant>,
}

impl Join {
    /// Joins a Riptide server.
    pub(in crate::join) fn run_riptide(&self, url: &RiptideUrl) -> Result<ExitStatus, Failure> {
        let plan = Plan::of(&self.riptide)?;
        let config = config(url, &plan)?;
        let controls = SessionControls {
            interrupt: Interrupt::listen()?,
            input: stdin::lines(),
            end: self.duration.and_then(from_now),
        };
        let addresses = url.host.resolve()?;
        let output = Output::begin(self.json, self.quiet);
        // A server may listen at some of its addresses only.
        let share = u32::try_from(addresses.len()).ok().and_then(|count| self.timeout.checked_div(count));
        let patience = share.unwrap_or(self.timeout);
        let mut why = None;
        for server in addresses {
            match self.join_at(server, url, (&config, &plan, &output), patience, &controls)? {
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
        patience: Duration,
        controls: &SessionControls,
    ) -> Result<SessionEnd, Failure> {
        let (recording, settings) = Recording::begin(self.record.as_deref(), DriverConfig::default())?;
        let settings = match self.impair {
            Some(impairment) => impairment.apply(settings),
            None => settings,
        };
        let client = new_client(url.transport, server, config)
            .map_err(|error| Failure::Usage(format!("invalid --connect-data: {error}")))?;
        let local = local_for(server);
        let driver = match open_client(url.transport, (local, server), patience, client, settings) {
            Ok(driver) => driver,
            Err(error) => return Ok(SessionEnd::Silent(Some(error.to_string()))),
        };
        let name = url.to_string();
        let mut session = Session::new(driver, (plan, output, &name), patience);
        let turn = |session: &mut Session<'_>| {
            session.turn(TURN)?;
            if session.is_connected() {
                controls.input.try_iter().for_each(|line| session.line(&line));
            }
            recording.check();
            if controls.is_over() {
                session.leave();
            }
            Ok(())
        };
        while !session.is_over() {
            // On any error, such as a closed pipe, the client still disconnects.
            turn(&mut session).inspect_err(|_: &Failure| session.leave())?;
        }
        recording.finish();
        session.end()
    }
}

impl SessionControls {
    /// Returns true if it is time to leave.
    fn is_over(&self) -> bool {
        self.interrupt.is_set() || self.end.is_some_and(|end| Instant::now() >= end)
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
