use gamewire_schema::ir::Protocol;

/// A packet that sessions handle themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::session) enum SessionPacket {
    ProcessingStarted,
    ProcessingFinished,
    JoinRequest,
    JoinReply,
    AuthenticationRequest,
    AuthenticationReply,
    ServerShutdown,
    Chat,
    ConnectMessage,
    ServerInfo,
    Ping,
    Pong,
    ConnectionInfo,
    ClientInfo,
    Heartbeat,
}

impl SessionPacket {
    pub(in crate::session) const ALL: [Self; 15] = [
        Self::ProcessingStarted,
        Self::ProcessingFinished,
        Self::JoinRequest,
        Self::JoinReply,
        Self::AuthenticationRequest,
        Self::AuthenticationReply,
        Self::ServerShutdown,
        Self::Chat,
        Self::ConnectMessage,
        Self::ServerInfo,
        Self::Ping,
        Self::Pong,
        Self::ConnectionInfo,
        Self::ClientInfo,
        Self::Heartbeat,
    ];

    /// Returns the name, which is the same in every definition.
    pub(in crate::session) const fn name(self) -> &'static str {
        match self {
            Self::ProcessingStarted => "PACKET_PROCESSING_STARTED",
            Self::ProcessingFinished => "PACKET_PROCESSING_FINISHED",
            Self::JoinRequest => "PACKET_SERVER_JOIN_REQ",
            Self::JoinReply => "PACKET_SERVER_JOIN_REPLY",
            Self::AuthenticationRequest => "PACKET_AUTHENTICATION_REQ",
            Self::AuthenticationReply => "PACKET_AUTHENTICATION_REPLY",
            Self::ServerShutdown => "PACKET_SERVER_SHUTDOWN",
            Self::Chat => "PACKET_CHAT_MSG",
            Self::ConnectMessage => "PACKET_CONNECT_MSG",
            Self::ServerInfo => "PACKET_SERVER_INFO",
            Self::Ping => "PACKET_CONN_PING",
            Self::Pong => "PACKET_CONN_PONG",
            Self::ConnectionInfo => "PACKET_CONN_INFO",
            Self::ClientInfo => "PACKET_CLIENT_INFO",
            Self::Heartbeat => "PACKET_CLIENT_HEARTBEAT",
        }
    }

    /// Returns the fields that a session needs.
    const fn fields(self) -> &'static [&'static str] {
        match self {
            Self::JoinRequest => &[
                "username",
                "capability",
                "version_label",
                "major_version",
                "minor_version",
                "patch_version",
            ],
            Self::JoinReply => &["you_can_join", "message", "capability", "conn_id"],
            Self::AuthenticationRequest => &["type", "message"],
            Self::AuthenticationReply => &["password"],
            Self::Chat | Self::ConnectMessage => &["message"],
            Self::ServerInfo => &["version_label", "major_version", "minor_version", "patch_version"],
            Self::ConnectionInfo => &["id", "observer", "player_num", "username"],
            Self::ClientInfo => &["gui", "distribution"],
            Self::ProcessingStarted
            | Self::ProcessingFinished
            | Self::ServerShutdown
            | Self::Ping
            | Self::Pong
            | Self::Heartbeat => &[],
        }
    }

    /// Returns the number in a definition, or the name of the packet or field that it lacks.
    pub(super) fn number(self, protocol: &Protocol) -> Result<u16, String> {
        let name = self.name();
        let packet = protocol.packet_named(name).ok_or_else(|| name.to_owned())?;
        match self.fields().iter().find(|field| packet.field_index(field).is_none()) {
            None => Ok(packet.number),
            Some(field) => Err(format!("{name}.{field}")),
        }
    }
}
