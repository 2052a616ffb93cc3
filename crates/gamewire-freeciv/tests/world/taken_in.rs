//! Packets with facts that are in no other packet.

use gamewire_freeciv::codec::ProtocolVersion;
use gamewire_freeciv::number::SpaceshipState;
use gamewire_freeciv::packets::{
    AchievementInfo, CityInfo, CityRemove, ConnectMsg, DiplomacyInitMeeting, EndTurn, GameLoad,
    InvestigateStarted, MapInfo, NukeTileInfo, OwnedPacket, Packet, PageMsg, PageMsgPart, PlayerInfo,
    RulesetChoices, RulesetControl, RulesetDescriptionPart, ServerInfo, ServerSettingConst,
    ServerSettingControl, SetTopology, SpaceshipInfo, TeamNameInfo, TileInfo, TraderouteInfo, UnitShortInfo,
    VoteNew, VoteRemove, VoteResolve, VoteUpdate, WorkerTask,
};
use gamewire_freeciv::world::{Change, World};

/// Creates a world of a version.
fn world(minor: u32) -> World {
    let mut world = World::new();
    world.apply(&Packet::ServerInfo(&ServerInfo {
        major_version: 3,
        minor_version: minor,
        ..Default::default()
    }));
    world
}

#[test]
fn a_page_is_whole_before_it_is_shown() {
    let mut world = world(0);
    let page = PageMsg {
        caption: "Report".try_into().unwrap(),
        headline: "Demography".try_into().unwrap(),
        parts: 2,
        ..Default::default()
    };
    world.apply(&Packet::PageMsg(&page));
    let part = |text: &str| PageMsgPart { lines: text.try_into().unwrap() };
    world.apply(&Packet::PageMsgPart(&part("Population: [b]3")));
    assert_eq!(world.take_changes(), []);
    world.apply(&Packet::PageMsgPart(&part("0[/b]")));
    let changes = world.take_changes();
    let [Change::Page(page)] = changes.as_slice() else { panic!("{changes:?}") };
    let shown = (page.caption.as_str(), page.headline.as_str(), page.text.as_str());
    assert_eq!(shown, ("Report", "Demography", "Population: 30"));

    world.apply(&Packet::ConnectMsg(&ConnectMsg { message: "Welcome".try_into().unwrap() }));
    let changes = world.take_changes();
    assert!(
        matches!(changes.as_slice(), [Change::Page(page)] if page.event.is_none() && page.text == "Welcome")
    );
}

#[test]
fn a_vote_is_counted_decided_and_removed() {
    let mut world = world(2);
    let vote = VoteNew {
        vote_no: 7,
        user: "tee".try_into().unwrap(),
        desc: "set timeout 60".try_into().unwrap(),
        percent_required: 50,
        ..Default::default()
    };
    world.apply(&Packet::VoteNew(&vote));
    world.apply(&Packet::VoteUpdate(&VoteUpdate { vote_no: 7, yes: 2, no: 1, abstain: 0, num_voters: 5 }));
    world.apply(&Packet::VoteResolve(&VoteResolve { vote_no: 7, passed: true }));
    let votes: Vec<_> = world.votes().cloned().collect();
    assert_eq!(votes.len(), 1);
    assert_eq!((votes[0].user.as_str(), votes[0].text.as_str()), ("tee", "set timeout 60"));
    assert_eq!((votes[0].yes, votes[0].no, votes[0].voters, votes[0].passed), (2, 1, 5, Some(true)));
    world.apply(&Packet::VoteRemove(&VoteRemove { vote_no: 7 }));
    assert_eq!(world.votes().len(), 0);
    assert_eq!(world.take_changes(), [Change::VoteChanged { vote: 7 }]);
}

#[test]
fn details_of_a_city_come_and_go_with_it() {
    let mut world = world(0);
    let info = |routes| CityInfo { id: 5, tile: 9, traderoute_count: routes, ..Default::default() };
    world.apply(&Packet::CityInfo(&info(2)));
    for (index, partner) in [(0, 6), (1, 8)] {
        let route = TraderouteInfo { city: 5, index, partner, value: 4, ..Default::default() };
        world.apply(&Packet::TraderouteInfo(&route));
    }
    let partners = |world: &World| -> Vec<u32> {
        let details = world.city_details(5).into_iter();
        details.flat_map(|details| details.trade_routes.values().map(|route| route.partner)).collect()
    };
    assert_eq!(partners(&world), [6, 8]);
    world.take_changes();
    world.apply(&Packet::CityInfo(&info(1)));
    assert_eq!(partners(&world), [6], "the city has one route left");

    let task = |activity| WorkerTask { city_id: 5, tile_id: 10, activity, tgt: -1, want: 100 };
    world.apply(&Packet::WorkerTask(&task(3)));
    assert_eq!(world.city_details(5).unwrap().worker_tasks.len(), 1);
    let none = 21;
    world.apply(&Packet::WorkerTask(&task(none)));
    assert_eq!(world.city_details(5).unwrap().worker_tasks.len(), 0);
    assert_eq!(world.take_changes(), [Change::CityChanged { city: 5 }]);
    world.apply(&Packet::CityRemove(&CityRemove { city_id: 5 }));
    assert!(world.city_details(5).is_none());
}

