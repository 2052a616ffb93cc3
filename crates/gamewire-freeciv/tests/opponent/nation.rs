//! Research, taxes and treaties.

use gamewire_freeciv::number::{Clause, DiplomaticState};
use gamewire_freeciv::opponent::Opponent;
use gamewire_freeciv::packets::{
    DiplomacyAcceptTreaty, DiplomacyCreateClause, DiplomacyInitMeeting, OwnedPacket, Packet, PlayerDiplstate,
    PlayerInfo,
};
use gamewire_freeciv::world::{SettingValue, World};

use super::support::{has, orders, set_turn};
use crate::path::support::OTHER;
use crate::world::replay::{ALL, replay, replay_each_version};

/// Returns the tax, luxury and science rates that are ordered.
fn rates(orders: &[OwnedPacket]) -> Option<(u8, u8, u8)> {
    orders.iter().find_map(|order| match Packet::from(order) {
        Packet::PlayerRates(rates) => Some((rates.tax, rates.luxury, rates.science)),
        _ => None,
    })
}

#[test]
fn without_a_game_it_orders_nothing() {
    assert!(Opponent::new("bot").turn(&World::new()).is_empty());
}

#[test]
fn a_treasury_that_is_empty_gets_taxes_and_a_full_one_pays_for_science() {
    let mut world = replay("game", &ALL, |_, _| {});
    let me = world.me().unwrap().clone();
    let mut science = |gold: u32| {
        world.apply(&Packet::PlayerInfo(&PlayerInfo { gold, tax: 0, luxury: 100, science: 0, ..me.clone() }));
        rates(&orders(&world)).unwrap()
    };
    assert_eq!(science(0), (60, 0, 40));
    assert_eq!(science(1000), (40, 0, 60));
}

#[test]
fn research_has_a_goal_in_every_version() {
    for (version, world) in replay_each_version() {
        let has_goal = has(&orders(&world), |order| matches!(order, Packet::PlayerTechGoal(_)));
        assert!(has_goal, "{version}");
    }
}

#[test]
fn luxury_replaces_science_in_the_last_turns_of_a_game() {
    for (version, mut world) in replay_each_version() {
        let Some(SettingValue::Int(setting)) = world.settings().get("endturn") else { panic!("{version}") };
        let mut setting = setting.clone();
        setting.val = i32::from(world.turn()) + 1;
        world.apply(&Packet::ServerSettingInt(&setting));
        let (_, luxury, science) = rates(&orders(&world)).unwrap();
        assert!(luxury >= 60 && science <= 40, "{version}: {luxury} {science}");
    }
}

/// Sets the relation to another player, and the clauses of a meeting with it that it accepts.
fn meet(world: &mut World, clauses: &[(u16, Clause)]) {
    world.apply(&Packet::DiplomacyInitMeeting(&DiplomacyInitMeeting {
        counterpart: OTHER,
        initiated_from: OTHER,
    }));
    for (giver, clause) in clauses {
        world.apply(&Packet::DiplomacyCreateClause(&DiplomacyCreateClause {
            counterpart: OTHER,
            giver: *giver,
            r#type: clause.0,
            value: 1,
        }));
    }
    world.apply(&Packet::DiplomacyAcceptTreaty(&DiplomacyAcceptTreaty {
        counterpart: OTHER,
        I_accepted: false,
        other_accepted: true,
    }));
}

#[test]
fn peace_is_accepted_and_a_gift_is_refused() {
    for (version, world) in replay_each_version() {
        let me = world.my_number().unwrap();
        for (clauses, accepts) in
            [(vec![(OTHER, Clause::PEACE)], true), (vec![(OTHER, Clause::PEACE), (me, Clause::GOLD)], false)]
        {
            let mut world = world.clone();
            set_turn(&mut world, 9);
            meet(&mut world, &clauses);
            let orders = orders(&world);
            let has_accepted = has(&orders, |order| matches!(order, Packet::DiplomacyAcceptTreatyReq(_)));
            let has_canceled = has(&orders, |order| matches!(order, Packet::DiplomacyCancelMeetingReq(_)));
            assert_eq!((has_accepted, has_canceled), (accepts, !accepts), "{version} {clauses:?}");
        }
    }
}

#[test]
fn a_player_in_contact_gets_an_offer_every_eighth_turn() {
    for (turn, offers) in [(16, true), (17, false)] {
        for (version, mut world) in replay_each_version() {
            let me = world.my_number().unwrap();
            set_turn(&mut world, turn);
            let relation = PlayerDiplstate {
                plr1: me,
                plr2: OTHER,
                r#type: DiplomaticState::WAR.0,
                contact_turns_left: 10,
                ..PlayerDiplstate::default()
            };
            world.apply(&Packet::PlayerDiplstate(&relation));
            let has_met = has(&orders(&world), |order| match order {
                Packet::DiplomacyInitMeetingReq(order) => order.counterpart == OTHER,
                _ => false,
            });
            assert_eq!(has_met, offers, "{version}");
        }
    }
}
