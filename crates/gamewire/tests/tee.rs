//! The movement of tees, compared with recorded games of the real servers.

use std::path::PathBuf;
use std::sync::Arc;

use gamewire_tee::grid::Grid;
use gamewire_tee::input::TeeInput;
use gamewire_tee::map::{DataFile, MapReader, grid_layers};
use gamewire_tee::rules::Rules;
use gamewire_tee::tuning::Tuning;
use gamewire_tee::world::World;

#[path = "../examples/tee_check/capture.rs"]
mod capture;
#[path = "../examples/tee_check/ddnet.rs"]
mod ddnet;
#[path = "../examples/tee_check/history.rs"]
mod history;
#[path = "../examples/tee_check/report.rs"]
mod report;
#[path = "../examples/tee_check/simulation.rs"]
mod simulation;
#[path = "../examples/tee_check/situation.rs"]
mod situation;
#[path = "../examples/tee_check/timing.rs"]
mod timing;

fn vector(name: &str) -> Vec<u8> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../vectors/teeworlds/tee");
    std::fs::read(folder.join(name)).unwrap()
}

/// Plays a recording again. `change` changes the world before.
fn compare(capture: &str, rules: Rules, change: impl Fn(&mut World)) -> report::Report {
    let recording = capture::read(&vector(capture)).unwrap();
    let mut world = world(rules, "room.map");
    change(&mut world);
    simulation::Simulation::new(&recording, world).run()
}

/// Plays a teehistorian file again. `change` changes the world before.
fn compare_history(history: &str, map: &str, change: impl Fn(&mut World)) -> report::Report {
    let mut world = world(Rules::Ddnet20, map);
    change(&mut world);
    history::play(&vector(history), world, &capture::Recording::default()).unwrap()
}

fn world(rules: Rules, map: &str) -> World {
    let file = DataFile::parse(&vector(map)).unwrap();
    let reader = MapReader::new(&file);
    let grid = Grid::new(rules, grid_layers(&reader).unwrap()).unwrap();
    let mut world = World::new(rules, Arc::new(grid));
    if rules.is_ddnet() {
        let tunings = reader.info().unwrap().tunings(rules);
        (world.tuning, world.zone_tunings) = (tunings.map, Arc::new(tunings.zones));
    }
    world
}

#[test]
fn tees_move_as_on_a_server_of_0_7() {
    let report = compare("teeworlds-0.7.5.pcapng", Rules::Teeworlds07, |_| {});
    report.print();
    assert!(report.compared() > 1500 && report.differing() == 0);
}

#[test]
fn tees_move_as_on_a_server_of_ddnet_full_of_tiles() {
    let report = compare("ddnet-20.1.pcapng", Rules::Ddnet20, |_| {});
    report.print();
    assert!(report.compared() > 2000 && report.differing() == 0);
}

#[test]
fn tees_move_as_in_the_teehistorian_files_of_a_server() {
    for (history, map, count) in
        [("room.teehistorian", "room.map", 2400), ("narrow.teehistorian", "narrow.map", 3100)]
    {
        let report = compare_history(history, map, |_| {});
        report.print();
        assert!(report.compared() > count && report.differing() == 0, "{history}");
    }
}

#[test]
fn tees_that_are_pressed_together_differ_without_their_collision() {
    let report =
        compare_history("narrow.teehistorian", "narrow.map", |world| world.tuning.player_collision = 0.0);
    assert!(report.differing() > 0);
}

