//! Turns and their phases, and the players for which the server waits.

use gamewire_freeciv::codec::{Bitvector, Sfloat};
use gamewire_freeciv::number::{Event, PhaseMode};
use gamewire_freeciv::packets::{
    BeginTurn, CalendarInfo, ChatMsg, ConnInfo, EndPhase, EndTurn, FreezeClient, GameInfo, NewYear, Packet,
    PlayerInfo, ServerJoinReply, ServerSettingBool, ServerSettingConst, StartPhase, ThawClient, TimeoutInfo,
};
use gamewire_freeciv::world::{Change, GameState, VictoryCondition, World};

const ME: u16 = 1;

/// Returns a game before its start, with an own player, two other people, of whom one is absent, and a computer player.
/// The teams have the numbers 10 to 13.
fn game(mode: PhaseMode, timeout: u32) -> World {
    let mut world = World::new();
    world.apply(&Packet::ServerJoinReply(&ServerJoinReply {
        you_can_join: true,
        conn_id: 4,
        ..Default::default()
    }));
    let game =
        GameInfo { turn: 5, phase_mode: mode.0, timeout, first_timeout: u32::MAX, ..Default::default() };
    world.apply(&Packet::GameInfo(&game));
    for (playerno, is_connected, is_ai) in
        [(0, true, false), (ME, true, false), (2, false, false), (3, false, true)]
    {
        world.apply(&Packet::PlayerInfo(&player(playerno, is_connected, is_ai)));
    }
    let me = ConnInfo { id: 4, used: true, player_num: ME, access_level: 5, ..Default::default() };
    world.apply(&Packet::ConnInfo(&me));
    world.take_changes();
    world
}

fn player(playerno: u16, is_connected: bool, is_ai: bool) -> PlayerInfo {
    let flags = Bitvector([u8::from(is_ai)]);
    PlayerInfo { playerno, team: playerno + 10, is_alive: true, is_connected, flags, ..Default::default() }
}

/// Starts a phase for a client that is already in the game.
fn start_phase(world: &mut World, phase: i16) {
    world.apply(&Packet::FreezeClient(&FreezeClient));
    enter(world, phase);
    world.apply(&Packet::ThawClient(&ThawClient));
}

/// Lets the client enter a running game.
fn enter(world: &mut World, phase: i16) {
    world.apply(&Packet::StartPhase(&StartPhase { phase }));
}

fn waiting_for(world: &World) -> Vec<u16> {
    world.waiting_for().map(|player| player.playerno).collect()
}

#[test]
fn a_saved_game_that_was_loaded_has_not_started() {
    let mut world = game(PhaseMode::ALL, 0);
    assert_eq!((world.turn(), world.state(), world.phase()), (5, GameState::Pregame, None));
    assert!(!world.is_my_phase() && waiting_for(&world).is_empty());
    start_phase(&mut world, 0);
    assert_eq!((world.state(), world.phase(), world.is_my_phase()), (GameState::Running, Some(0), true));
    assert_eq!(world.take_changes(), [Change::GameBegan, Change::PhaseBegan { phase: 0 }]);
}

#[test]
fn all_players_move_in_one_phase_or_each_in_its_own() {
    for (mode, mine) in
        [(PhaseMode::ALL, vec![0, 1, 11, 13]), (PhaseMode::PLAYERS, vec![1]), (PhaseMode::TEAMS, vec![11])]
    {
        let mut world = game(mode, 0);
        assert_eq!(world.phase_mode(), mode);
        for phase in [0, 1, 11, 13] {
            start_phase(&mut world, phase);
            assert_eq!(world.is_my_phase(), mine.contains(&phase), "{mode} {phase}");
            world.apply(&Packet::EndPhase(&EndPhase));
            assert_eq!((world.is_my_phase(), world.phase()), (false, None));
        }
    }
}

#[test]
fn the_server_waits_for_people_with_a_connection_who_have_not_finished() {
    let mut world = game(PhaseMode::ALL, 0);
    start_phase(&mut world, 0);
    assert_eq!(waiting_for(&world), [0, ME]);
    world.apply(&Packet::PlayerInfo(&PlayerInfo { phase_done: true, ..player(0, true, false) }));
    assert_eq!(waiting_for(&world), [ME]);
    let name = "turnblock".try_into().unwrap();
    world.apply(&Packet::ServerSettingConst(&ServerSettingConst { id: 8, name, ..Default::default() }));
    world.apply(&Packet::ServerSettingBool(&ServerSettingBool { id: 8, val: true, ..Default::default() }));
    assert_eq!(waiting_for(&world), [ME, 2], "also for the absent person");
    let mut alternating = game(PhaseMode::PLAYERS, 0);
    start_phase(&mut alternating, 0);
    assert_eq!(waiting_for(&alternating), [0]);
}

#[test]
fn a_client_that_enters_a_running_turn_can_move_in_it() {
    let mut world = game(PhaseMode::ALL, 0);
    enter(&mut world, 0);
    assert_eq!((world.turn_started(), world.is_state_known()), (5, true));
    assert!(world.take_changes().contains(&Change::TurnBegan { turn: 5 }));
    // The following turns start with a packet of their own, after everything about them was received.
    world.apply(&Packet::FreezeClient(&FreezeClient));
    world.apply(&Packet::EndPhase(&EndPhase));
    world.apply(&Packet::EndTurn(&EndTurn));
    world.apply(&Packet::NewYear(&NewYear { turn: 6, year: -3800, fragments: 2 }));
    enter(&mut world, 0);
    assert_eq!((world.turn_started(), world.is_turn_over()), (5, true));
    world.apply(&Packet::BeginTurn(&BeginTurn));
    world.apply(&Packet::ThawClient(&ThawClient));
    assert_eq!((world.turn_started(), world.is_turn_over()), (6, false));
    assert_eq!(world.take_changes(), [Change::TurnBegan { turn: 6 }, Change::PhaseBegan { phase: 0 }]);
}

