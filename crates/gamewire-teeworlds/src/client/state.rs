use super::context::OnlineLink;
use super::stage::LoginState;
use crate::handshake::Connecting;

/// Whether there is a connection.
#[allow(clippy::large_enum_variant, reason = "there is one, and it is hardly ever moved")]
#[derive(Debug)]
pub(super) enum ClientState {
    /// The handshake goes on.
    Connecting(Connecting),
    /// There is one, and the session on it stands somewhere.
    Online(OnlineLink, LoginState),
    /// There is none any more.
    Closed,
}

impl ClientState {
    /// Its name, for whoever looks at a client.
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::Connecting(_) => "connecting",
            Self::Online(_, stage) => stage.name(),
            Self::Closed => "closed",
        }
    }
}
