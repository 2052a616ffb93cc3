//! The movement of tees, compared with recorded games of the real servers.

use std::path::PathBuf;
use std::sync::Arc;

use gamewire_tee::grid::Grid;
use gamewire_tee::input::TeeInput;
use gamewire_tee::map::{DataFile, MapReader, grid_layers};
use gamewire_tee::rules::Rules;
use gamewire_tee::world::World;

#[path = "../examples/tee_check/capture.rs"]
mod capture;
#[path = "../examples/tee_check/ddnet.rs"]
mod ddnet;
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
    let file = DataFile::parse(&vector("room.map")).unwrap();
    let reader = MapReader::new(&file);
    let grid = Grid::new(rules, grid_layers(&reader).unwrap()).unwrap();
    let mut world = World::new(rules, Arc::new(grid));
    if rules.is_ddnet() {
        let tunings = reader.info().unwrap().tunings(rules);
        (world.tuning, world.zone_tunings) = (tunings.map, Arc::new(tunings.zones));
    }
    change(&mut world);
    simulation::Simulation::new(&recording, world).run()
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
fn other_rules_and_another_gravity_differ() {
    let other = compare("teeworlds-0.7.5.pcapng", Rules::Teeworlds06, |_| {});
    assert!(other.differing() > 100, "{}", other.differing());
    let heavy = compare("teeworlds-0.7.5.pcapng", Rules::Teeworlds07, |world| world.tuning.gravity = 0.6);
    assert!(heavy.differing() > 100, "{}", heavy.differing());
}

#[test]
fn a_late_input_acts_in_the_tick_after_the_snapshot_before_its_report() {
    let sent = |tick, time_left, snapshots| capture::SentInput {
        input: TeeInput { direction: 1, ..TeeInput::default() },
        tick,
        time_left: Some(time_left),
        snapshots,
    };
    // The server was at tick 105 when its clock showed tick 109, because it waited for a processor.
    let stalled = timing::PlayerInputs::new(Rules::Teeworlds07, &[sent(100, -190, Some((105, 106)))]);
    assert_eq!(stalled.arrivals.first().map(|(tick, _)| *tick), Some(105));
    assert_eq!(stalled.by_tick.keys().copied().collect::<Vec<_>>(), [106]);
    assert!((100..=120).all(|tick| !stalled.is_uncertain(tick)));

    // With a snapshot at every second tick, the report decides between two ticks, but not for sure.
    let sparse = timing::PlayerInputs::new(Rules::Teeworlds07, &[sent(100, -190, Some((104, 106)))]);
    assert_eq!(sparse.arrivals.first().map(|(tick, _)| *tick), Some(105));
    assert!(sparse.is_uncertain(106));
}
