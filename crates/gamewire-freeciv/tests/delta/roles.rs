//! Removal of baselines that describe the game.

use gamewire_freeciv::delta::{RoleTracker, Value};
use gamewire_schema::ir::{Directions, Field, Packet, Protocol, WireType};

use super::support::{bool_field, int};

fn protocol() -> Protocol {
    let reply = Packet::new("PACKET_SERVER_JOIN_REPLY", 5, Directions::TO_CLIENT)
        .no_delta()
        .field(Field::new("conn_id", WireType::Sint16));
    let info = Packet::new("PACKET_CONN_INFO", 115, Directions::TO_CLIENT)
        .field(Field::new("id", WireType::Sint16).key())
        .field(Field::new("player_num", WireType::Sint16))
        .field(bool_field("observer"));
    Protocol::new("by hand", vec![reply, info])
}

#[test]
fn a_new_player_or_observer_resets_and_detaching_does_not() {
    let mut watch = RoleTracker::new(&protocol(), RoleTracker::NO_PLAYER);
    let mut info =
        |id, player, observer| watch.observe_values(115, &[int(id), int(player), Value::Bool(observer)]);
    assert!(!info(7, 0, false), "our player is unknown");
    assert!(!watch.observe_values(5, &[int(7)]));
    let mut info =
        |id, player, observer| watch.observe_values(115, &[int(id), int(player), Value::Bool(observer)]);
    assert!(!info(7, 160, false), "no player as before");
    assert!(!info(8, 3, false), "another player");
    assert!(info(7, 3, false), "a player");
    assert!(!info(7, 3, false), "the same again");
    assert!(info(7, 3, true), "an observer of that player");
    assert!(!info(7, 160, false), "detached");
    assert!(info(7, 160, true), "an observer of all");
    assert!(!watch.observe_values(99, &[int(7)]));
}

#[test]
fn without_these_packets_nothing_is_reset() {
    let mut watch = RoleTracker::new(&Protocol::default(), RoleTracker::NO_PLAYER);
    assert!(!watch.observe_values(115, &[int(1)]));
}
