//! The server's answers about legal actions, and orders for these actions.

use gamewire_freeciv::codec::{ActionProbability, ProtocolVersion};
use gamewire_freeciv::number::Action;
use gamewire_freeciv::orders;
use gamewire_freeciv::packets::UnitActions;
use gamewire_freeciv::world::{ActionTarget, LegalActions, Probability, SubTarget, World};

use super::replay::replay_each_version;

const UNIT: u32 = 120;
const TILE: i32 = 77;
const CERTAIN: ActionProbability = ActionProbability { min: 200, max: 200 };

/// Returns the answer of a server that offers these actions.
fn answer(world: &World, offered: &[(Action, ActionProbability)]) -> LegalActions {
    let mut answer = UnitActions {
        actor_unit_id: UNIT,
        target_tile_id: TILE,
        target_city_id: 131,
        target_extra_id: Some(4),
        ..UnitActions::default()
    };
    for (action, probability) in offered {
        let id = action.number(world.version()).unwrap();
        answer.action_probabilities[usize::from(id)] = *probability;
    }
    LegalActions::new(&answer, world)
}

#[test]
fn an_answer_has_the_actions_that_are_possible_with_their_targets() {
    for (version, world) in replay_each_version() {
        let half = ActionProbability { min: 0, max: 100 };
        let impossible = ActionProbability { min: 0, max: 0 };
        let unknown = ActionProbability { min: 254, max: 0 };
        let offered = [
            (Action::FoundCity, CERTAIN),
            (Action::EstablishEmbassyStay, half),
            (Action::Attack, unknown),
            (Action::HelpWonder, impossible),
            // The tile has no unit as a target.
            (Action::BribeUnit, CERTAIN),
            (Action::DisbandUnit, CERTAIN),
        ];
        let legal = answer(&world, &offered);
        assert_eq!((legal.unit, legal.tile, legal.actions.len()), (UNIT, TILE, 4), "{version}");
        let found = legal.get(Action::FoundCity).unwrap();
        assert_eq!((found.target, found.sub_target), (ActionTarget::Tile(TILE), SubTarget::None));
        assert_eq!(
            (found.name.as_str(), found.probability),
            ("Build City", Some(Probability { min: 200, max: 200 }))
        );
        let embassy = legal.get(Action::EstablishEmbassyStay).unwrap();
        assert_eq!((embassy.target, embassy.probability.unwrap().max), (ActionTarget::City(131), 100));
        let attack = legal.get(Action::Attack).unwrap();
        assert_eq!((attack.target, attack.probability), (ActionTarget::Units(TILE), None));
        assert_eq!(legal.get(Action::DisbandUnit).unwrap().target, ActionTarget::Itself);
    }
}

#[test]
fn an_order_names_the_target_and_its_part() {
    for (version, world) in replay_each_version() {
        let legal = answer(&world, &[(Action::TargetedStealTech, CERTAIN), (Action::FoundCity, CERTAIN)]);
        let steal = legal.get(Action::TargetedStealTech).unwrap();
        assert_eq!(steal.sub_target, SubTarget::Advance, "{version}");
        let order = orders::perform(UNIT, steal, Some(9));
        assert_eq!((order.actor_id, order.target_id, order.sub_tgt_id), (UNIT, 131, 9));
        assert_eq!(orders::perform(UNIT, steal, None).sub_tgt_id, -1);
        let found = orders::perform_found_city(UNIT, legal.get(Action::FoundCity).unwrap(), "Roma").unwrap();
        assert_eq!((found.target_id, found.sub_tgt_id, &*found.name), (TILE, 0, &b"Roma"[..]));
    }
}

#[test]
fn an_extra_is_the_one_for_which_the_server_answered() {
    for (version, world) in
        replay_each_version().into_iter().filter(|(version, _)| *version > ProtocolVersion::V3_0)
    {
        let legal = answer(&world, &[(Action::BuildRoad, CERTAIN), (Action::Fortify, CERTAIN)]);
        let road = legal.get(Action::BuildRoad).unwrap();
        assert_eq!((road.sub_target, road.extra), (SubTarget::NewExtra, Some(4)), "{version}");
        assert_eq!(orders::perform(UNIT, road, None).sub_tgt_id, 4);
        assert_eq!(orders::perform(UNIT, road, Some(5)).sub_tgt_id, 5);
        assert_eq!(legal.get(Action::Fortify).unwrap().extra, None);
    }
}
