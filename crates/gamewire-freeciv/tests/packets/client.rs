//! The state that a client needs to decode a server's packets: the capabilities in the join reply, and the time to
//! forget the game.

use gamewire_freeciv::delta::{DeltaError, Direction, RoleTracker, active_capabilities};
use gamewire_freeciv::frame::JOIN_REPLY;

use super::codec::{Both, Row};
use super::definition::protocol;
use super::stream::Framed;

#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) codec: Both,
    pub(crate) watch: RoleTracker,
    /// The capabilities that the client offered.
    pub(crate) capabilities: &'static str,
    /// False for a client that ignores resets, which makes its baselines wrong.
    pub(crate) may_forget: bool,
    /// Number of times that the client forgot the game.
    pub(crate) resets: usize,
}

impl Client {
    pub(crate) fn new(capabilities: &'static str) -> Self {
        let watch = RoleTracker::new(&protocol(), RoleTracker::NO_PLAYER);
        Self { codec: Both::new(Direction::ToClient), watch, capabilities, may_forget: true, resets: 0 }
    }

    /// Decodes a packet.
    pub(crate) fn hear(&mut self, packet: &Framed) -> Result<Row, Box<DeltaError>> {
        let row = self.codec.decode(packet.number, &packet.body)?;
        self.note(packet.number, &row);
        Ok(row)
    }

    /// Decodes a packet and encodes it again. Returns `None` as the body if the packet would not have been sent.
    pub(crate) fn hear_and_say(&mut self, packet: &Framed) -> (Row, Option<Vec<u8>>) {
        let echo = self.codec.echo(packet.number, &packet.body, false);
        let (row, body) = echo.unwrap_or_else(|error| panic!("{error}"));
        self.note(packet.number, &row);
        (row, body)
    }

    /// Updates the state after a packet.
    pub(crate) fn note(&mut self, number: u16, row: &Row) {
        agree(self.capabilities, number, row, |active| self.codec.set_capabilities(active));
        if self.watch.observe_values(number, &row.values) && self.may_forget {
            self.resets += 1;
            self.codec.forget_game_info();
        }
    }
}

/// Calls `take` with the capabilities that client and server have in common, if the packet is a join reply.
pub(crate) fn agree(ours: &str, number: u16, row: &Row, take: impl FnOnce(&[&str])) {
    if number == JOIN_REPLY {
        let protocol = protocol();
        let field = protocol.packet(number).unwrap().field_index("capability").unwrap();
        let theirs = String::from_utf8_lossy(row.values[field].as_text().unwrap()).into_owned();
        take(&active_capabilities(&protocol.capabilities, ours, &theirs));
    }
}
