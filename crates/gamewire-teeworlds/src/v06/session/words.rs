use gamewire_wire::Writer;

use super::{client, server, world};
use crate::session::{ClientId, ClientMessage, EncodeError, Roster, ServerMessage, SessionCodec, World};
use crate::shared::snapshot::{Snapshot, SnapshotFull};
use crate::v06::V06;
use crate::v06::message::{Message, System};

impl SessionCodec for V06 {
    const NET_VERSION: &'static str = "0.6 626fce9a778df4d4";

    fn from_server<'a>(message: &Message<'a>) -> ServerMessage<'a> {
        server::read(message)
    }

    fn from_client<'a>(message: &Message<'a>) -> ClientMessage<'a> {
        client::read(message)
    }

    fn write_from_server(word: &ServerMessage<'_>, to: &mut Writer<'_>) -> Result<(), EncodeError> {
        server::write(word, to)
    }

    fn write_from_client(word: &ClientMessage<'_>, to: &mut Writer<'_>) -> Result<(), EncodeError> {
        client::write(word, to)
    }

    fn read_world(tick: i32, snapshot: &Snapshot, _: &Roster, world: &mut World) {
        world::read_world(tick, snapshot, world);
    }

    fn write_world(world: &World, viewer: ClientId, snapshot: &mut Snapshot) -> Result<(), SnapshotFull> {
        world::write_world(world, viewer, snapshot)
    }

    /// Servers of 0.6 take the integers of an input as they come.
    fn skips_range_check(message: &Message<'_>) -> bool {
        matches!(message, Message::System(System::Input(_)))
    }
}
