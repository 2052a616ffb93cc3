//! Attaching, observing and detaching, and the baselines that both sides then remove.

use gamewire_freeciv::delta::Value;
use gamewire_freeciv::session::PlayerRole;
use gamewire_freeciv::session::client::Event;
use gamewire_freeciv::session::server::{ClientId, Event as ServerEvent, Server};
use gamewire_sim::StreamConditions;

use super::support::{FIRST, Table, call, client, finish, packets, run, seconds, server, table};

/// Sends a tile. Returns whether the client reported a change.
fn tile(table: &mut Table, owner: i64) -> bool {
    let fields = [("tile", Value::Int(7)), ("owner", Value::Int(owner))];
    table.host_mut().send_fields(FIRST, "PACKET_TILE_INFO", &fields).unwrap()
}

fn role(table: &mut Table, role: PlayerRole) -> Vec<Event> {
    table.host_mut().set_role(FIRST, role).unwrap();
    run(table, seconds(1), finish);
    table.take_events(0)
}

#[test]
fn both_sides_forget_the_game_at_a_new_role_and_not_when_detached() {
    let mut table = table(server(), StreamConditions::PERFECT, 1);
    call(&mut table, client("alice"));
    run(&mut table, seconds(1), finish);
    let reported = role(&mut table, PlayerRole::playing(3));
    assert!(
        reported
            .iter()
            .any(|event| matches!(event, Event::RoleChanged(role) if *role == PlayerRole::playing(3)))
    );
    assert!(tile(&mut table, 5));
    assert!(!tile(&mut table, 5), "no news");
    role(&mut table, PlayerRole::DETACHED);
    assert!(!tile(&mut table, 5), "still known");
    role(&mut table, PlayerRole::observing(None));
    // With the old baseline, owner 0 would be a change. Without a baseline, it is the default.
    assert!(tile(&mut table, 0), "the tile was dropped");
    run(&mut table, seconds(1), finish);
    let events = table.take_events(0);
    assert_eq!(packets(&events, "PACKET_TILE_INFO")[0].int("owner"), 0);
    assert_eq!(table.client(0).unwrap().role(), PlayerRole::observing(None));
}

#[test]
fn each_client_receives_all_connections_once() {
    let mut table = table(server(), StreamConditions::PERFECT, 1);
    let attach = |server: &mut Server, event: ServerEvent| {
        if let ServerEvent::Joined { client, .. } = &event {
            server.set_role(*client, PlayerRole::playing(client.0)).unwrap();
        }
        finish(server, event);
    };
    for name in ["alice", "bob"] {
        call(&mut table, client(name));
        run(&mut table, seconds(1), attach);
    }
    table.shutdown(0);
    run(&mut table, seconds(1), attach);
    let seen = |events: &[Event]| -> Vec<(i64, String, bool)> {
        let infos = packets(events, "PACKET_CONN_INFO");
        infos.iter().map(|info| (info.int("id"), info.text("username"), info.flag("used"))).collect()
    };
    assert_eq!(seen(&table.take_events(0)), [(1, "alice".into(), true), (2, "bob".into(), true)]);
    assert_eq!(
        seen(&table.take_events(1)),
        [(1, "alice".into(), true), (2, "bob".into(), true), (1, String::new(), false)]
    );
    assert_eq!(table.host().role(ClientId(2)), Some(PlayerRole::playing(2)));
    assert_eq!(table.host().role(FIRST), None);
}
