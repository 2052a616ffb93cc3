//! Session messages that DDNet sends as messages with a UUID, in both versions.

use super::message::{ClientMessage, MapId, ServerMessage};
use crate::shared::data::Sha256;
use crate::shared::extended::ExtendedSystem;
use crate::shared::extended::system::{
    Capabilities, ClientVersion, IDontKnow, ItIs, MapDetails, PingEx, PongEx, Reconnect, Redirect, WhatIs,
};

/// Converts a message of a server.
pub(crate) fn to_server_message<'a>(message: &ExtendedSystem<'a>) -> ServerMessage<'a> {
    match *message {
        ExtendedSystem::MapDetails(MapDetails { name, sha256, crc, size, url }) => {
            ServerMessage::MapDetails {
                map: MapId {
                    name,
                    crc: crc.cast_unsigned(),
                    size: size.unwrap_or(-1).max(-1),
                    sha256: Some(sha256.0),
                },
                url,
            }
        }
        ExtendedSystem::PingEx(PingEx { id }) => ServerMessage::PingEx(id),
        ExtendedSystem::PongEx(PongEx { id }) => ServerMessage::PongEx(id),
        ExtendedSystem::WhatIs(WhatIs { uuid }) => ServerMessage::WhatIs(uuid),
        ExtendedSystem::Capabilities(Capabilities { version, flags }) => {
            ServerMessage::Capabilities { version, flags }
        }
        ExtendedSystem::Reconnect(Reconnect {}) => ServerMessage::Reconnect,
        ExtendedSystem::Redirect(Redirect { port }) => ServerMessage::Redirect { port },
        _ => ServerMessage::Other,
    }
}

/// Converts a message of a client.
pub(crate) fn to_client_message<'a>(message: &ExtendedSystem<'a>) -> ClientMessage<'a> {
    match *message {
        ExtendedSystem::ClientVersion(ClientVersion {
            connection_id,
            ddnet_version,
            ddnet_version_string,
        }) => {
            ClientMessage::ClientVersion { connection_id, version: ddnet_version, text: ddnet_version_string }
        }
        ExtendedSystem::PingEx(PingEx { id }) => ClientMessage::PingEx(id),
        ExtendedSystem::PongEx(PongEx { id }) => ClientMessage::PongEx(id),
        ExtendedSystem::ItIs(ItIs { uuid, name }) => ClientMessage::ItIs { uuid, name },
        ExtendedSystem::IDontKnow(IDontKnow { uuid }) => ClientMessage::IDontKnow(uuid),
        _ => ClientMessage::Other,
    }
}

/// Returns the message of DDNet for a message of a server, if there is one.
pub(crate) fn from_server_message<'a>(message: &ServerMessage<'a>) -> Option<ExtendedSystem<'a>> {
    Some(match *message {
        ServerMessage::MapDetails { map, url } => {
            // The URL is after the size, so it needs the size.
            let size = (map.size >= 0 || url.is_some()).then_some(map.size);
            let sha256 = Sha256(map.sha256?);
            MapDetails { name: map.name, sha256, crc: map.crc.cast_signed(), size, url }.into()
        }
        ServerMessage::PingEx(id) => PingEx { id }.into(),
        ServerMessage::PongEx(id) => PongEx { id }.into(),
        ServerMessage::WhatIs(uuid) => WhatIs { uuid }.into(),
        ServerMessage::Capabilities { version, flags } => Capabilities { version, flags }.into(),
        ServerMessage::Reconnect => Reconnect {}.into(),
        ServerMessage::Redirect { port } => Redirect { port }.into(),
        _ => return None,
    })
}

/// Returns the message of DDNet for a message of a client, if there is one.
pub(crate) fn from_client_message<'a>(message: &ClientMessage<'a>) -> Option<ExtendedSystem<'a>> {
    Some(match *message {
        ClientMessage::ClientVersion { connection_id, version, text } => {
            ClientVersion { connection_id, ddnet_version: version, ddnet_version_string: text }.into()
        }
        ClientMessage::PingEx(id) => PingEx { id }.into(),
        ClientMessage::PongEx(id) => PongEx { id }.into(),
        ClientMessage::ItIs { uuid, name } => ItIs { uuid, name }.into(),
        ClientMessage::IDontKnow(uuid) => IDontKnow { uuid }.into(),
        _ => return None,
    })
}