#[test]
fn other_rules_and_each_changed_number_differ() {
    let other = compare("teeworlds-0.7.5.pcapng", Rules::Teeworlds06, |_| {});
    assert!(other.differing() > 100, "{}", other.differing());
    type Change = fn(&mut Tuning);
    let changes: [(&str, Change); 5] = [
        ("gravity", |tuning| tuning.gravity = 0.51),
        ("friction", |tuning| tuning.ground_friction = 0.51),
        ("length of the hook", |tuning| tuning.hook_length = 370.0),
        ("pull of the hook", |tuning| tuning.hook_drag_accel = 3.1),
        ("jump", |tuning| tuning.ground_jump_impulse = 13.3),
    ];
    for (what, change) in changes {
        let (vanilla, ddnet) = (
            compare("teeworlds-0.7.5.pcapng", Rules::Teeworlds07, |world| change(&mut world.tuning)),
            compare("ddnet-20.1.pcapng", Rules::Ddnet20, |world| change(&mut world.tuning)),
        );
        assert!(vanilla.differing() > 0 && ddnet.differing() > 0, "{what}");
    }
    let hammer = compare("ddnet-20.1.pcapng", Rules::Ddnet20, |world| world.tuning.hammer_strength = 0.9);
    assert!(hammer.differing() > 0, "hammer");
}

/// An input without a place among others.
fn sent(direction: i32, tick: i32, time_left: i32, snapshots: (i32, i32)) -> capture::SentInput {
    capture::SentInput {
        input: TeeInput { direction, ..TeeInput::default() },
        tick,
        time_left: Some(time_left),
        snapshots: Some(snapshots),
        place: 0,
    }
}

/// Returns the ticks at which one input arrived and acts, and whether these are certain.
fn timing_of(ticks: impl IntoIterator<Item = i32>, sent: capture::SentInput) -> (i32, i32, bool) {
    let inputs = timing::PlayerInputs::new(&timing::SnapshotTicks::new(ticks.into_iter()), &[sent]);
    let acts = (0..200).find(|tick| inputs.of_tick(*tick).next().is_some()).unwrap();
    (inputs.arrivals.first().unwrap().0, acts, !inputs.is_uncertain(acts))
}

#[test]
fn a_late_input_acts_in_the_tick_after_the_snapshot_before_its_report() {
    // The server was at tick 105 when its clock showed tick 109, because it waited for a processor.
    assert_eq!(timing_of(100..120, sent(1, 100, -190, (105, 106))), (105, 106, true));
    // It computed four ticks in a row, and read no input between them. But its snapshots may be lost, so this is not certain.
    assert_eq!(timing_of([104, 105, 109, 110], sent(1, 100, -150, (105, 109))), (105, 106, false));
    // Another client received a snapshot between those of this client, so that the input may have arrived after it.
    assert_eq!(timing_of(100..120, sent(1, 100, -150, (105, 109))), (107, 108, false));
    // With a snapshot at every second tick, the report decides between two ticks, but not for sure.
    assert_eq!(timing_of([100, 102, 104, 106], sent(1, 100, -190, (104, 106))), (105, 106, false));
}

#[test]
fn inputs_for_the_same_tick_have_the_order_of_their_places() {
    let last = capture::SentInput { place: 199, ..sent(-1, 100, 10, (98, 99)) };
    let first = capture::SentInput { place: 0, ..sent(1, 99, -10, (99, 100)) };
    let inputs = timing::PlayerInputs::new(&timing::SnapshotTicks::new(90..120), &[last, first]);
    assert_eq!(inputs.of_tick(100).map(|input| input.direction).collect::<Vec<_>>(), [1, -1]);
}

#[test]
fn a_death_is_between_the_snapshots_of_all_clients_around_its_message() {
    let report = |player, snapshots| capture::Death { player, snapshots };
    let mut recording = capture::Recording {
        deaths: vec![report(1, (10, 11)), report(1, (5, 12)), report(1, (14, 15)), report(2, (10, 14))],
        ..capture::Recording::default()
    };
    recording.join_deaths();
    let ticks =
        |player| (0..20).filter(|tick| recording.has_died(player, *tick, tick + 1)).collect::<Vec<_>>();
    assert_eq!((ticks(1), ticks(2)), (vec![10, 14], vec![10, 11, 12, 13]));
}