#[test]
fn a_turn_that_is_announced_before_its_first_phase_begins_with_the_phase() {
    let mut world = game(PhaseMode::TEAMS, 0);
    world.apply(&Packet::FreezeClient(&FreezeClient));
    world.apply(&Packet::BeginTurn(&BeginTurn));
    assert!(!world.take_changes().iter().any(|change| matches!(change, Change::TurnBegan { .. })));
    enter(&mut world, 11);
    assert_eq!((world.turn_started(), world.is_my_phase()), (5, true));
    assert!(world.take_changes().contains(&Change::TurnBegan { turn: 5 }));
}

#[test]
fn a_client_without_a_player_detects_a_running_game_by_the_message_of_the_year() {
    let mut world = World::new();
    world.apply(&Packet::GameInfo(&GameInfo { is_new_game: true, ..Default::default() }));
    assert!(world.is_state_known(), "a new game that has not started");
    world.apply(&Packet::GameInfo(&GameInfo { turn: 5, ..Default::default() }));
    assert!(!world.is_state_known(), "a running game, or a saved one before its start");
    let message = |event: Event| ChatMsg { event: event.0, turn: 5, ..Default::default() };
    world.apply(&Packet::ChatMsg(&message(Event::CONNECTION)));
    assert_eq!((world.state(), world.is_state_known()), (GameState::Pregame, false));
    world.apply(&Packet::ChatMsg(&message(Event::NEXT_YEAR)));
    assert_eq!((world.state(), world.is_state_known()), (GameState::Running, true));
    assert!(!world.take_changes().contains(&Change::GameBegan), "it has not entered the game");
}

#[test]
fn a_client_that_leaves_its_player_is_still_at_a_running_game() {
    let mut world = game(PhaseMode::ALL, 0);
    start_phase(&mut world, 0);
    world.take_changes();
    let role =
        |player_num, observer| ConnInfo { id: 4, used: true, player_num, observer, ..Default::default() };
    world.apply(&Packet::ConnInfo(&role(160, false)));
    assert_eq!((world.state(), world.my_number()), (GameState::Running, None));
    world.apply(&Packet::ConnInfo(&role(ME, true)));
    assert_eq!(world.observers_of(Some(ME)).map(|it| it.id).collect::<Vec<_>>(), [4]);
    start_phase(&mut world, 0);
    assert!(world.take_changes().contains(&Change::GameBegan), "it has entered the game again");
}

#[test]
fn the_date_is_that_of_the_last_packet() {
    let mut world = game(PhaseMode::ALL, 0);
    let mut calendar = CalendarInfo { calendar_fragments: 4, ..Default::default() };
    calendar.calendar_fragment_name[2] = "Autumn".try_into().unwrap();
    world.apply(&Packet::CalendarInfo(&calendar));
    world.apply(&Packet::NewYear(&NewYear { turn: 6, year: 12, fragments: 2 }));
    assert_eq!((world.turn(), world.year(), world.year_part()), (6, 12, 2));
    assert_eq!(world.game().map(|game| (game.turn, game.fragment_count)), Some((6, 2)));
    assert_eq!(world.year_part_name().as_deref(), Some("Autumn"));
}

#[test]
fn a_phase_has_a_length_and_seconds_left() {
    let mut world = game(PhaseMode::ALL, 60);
    let left =
        TimeoutInfo { seconds_to_phasedone: Sfloat::new(25.0), last_turn_change_time: Sfloat::new(1.5) };
    world.apply(&Packet::TimeoutInfo(&left));
    assert_eq!((world.phase_seconds(), world.seconds_left()), (Some(60), Some(25.0)));
    assert_eq!(world.last_turn_change_seconds(), Some(1.5));
    let game = |turn, timeout, first_timeout| GameInfo { turn, timeout, first_timeout, ..Default::default() };
    for (game, seconds) in [
        (game(1, 60, 300), Some(300)),
        (game(1, 60, 0), None),
        (game(2, 60, 0), Some(60)),
        (game(1, 60, u32::MAX), Some(60)),
        (game(2, 0, 300), None),
        (game(2, u32::MAX, 300), None),
    ] {
        world.apply(&Packet::GameInfo(&game));
        assert_eq!(world.phase_seconds(), seconds, "{} {}", game.timeout, game.first_timeout);
        assert_eq!(world.seconds_left().is_some(), seconds.is_some());
    }
}

#[test]
fn it_is_known_who_plays_and_how_to_win() {
    let mut world = game(PhaseMode::ALL, 0);
    assert_eq!([0, ME, 2, 3].map(|player| world.is_ai(player)), [false, false, false, true]);
    assert_eq!(world.connections_of(ME).map(|it| it.id).collect::<Vec<_>>(), [4]);
    assert_eq!(world.my_access_level().and_then(|level| level.name()), Some("hack"));
    assert_eq!(world.victory_conditions().count(), 0);
    world.apply(&Packet::GameInfo(&GameInfo { victory_conditions: 5, ..Default::default() }));
    let conditions: Vec<_> = world.victory_conditions().collect();
    assert_eq!(conditions, [VictoryCondition::SpaceRace, VictoryCondition::Culture]);
}
