use core::fmt;
use core::mem::{replace, take};

use gamewire_machine::{Instant, Role, TransmitQueue, Wake};
use gamewire_teeworlds::browse::InfoRequest;
use gamewire_teeworlds::raw::handshake::{
    AcceptOutcome, Acceptor, ConnectOutcome, Connecting, FirstPacket, SeededRng,
};
use gamewire_teeworlds::raw::link::{Link, Outbox, Scratch};
use gamewire_teeworlds::{
    AcceptorConfig, CloseReason, Dialect, LinkConfig, MessageBuf, Offer, TokenlessPolicy,
};

use super::config::{TeeworldsConfig, TeeworldsStats};
use super::connection::Connection;
use super::info::{InfoLimit, InfoRelay};
use super::outgoing::{Outgoing, Relayed};
use super::received::{Received, encode_again, read};
use super::same_version::SameVersion;
use super::state::{Datagrams, Joining, Online, State};
use super::translated;
use crate::delayed::Delayed;
use crate::{Action, Bridge, MessageHook, Unchanged};

/// Maximum number of messages queued until the server accepts the client.
const MAX_WAITING: usize = 64;

/// A bridge that decodes every message and encodes it again. It has one connection with the client and one with the
/// server, each with separate tokens, sequence numbers, acks, resends, compression and snapshot deltas.
/// If the server has another version, messages and snapshots are translated (docs/protocols/teeworlds.md). The server
/// accepts or rejects the connection. When one side disconnects, the other side receives the reason.
pub struct TeeworldsBridge {
    config: TeeworldsConfig,
    rng: SeededRng,
    acceptor: Acceptor,
    state: State,
    info: InfoRelay,
    info_limit: Option<InfoLimit>,
    hook: Box<dyn MessageHook<MessageBuf>>,
    delayed: Delayed<MessageBuf>,
    scratch: Scratch,
    /// The messages of a datagram, each with whether it is vital.
    received: TransmitQueue<bool>,
    /// Datagrams that the acceptor sends to the client.
    answers: Outbox,
    out: Datagrams,
    /// Content of a message, for reuse.
    content: Vec<u8>,
    now: Instant,
    stats: TeeworldsStats,
}

impl TeeworldsBridge {
    /// Returns a bridge that forwards all messages.
    #[must_use]
    pub fn new(config: TeeworldsConfig, now: Instant) -> Self {
        Self::with_hook(config, now, Box::new(Unchanged))
    }

    /// Returns a bridge that passes all messages through a hook.
    #[must_use]
    pub fn with_hook(config: TeeworldsConfig, now: Instant, hook: Box<dyn MessageHook<MessageBuf>>) -> Self {
        let mut rng = SeededRng::new(config.seed);
        let link = |dialect| Some(Connection::link_config(LinkConfig::of_games(dialect)));
        let acceptor = AcceptorConfig {
            tken: link(Dialect::Tken),
            v065: link(Dialect::V065),
            v07: link(Dialect::V07),
            tokenless: TokenlessPolicy::Accept(Connection::link_config(LinkConfig::vanilla(Dialect::V06))),
            ..AcceptorConfig::vanilla()
        };
        Self {
            config,
            acceptor: Acceptor::new(acceptor, &mut rng),
            rng,
            state: State::Idle,
            info: InfoRelay::new(config.server),
            info_limit: None,
            hook,
            delayed: Delayed::new(),
            scratch: Scratch::new(),
            received: TransmitQueue::new(),
            answers: Outbox::new(),
            out: Datagrams::default(),
            content: Vec::new(),
            now,
            stats: TeeworldsStats::default(),
        }
    }

    /// Limits the server info requests of an unproven client together with the other bridges that have this limit. Without
    /// it, each bridge has the limit of a server.
    #[must_use]
    pub fn with_info_limit(self, limit: InfoLimit) -> Self {
        Self { info_limit: Some(limit), ..self }
    }

