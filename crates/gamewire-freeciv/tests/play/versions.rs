//! Players without a configured version, on servers of every version.

use gamewire_freeciv::codec::ProtocolVersion;
use gamewire_freeciv::orders;
use gamewire_freeciv::session::client::{ClientConfig, CloseReason};
use gamewire_freeciv::session::codec::Definition;
use gamewire_machine::Instant;
use gamewire_sim::StreamConditions;

use super::support::{SETTLERS, call, run, table_of};

#[test]
fn a_player_takes_the_version_of_the_server_and_plays() {
    for version in ProtocolVersion::ALL {
        let mut table = table_of(version, StreamConditions::default(), 1);
        let alice = call(&mut table, "alice");
        run(&mut table, 1);
        let player = table.caller_mut(alice).unwrap();
        let config = player.client().config();
        assert_eq!((config.definition.version(), player.world().version()), (version, version));
        assert_eq!(player.world().my_number(), Some(1), "{version}");
        let order = orders::found_city(player.world(), SETTLERS, "Roma").unwrap();
        player.order(&order).unwrap();
        run(&mut table, 1);
        let player = table.caller_mut(alice).unwrap();
        let city = player.world().cities().named("Roma").unwrap();
        assert_eq!((city.tile(), city.id(), city.owner()), (9, 50, 0), "{version}");
        player.order(&orders::end_turn(player.world())).unwrap();
        run(&mut table, 1);
        assert_eq!(table.caller_mut(alice).unwrap().world().turn(), 2, "{version}");
    }
}

#[test]
fn a_client_of_one_version_is_refused_by_another_with_the_words_of_the_server() {
    let mut table = table_of(ProtocolVersion::V3_1, StreamConditions::default(), 1);
    let config = ClientConfig::of(Definition::of(ProtocolVersion::V3_2), "alice");
    let player = gamewire_freeciv::play::Player::new(config, Instant::ZERO).unwrap();
    let alice = table.connect(player);
    run(&mut table, 1);
    let events = table.take_events(alice);
    let reason = events.iter().find_map(|event| match event {
        gamewire_freeciv::play::Event::Closed(reason) => Some(reason),
        _ => None,
    });
    let Some(CloseReason::Refused { capabilities: Some(theirs), missing: Some(_), .. }) = reason else {
        panic!("{events:?}")
    };
    assert_eq!(theirs.as_str(), "+Freeciv-3.1-network city-original rsdesc32 obsinv ids32");
}
