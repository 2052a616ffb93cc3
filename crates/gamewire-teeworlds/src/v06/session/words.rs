use gamewire_wire::Writer;

use super::{client, server, world};
use crate::session::{ClientId, EncodeError, FromClient, FromServer, Roster, Words, World};
use crate::shared::snapshot::{Full, Snapshot};
use crate::v06::V06;
use crate::v06::message::{Message, System};

impl Words for V06 {
    const NET_VERSION: &'static str = "0.6 626fce9a778df4d4";

    fn from_server<'a>(message: &Message<'a>) -> FromServer<'a> {
        server::read(message)
    }

    fn from_client<'a>(message: &Message<'a>) -> FromClient<'a> {
        client::read(message)
    }

    fn write_from_server(word: &FromServer<'_>, to: &mut Writer<'_>) -> Result<(), EncodeError> {
        server::write(word, to)
    }

    fn write_from_client(word: &FromClient<'_>, to: &mut Writer<'_>) -> Result<(), EncodeError> {
        client::write(word, to)
    }

    fn read_world(tick: i32, snapshot: &Snapshot, _: &Roster, world: &mut World) {
        world::read_world(tick, snapshot, world);
    }

    fn write_world(world: &World, viewer: ClientId, snapshot: &mut Snapshot) -> Result<(), Full> {
        world::write_world(world, viewer, snapshot)
    }

    /// Servers of 0.6 take the integers of an input as they come.
    fn takes_any_number(message: &Message<'_>) -> bool {
        matches!(message, Message::System(System::Input(_)))
    }
}
