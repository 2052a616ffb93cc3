use core::time::Duration;
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use gamewire_machine::{Instant, Machine as _, TransmitQueue, Wake};
use gamewire_teeworlds::browse::{
    Browser, BrowserConfig, Event, InfoFormat, InfoRequest, reply, short_reply,
};
use gamewire_teeworlds::model::ServerInfo;
use gamewire_teeworlds::raw::handshake::{PrefixRateLimiter, Rate, SeededRng, TokenBucket};
use gamewire_teeworlds::{AcceptorConfig, Dialect};

/// Maximum number of client requests that wait for one server info. A new request replaces the oldest one.
const MAX_REQUESTS: usize = 8;
/// Rate limit of lists of clients for requests of 0.6, which may be forged in the name of a connected client.
const LIST_RATE: Rate = Rate { burst: 4, interval: Duration::from_secs(1) };

/// The rate limit of server info requests with an address that may be forged, for each prefix of addresses. It is the same
/// as in a server. Clones share it. All bridges of a proxy need the same one, because each port of an address has a bridge.
#[derive(Clone, Debug)]
pub struct InfoLimit(Arc<Mutex<PrefixRateLimiter>>);

impl InfoLimit {
    /// Returns a limit with 32 secret random bytes.
    #[must_use]
    pub fn new(seed: [u8; 32]) -> Self {
        let rate = AcceptorConfig::vanilla().info_rate;
        Self(Arc::new(Mutex::new(PrefixRateLimiter::new(rate, &mut SeededRng::new(seed)))))
    }

    /// Returns whether the limit of the client's prefix allows the request. In 0.7 a request contains a token.
    pub(super) fn accepts(
        &self,
        now: Instant,
        client: SocketAddr,
        request: &InfoRequest,
        is_proven: bool,
    ) -> bool {
        is_proven
            || matches!(request, InfoRequest::V07 { .. })
            || self.0.lock().unwrap_or_else(PoisonError::into_inner).try_acquire(now, client)
    }
}

/// Relays server info requests. It queries the server in the server's version, and answers the client in the client's
/// version. Each format has its own query, because a client that does not know the version asks in all of them, and the
/// server answers only one. An address that may be forged gets a short answer, without the clients.
#[derive(Debug)]
pub(super) struct InfoRelay {
    server: SocketAddr,
    /// At most one of each format.
    queries: Vec<Query>,
    /// The formats in which the server has answered.
    answered: Vec<InfoFormat>,
    lists: TokenBucket,
}

#[derive(Debug)]
struct Query {
    format: InfoFormat,
    browser: Browser,
    answer: Option<ServerInfo>,
    requests: VecDeque<InfoRequest>,
}

impl InfoRelay {
    pub(super) fn new(server: SocketAddr) -> Self {
        Self { server, queries: Vec::new(), answered: Vec::new(), lists: TokenBucket::default() }
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
        if let Some(query) = self.queries.iter_mut().find(|query| query.format == format) {
            if query.requests.len() >= MAX_REQUESTS && request.is_some() {
                query.requests.pop_front();
            }
            query.requests.extend(request);
            return;
        }
        let config = BrowserConfig { formats: vec![format], ..BrowserConfig::new(seed) };
        let browser = Browser::new([self.server], config, now);
        self.queries.push(Query { format, browser, answer: None, requests: request.into_iter().collect() });
    }

    /// Returns whether the server has answered a query in the version of `dialect`.
    pub(super) fn has_answered(&self, dialect: Dialect) -> bool {
        let is_07 = dialect == Dialect::V07;
        self.answered.iter().any(|format| (*format == InfoFormat::V07) == is_07)
    }

    /// Handles a datagram from the server. Returns whether it belongs to a query.
    pub(super) fn receive(&mut self, now: Instant, datagram: &[u8]) -> bool {
        let server = self.server;
        self.queries.iter_mut().any(|query| query.browser.handle_datagram(now, server, datagram).is_ok())
    }

    /// Moves output to the queues of both sides. `is_proven` is true if the client has a connection with tokens. Returns
    /// the server info if it has arrived.
    pub(super) fn pump(
        &mut self,
        now: Instant,
        is_proven: bool,
        to_client: &mut TransmitQueue<()>,
        to_server: &mut TransmitQueue<()>,
    ) -> Option<ServerInfo> {
        let mut buffer = Vec::new();
        let mut arrived = None;
        let Self { queries, answered, lists, .. } = self;
        queries.retain_mut(|query| {
            while query.browser.poll_transmit(now, &mut buffer).is_some() {
                to_server.push((), &buffer);
            }
            let is_done = query.poll();
            if is_done && let Some(mut info) = query.answer.take() {
                if !answered.contains(&query.format) {
                    answered.push(query.format);
                }
                for request in &query.requests {
                    info.version = shown_version(&info, request);
                    let send = |datagram: &[u8]| to_client.push((), datagram);
                    if is_proven && lists.try_acquire(now, LIST_RATE) {
                        reply(&info, request, send);
                    } else {
                        short_reply(&info, request, send);
                    }
                }
                arrived = Some(info);
            }
            !is_done
        });
        arrived
    }

    pub(super) fn handle_timeout(&mut self, now: Instant) {
        for query in &mut self.queries {
            query.browser.handle_timeout(now);
        }
    }

    pub(super) fn poll_timeout(&self) -> Option<Wake> {
        Wake::earliest(self.queries.iter().map(|query| query.browser.poll_timeout()))
    }
}

impl Query {
    /// Handles the browser's events. Returns whether the query has ended.
    fn poll(&mut self) -> bool {
        while let Some(event) = self.browser.poll_event() {
            match event {
                Event::Answer { info, .. } => self.answer = Some(info),
                Event::NoAnswer { .. } => {}
                _ => return true,
            }
        }
        false
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

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that panics fails")]
mod tests {
    use core::iter;

    use super::*;

    #[test]
    fn a_question_in_another_format_does_not_wait_for_the_first() {
        let server = SocketAddr::from(([192, 0, 2, 1], 8303));
        let mut relay = InfoRelay::new(server);
        let (mut to_client, mut to_server) = (TransmitQueue::new(), TransmitQueue::new());
        relay.ask(Instant::ZERO, None, Some(InfoRequest::Plain { token: 1 }), [1; 32]);
        relay.ask(Instant::ZERO, None, Some(InfoRequest::Plain { token: 2 }), [2; 32]);
        relay.pump(Instant::ZERO, false, &mut to_client, &mut to_server);
        let asked = |to_server: &mut TransmitQueue<()>| {
            let mut buffer = Vec::new();
            iter::from_fn(|| to_server.pop(&mut buffer).map(|()| buffer.clone())).collect::<Vec<_>>()
        };
        let plain = asked(&mut to_server);
        assert_eq!(plain.len(), 1);
        relay.ask(Instant::ZERO, Some(Dialect::V07), None, [3; 32]);
        relay.pump(Instant::ZERO, false, &mut to_client, &mut to_server);
        let of_07 = asked(&mut to_server);
        assert!(of_07.len() == 1 && of_07 != plain, "{of_07:?}");
        assert!(to_client.is_empty() && relay.poll_timeout().is_some());
        for token in 0..=u8::try_from(MAX_REQUESTS).unwrap() {
            relay.ask(Instant::ZERO, None, Some(InfoRequest::Plain { token }), [4; 32]);
        }
        let newest = InfoRequest::Plain { token: u8::try_from(MAX_REQUESTS).unwrap() };
        let waiting = &relay.queries[0].requests;
        assert_eq!((waiting.len(), waiting.back()), (MAX_REQUESTS, Some(&newest)), "the newest is kept");
    }
}
