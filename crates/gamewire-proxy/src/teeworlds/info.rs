use std::collections::VecDeque;
use std::net::SocketAddr;

use gamewire_machine::{Instant, Machine as _, Wake};
use gamewire_teeworlds::Dialect;
use gamewire_teeworlds::browse::{Browser, BrowserConfig, Event, InfoFormat, InfoRequest, reply};
use gamewire_teeworlds::session::ServerInfo;

/// Maximum number of requests that one answer of the server answers.
const REQUESTS: usize = 8;

/// Server info requests: asked again in the server's version, and answered in the client's.
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

    /// Asks the server in the version of `dialect`; for `request`, if there is one.
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
        query.requests.extend(request.filter(|_| query.requests.len() < REQUESTS));
    }

    /// Handles a datagram of the server. Returns whether it was for a query.
    pub(super) fn receive(&mut self, now: Instant, datagram: &[u8]) -> bool {
        let Some(query) = &mut self.query else { return false };
        query.browser.handle_datagram(now, self.server, datagram).is_ok()
    }

    /// Moves what is due into the queues of both sides. Returns the answer, if there is one.
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

/// Clients hide a server whose version does not begin with their own.
fn shown_version(info: &ServerInfo, request: &InfoRequest) -> gamewire_teeworlds::session::TextBuf {
    let (prefix, version) = match request {
        InfoRequest::V07 { .. } => ("0.7", "0.7.5"),
        InfoRequest::Plain { .. } | InfoRequest::Extended { .. } => ("0.6", "0.6.4"),
    };
    if info.version.as_bytes().starts_with(prefix.as_bytes()) { info.version.clone() } else { version.into() }
}
