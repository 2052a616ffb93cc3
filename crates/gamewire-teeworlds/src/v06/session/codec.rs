use gamewire_wire::Writer;

use super::{client, server, world};
use crate::session::{ClientId, ClientMessage, EncodeError, Roster, ServerMessage, SessionCodec, World};
use crate::shared::snapshot::{Snapshot, SnapshotFull};
use crate::v06::V06;
use crate::v06::message::{Message, System};

impl SessionCodec for V06 {
    const NET_VERSION: &'static str = "0.6 626fce9a778df4d4";

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

    fn read_world(tick: i32, snapshot: &Snapshot, _: &Roster, world: &mut World) {
        world::read_world(tick, snapshot, world);
    }

    fn write_world(world: &World, viewer: ClientId, snapshot: &mut Snapshot) -> Result<(), SnapshotFull> {
        world::write_world(world, viewer, snapshot)
    }

    /// Servers of 0.6 do not check the integers of an input.
    fn skips_range_check(message: &Message<'_>) -> bool {
        matches!(message, Message::System(System::Input(_)))
    }
}
