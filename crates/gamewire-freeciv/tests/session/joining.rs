//! Accepted and rejected joins.

use gamewire_freeciv::delta::Value;
use gamewire_freeciv::frame::CompressionLevel;
use gamewire_freeciv::session::client::{ClientConfig, ClientInfo, CloseReason, Event, Phase};
use gamewire_freeciv::session::server::{
    CloseReason as ServerReason, Event as ServerEvent, Server, ServerConfig,
};
use gamewire_freeciv::session::{MissingCapability, PlayerRole};
use gamewire_sim::StreamConditions;

use super::support::{
    FIRST, Table, call, client, end, finish, packets, run, seconds, server, show_world, table,
};

/// Runs one client on one server. Returns the client's events and the server's events.
fn meet(server: ServerConfig, config: ClientConfig) -> (Vec<Event>, Vec<ServerEvent>) {
    let mut table = table(server, StreamConditions::PERFECT, 1);
    call(&mut table, config);
    let mut reported = Vec::new();
    run(&mut table, seconds(2), |server, event| {
        reported.push(event.clone());
        finish(server, event);
    });
    (table.take_events(0), reported)
}

fn refused(server: ServerConfig, config: ClientConfig) -> (String, Option<MissingCapability>) {
    let (events, reported) = meet(server, config);
    assert!(reported.is_empty(), "{reported:?}");
    match end(&events) {
        Some(CloseReason::Refused { message, missing, .. }) => (message, missing),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_client_joins_and_sees_the_world() {
    for compression in [None, Some(CompressionLevel::DEFAULT)] {
        let mut config = client("alice");
        config.compression = compression;
        config.client_info =
            Some(ClientInfo { gui: 0, emergency_version: 0, distribution: "home".to_owned() });
        let mut table = table(server(), StreamConditions::PERFECT, 1);
        call(&mut table, config);
        let mut heard = Vec::new();
        run(&mut table, seconds(1), |server, event| {
            if let ServerEvent::Packet { packet, .. } = &event {
                heard.push((packet.name().to_owned(), packet.text("distribution")));
            }
            show_world(server, event);
        });
        assert_eq!(heard, [("PACKET_CLIENT_INFO".to_owned(), "home".to_owned())]);
        let events = table.take_events(0);
        let joined = events.iter().find_map(|event| match event {
            Event::Joined(joined) => Some(joined),
            _ => None,
        });
        assert_eq!(joined.unwrap().message, "Welcome");
        assert_eq!(packets(&events, "PACKET_TILE_INFO").len(), 500);
        assert_eq!(packets(&events, "PACKET_NEW_YEAR")[0].int("year32"), -3950);
        let seen = table.client(0).unwrap();
        assert_eq!((seen.phase(), seen.role()), (Some(Phase::Playing), PlayerRole::playing(1)));
        assert_eq!((seen.connection(), seen.pending_requests()), (Some(1), 0));
        assert!(seen.inflated_bytes() > 2_000, "the answer was a chunk");
        assert_eq!(table.host().clients(), [FIRST]);
    }
}

#[test]
fn a_client_with_an_invalid_name_gets_the_reason() {
    assert_eq!(refused(server(), client("")).0, "the name is empty");
    assert_eq!(refused(server(), client("4ever")).0, "the name starts with a digit");
    assert_eq!(refused(server(), client("Unassigned")).0, "the name Unassigned is reserved");
}

#[test]
fn a_name_is_taken_in_any_case_until_its_owner_leaves() {
    let mut table = table(server(), StreamConditions::PERFECT, 1);
    for name in ["Alice", "aLICE", "bob"] {
        call(&mut table, client(name));
    }
    run(&mut table, seconds(1), finish);
    assert_eq!(table.host().clients().len(), 2);
    let reason = end(&table.take_events(1)).unwrap();
    assert_eq!(reason.to_string(), "the server refused the client: the name aLICE is taken");
    table.shutdown(0);
    run(&mut table, seconds(1), finish);
    call(&mut table, client("ALICE"));
    run(&mut table, seconds(1), finish);
    assert_eq!((end(&table.take_events(3)), table.host().clients().len()), (None, 2));
}

#[test]
fn f9_a_mandatory_capability_that_one_side_lacks_is_one_clear_reason() {
    let mut insisting = server();
    insisting.capabilities += " +x";
    let (message, missing) = refused(insisting, client("alice"));
    assert_eq!(message, "we require the capability x, which the other side lacks");
    assert_eq!(missing, Some(MissingCapability::Ours("x".to_owned())));

    let mut asking = client("alice");
    asking.capabilities += ",+y";
    let (message, missing) = refused(server(), asking);
    assert_eq!(message, "the other side requires the capability y, which we lack");
    assert_eq!(missing, Some(MissingCapability::Theirs("y".to_owned())));
}

#[test]
fn capabilities_select_the_fields_that_are_sent() {
    for (capabilities, year) in
        [("+Freeciv-3.0-network", "year16"), ("+Freeciv-3.0-network year32", "year32")]
    {
        let mut config = client("alice");
        config.capabilities = capabilities.to_owned();
        let mut table = table(server(), StreamConditions::PERFECT, 1);
        call(&mut table, config);
        run(&mut table, seconds(1), |server, event| {
            if let ServerEvent::Joined { client, .. } = event {
                let years = [("year16", Value::Int(-5)), ("year32", Value::Int(-5))];
                server.send_fields(client, "PACKET_NEW_YEAR", &years).unwrap();
            }
            finish(server, event);
        });
        let events = table.take_events(0);
        assert_eq!(packets(&events, "PACKET_NEW_YEAR")[0].int(year), -5);
    }
}

#[test]
fn a_full_server_rejects_clients_until_one_leaves() {
    let mut table = table(ServerConfig { max_clients: 2, ..server() }, StreamConditions::PERFECT, 1);
    for name in ["alice", "bob"] {
        call_and_join(&mut table, name);
    }
    call(&mut table, client("carol"));
    run(&mut table, seconds(1), finish);
    assert!(matches!(end(&table.take_events(2)), Some(CloseReason::Ended { phase: Phase::Joining, .. })));
    table.shutdown(0);
    call_and_join(&mut table, "carol");
}

fn call_and_join(table: &mut Table, name: &str) {
    run(table, seconds(1), finish);
    let caller = call(table, client(name));
    run(table, seconds(1), finish);
    assert_eq!(table.client(caller).unwrap().phase(), Some(Phase::Playing));
}

#[test]
fn a_client_gets_the_reason_of_the_server() {
    let reason_of = |act: fn(&mut Server)| {
        let mut table = table(server(), StreamConditions::PERFECT, 1);
        call(&mut table, client("alice"));
        run(&mut table, seconds(1), finish);
        act(table.host_mut());
        let mut reported = Vec::new();
        run(&mut table, seconds(1), |_, event| reported.push(event));
        let ServerEvent::Closed { client: FIRST, reason } = &reported[0] else { panic!("{reported:?}") };
        (end(&table.take_events(0)).unwrap().to_string(), reason.clone())
    };
    assert_eq!(
        reason_of(|server| server.kick(FIRST, "enough").unwrap()),
        (
            "the connection ended while playing; last message of the server: enough".to_owned(),
            ServerReason::Kicked("enough".to_owned())
        )
    );
    assert_eq!(reason_of(Server::shut_down), ("the server shuts down".to_owned(), ServerReason::Shutdown));
}
