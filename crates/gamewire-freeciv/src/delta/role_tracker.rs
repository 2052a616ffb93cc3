use gamewire_schema::ir::{Count, Protocol};

use super::decoder::Decoded;
use super::value::Value;

/// Returns the number that means "no player". It equals the maximum number of players, which is the size of the array
/// `love` in PLAYER_INFO.
pub(crate) fn no_player(protocol: &Protocol) -> Option<u16> {
    let info = protocol.packet_named("PACKET_PLAYER_INFO")?;
    let love = info.fields.iter().find(|field| field.name == "love")?;
    love.dims.first().filter(|dim| dim.count == Count::Fixed).and_then(|dim| u16::try_from(dim.limit).ok())
}

/// A tracker that detects when a connection gets another player or becomes an observer. After the packet that announces
/// it, the server removes the baselines of packets that describe the game, and the client must do the same.
#[derive(Clone, Copy, Debug)]
pub struct RoleTracker {
    join_reply: PacketFields<1>,
    conn_info: PacketFields<3>,
    /// The number that means "no player".
    no_player: i64,
    connection: Option<i64>,
    role: TrackedRole,
}

/// The number of a packet and the indices of its fields, or `None` if the definition lacks one of them.
type PacketFields<const N: usize> = Option<(u16, [usize; N])>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TrackedRole {
    player: i64,
    is_observer: bool,
}

impl RoleTracker {
    /// The number that means "no player" in Freeciv 3.0.
    pub const NO_PLAYER: i64 = 160;

    /// Creates a tracker for a new connection. `no_player` is the number that means "no player": the maximum number of
    /// players of the version.
    pub fn new(protocol: &Protocol, no_player: i64) -> Self {
        Self {
            join_reply: find_fields(protocol, "PACKET_SERVER_JOIN_REPLY", ["conn_id"]),
            conn_info: find_fields(protocol, "PACKET_CONN_INFO", ["id", "player_num", "observer"]),
            no_player,
            connection: None,
            role: TrackedRole { player: no_player, is_observer: false },
        }
    }

    /// Handles a packet from the server. Returns whether both directions must now remove the baselines that describe
    /// the game.
    pub fn observe(&mut self, packet: &Decoded<'_>) -> bool {
        self.observe_values(packet.packet().number, packet.values())
    }

    /// Handles a packet from the server, given its values. Returns the same as [`observe`](Self::observe).
    pub fn observe_values(&mut self, number: u16, values: &[Value]) -> bool {
        let value = |field: usize| values.get(field).and_then(Value::as_int);
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
