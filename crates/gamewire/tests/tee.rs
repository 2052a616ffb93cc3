//! The movement of tees, compared with recorded games of the real servers.

use std::path::PathBuf;
use std::sync::Arc;

use gamewire_tee::grid::Grid;
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
        let (tuning, zones) = reader.info().unwrap().tunings(rules);
        (world.tuning, world.zone_tunings) = (tuning, Arc::new(zones));
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
