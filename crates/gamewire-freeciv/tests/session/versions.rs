//! The version of a connection, which the server's reply names, and its capabilities, which both sides offered.

use gamewire_freeciv::codec::ProtocolVersion;
use gamewire_freeciv::delta::Value;
use gamewire_freeciv::session::client::{ClientConfig, CloseReason, Event, Phase};
use gamewire_freeciv::session::codec::Definition;
use gamewire_freeciv::session::server::{Event as ServerEvent, ServerConfig};
use gamewire_sim::StreamConditions;

use super::support::{call, end, finish, packets, run, seconds, table};

/// Joins a server of `version` with this capability string, and returns the client's events and definition.
fn join(server: ServerConfig, config: ClientConfig) -> (Vec<Event>, Definition, Option<Phase>) {
    let mut table = table(server, StreamConditions::PERFECT, 1);
    call(&mut table, ClientConfig { packet_events: true, ..config });
    run(&mut table, seconds(1), |server, event| {
        if let ServerEvent::Joined { client, .. } = event {
            server.send_fields(client, "PACKET_UNIT_REMOVE", &[("unit_id", Value::Int(300))]).unwrap();
            server.send_fields(client, "PACKET_RULESET_CONTROL", &[("name", "test".into())]).unwrap();
            server.send_fields(client, "PACKET_GAME_INFO", &[("turn", Value::Int(7))]).unwrap();
        }
        finish(server, event);
    });
    let events = table.take_events(0);
    let client = table.client(0).unwrap();
    (events, client.config().definition.clone(), client.phase())
}

/// Returns all subsets of the optional capabilities of a version, each with the mandatory capability.
fn subsets(version: ProtocolVersion) -> Vec<String> {
    let all = Definition::of(version).protocol().capability_string.clone();
    let (mandatory, optional) = all.split_once(' ').unwrap();
    let optional: Vec<&str> = optional.split(' ').collect();
    let subset = |bits: usize| {
        let chosen = optional.iter().enumerate().filter(|(index, _)| bits >> index & 1 != 0);
        chosen.fold(mandatory.to_owned(), |text, (_, word)| text + " " + word)
    };
    (0..1 << optional.len()).map(subset).collect()
}

#[test]
fn the_reply_decides_the_version_whatever_capabilities_are_offered() {
    for version in ProtocolVersion::ALL {
        let subsets = subsets(version);
        assert!(subsets.len() >= 16);
        for capabilities in subsets {
            for config in ProtocolVersion::ALL.map(|of| ClientConfig::of(Definition::of(of), "alice")) {
                let config = ClientConfig { capabilities: capabilities.clone(), ..config };
                let server = ServerConfig::new(Definition::of(version));
                let (events, definition, phase) = join(server, config);
                assert_eq!(end(&events), None, "{version}: {capabilities}");
                assert_eq!((definition.version(), phase), (version, Some(Phase::Playing)));
                assert_eq!(packets(&events, "PACKET_RULESET_CONTROL")[0].text("name"), "test");
                assert_eq!(packets(&events, "PACKET_UNIT_REMOVE")[0].int("unit_id"), 300, "{capabilities}");
                assert_eq!(packets(&events, "PACKET_GAME_INFO")[0].int("turn"), 7, "{capabilities}");
            }
        }
    }
}

#[test]
fn the_version_that_the_server_requires_comes_before_one_that_it_has() {
    let mut server = ServerConfig::new(Definition::of(ProtocolVersion::V3_1));
    server.capabilities = "Freeciv-3.0-network +Freeciv-3.1-network ids32".to_owned();
    let (events, definition, _) = join(server, ClientConfig::new("alice"));
    assert_eq!((end(&events), definition.version()), (None, ProtocolVersion::V3_1));
}

#[test]
fn a_version_of_the_definition_that_the_server_only_has_is_used() {
    let mut server = ServerConfig::new(Definition::of(ProtocolVersion::V3_2));
    server.capabilities = "Freeciv-3.0-network Freeciv-3.2-network".to_owned();
    let config = ClientConfig::of(Definition::of(ProtocolVersion::V3_2), "alice");
    let config =
        ClientConfig { capabilities: "Freeciv-3.0-network Freeciv-3.2-network".to_owned(), ..config };
    let (events, definition, _) = join(server, config);
    assert_eq!((end(&events), definition.version()), (None, ProtocolVersion::V3_2));
}

#[test]
fn f9_a_version_without_a_definition_is_one_clear_reason() {
    let mut server = ServerConfig::new(Definition::of(ProtocolVersion::V3_2));
    server.capabilities = "+Freeciv-3.9-network".to_owned();
    let mut config = ClientConfig::new("alice");
    config.capabilities = "+Freeciv-3.9-network".to_owned();
    let (events, ..) = join(server, config);
    let reason = end(&events).unwrap();
    assert_eq!(reason, CloseReason::UnknownVersion { version: "Freeciv-3.9-network".to_owned() });
    assert_eq!(
        reason.to_string(),
        "unsupported version of the server: Freeciv-3.9-network; use a definition of that version"
    );
}
