//! Paths on the maps of recorded games.

use gamewire_freeciv::orders;
use gamewire_freeciv::path::{Movement, path, survey};

use super::replay::replay_each_version;

#[test]
fn every_path_leads_over_neighbors_to_its_tile() {
    for (version, world) in replay_each_version() {
        let mut found = 0;
        for unit in world.my_units() {
            for tile in world.map().tiles() {
                let Some(path) = path(&world, unit, tile.tile) else { continue };
                found += 1;
                let mut at = unit.tile();
                let mut turn = 0;
                for step in &path.steps {
                    at = world.map().geometry().unwrap().step(at, step.direction).unwrap();
                    assert_eq!(at, step.tile, "{version}");
                    assert!(step.turn >= turn, "{version}");
                    turn = step.turn;
                }
                assert_eq!((at, path.turns()), (tile.tile, turn), "{version}");
                let directions: Vec<_> = path.directions().collect();
                let order = orders::move_along(&world, unit.id(), &directions).unwrap();
                assert_eq!(
                    (order.dest_tile, usize::from(order.length)),
                    (tile.tile, path.steps.len()),
                    "{version}"
                );
            }
        }
        assert!(found > 30, "{version}: {found}");
    }
}

#[test]
fn an_explorer_arrives_no_later_than_a_settler() {
    for (version, world) in replay_each_version() {
        let [explorer, settlers] =
            ["Explorer", "Settlers"].map(|name| world.my_units_of(name).next().unwrap());
        assert_eq!(explorer.tile(), settlers.tile());
        for tile in world.map().tiles() {
            let Some(slow) = path(&world, settlers, tile.tile) else { continue };
            let fast = path(&world, explorer, tile.tile).unwrap();
            assert!(fast.turns() <= slow.turns(), "{version}");
        }
    }
}

#[test]
fn a_survey_tells_the_terrain_the_units_and_the_output_of_a_tile() {
    for (version, world) in replay_each_version() {
        let start = world.my_units().next().unwrap().tile();
        let here = survey(&world, start).unwrap();
        let units = world.units_at(start).count();
        assert_eq!((here.tile.tile, here.units.len(), here.city), (start, units, world.cities().at(start)));
        for tile in world.map().tiles() {
            let found = survey(&world, tile.tile).unwrap();
            let terrain = found.terrain.unwrap();
            assert!(
                found.output.iter().all(Option::is_some),
                "{version} {}",
                terrain.rule_name.to_str_lossy()
            );
            assert_eq!(found.resource.is_some(), tile.resource.is_some(), "{version}");
            let is_plain =
                found.city.is_none() && tile.extras.iter_ones().next().is_none() && tile.resource.is_none();
            if is_plain {
                let natural = [0, 1, 2].map(|output| Some(i64::from(terrain.output[output])));
                assert_eq!(found.output, natural, "{version} {}", terrain.rule_name.to_str_lossy());
            }
        }
        assert!(survey(&world, -1).is_none());
    }
}

#[test]
fn a_step_costs_what_the_terrain_costs() {
    for (version, world) in replay_each_version() {
        let fragments = world.rulesets().terrain_control.as_ref().unwrap().move_fragments;
        let settlers = world.my_units_of("Settlers").next().unwrap();
        let movement = Movement::of(&world, settlers).unwrap();
        let from = world.map().tile(settlers.tile()).unwrap();
        let mut compared = 0;
        for to in world.map().neighbors(settlers.tile()).filter(|to| movement.can_exist(to)) {
            let terrain = world.terrain_of(to).unwrap();
            // The tile has no river or other extra.
            if to.extras.iter_ones().next().is_none() {
                let cost = u32::from(terrain.movement_cost) * fragments;
                assert_eq!(movement.step_cost(from, to), cost, "{version}");
                compared += 1;
            }
        }
        assert!(compared > 0, "{version}");
    }
}
