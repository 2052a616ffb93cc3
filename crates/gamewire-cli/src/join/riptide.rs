//! A client on a Riptide server.

mod describe;
mod session;
mod summary;

use std::net::SocketAddr;
use std::time::Duration;

use gamewire_riptide::Format;
use gamewire_riptide::client::ClientConfig;

use self::session::{Plan, RiptideSession, SessionEnd};
use crate::controls::Controls;
use crate::duration::share_of;
use crate::exit_status::{ExitStatus, Failure};
use crate::interrupt::Interrupt;
use crate::join::Join;
use crate::output::Output;
use crate::page::TappedPage;
use crate::record::local_for;
use crate::riptide::{EncryptionKey, PeerLimits, new_client, open_client};
use crate::tls::ServerTrust;
use crate::url::{RiptideTransport, Url, UrlProtocol};

/// Maximum time in which `--reconnect` tries to join again.
const RECONNECT_TIME: Duration = Duration::from_secs(60);

impl Join {
    /// Joins a Riptide server.
    pub(in crate::join) fn run_riptide(
        &self,
        format: Format,
        transport: RiptideTransport,
    ) -> Result<ExitStatus, Failure> {
        let key = self.key(transport)?;
        let tls = self.tls(transport)?;
        let plan = Plan::of(&self.riptide)?;
        let mut config = config(format, self.riptide.limits, &plan)?;
        config.reconnect = self.again.reconnect.then_some(RECONNECT_TIME);
        for message in &plan.send {
            message.check(format).map_err(|error| Failure::Failed(format!("cannot send --send: {error}")))?;
        }
        let mut controls = Controls::begin(Interrupt::listen()?, self.duration);
        let addresses = self.url.host.resolve()?;
        let output = Output::begin(self.json, self.quiet);
        // A server may listen on only some of its addresses.
        let timeout = share_of(self.timeout, addresses.len());
        let other = if format == Format::V21 { Format::V20 } else { Format::V21 };
        let other_scheme = Url::scheme_of(UrlProtocol::Riptide(other, transport));
        let silence = format!(
            "no answer from {}: is it running, and is it a Riptide {format} server? For {other} use {other_scheme}://",
            self.url
        );
        let page = self.open_page()?;
        let attempt = Attempt {
            join: self,
            transport,
            key: key.as_ref(),
            tls: tls.as_ref(),
            config: &config,
            plan: &plan,
            output: &output,
            page: page.as_ref(),
            timeout,
        };
        let mut why = None;
        for server in addresses {
            match attempt.join_at(server, &mut controls)? {
                SessionEnd::Over(end) => return controls.outcome(end),
                SessionEnd::Silent(_) if controls.is_interrupted() || controls.is_late() => break,
                SessionEnd::Silent(reason) => why = reason.or(why),
            }
        }
        output.emit(&describe::no_answer())?;
        Err(Failure::Failed(why.unwrap_or(silence)))
    }

    /// Reads the certificates that the client trusts, which only WebSockets over TLS need.
    fn tls(&self, transport: RiptideTransport) -> Result<Option<ServerTrust>, Failure> {
        match (transport, &self.riptide.ca) {
            (RiptideTransport::SecureWebSocket, ca) => {
                ServerTrust::load(ca.as_deref(), &self.url.host).map(Some)
            }
            (_, None) => Ok(None),
            (_, Some(_)) => {
                let host = &self.url.host;
                Err(Failure::Usage(format!("--ca is for wss only; use riptide-2.1+wss://{host}")))
            }
        }
    }

    /// Reads the key of `--key`, which only encrypted datagrams have.
    fn key(&self, transport: RiptideTransport) -> Result<Option<EncryptionKey>, Failure> {
        match (transport, &self.riptide.key) {
            (RiptideTransport::EncryptedUdp, Some(path)) => EncryptionKey::load(path).map(Some),
            (RiptideTransport::EncryptedUdp, None) => {
                Err(Failure::Usage(format!("missing --key FILE for {}", self.url)))
            }
            (_, None) => Ok(None),
            (_, Some(_)) => Err(Failure::Usage(format!(
                "--key is for udps only; use riptide-2.1+udps://{}",
                self.url.host
            ))),
        }
    }
}

/// Everything that the attempts to join at the addresses of a server share.
struct Attempt<'a> {
    join: &'a Join,
    transport: RiptideTransport,
    key: Option<&'a EncryptionKey>,
    tls: Option<&'a ServerTrust>,
    config: &'a ClientConfig,
    plan: &'a Plan,
    output: &'a Output,
    page: Option<&'a TappedPage>,
    /// Maximum time until the server's first answer.
    timeout: Duration,
}

impl Attempt<'_> {
    fn join_at(&self, server: SocketAddr, controls: &mut Controls) -> Result<SessionEnd, Failure> {
        let (recording, settings) = self.join.driver_config(self.page)?;
        let settings = match self.tls {
            Some(tls) => tls.connect(settings),
            None => settings,
        };
        let client =
            new_client(self.transport, self.key, &self.join.url.host.to_string(), server, self.config)
                .map_err(|error| Failure::Usage(format!("invalid --connect-data: {error}")))?;
        let local = local_for(server);
        let driver = match open_client(self.transport, local, server, self.timeout, client, settings) {
            Ok(driver) => driver,
            Err(error) => return Ok(SessionEnd::Silent(Some(error.to_string()))),
        };
        let name = self.join.url.to_string();
        let mut session = RiptideSession::new(driver, self.plan, self.output, &name, self.timeout);
        controls.run(&mut session, &recording)?;
        Ok(match (session.end()?, self.tls.and_then(|tls| tls.refusal(&name))) {
            (SessionEnd::Silent(_), Some(refusal)) => SessionEnd::Silent(Some(refusal)),
            (end, _) => end,
        })
    }
}

fn config(format: Format, limits: PeerLimits, plan: &Plan) -> Result<ClientConfig, Failure> {
    let mut config = ClientConfig::new(format);
    config.settings = limits.settings();
    // The options decide how long the client tries to connect.
    config.link.max_connection_attempts = u32::MAX;
    let data = plan.data.as_ref().map(|data| data.message(format)).transpose();
    config.connect_data = data
        .map_err(|error| Failure::Usage(format!("invalid --connect-data for Riptide {format}: {error}")))?;
    Ok(config)
}
