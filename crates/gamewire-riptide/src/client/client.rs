use std::net::SocketAddr;

use gamewire_machine::{Instant, StreamId};

use super::ClientConfig;
use super::core::Core;
use crate::peer::{Frames, SendError};
use crate::{Endpoint, Format};

/// A client of one server.
///
/// Whatever the server sends, the client neither panics nor grows without bound: at most 4096
/// events wait to be polled (16 MiB of them messages in order or in parts), and further messages are
/// dropped until they are. It ends by exactly one
/// [`Event::ConnectionFailed`](super::Event::ConnectionFailed) or
/// [`Event::Disconnected`](super::Event::Disconnected).
///
/// The protocol has no token. Whoever can send with the server's address can speak for it, and end
/// the connection with a packet of one or two bytes.
#[derive(Debug)]
pub struct Client {
    pub(super) core: Core,
    /// Where datagrams come from and go to; `None` without datagrams.
    pub(super) server: Option<SocketAddr>,
    /// The stream to the server; `None` without one, and once it is closed.
    pub(super) stream: Option<StreamId>,
    /// Reassembles the packets of the stream.
    pub(super) frames: Frames,
}

impl Client {
    /// A client that begins to connect to `server` now, over datagrams; or over a stream to it.
    ///
    /// # Errors
    /// When [`ClientConfig::connect_data`] cannot be said in the format or is too long.
    pub fn connect(config: &ClientConfig, server: SocketAddr, now: Instant) -> Result<Self, SendError> {
        Self::new(config, Some(server), Endpoint::Udp(server), now)
    }

    /// A client that begins to connect now, over a stream or a transport of the application's own:
    /// it takes no datagrams of any address.
    ///
    /// # Errors
    /// As for [`Client::connect`].
    pub fn connect_over_transport(config: &ClientConfig, now: Instant) -> Result<Self, SendError> {
        Self::new(config, None, Endpoint::Other(0), now)
    }

    fn new(
        config: &ClientConfig,
        server: Option<SocketAddr>,
        endpoint: Endpoint,
        now: Instant,
    ) -> Result<Self, SendError> {
        let core = Core::new(config, endpoint, now)?;
        let frames = Frames::new(config.format, core.peer.max_size());
        Ok(Self { core, server, stream: None, frames })
    }

    /// The format that is spoken.
    #[must_use]
    pub const fn format(&self) -> Format {
        self.core.peer.format()
    }

    /// Where datagrams go to.
    #[must_use]
    pub const fn server(&self) -> Option<SocketAddr> {
        self.server
    }
}