#[test]
fn spaceships_achievements_and_teams_belong_to_players() {
    let mut world = world(1);
    let ship = SpaceshipInfo { player_num: 3, structurals: 12, ..Default::default() };
    world.apply(&Packet::SpaceshipInfo(&ship));
    assert_eq!(world.spaceship(3).map(|ship| ship.structurals), Some(12));
    world.apply(&Packet::PlayerInfo(&PlayerInfo { playerno: 3, ..Default::default() }));
    assert_eq!(world.spaceships().count(), 0, "it is not started");
    world.apply(&Packet::SpaceshipInfo(&SpaceshipInfo { sship_state: SpaceshipState::LAUNCHED.0, ..ship }));
    assert_eq!(world.spaceships().map(|ship| ship.player_num).collect::<Vec<_>>(), [3]);
    world.apply(&Packet::AchievementInfo(&AchievementInfo { id: 2, gained: true, first: false }));
    let achievements: Vec<_> = world.achievements().map(|(id, it)| (id, it.gained, it.first)).collect();
    assert_eq!(achievements, [(2, true, false)]);
    let team = TeamNameInfo { team_id: 1, team_name: "North".try_into().unwrap() };
    world.apply(&Packet::TeamNameInfo(&team));
    assert_eq!((world.team_name(1), world.team_name(2)), (Some("North"), None));
    assert!(world.take_changes().contains(&Change::AchievementChanged { achievement: 2 }));
}

#[test]
fn an_explosion_is_a_change() {
    let mut world = world(0);
    world.apply(&Packet::NukeTileInfo(&NukeTileInfo { tile: 77 }));
    assert_eq!(world.take_changes(), [Change::TileNuked { tile: 77 }]);
}

#[test]
fn units_are_forgotten_with_the_sight_of_their_tile() {
    let mut world = world(0);
    world.apply(&Packet::MapInfo(&MapInfo { xsize: 16, ysize: 16, ..Default::default() }));
    let unit = UnitShortInfo { id: 7, tile: 40, ..Default::default() };
    let tile = |known| TileInfo { tile: 40, known, ..Default::default() };
    for (known, is_there) in [(1, true), (2, true), (2, true), (1, false)] {
        // A unit can arrive before its tile is seen.
        if known == 1 && world.unit(7).is_none() {
            world.apply(&Packet::UnitShortInfo(&unit));
        }
        world.apply(&Packet::TileInfo(&tile(known)));
        assert_eq!(world.unit(7).is_some(), is_there, "{known}");
    }
}

#[test]
fn a_turn_is_over_until_the_next_one_begins() {
    let mut world = world(0);
    world.apply(&Packet::EndTurn(&EndTurn));
    assert!(world.is_turn_over());
    world.apply(&OwnedPacket::blank(128, ProtocolVersion::V3_0).unwrap().as_packet());
    assert!(world.is_turn_over(), "PACKET_BEGIN_TURN, before a phase of the turn");
    world.apply(&OwnedPacket::blank(126, ProtocolVersion::V3_0).unwrap().as_packet());
    assert!(!world.is_turn_over(), "PACKET_START_PHASE");
}

#[test]
fn a_ruleset_has_a_description_no_longer_than_it_announced() {
    let mut world = world(0);
    world.apply(&Packet::RulesetControl(&RulesetControl { desc_length: 6, ..Default::default() }));
    let part = RulesetDescriptionPart { text: "abc".try_into().unwrap() };
    (0..9).for_each(|_| _ = world.apply(&Packet::RulesetDescriptionPart(&part)));
    assert_eq!(world.rulesets().description, "abcabc");
    world.apply(&Packet::RulesetChoices(&RulesetChoices::default()));
    assert_eq!(world.ruleset_choices().len(), 0);
}

