//! Words that DDNet says in messages with a UUID, in both versions.

use super::message::{FromClient, FromServer, MapId};
use crate::shared::data::Sha256;
use crate::shared::extended::ExtendedSystem;
use crate::shared::extended::system::{
    Capabilities, ClientVersion, IDontKnow, ItIs, MapDetails, PingEx, PongEx, Reconnect, Redirect, WhatIs,
};

/// What a server says with a message of DDNet.
pub(crate) fn from_server<'a>(message: &ExtendedSystem<'a>) -> FromServer<'a> {
    match *message {
        ExtendedSystem::MapDetails(MapDetails { name, sha256, crc, size, url }) => FromServer::MapDetails {
            map: MapId {
                name,
                crc: crc.cast_unsigned(),
                size: size.unwrap_or(-1).max(-1),
                sha256: Some(sha256.0),
            },
            url,
        },
        ExtendedSystem::PingEx(PingEx { id }) => FromServer::PingEx(id),
        ExtendedSystem::PongEx(PongEx { id }) => FromServer::PongEx(id),
        ExtendedSystem::WhatIs(WhatIs { uuid }) => FromServer::WhatIs(uuid),
        ExtendedSystem::Capabilities(Capabilities { version, flags }) => {
            FromServer::Capabilities { version, flags }
        }
        ExtendedSystem::Reconnect(Reconnect {}) => FromServer::Reconnect,
        ExtendedSystem::Redirect(Redirect { port }) => FromServer::Redirect { port },
        _ => FromServer::Other,
    }
}

/// What a client says with a message of DDNet.
pub(crate) fn from_client<'a>(message: &ExtendedSystem<'a>) -> FromClient<'a> {
    match *message {
        ExtendedSystem::ClientVersion(ClientVersion {
            connection_id,
            ddnet_version,
            ddnet_version_string,
        }) => FromClient::ClientVersion { connection_id, version: ddnet_version, text: ddnet_version_string },
        ExtendedSystem::PingEx(PingEx { id }) => FromClient::PingEx(id),
        ExtendedSystem::PongEx(PongEx { id }) => FromClient::PongEx(id),
        ExtendedSystem::ItIs(ItIs { uuid, name }) => FromClient::ItIs { uuid, name },
        ExtendedSystem::IDontKnow(IDontKnow { uuid }) => FromClient::IDontKnow(uuid),
        _ => FromClient::Other,
    }
}

/// The message of DDNet for what a server says, if there is one.
pub(crate) fn of_server<'a>(word: &FromServer<'a>) -> Option<ExtendedSystem<'a>> {
    Some(match *word {
        FromServer::MapDetails { map, url } => {
            // The address stands behind the size, so it cannot be there alone.
            let size = (map.size >= 0 || url.is_some()).then_some(map.size);
            let sha256 = Sha256(map.sha256?);
            MapDetails { name: map.name, sha256, crc: map.crc.cast_signed(), size, url }.into()
        }
        FromServer::PingEx(id) => PingEx { id }.into(),
        FromServer::PongEx(id) => PongEx { id }.into(),
        FromServer::WhatIs(uuid) => WhatIs { uuid }.into(),
        FromServer::Capabilities { version, flags } => Capabilities { version, flags }.into(),
        FromServer::Reconnect => Reconnect {}.into(),
        FromServer::Redirect { port } => Redirect { port }.into(),
        _ => return None,
    })
}

/// The message of DDNet for what a client says, if there is one.
pub(crate) fn of_client<'a>(word: &FromClient<'a>) -> Option<ExtendedSystem<'a>> {
    Some(match *word {
        FromClient::ClientVersion { connection_id, version, text } => {
            ClientVersion { connection_id, ddnet_version: version, ddnet_version_string: text }.into()
        }
        FromClient::PingEx(id) => PingEx { id }.into(),
        FromClient::PongEx(id) => PongEx { id }.into(),
        FromClient::ItIs { uuid, name } => ItIs { uuid, name }.into(),
        FromClient::IDontKnow(uuid) => IDontKnow { uuid }.into(),
        _ => return None,
    })
}
