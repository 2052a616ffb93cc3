//! Research.

use gamewire_freeciv::rules::{Answer, bulbs_required, can_research, goal_bulbs, goal_steps, researchable};

use super::support::{learn, worlds};

#[test]
fn the_advances_that_can_be_researched_are_those_whose_prerequisites_are_known() {
    for (version, world) in worlds() {
        let me = world.my_number().unwrap();
        let possible: Vec<u16> = researchable(&world).map(|advance| advance.id).collect();
        assert!(possible.len() > 3, "{version}");
        for advance in world.rulesets().advances.iter() {
            let needs = advance.research_reqs.iter().map(|needed| u16::try_from(needed.value).unwrap());
            let is_ready = needs.into_iter().all(|needed| world.has_advance(me, needed));
            let is_possible = is_ready && !world.has_advance(me, advance.id);
            assert_eq!(
                possible.contains(&advance.id),
                is_possible,
                "{version} {}",
                advance.rule_name.to_str_lossy()
            );
        }
        assert_eq!(can_research(&world, 5000), Answer::No);
    }
}

#[test]
fn the_cost_of_the_current_research_is_that_of_the_server() {
    for (version, world) in worlds() {
        let research = world.my_research().unwrap();
        let cost = bulbs_required(&world, research.researching);
        assert_eq!(cost, Some(research.researching_cost.into()), "{version}");
    }
}

#[test]
fn a_goal_takes_all_advances_before_it_that_are_not_known() {
    for (version, mut world) in worlds() {
        let id = |name: &str| world.advance(name).unwrap().id;
        let (currency, bronze) = (id("Currency"), id("Bronze Working"));
        assert_eq!(
            (goal_steps(&world, currency), goal_steps(&world, bronze)),
            (Some(2), Some(1)),
            "{version}"
        );
        let both = [currency, bronze].map(|advance| bulbs_required(&world, advance).unwrap());
        let bulbs = goal_bulbs(&world, currency).unwrap();
        assert!(bulbs >= both[0] && bulbs > both[1], "{version}");
        learn(&mut world, &["Bronze Working"]);
        assert_eq!(
            (goal_steps(&world, currency), goal_steps(&world, bronze)),
            (Some(1), Some(0)),
            "{version}"
        );
        assert_eq!((goal_steps(&world, 5000), goal_bulbs(&world, 5000)), (None, None));
    }
}

#[test]
fn a_distant_goal_has_the_number_of_steps_of_the_ruleset() {
    for (version, world) in worlds() {
        let me = world.my_number().unwrap();
        let known =
            world.rulesets().advances.iter().filter(|advance| world.has_advance(me, advance.id)).count();
        let goal = world
            .advance("Theory of Evolution")
            .or_else(|| world.advance("Future Tech"))
            .or_else(|| world.advance("Fusion Power"))
            .unwrap();
        let steps = goal_steps(&world, goal.id).unwrap();
        let all = usize::try_from(goal.num_reqs).unwrap();
        assert!(steps <= all && steps + known >= all, "{version}: {steps} of {all}, {known} known");
    }
}
