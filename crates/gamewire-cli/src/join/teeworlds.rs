//! A headless player on a Teeworlds server.

mod describe;
mod maps;
mod session;
mod summary;

use std::net::SocketAddr;
use std::time::Duration;

use gamewire_machine::Instant;
use gamewire_net::blocking::Driver;
use gamewire_teeworlds::browse::InfoFormat;
use gamewire_teeworlds::client::{Client, ClientConfig, MapPolicy, SessionConfig};
use gamewire_teeworlds::{Dialect, Offer};

use self::maps::Maps;
use self::session::TeeworldsSession;
use crate::controls::Controls;
use crate::exit_status::{ExitStatus, Failure};
use crate::interrupt::Interrupt;
use crate::join::Join;
use crate::output::Output;
use crate::query::{forms, query_info};
use crate::record::local_for;
use crate::url::{Url, UrlProtocol};

/// Timeout for the query of a server's dialect.
const DETECT_TIMEOUT: Duration = Duration::from_secs(3);
/// Timeout for a query in all dialects, after a server did not answer in the dialect of the URL.
const OTHER_VERSION_TIMEOUT: Duration = Duration::from_millis(500);

impl Join {
    /// Plays on a Teeworlds server.
    pub(in crate::join) fn run_teeworlds(&self, offer: Option<Offer>) -> Result<ExitStatus, Failure> {
        let interrupt = Interrupt::listen()?;
        let (server, offer) = find(&self.url, offer)?;
        let page = self.open_page()?;
        let (recording, settings) = self.driver_config(page.as_ref())?;
        let client = Client::connect(server, self.config(offer), Instant::ZERO);
        let driver = Driver::bind_with(local_for(server), client, settings)
            .map_err(|error| Failure::Failed(format!("cannot open a socket: {error}")))?;
        let mut controls = Controls::begin(interrupt, self.duration);
        let session = SessionConfig {
            say: self.players.say.iter().cloned().collect(),
            rcon_password: self.teeworlds.rcon.clone(),
            rcon_commands: self.teeworlds.command.iter().cloned().collect(),
            reconnects: self.again.reconnect,
            answer_timeout: self.timeout,
        };
        let output = Output::begin(self.json, self.quiet);
        let maps = self.teeworlds.map_dir.as_deref().map(Maps::new);
        let mut session = TeeworldsSession::new(driver, session, output, maps, self.url.to_string());
        controls.run(&mut session, &recording)?;
        controls.outcome(session.end())
    }

    fn config(&self, offer: Offer) -> ClientConfig {
        let options = &self.teeworlds;
        let mut config = ClientConfig::new(offer, &self.players.name, gamewire::seed());
        config.clan = options.clan.clone().unwrap_or_default();
        config.password = self.players.password.clone().unwrap_or_default();
        if options.map_dir.is_some() {
            config.maps = MapPolicy::Ask;
        }
        config
    }
}

/// Returns the address of a server, and the dialects to offer. If the URL names no version, queries the server and
/// prefers 0.6.
fn find(url: &Url, offer: Option<Offer>) -> Result<(SocketAddr, Offer), Failure> {
    let addresses = url.host.resolve()?;
    if let (Some(offer), Some(first)) = (offer, addresses.first()) {
        return Ok((answering(&addresses, offer)?.unwrap_or(*first), offer));
    }
    let answers = query_info(&addresses, forms(None), DETECT_TIMEOUT)?;
    let answer =
        answers.first().ok_or_else(|| Failure::Failed(format!("no answer from {url} in any dialect")))?;
    let is_06 = answers.iter().any(|answer| answer.form != InfoFormat::V07);
    Ok((answer.address, if is_06 { Offer::Any06 } else { Dialect::V07.into() }))
}

/// Returns the first address that answers in one of the offered dialects. A server may listen on only some of its
/// addresses, and may not answer queries.
fn answering(addresses: &[SocketAddr], offer: Offer) -> Result<Option<SocketAddr>, Failure> {
    if addresses.len() < 2 {
        return Ok(None);
    }
    let answers = query_info(addresses, forms(Some(offer)), DETECT_TIMEOUT)?;
    Ok(answers.first().map(|answer| answer.address))
}

/// Returns the URL of the version in which a server answers a query, if `offer` does not include that version.
fn other_version(server: SocketAddr, offer: Offer) -> Option<String> {
    let answers = query_info(&[server], forms(None), OTHER_VERSION_TIMEOUT).ok()?;
    let answered = |offer| answers.iter().any(|answer| forms(Some(offer)).contains(&answer.form));
    let other = [Offer::Only(Dialect::V07), Offer::Any06].into_iter().find(|other| answered(*other))?;
    let scheme = Url::scheme_of(UrlProtocol::Teeworlds(Some(other)));
    (!answered(offer)).then(|| format!("{scheme}://{server}"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use std::net::{Ipv4Addr, UdpSocket};

    use gamewire_teeworlds::server::{Map, Server, ServerConfig, WalkingGame};

    use super::*;

    #[test]
    fn the_first_address_that_answers_is_used() {
        let loopback = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let silent = UdpSocket::bind(loopback).unwrap();
        let config = ServerConfig::new([3; 32], "test", Map::new("dm1", vec![9; 5000]));
        let server = Server::new(config, WalkingGame::default(), Instant::ZERO);
        let mut driver = Driver::bind(loopback, server).unwrap();
        let addresses = [silent.local_addr().unwrap(), driver.local_addr()];
        let asking = std::thread::spawn(move || {
            [Dialect::V07, Dialect::V06].map(|it| answering(&addresses, it.into()))
        });
        while !asking.is_finished() {
            driver.next_event(Duration::from_millis(5)).unwrap();
        }
        let found = asking.join().unwrap().map(|found| found.unwrap());
        assert_eq!(found, [Some(driver.local_addr()); 2]);
        assert_eq!(answering(&[addresses[1]], Dialect::V07.into()).unwrap(), None, "one alone is not asked");
    }
}
