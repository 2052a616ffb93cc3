use std::collections::VecDeque;
use std::net::SocketAddr;

use gamewire_machine::{Instant, Machine as _, Wake};
use gamewire_teeworlds::Dialect;
use gamewire_teeworlds::browse::{Browser, BrowserConfig, Event, InfoFormat, InfoRequest, reply};
use gamewire_teeworlds::model::ServerInfo;

/// Maximum number of client requests that wait for one server info.
const MAX_REQUESTS: usize = 8;

/// Relays server info requests. It queries the server in the server's version, and answers the client in the client's
/// version.
#[derive(Debug)]
pub(super) struct InfoRelay {
    server: SocketAddr,
    query: Option<Query>,
}

#[derive(Debug)]
struct Query {
    browser: Browser,
    requests: Vec<InfoRequest>,
}

impl InfoRelay {
    pub(super) const fn new(server: SocketAddr) -> Self {
        Self { server, query: None }
    }

    /// Queries the server in the version of `dialect`. A `request` is answered when the server info arrives.
    pub(super) fn ask(
        &mut self,
        now: Instant,
        dialect: Option<Dialect>,
        request: Option<InfoRequest>,
        seed: [u8; 32],
    ) {
        let format = match (dialect, request) {
            (Some(Dialect::V07), _) | (None, Some(InfoRequest::V07 { .. })) => InfoFormat::V07,
            (_, Some(InfoRequest::Extended { .. })) => InfoFormat::Extended,
            _ => InfoFormat::Plain,
        };
        let query = self.query.get_or_insert_with(|| {
            let config = BrowserConfig { formats: vec![format], ..BrowserConfig::new(seed) };
            Query { browser: Browser::new([self.server], config, now), requests: Vec::new() }
        });
        query.requests.extend(request.filter(|_| query.requests.len() < MAX_REQUESTS));
    }

    /// Handles a datagram from the server. Returns whether it belongs to a query.
    pub(super) fn receive(&mut self, now: Instant, datagram: &[u8]) -> bool {
        let Some(query) = &mut self.query else { return false };
        query.browser.handle_datagram(now, self.server, datagram).is_ok()
    }

    /// Moves output to the queues of both sides. Returns the server info if it has arrived.
    pub(super) fn pump(
        &mut self,
        now: Instant,
        to_client: &mut VecDeque<Vec<u8>>,
        to_server: &mut VecDeque<Vec<u8>>,
    ) -> Option<ServerInfo> {
        let query = self.query.as_mut()?;
        let mut buffer = Vec::new();
        while query.browser.poll_transmit(now, &mut buffer).is_some() {
            to_server.push_back(buffer.clone());
        }
        let mut answer = None;
        while let Some(event) = query.browser.poll_event() {
            match event {
                Event::Answer { info, .. } => answer = Some(info),
                Event::NoAnswer { .. } => {}
                _ => {
                    let query = self.query.take()?;
                    let mut info = answer?;
                    for request in &query.requests {
                        info.version = shown_version(&info, request);
                        reply(&info, request, |datagram| to_client.push_back(datagram.to_vec()));
                    }
                    return Some(info);
                }
            }
        }
        None
    }

    pub(super) fn handle_timeout(&mut self, now: Instant) {
        if let Some(query) = &mut self.query {
            query.browser.handle_timeout(now);
        }
    }

    pub(super) fn poll_timeout(&self) -> Option<Wake> {
        self.query.as_ref()?.browser.poll_timeout()
    }
}

/// Returns the version to show. Clients hide a server if its version does not begin with the client's version.
fn shown_version(info: &ServerInfo, request: &InfoRequest) -> gamewire_teeworlds::model::TextBuf {
    let (prefix, version) = match request {
        InfoRequest::V07 { .. } => ("0.7", "0.7.5"),
        InfoRequest::Plain { .. } | InfoRequest::Extended { .. } => ("0.6", "0.6.4"),
    };
    if info.version.as_bytes().starts_with(prefix.as_bytes()) { info.version.clone() } else { version.into() }
}