#[test]
fn an_investigation_shows_units_that_are_not_seen_on_the_map() {
    for is_announced in [false, true] {
        let mut world = world(if is_announced { 1 } else { 0 });
        let unit = |id, packet_use| UnitShortInfo { id, packet_use, info_city_id: 5, ..Default::default() };
        let city = CityInfo { id: 5, tile: 9, ..Default::default() };
        world.apply(&Packet::CityInfo(&city));
        for ids in [[1, 2, 3], [4, 5, 6]] {
            if is_announced {
                let start = InvestigateStarted { city_id: 5, ..Default::default() };
                world.apply(&Packet::InvestigateStarted(&start));
            }
            world.apply(&Packet::UnitShortInfo(&unit(ids[0], 1)));
            world.apply(&Packet::UnitShortInfo(&unit(ids[1], 2)));
            world.apply(&Packet::UnitShortInfo(&unit(ids[2], 2)));
            let seen = |world: &World| {
                let investigation = world.city_details(5).unwrap().investigation.as_ref().unwrap();
                let present: Vec<u32> = investigation.present.iter().map(|unit| unit.id).collect();
                let supported: Vec<u32> = investigation.supported.iter().map(|unit| unit.id).collect();
                (supported, present, investigation.is_complete)
            };
            assert_eq!(seen(&world), (vec![ids[0]], ids[1..].to_vec(), false));
            world.apply(&Packet::CityInfo(&city));
            assert_eq!(seen(&world), (vec![ids[0]], ids[1..].to_vec(), true));
        }
        assert_eq!(world.units().iter().len(), 0);
    }
}

#[test]
fn settings_have_categories_and_help() {
    let mut world = world(0);
    let mut control = ServerSettingControl { categories_num: 1, ..Default::default() };
    control.category_names.push(b"Military").unwrap();
    world.apply(&Packet::ServerSettingControl(&control));
    let constant = ServerSettingConst {
        id: 3,
        name: "killstack".try_into().unwrap(),
        short_help: "All units on a tile die".try_into().unwrap(),
        ..Default::default()
    };
    world.apply(&Packet::ServerSettingConst(&constant));
    let known = world.settings().constant("killstack").unwrap();
    assert_eq!(known.short_help.to_str_lossy(), "All units on a tile die");
    assert_eq!(world.settings().category(known.category).as_deref(), Some("Military"));
    assert_eq!(world.settings().category(1), None);
}

#[test]
fn the_topology_is_known_before_the_map() {
    let mut world = world(2);
    world.apply(&Packet::SetTopology(&SetTopology { topology_id: 2, wrap_id: Some(1) }));
    let topology = world.map().topology().unwrap();
    assert!(topology.is_hexagonal && topology.wraps_x && !topology.wraps_y);
    let info = MapInfo {
        xsize: 16,
        ysize: 16,
        north_latitude: Some(1000),
        south_latitude: Some(-1000),
        ..Default::default()
    };
    world.apply(&Packet::MapInfo(&info));
    assert!(!world.map().topology().unwrap().is_hexagonal);
    assert_eq!(world.map().latitudes(), Some((1000, -1000)));
}

#[test]
fn a_meeting_has_the_player_who_opened_it() {
    let mut world = world(0);
    let open = DiplomacyInitMeeting { counterpart: 4, initiated_from: 4 };
    world.apply(&Packet::DiplomacyInitMeeting(&open));
    assert_eq!(world.diplomacy().meeting(4).and_then(|meeting| meeting.opened_by), Some(4));
}

#[test]
fn a_loaded_game_has_the_name_of_its_file_and_a_tile_its_placed_extra() {
    let mut world = world(1);
    let load = GameLoad { load_successful: true, load_filename: "old.sav".try_into().unwrap() };
    world.apply(&Packet::GameLoad(&load));
    assert_eq!(world.loaded_game(), Some("old.sav"));
    world.apply(&Packet::GameLoad(&GameLoad { load_successful: false, ..load }));
    assert_eq!(world.loaded_game(), None);

    world.apply(&Packet::MapInfo(&MapInfo { xsize: 16, ysize: 16, ..Default::default() }));
    let tile = |placing| TileInfo { tile: 4, known: 2, placing, place_turn: Some(9), ..Default::default() };
    for (placing, placed) in [(Some(3), Some((3, 9))), (Some(-1), None), (None, None)] {
        world.apply(&Packet::TileInfo(&tile(placing)));
        assert_eq!(world.map().tile(4).and_then(|tile| tile.placed), placed);
    }
}
