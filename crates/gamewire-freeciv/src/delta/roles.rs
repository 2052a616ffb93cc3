use gamewire_schema::ir::Protocol;

use super::decoded::Decoded;
use super::value::Value;
use crate::codec::Fields;

/// Notices that a connection has got another player or has become an observer: behind the packet
/// that says so, the server forgets what it sent and received of the game, and so must the client.
#[derive(Clone, Copy, Debug)]
pub struct RoleTracker {
    join_reply: PacketFields<1>,
    conn_info: PacketFields<3>,
    /// What stands for no player.
    no_player: i64,
    connection: Option<i64>,
    role: TrackedRole,
}

/// A packet and the indices of fields in it; `None` if the definition does not have them.
type PacketFields<const N: usize> = Option<(u16, [usize; N])>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TrackedRole {
    player: i64,
    is_observer: bool,
}

impl RoleTracker {
    /// What Freeciv 3.0 sends for no player.
    pub const NO_PLAYER: i64 = 160;

    /// At the start of a connection. `no_player` is the number of no player: the most players that
    /// the version can have.
    #[must_use]
    pub fn new(protocol: &Protocol, no_player: i64) -> Self {
        Self {
            join_reply: find_fields(protocol, "PACKET_SERVER_JOIN_REPLY", ["conn_id"]),
            conn_info: find_fields(protocol, "PACKET_CONN_INFO", ["id", "player_num", "observer"]),
            no_player,
            connection: None,
            role: TrackedRole { player: no_player, is_observer: false },
        }
    }

    /// Looks at a packet from the server; whether both directions must forget the game now.
    pub fn observe(&mut self, packet: &Decoded<'_>) -> bool {
        self.notice_values(packet.packet().number, packet.values())
    }

    /// The same for the values of a packet.
    pub fn notice_values(&mut self, number: u16, values: &[Value]) -> bool {
        self.look(number, |field| values.get(field).and_then(Value::as_int))
    }

    /// The same for a packet of a generated codec.
    pub fn notice_fields(&mut self, number: u16, fields: &dyn Fields) -> bool {
        self.look(number, |field| fields.value(field).as_int())
    }

    fn look(&mut self, number: u16, value: impl Fn(usize) -> Option<i64>) -> bool {
        if let Some((reply, [id])) = self.join_reply
            && reply == number
        {
            self.connection = value(id);
            return false;
        }
        let Some((info, [id, player, observer])) = self.conn_info else { return false };
        if info != number || value(id) != self.connection || self.connection.is_none() {
            return false;
        }
        let (player, observer) = (value(player).unwrap_or(self.no_player), value(observer).unwrap_or(0));
        let role = TrackedRole { player, is_observer: observer != 0 };
        let has_changed = role != self.role;
        self.role = role;
        has_changed && (role.player != self.no_player || role.is_observer)
    }
}

fn find_fields<const N: usize>(protocol: &Protocol, name: &str, fields: [&str; N]) -> PacketFields<N> {
    let packet = protocol.packet_named(name)?;
    let mut indices = [0; N];
    for (index, field) in indices.iter_mut().zip(fields) {
        *index = packet.field_index(field)?;
    }
    Some((packet.number, indices))
}
