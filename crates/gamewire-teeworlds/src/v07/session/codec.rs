use gamewire_wire::Writer;

use super::{client, server, world};
use crate::session::{ClientId, ClientMessage, EncodeError, Roster, ServerMessage, SessionCodec, World};
use crate::shared::snapshot::{Snapshot, SnapshotFull};
use crate::v07::V07;
use crate::v07::message::Message;

impl SessionCodec for V07 {
    const NET_VERSION: &'static str = "0.7 802f1be60a05665f";

    fn to_server_message<'a>(message: &Message<'a>) -> ServerMessage<'a> {
        server::decode(message)
    }

    fn to_client_message<'a>(message: &Message<'a>) -> ClientMessage<'a> {
        client::decode(message)
    }

    fn write_server_message(message: &ServerMessage<'_>, to: &mut Writer<'_>) -> Result<(), EncodeError> {
        server::encode(message, to)
    }

    fn write_client_message(message: &ClientMessage<'_>, to: &mut Writer<'_>) -> Result<(), EncodeError> {
        client::encode(message, to)
    }

    fn read_world(tick: i32, snapshot: &Snapshot, roster: &Roster, world: &mut World) {
        world::read_world(tick, snapshot, roster, world);
    }

    fn write_world(world: &World, _: ClientId, snapshot: &mut Snapshot) -> Result<(), SnapshotFull> {
        world::write_world(world, snapshot)
    }

    /// Servers of 0.7 check every number.
    fn skips_range_check(_: &Message<'_>) -> bool {
        false
    }
}
