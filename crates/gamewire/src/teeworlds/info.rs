use core::time::Duration;
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::time::Instant as Monotonic;

use gamewire_net::blocking::Driver;
use gamewire_teeworlds::browse::{Event, InfoFormat};
use gamewire_teeworlds::model::ServerInfo;

use super::PlayError;
use super::detection::browser;
use super::options::{addresses, host_and_port};

/// Time to wait for a server's answers in other formats after its first answer.
const EXTRA_FORMATS_TIMEOUT: Duration = Duration::from_secs(2);

/// The information of a server, in one format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerAnswer {
    /// The address that answered.
    pub address: SocketAddr,
    /// The format of the answer.
    pub format: InfoFormat,
    /// The information.
    pub info: ServerInfo,
    /// Time from the last query to the answer.
    pub round_trip: Duration,
}

/// Queries the information of a server in every format. Waits at most 3 s for the first answer, and then at most 2 s
/// for the answers in other formats. Returns the answers in the order of [`InfoFormat`].
///
/// # Errors
/// [`PlayError::Resolve`], [`PlayError::NoAnswer`], [`PlayError::Open`] or [`PlayError::Io`].
pub fn query_info(server: &str) -> Result<Vec<ServerAnswer>, PlayError> {
    let addresses = addresses(server, host_and_port(server)?.to_socket_addrs())?;
    let (local, browser) = browser(&addresses);
    let mut driver = Driver::bind(local, browser)?;
    let mut answers: Vec<ServerAnswer> = Vec::new();
    let mut end: Option<Monotonic> = None;
    while answers.len() < InfoFormat::ALL.len() {
        let left = end.map_or(Duration::MAX, |end| end.saturating_duration_since(Monotonic::now()));
        match driver.next_event(left)? {
            Some(Event::Answer { address, format, info, round_trip }) => {
                end = end.or_else(|| Monotonic::now().checked_add(EXTRA_FORMATS_TIMEOUT));
                // A name can have several addresses.
                if answers.first().is_none_or(|first| first.address == address) {
                    answers.push(ServerAnswer { address, format, info, round_trip });
                }
            }
            Some(Event::NoAnswer { .. }) => {}
            Some(Event::Finished) | None => break,
        }
    }
    if answers.is_empty() {
        return Err(PlayError::NoAnswer { server: server.to_owned() });
    }
    answers.sort_by_key(|answer| answer.format);
    Ok(answers)
}
