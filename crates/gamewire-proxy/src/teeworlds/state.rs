use core::mem::replace;
use core::time::Duration;

use gamewire_machine::{Instant, Role, TransmitQueue, Wake};
use gamewire_teeworlds::raw::handshake::Connecting;
use gamewire_teeworlds::{Dialect, MessageBuf};

use super::connection::Connection;
use super::outgoing::{Outgoing, Relayed};

/// The connections of a bridge.
pub(super) enum State {
    /// The client has no connection.
    Idle,
    /// The client has a connection, and the server has not answered yet.
    Joining(Box<Joining>),
    Online(Box<Online>),
    Over,
}

pub(super) struct Joining {
    pub(super) client: Connection,
    pub(super) server: Connecting,
    /// The client's first messages, kept until the server accepts the connection.
    pub(super) waiting: Vec<MessageBuf>,
    /// The reason why the server rejected the connection, kept until the client has proven its address.
    pub(super) refusal: Option<String>,
    /// Time to ask the server whether it answers in the other version; `None` after that.
    pub(super) ask_at: Option<Instant>,
}

/// Time that a server has to answer a handshake before it is asked in the other version.
const ASK_AFTER: Duration = Duration::from_secs(1);

pub(super) struct Online {
    pub(super) client: Connection,
    pub(super) server: Connection,
    pub(super) relayed: Box<dyn Relayed>,
    pub(super) out: Outgoing,
}

/// The datagrams for both sides that are not polled yet.
#[derive(Debug, Default)]
pub(super) struct Datagrams {
    pub(super) to_client: TransmitQueue<()>,
    pub(super) to_server: TransmitQueue<()>,
    /// A datagram, for reuse.
    buffer: Vec<u8>,
}

impl State {
    /// Returns the dialect of the client's connection.
    pub(super) const fn client_dialect(&self) -> Option<Dialect> {
        match self {
            Self::Joining(joining) => Some(joining.client.link.dialect()),
            Self::Online(online) => Some(online.client.link.dialect()),
            Self::Idle | Self::Over => None,
        }
    }

    /// Returns whether the client has a connection with tokens, which prove its address.
    pub(super) fn is_proven(&self) -> bool {
        self.client_dialect().is_some_and(|dialect| dialect != Dialect::V06)
    }

    /// Adds the datagrams of both connections to `out`.
    pub(super) fn flush(&mut self, out: &mut Datagrams) {
        match self {
            Self::Joining(joining) => {
                joining.client.flush(&mut out.to_client, &mut out.buffer);
                joining.flush_server(out);
            }
            Self::Online(online) => {
                online.client.flush(&mut out.to_client, &mut out.buffer);
                online.server.flush(&mut out.to_server, &mut out.buffer);
            }
            Self::Idle | Self::Over => {}
        }
    }

    /// Closes the connection of the side other than `from`, adds its datagrams to `out`, and becomes [`State::Over`].
    pub(super) fn close(&mut self, from: Role, reason: Option<&[u8]>, out: &mut Datagrams) {
        match (replace(self, Self::Over), from) {
            (Self::Joining(mut joining), Role::Server) => {
                joining.client.link.close(reason);
                joining.client.flush(&mut out.to_client, &mut out.buffer);
            }
            (Self::Joining(mut joining), Role::Client) => {
                joining.server.close(reason);
                joining.flush_server(out);
            }
            (Self::Online(mut online), Role::Server) => {
                online.client.flush_and_close(reason, &mut out.to_client, &mut out.buffer);
            }
            (Self::Online(mut online), Role::Client) => {
                online.server.flush_and_close(reason, &mut out.to_server, &mut out.buffer);
            }
            (Self::Idle | Self::Over, _) => {}
        }
    }

    pub(super) fn poll_timeout(&self) -> Option<Wake> {
        match self {
            Self::Joining(joining) => {
                let ask = joining.ask_at.map(|at| Wake { at, reason: "other version" });
                Wake::earliest([joining.client.link.poll_timeout(), joining.server.poll_timeout(), ask])
            }
            Self::Online(online) => {
                Wake::earliest([online.client.link.poll_timeout(), online.server.link.poll_timeout()])
            }
            Self::Idle | Self::Over => None,
        }
    }
}

impl Joining {
    pub(super) fn new(client: Connection, server: Connecting, now: Instant) -> Self {
        Self { client, server, waiting: Vec::new(), refusal: None, ask_at: Some(now + ASK_AFTER) }
    }

    /// Returns whether the server must be asked now, once.
    pub(super) fn must_ask(&mut self, now: Instant) -> bool {
        self.ask_at.take_if(|at| *at <= now).is_some()
    }

    fn flush_server(&mut self, out: &mut Datagrams) {
        while self.server.poll_transmit(&mut out.buffer).is_some() {
            out.to_server.push((), &out.buffer);
        }
    }
}
