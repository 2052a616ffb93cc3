use super::Transition;
use crate::Dialect;
use crate::client::context::Context;
use crate::session::message::{ClientMessage, ServerMessage};
use crate::shared::data::Uuid;
use crate::shared::pack::Text;

/// What DDNet's servers are told that this client understands.
const DDNET_VERSION: i32 = 16_040;
const DDNET_VERSION_TEXT: &str = concat!("gamewire ", env!("CARGO_PKG_VERSION"));

/// What servers of 0.7 are told: 0.7.5.
const TEEWORLDS_VERSION: i32 = 0x0705;

/// INFO was sent; the server answers with the map, or closes.
#[derive(Debug)]
pub(in crate::client) struct AwaitMap;

impl AwaitMap {
    /// Says who is there.
    pub(in crate::client) fn begin(connection_id: Uuid, context: &mut Context<'_>) -> Self {
        if context.dialect() == Dialect::Tken {
            context.send_login(&ClientMessage::ClientVersion {
                connection_id,
                version: DDNET_VERSION,
                text: Text::new(DDNET_VERSION_TEXT),
            });
        }
        let dialect = context.dialect();
        let version = dialect.net_version();
        context.send_login_from_config(|config| ClientMessage::Info {
            version: Text::new(version),
            password: config.password(),
            client_version: (dialect == Dialect::V07).then_some(TEEWORLDS_VERSION),
        });
        Self
    }

    pub(super) fn hear(&mut self, _: &ServerMessage<'_>) -> Transition {
        Transition::Unexpected
    }
}
