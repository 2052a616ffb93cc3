//! Both directions of a connection.

use gamewire_freeciv::delta::{Direction, Value};
use gamewire_machine::{ConversationSide, Follow};

use super::support::{
    CAPABILITIES, CONN_INFO, TILE_INFO, Writer, client, counted, errors, follow, follower, messages, server,
    warnings,
};

#[test]
fn both_directions_are_reported_wherever_they_are_split() {
    let (request, turns) = client(CAPABILITIES);
    let stream = server(&["year32"]);
    let mut reported = Vec::new();
    for size in [1, 2, 3, 7, 50, 10_000] {
        let mut follower = follower();
        let mut records = follow(&mut follower, ConversationSide::First, &request, size);
        records.extend(follow(&mut follower, ConversationSide::Second, &stream, size));
        records.extend(follow(&mut follower, ConversationSide::First, &turns, size));
        assert_eq!((errors(&records), warnings(&records)), (0, vec![]), "runs of {size}");
        assert_eq!(
            (follower.dialect(), follower.client()),
            (Some("freeciv-3.0"), Some(ConversationSide::First))
        );
        assert_eq!((counted(&follower, "server_packets"), counted(&follower, "client_packets")), (8, 3));
        assert_eq!(counted(&follower, "chunks"), 1);
        reported.push(messages(&records));
    }
    assert!(reported.iter().all(|one| *one == reported[0]));
    let names: Vec<_> = reported[0].iter().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(
        names,
        [
            "server_join_req",
            "processing_started",
            "server_info",
            "server_join_reply",
            "new_year",
            "city_info",
            "processing_finished",
            "city_info",
            "city_info",
            "player_phase_done",
            "player_phase_done",
        ]
    );
    assert_eq!(reported[0][4], "new_year year32=-4000");
    assert_eq!(reported[0][9], "player_phase_done turn=1");
    assert_eq!(reported[0][10], "player_phase_done as_before(turn=1)");
}

#[test]
fn a_client_without_capabilities_gets_other_fields() {
    let (request, _) = client("+Freeciv-3.0-network");
    let mut follower = follower();
    follow(&mut follower, ConversationSide::First, &request, 99);
    let records = follow(&mut follower, ConversationSide::Second, &server(&[]), 10_000);
    assert_eq!(errors(&records), 0);
    assert!(messages(&records).contains(&"new_year year16=-4000".to_owned()), "{:?}", messages(&records));
}

#[test]
fn a_clients_wide_types_may_be_seen_before_the_reply() {
    let (request, turns) = client(CAPABILITIES);
    let mut follower = follower();
    let records = follow(&mut follower, ConversationSide::First, &[request, turns].concat(), 10_000);
    assert_eq!((errors(&records), messages(&records).len()), (0, 3));
}

#[test]
fn another_player_makes_both_directions_forget_the_game() {
    let (request, _) = client(CAPABILITIES);
    let mut stream = server(&["year32"]);
    let mut tail = Writer::new(Direction::ToClient);
    tail.join(&["year32"]);
    tail.frames.use_wide_types();
    let info = |player| [Value::Int(7), Value::Int(player), Value::Bool(false)];
    let tile = |owner| [Value::Int(1), Value::Int(owner)];
    tail.send(CONN_INFO, &info(160));
    tail.send(TILE_INFO, &tile(3));
    tail.send(CONN_INFO, &info(2));
    tail.forget();
    tail.send(TILE_INFO, &tile(0));
    stream.extend(tail.out);
    let mut follower = follower();
    follow(&mut follower, ConversationSide::First, &request, 99);
    let records = follow(&mut follower, ConversationSide::Second, &stream, 10_000);
    let reported = messages(&records);
    assert_eq!(errors(&records), 0);
    // A follower that misses the reset would report owner 3.
    assert_eq!(reported.last().unwrap(), "tile_info tile=1");
}

#[test]
fn a_refused_client_changes_nothing() {
    let (request, _) = client("+Other");
    let mut server = Writer::new(Direction::ToClient);
    server.raw(0, &[]);
    let text = super::support::text;
    server.send(5, &[Value::Bool(false), text("no"), text(CAPABILITIES), text(""), Value::Int(-1)]);
    server.raw(1, &[]);
    let mut follower = follower();
    let mut records = follow(&mut follower, ConversationSide::First, &request, 99);
    records.extend(follow(&mut follower, ConversationSide::Second, &server.out, 99));
    assert_eq!(errors(&records), 0);
    assert_eq!(messages(&records).last().unwrap(), "processing_finished");
}
