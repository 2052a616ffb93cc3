use gamewire_schema::ir::Protocol;

macro_rules! session_packets {
    ($($kind:ident $name:literal [$($field:literal),*];)+) => {
        /// A packet that sessions handle.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(in crate::session) enum SessionPacket {
            $($kind,)+
        }

        impl SessionPacket {
            pub(in crate::session) const ALL: &[Self] = &[$(Self::$kind),+];

            /// Returns the name. It is the same in every definition.
            pub(in crate::session) const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)+
                }
            }

            /// Returns the names of the fields that a session needs.
            const fn fields(self) -> &'static [&'static str] {
                match self {
                    $(Self::$kind => &[$($field),*],)+
                }
            }
        }
    };
}

session_packets! {
    ProcessingStarted "PACKET_PROCESSING_STARTED" [];
    ProcessingFinished "PACKET_PROCESSING_FINISHED" [];
    JoinRequest "PACKET_SERVER_JOIN_REQ"
        ["username", "capability", "version_label", "major_version", "minor_version", "patch_version"];
    JoinReply "PACKET_SERVER_JOIN_REPLY" ["you_can_join", "message", "capability", "conn_id"];
    AuthenticationRequest "PACKET_AUTHENTICATION_REQ" ["type", "message"];
    AuthenticationReply "PACKET_AUTHENTICATION_REPLY" ["password"];
    ServerShutdown "PACKET_SERVER_SHUTDOWN" [];
    Chat "PACKET_CHAT_MSG" ["message"];
    ConnectMessage "PACKET_CONNECT_MSG" ["message"];
    ServerInfo "PACKET_SERVER_INFO" ["version_label", "major_version", "minor_version", "patch_version"];
    Ping "PACKET_CONN_PING" [];
    Pong "PACKET_CONN_PONG" [];
    ConnectionInfo "PACKET_CONN_INFO" ["id", "observer", "player_num", "username"];
    ClientInfo "PACKET_CLIENT_INFO" ["gui", "distribution"];
    Heartbeat "PACKET_CLIENT_HEARTBEAT" [];
}

impl SessionPacket {
    /// Returns the number in a definition, or the names of the missing packet or fields.
    pub(super) fn number(self, protocol: &Protocol) -> Result<u16, Vec<String>> {
        let name = self.name();
        let packet = protocol.packet_named(name).ok_or_else(|| vec![name.to_owned()])?;
        let missing = self.fields().iter().filter(|field| packet.field_index(field).is_none());
        let missing: Vec<String> = missing.map(|field| format!("{name}.{field}")).collect();
        if missing.is_empty() { Ok(packet.number) } else { Err(missing) }
    }
}
