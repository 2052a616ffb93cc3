//! Queries of server information.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::{Duration, Instant as Monotonic};

use gamewire_machine::Instant;
use gamewire_net::blocking::Driver;
use gamewire_teeworlds::browse::{Browser, BrowserConfig, Event, InfoFormat};
use gamewire_teeworlds::model::ServerInfo;
use gamewire_teeworlds::{Dialect, Offer};

use crate::exit_status::Failure;

/// Time to wait for a server's answers in other formats after its first answer. An extended answer that omits clients is
/// requested twice more, which takes a second and a half.
const EXTRA_FORMATS_TIMEOUT: Duration = Duration::from_secs(2);

/// A server's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ServerAnswer {
    pub(crate) address: SocketAddr,
    /// The format of the answer.
    pub(crate) form: InfoFormat,
    pub(crate) info: ServerInfo,
    pub(crate) round_trip: Duration,
}

/// Returns the formats in which servers of an offer answer. Without an offer, returns every format.
pub(crate) fn forms(offer: Option<Offer>) -> &'static [InfoFormat] {
    match offer {
        None => &InfoFormat::ALL,
        Some(Offer::Any06 | Offer::Only(Dialect::Tken)) => &[InfoFormat::Plain, InfoFormat::Extended],
        Some(Offer::Only(Dialect::V06 | Dialect::V065)) => &[InfoFormat::Plain],
        Some(Offer::Only(Dialect::V07)) => &[InfoFormat::V07],
    }
}

/// Queries the server at `addresses` in `forms`, for at most `timeout`. Returns its answers in the order of
/// [`InfoFormat`]; none if it does not answer. The first address that answers is taken as the server.
pub(crate) fn query_info(
    addresses: &[SocketAddr],
    forms: &[InfoFormat],
    timeout: Duration,
) -> Result<Vec<ServerAnswer>, Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::Failed(error.to_string());
    let config = BrowserConfig { formats: forms.to_vec(), timeout, ..BrowserConfig::new(gamewire::seed()) };
    let mut driver = open(addresses, &config)?;

    let mut answers: Vec<ServerAnswer> = Vec::new();
    let mut end = Monotonic::now().checked_add(timeout);
    while answers.len() < forms.len() {
        let left = end.map_or(timeout, |end| end.saturating_duration_since(Monotonic::now()));
        match driver.next_event(left).map_err(|error| failed(&error))? {
            Some(Event::Answer { address, format: form, info, round_trip }) => {
                let server = answers.first().map_or(address, |first| first.address);
                if answers.is_empty() {
                    end = end.min(Monotonic::now().checked_add(EXTRA_FORMATS_TIMEOUT));
                }
                if server == address {
                    answers.push(ServerAnswer { address, form, info, round_trip });
                }
            }
            Some(Event::NoAnswer { .. }) => {}
            Some(Event::Finished) | None => break,
        }
    }
    answers.sort_by_key(|answer| answer.form);
    Ok(answers)
}

/// Opens a socket that reaches the addresses. If the system has no IPv6, it reaches only the IPv4 addresses.
fn open(addresses: &[SocketAddr], config: &BrowserConfig) -> Result<Driver<Browser>, Failure> {
    let browser = |wanted: &dyn Fn(&SocketAddr) -> bool| {
        let addresses = addresses.iter().filter(|address| wanted(address)).copied();
        Browser::new(addresses, config.clone(), Instant::ZERO)
    };
    let everywhere_6 = SocketAddr::from((Ipv6Addr::UNSPECIFIED, 0));
    let everywhere_4 = SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0));
    let failed = |error: gamewire_net::OpenError| Failure::Failed(error.to_string());
    if addresses.iter().all(SocketAddr::is_ipv4) {
        return Driver::bind(everywhere_4, browser(&|_| true)).map_err(failed);
    }
    let bound = Driver::bind(everywhere_6, browser(&|_| true));
    if bound.is_err() && addresses.iter().any(SocketAddr::is_ipv4) {
        return Driver::bind(everywhere_4, browser(&SocketAddr::is_ipv4)).map_err(failed);
    }
    bound.map_err(failed)
}