    /// Returns the counters.
    #[must_use]
    pub const fn stats(&self) -> TeeworldsStats {
        self.stats
    }

    fn on_client_datagram(&mut self, datagram: &[u8]) {
        let link = match &mut self.state {
            State::Joining(joining) => &mut joining.client.link,
            State::Online(online) => &mut online.client.link,
            State::Idle | State::Over => {
                let accepted =
                    self.acceptor.receive(self.now, self.config.client, datagram, &mut self.answers);
                // The acceptor ignores dropped datagrams.
                if let Ok(outcome) = accepted {
                    self.on_accept(outcome, datagram);
                }
                return;
            }
        };
        let input = link.receive(self.now, datagram, &mut self.scratch);
        let received = read(input.ok(), &mut self.received);
        let dialect = link.dialect();
        if matches!(received, Received::Unconnected) {
            let outcome = self.acceptor.receive_from_peer(self.now, link, datagram, &mut self.answers);
            if let Ok(outcome) = outcome {
                self.on_accept(outcome, datagram);
            }
            return;
        }
        if let State::Joining(joining) = &mut self.state
            && !joining.client.link.is_unproven()
            && let Some(reason) = joining.refusal.take()
        {
            return self.close(Role::Server, &reason);
        }
        self.on_received(Role::Client, dialect, received);
    }

    fn on_server_datagram(&mut self, datagram: &[u8]) {
        if self.info.receive(self.now, datagram) {
            return;
        }
        let link = match &mut self.state {
            State::Joining(joining) => match joining.server.receive(self.now, datagram) {
                Ok(ConnectOutcome::Online(link)) => return self.on_online(link),
                Ok(ConnectOutcome::OnlineWithMessages(link)) => {
                    self.on_online(link);
                    return self.on_server_datagram(datagram);
                }
                Ok(ConnectOutcome::Refused { reason }) => return self.close(Role::Server, &reason),
                Ok(ConnectOutcome::Waiting) | Err(_) => return,
            },
            State::Online(online) => &mut online.server.link,
            State::Idle | State::Over => return,
        };
        let dialect = link.dialect();
        let input = link.receive(self.now, datagram, &mut self.scratch);
        let received = read(input.ok(), &mut self.received);
        self.on_received(Role::Server, dialect, received);
    }

    fn on_received(&mut self, from: Role, dialect: Dialect, received: Received) {
        match received {
            Received::Messages => {
                let mut content = take(&mut self.content);
                while let Some(vital) = self.received.pop(&mut content) {
                    let mut message = MessageBuf { dialect, vital, content };
                    self.on_message(from, &mut message);
                    content = message.content;
                }
                self.content = content;
            }
            Received::Close(reason) => self.close(from, &reason),
            Received::Unconnected => {}
        }
    }

    fn on_accept(&mut self, outcome: AcceptOutcome<'_>, datagram: &[u8]) {
        match outcome {
            AcceptOutcome::Answered => {}
            AcceptOutcome::InfoQuery(query) => {
                let (client, is_proven) = (self.config.client, self.state.is_proven());
                let limit = self.info_limit.as_ref();
                if let Ok(request) = InfoRequest::decode(&query)
                    && limit.is_none_or(|limit| limit.accepts(self.now, client, &request, is_proven))
                {
                    self.info.ask(self.now, self.config.server_dialect, Some(request), self.rng.bytes());
                }
            }
            AcceptOutcome::Accepted { link, first_packet } => {
                // The client has reconnected.
                self.close(Role::Client, "");
                let dialect = self.config.server_dialect.unwrap_or_else(|| link.dialect());
                let config = Some(Connection::link_config(LinkConfig::of_games(dialect)));
                let (offer, server) = (Offer::Only(dialect), self.config.server);
                let server = Connecting::new(offer, server, config, &mut self.rng, self.now);
                let client = Connection::new(link);
                self.state = State::Joining(Box::new(Joining::new(client, server, self.now)));
                if first_packet == FirstPacket::WithMessages {
                    self.on_client_datagram(datagram);
                }
            }
        }
    }

