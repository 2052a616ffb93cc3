use gamewire_wire::Writer;

use super::{client, server, world};
use crate::session::{ClientId, EncodeError, FromClient, FromServer, Roster, Words, World};
use crate::shared::snapshot::{Full, Snapshot};
use crate::v07::V07;
use crate::v07::message::Message;

impl Words for V07 {
    const NET_VERSION: &'static str = "0.7 802f1be60a05665f";

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

    fn read_world(tick: i32, snapshot: &Snapshot, roster: &Roster, world: &mut World) {
        world::read_world(tick, snapshot, roster, world);
    }

    fn write_world(world: &World, _: ClientId, snapshot: &mut Snapshot) -> Result<(), Full> {
        world::write_world(world, snapshot)
    }

    /// Servers of 0.7 look at every number, also at those of an input.
    fn takes_any_number(_: &Message<'_>) -> bool {
        false
    }
}
