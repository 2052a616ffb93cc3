use gamewire_machine::Machine;

use super::table::{DIALECTS, SERVER, Table, asking, config, empty_snapshot, map_change, patient};
use crate::Dialect;
use crate::client::{Client, ClientConfig, Event};
use crate::handshake::{Offer, TokenlessPolicy};
use crate::model::message::ServerMessage;

/// Returns the names of the events.
fn names(events: &[Event]) -> Vec<String> {
    let name = |event: &Event| format!("{event:?}").split([' ', '(']).next().unwrap().to_owned();
    events.iter().map(name).collect()
}

#[test]
fn the_login_has_the_order_of_the_games_in_every_dialect() {
    for dialect in DIALECTS {
        let mut table = Table::with(config(dialect));
        table.settle();
        let greeting: &[&str] = if dialect == Dialect::Tken { &["ClientVersion", "Info"] } else { &["Info"] };
        assert_eq!(table.said(), greeting, "{dialect:?}");
        for (word, answer, state) in [
            (map_change(dialect), "Ready", "readying"),
            (ServerMessage::ConReady, "StartInfo", "greeting"),
            (ServerMessage::ReadyToEnter, "EnterGame", "joining"),
        ] {
            table.say(&word);
            assert_eq!((table.said(), table.client.state()), (vec![answer.to_owned()], state), "{dialect:?}");
        }
        table.say(&empty_snapshot(100));
        assert_eq!((table.said(), table.client.state()), (vec![], "joining"), "{dialect:?}");
        table.say(&empty_snapshot(102));
        // The first input follows immediately. Its chunk is not vital.
        assert_eq!(
            (table.said(), table.client.state()),
            (vec!["~Input".to_owned()], "playing"),
            "{dialect:?}"
        );
        let events = table.events();
        assert_eq!(
            names(&events),
            ["Connected", "MapNeeded", "MapLoaded", "Snapshot", "Snapshot", "Entered"],
            "{dialect:?}"
        );
        assert_eq!(events[0], Event::Connected { dialect });
        let stats = table.client.stats();
        assert_eq!((stats.undecodable, stats.unexpected, stats.send_failures), (0, 0, 0), "{dialect:?}");
    }
}

#[test]
fn a_client_sends_its_name_and_version() {
    let mut config = config(Dialect::Tken);
    (config.clan, config.country, config.password) = ("clan".into(), 276, "secret".into());
    let mut table = Table::with(config);
    table.settle();
    let said = table.said_in_full();
    assert!(said[0].contains("16040"), "{said:?}");
    for text in ["0.6 626fce9a778df4d4", "secret"] {
        assert!(said[1].contains(&format!("{:?}", text.as_bytes())), "{said:?}");
    }
    table.say(&map_change(Dialect::Tken));
    table.say(&ServerMessage::ConReady);
    assert!(table.said_in_full()[1].contains("276"));
}

#[test]
fn a_client_falls_back_to_a_server_without_tokens() {
    let mut table = Table::with(ClientConfig::new(Offer::Any06, "anna", [7; 32]));
    // CONNECTACCEPT without DDNet's mark.
    let connect_accept = [0x10, 0, 0, 2];
    table.client.handle_datagram(table.now, SERVER, &connect_accept).unwrap();
    assert_eq!(table.events(), [Event::Connected { dialect: Dialect::V06 }]);
    assert_eq!(table.client.dialect(), Some(Dialect::V06));
}

#[test]
fn a_map_change_restarts_the_login_on_the_same_connection() {
    for dialect in DIALECTS {
        let mut table = Table::playing(dialect);
        table.say(&map_change(dialect));
        assert_eq!((table.said(), table.client.state()), (vec!["Ready".to_owned()], "readying"));
        assert_eq!(table.client.world(), &Default::default());
        table.say(&ServerMessage::ConReady);
        table.say(&ServerMessage::ReadyToEnter);
        // The game starts at tick 0 again, and earlier acknowledgements are void.
        table.say(&empty_snapshot(1));
        table.say(&empty_snapshot(3));
        assert_eq!(table.client.state(), "playing");
        assert!(table.said_in_full().last().unwrap().contains("ack_snapshot: 3"));
    }
}

#[test]
fn a_client_can_be_sent_to_another_thread() {
    fn is_send<T: Send>() {}
    is_send::<Client>();
}

#[test]
fn the_antispoof_number_of_0_6_5_is_returned() {
    let plain = TokenlessPolicy::Antispoof(patient(Dialect::V06));
    let mut table = Table::at_gate(config(Dialect::V06), plain);
    table.settle();
    assert!(table.link.is_some(), "{}", table.client.state());
    table.said();
    for word in [map_change(Dialect::V06), ServerMessage::ConReady, ServerMessage::ReadyToEnter] {
        table.say(&word);
    }
    table.say(&empty_snapshot(100));
    table.say(&empty_snapshot(102));
    assert_eq!(table.client.state(), "playing");
    assert_eq!(table.said(), ["Ready", "StartInfo", "EnterGame", "~Input"]);
}

#[test]
fn the_placeholder_map_of_the_antispoof_handshake_is_not_downloaded() {
    let plain = TokenlessPolicy::Antispoof(patient(Dialect::V06));
    let mut table = Table::at_gate(asking(Dialect::V06), plain);
    table.settle();
    assert!(table.link.is_some(), "the INPUT was sent");
    assert_eq!(table.client.state(), "map needed");
    table.client.download_map().unwrap();
    table.pass(core::time::Duration::from_millis(250));
    assert_eq!(table.said(), ["~Input", "~Input"], "it is repeated until MAP_CHANGE");
    table.say(&map_change(Dialect::V06));
    table.client.download_map().unwrap();
    table.settle();
    assert_eq!((table.said(), table.client.state()), (vec!["RequestMapData".to_owned()], "downloading"));
}