    /// Starts to relay messages: the server has accepted the connection.
    fn on_online(&mut self, link: Link) {
        let State::Joining(joining) = replace(&mut self.state, State::Over) else { return };
        let Joining { client, waiting, .. } = *joining;
        let (from, to) = (client.link.dialect(), link.dialect());
        let relayed: Box<dyn Relayed> = match (from, to) {
            (Dialect::V07, Dialect::V07) => Box::new(SameVersion::new(from, to)),
            (Dialect::V07, _) => {
                // A 0.7 client receives the displayed server info in a message.
                self.info.ask(self.now, Some(to), None, self.rng.bytes());
                Box::new(translated::ClientOf07::new(to))
            }
            (_, Dialect::V07) => Box::new(translated::ClientOf06::new(from)),
            _ => Box::new(SameVersion::new(from, to)),
        };
        let (server, out) = (Connection::new(link), Outgoing::new(from, to));
        self.state = State::Online(Box::new(Online { client, server, relayed, out }));
        for message in &waiting {
            self.deliver(Role::Client, message);
        }
    }

    /// Decodes a message, encodes it again, and applies the hook's action.
    fn on_message(&mut self, from: Role, message: &mut MessageBuf) {
        if !encode_again(message) {
            self.stats.undecodable = self.stats.undecodable.saturating_add(1);
            return;
        }
        match self.hook.on_message(from, message) {
            Action::Drop => {}
            Action::Forward => self.deliver(from, message),
            Action::Duplicate => {
                self.deliver(from, message);
                self.deliver(from, message);
            }
            Action::Delay(time) => {
                if let Err(message) = self.delayed.push(self.now, time, from, message.clone()) {
                    self.deliver(from, &message);
                }
            }
        }
    }

    /// Sends a message to the other side.
    fn deliver(&mut self, from: Role, message: &MessageBuf) {
        let online = match &mut self.state {
            State::Online(online) => online,
            State::Joining(joining) if joining.waiting.len() < MAX_WAITING => {
                return joining.waiting.push(message.clone());
            }
            State::Joining(_) => return self.close(Role::Client, "Too many messages"),
            State::Idle | State::Over => return,
        };
        let Online { client, server, relayed, out } = &mut **online;
        match from {
            Role::Client => relayed.on_client(message, out),
            Role::Server => relayed.on_server(message, out),
        }
        for (connection, chunks) in [(client, &mut out.to_client), (server, &mut out.to_server)] {
            while let Some(is_sent) = chunks.pop_with(|vital, content| connection.send(vital, content)) {
                out.left_out = out.left_out.saturating_add((!is_sent).into());
            }
        }
        self.stats.left_out = self.stats.left_out.saturating_add(take(&mut out.left_out));
        if let Some(reason) = out.failure.take() {
            self.close(Role::Server, reason);
            self.close(Role::Client, reason);
        }
    }

    /// Closes the connection of the side other than `from`, and ends the bridge. A client gets the server's rejection
    /// only after it has proven its address: its CONNECT already has a reply of the same length, so a CLOSE would
    /// amplify a forged CONNECT.
    fn close(&mut self, from: Role, reason: &str) {
        if let (State::Joining(joining), Role::Server) = (&mut self.state, from)
            && joining.client.link.is_unproven()
        {
            joining.refusal.get_or_insert_with(|| reason.to_owned());
            return;
        }
        let reason = (!reason.is_empty()).then_some(reason.as_bytes());
        self.state.close(from, reason, &mut self.out);
    }

    /// Asks a server that does not answer the handshake for its server info in the other version.
    fn ask_other_version(&mut self) {
        if let State::Joining(joining) = &mut self.state
            && joining.must_ask(self.now)
        {
            let dialect = self.config.server_dialect.unwrap_or_else(|| joining.client.link.dialect());
            self.info.ask(self.now, Some(other_version(dialect)), None, self.rng.bytes());
        }
    }

