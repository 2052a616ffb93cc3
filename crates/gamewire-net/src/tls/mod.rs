//! TLS for streams, with `rustls` and `ring`: versions 1.2 and 1.3, without certificates of clients.
//!
//! The machine and a [`Tap`](crate::Tap) see the bytes as without TLS. A handshake that is not complete after
//! [`TLS_HANDSHAKE_TIMEOUT`](crate::limits::TLS_HANDSHAKE_TIMEOUT) closes its stream; the machine's own limits on new
//! streams apply as without TLS.

mod acceptor;
mod connector;
mod error;
mod files;
mod session;

pub use acceptor::TlsAcceptor;
pub use connector::TlsConnector;
pub use error::{HandshakeError, TlsError};
pub(crate) use session::TlsSession;