    /// Returns the reason for a client whose server answers in the other version.
    fn advice(&self) -> Option<String> {
        let dialect = self.config.server_dialect.or_else(|| self.state.client_dialect())?;
        let other = other_version(dialect);
        let [version, name] = [dialect, other].map(|dialect| dialect.name().trim_start_matches("tw-"));
        let advice = format!("no answer in {version}, but in {name}: the proxy needs --to-dialect {name}");
        self.info.has_answered(other).then_some(advice)
    }

    /// Sends the delayed messages that are due, and the queued datagrams.
    fn pump(&mut self) {
        while let Some((from, message)) = self.delayed.pop_due(self.now) {
            self.deliver(from, &message);
        }
        let Self { out, .. } = self;
        let info = self.info.pump(self.now, self.state.is_proven(), &mut out.to_client, &mut out.to_server);
        while self.answers.pop_with(|_, datagram| out.to_client.push((), datagram)).is_some() {}
        if let (Some(info), State::Online(online)) = (info, &mut self.state) {
            online.relayed.on_info(&info);
        }
        self.state.flush(out);
        if let State::Online(online) = &self.state {
            let links = [(Role::Client, &online.client.link), (Role::Server, &online.server.link)];
            let closed = links.into_iter().find(|(_, link)| link.is_closed());
            if let Some((side, _)) = closed {
                self.close(side, &CloseReason::OutOfBuffer.to_string());
            }
        }
    }
}

/// Returns a dialect of the other version.
const fn other_version(dialect: Dialect) -> Dialect {
    if matches!(dialect, Dialect::V07) { Dialect::V06 } else { Dialect::V07 }
}

impl Bridge for TeeworldsBridge {
    fn handle(&mut self, now: Instant, from: Role, bytes: &[u8]) {
        if self.is_over() {
            return;
        }
        self.now = now;
        match from {
            Role::Client => self.on_client_datagram(bytes),
            Role::Server => self.on_server_datagram(bytes),
        }
        self.pump();
    }

    fn poll_transmit(&mut self, _now: Instant, to: Role, buffer: &mut Vec<u8>) -> bool {
        let queue = match to {
            Role::Client => &mut self.out.to_client,
            Role::Server => &mut self.out.to_server,
        };
        queue.pop(buffer).is_some()
    }

    fn poll_timeout(&self) -> Option<Wake> {
        if self.is_over() {
            return None;
        }
        Wake::earliest([self.state.poll_timeout(), self.info.poll_timeout(), self.delayed.poll_timeout()])
    }

    fn handle_timeout(&mut self, now: Instant) {
        if self.is_over() {
            return;
        }
        self.now = now;
        self.info.handle_timeout(now);
        self.ask_other_version();
        let (client, server) = match &mut self.state {
            State::Joining(joining) => {
                (joining.client.link.handle_timeout(now), joining.server.handle_timeout(now))
            }
            State::Online(online) => {
                (online.client.link.handle_timeout(now), online.server.link.handle_timeout(now))
            }
            State::Idle | State::Over => (Ok(()), Ok(())),
        };
        // Send before the close, because closing discards the datagrams of a link.
        self.pump();
        for (side, ended) in [(Role::Client, client), (Role::Server, server)] {
            let Err(reason) = ended else { continue };
            let advice = if reason == CloseReason::UnableToConnect { self.advice() } else { None };
            self.close(side, &advice.unwrap_or_else(|| reason.to_string()));
        }
    }

    fn is_over(&self) -> bool {
        matches!(self.state, State::Over)
    }
}

impl fmt::Debug for TeeworldsBridge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { config, stats, .. } = self;
        f.debug_struct("TeeworldsBridge")
            .field("config", config)
            .field("stats", stats)
            .finish_non_exhaustive()
    }
}
