//! Meetings, clauses and pacts that a server refuses are not offered.

use gamewire_freeciv::codec::{ProtocolVersion, Text};
use gamewire_freeciv::legal::{Actor, LegalKind, LegalTarget, Part};
use gamewire_freeciv::number::{Clause, DiplomaticState};
use gamewire_freeciv::packets::{
    DiplomacyCreateClause, DiplomacyInitMeeting, GameInfo, Packet, PlayerDiplstate, PlayerInfo, ResearchInfo,
};
use gamewire_freeciv::world::World;

use super::support::{of_kind, offers_on};
use crate::path::support::{OTHER, maps};

const TARGET: LegalTarget = LegalTarget::Player(OTHER);

fn offers(world: &World, kind: LegalKind) -> bool {
    offers_on(world, Actor::Player, kind, TARGET)
}

fn relate(world: &mut World, change: impl Fn(&mut PlayerDiplstate)) {
    let me = world.my_number().unwrap();
    for (plr1, plr2) in [(me, OTHER), (OTHER, me)] {
        let mut relation =
            PlayerDiplstate { plr1, plr2, contact_turns_left: 9, ..PlayerDiplstate::default() };
        change(&mut relation);
        world.apply(&Packet::PlayerDiplstate(&relation));
    }
}

fn change_other(world: &mut World, change: impl FnOnce(&mut PlayerInfo)) {
    let mut other = world.player(OTHER).unwrap().clone();
    change(&mut other);
    world.apply(&Packet::PlayerInfo(&other));
}

/// Returns worlds in which the other player is known and in contact, at war.
fn worlds() -> [(ProtocolVersion, World); 3] {
    maps("Grassland").map(|(version, mut world)| {
        change_other(&mut world, |other| {
            (other.is_alive, other.barbarian_type) = (true, 0);
        });
        relate(&mut world, |relation| relation.r#type = DiplomaticState::WAR.0);
        (version, world)
    })
}

/// Returns worlds with an open meeting.
fn meetings() -> [(ProtocolVersion, World); 3] {
    worlds().map(|(version, mut world)| {
        let initiated_from = world.my_number().unwrap();
        let meeting = DiplomacyInitMeeting { counterpart: OTHER, initiated_from };
        world.apply(&Packet::DiplomacyInitMeeting(&meeting));
        (version, world)
    })
}

fn add_clause(world: &mut World, giver: u16, clause: Clause) {
    let clause = DiplomacyCreateClause { counterpart: OTHER, giver, r#type: clause.0, value: 0 };
    world.apply(&Packet::DiplomacyCreateClause(&clause));
}

/// Returns the givers and kinds of the clauses that can be added.
fn clauses(world: &World) -> Vec<(u16, Clause)> {
    let entries = of_kind(world, Actor::Player, LegalKind::AddClause);
    let parts = entries.iter().filter(|entry| entry.key.target == TARGET).map(|entry| entry.key.part);
    parts
        .filter_map(|part| match part {
            Part::Clause { giver, clause, .. } => Some((giver, Clause(clause))),
            _ => None,
        })
        .collect()
}

#[test]
fn players_without_contact_do_not_meet() {
    for (version, mut world) in worlds() {
        assert!(offers(&world, LegalKind::Meet), "{version}");
        relate(&mut world, |relation| relation.contact_turns_left = 0);
        assert!(!offers(&world, LegalKind::Meet), "{version}");
        let me = world.my_number().unwrap();
        change_other(&mut world, |other| assert!(other.real_embassy.set(me.into(), true)));
        assert!(offers(&world, LegalKind::Meet), "{version}: embassy");
    }
}

#[test]
fn barbarians_and_dead_players_do_not_meet() {
    for (version, mut world) in worlds() {
        change_other(&mut world, |other| other.barbarian_type = 1);
        assert!(!offers(&world, LegalKind::Meet), "{version}: barbarians");
        change_other(&mut world, |other| (other.barbarian_type, other.is_alive) = (0, false));
        assert!(!offers(&world, LegalKind::Meet), "{version}: dead");
    }
}

#[test]
fn the_setting_diplomacy_forbids_meetings() {
    for (version, mut world) in worlds() {
        for (diplomacy, meets) in [(0, true), (2, false), (5, false), (6, false)] {
            let game = GameInfo { diplomacy, ..world.game().unwrap().clone() };
            world.apply(&Packet::GameInfo(&game));
            assert_eq!(offers(&world, LegalKind::Meet), meets, "{version} {diplomacy}");
        }
    }
}

#[test]
fn an_open_meeting_is_cancelled_and_not_opened_again() {
    for (version, world) in meetings() {
        assert!(!offers(&world, LegalKind::Meet) && offers(&world, LegalKind::CancelMeeting), "{version}");
    }
}

#[test]
fn a_treaty_without_clauses_is_not_accepted() {
    for (version, mut world) in meetings() {
        assert!(!offers(&world, LegalKind::AcceptTreaty), "{version}");
        add_clause(&mut world, OTHER, Clause::SEA_MAP);
        let accept = of_kind(&world, Actor::Player, LegalKind::AcceptTreaty);
        // The other player may not have the things any more.
        assert!(accept.iter().all(|entry| !entry.is_certain) && accept.len() == 1, "{version}");
    }
}

#[test]
fn a_treaty_has_each_clause_once() {
    for (version, mut world) in meetings() {
        let me = world.my_number().unwrap();
        assert!(clauses(&world).contains(&(me, Clause::SEA_MAP)), "{version}");
        add_clause(&mut world, me, Clause::SEA_MAP);
        assert!(!clauses(&world).contains(&(me, Clause::SEA_MAP)), "{version}");
        assert!(clauses(&world).contains(&(OTHER, Clause::SEA_MAP)), "{version}");
    }
}

#[test]
fn a_treaty_has_one_pact() {
    for (version, mut world) in meetings() {
        let me = world.my_number().unwrap();
        assert!(clauses(&world).contains(&(me, Clause::PEACE)), "{version}");
        add_clause(&mut world, me, Clause::CEASEFIRE);
        assert!(!clauses(&world).contains(&(me, Clause::PEACE)), "{version}");
    }
}

#[test]
fn an_embassy_is_not_given_twice() {
    for (version, mut world) in meetings() {
        let me = world.my_number().unwrap();
        change_other(&mut world, |other| assert!(other.real_embassy.set(me.into(), true)));
        assert!(!clauses(&world).contains(&(me, Clause::EMBASSY)), "{version}");
        assert!(clauses(&world).contains(&(OTHER, Clause::EMBASSY)), "{version}");
    }
}

#[test]
fn shared_vision_is_not_given_twice_and_ends_only_if_given() {
    for (version, mut world) in meetings() {
        let number = world.my_number().unwrap();
        assert!(!offers(&world, LegalKind::EndSharedVision), "{version}");
        let mut me = world.me().unwrap().clone();
        assert!(me.gives_shared_vision.set(OTHER.into(), true));
        world.apply(&Packet::PlayerInfo(&me));
        assert!(offers(&world, LegalKind::EndSharedVision), "{version}");
        assert!(!clauses(&world).contains(&(number, Clause::SHARED_VISION)), "{version}");
    }
}

#[test]
fn gold_and_advances_are_offered_only_where_they_can_be_traded() {
    for (version, mut world) in meetings() {
        let number = world.my_number().unwrap();
        let me = PlayerInfo { gold: 100, ..world.me().unwrap().clone() };
        world.apply(&Packet::PlayerInfo(&me));
        for trading_gold in [true, false] {
            let game = GameInfo { trading_gold, trading_tech: false, ..world.game().unwrap().clone() };
            world.apply(&Packet::GameInfo(&game));
            assert_eq!(clauses(&world).contains(&(number, Clause::GOLD)), trading_gold, "{version}");
            assert!(clauses(&world).iter().all(|(_, clause)| *clause != Clause::ADVANCE), "{version}");
        }
    }
}

#[test]
fn the_other_player_gives_known_advances_that_the_own_player_can_learn() {
    for (version, mut world) in meetings() {
        let number = world.my_number().unwrap();
        let game = GameInfo { trading_tech: true, ..world.game().unwrap().clone() };
        world.apply(&Packet::GameInfo(&game));
        let given = (OTHER, Clause::ADVANCE);
        // A player without an embassy does not know the research of the other one.
        assert!(!clauses(&world).contains(&given), "{version}");
        let id = world.rulesets().advances.iter().map(|advance| advance.id).max().unwrap();
        let mut learn = |player: u16, state: &str| {
            let inventions = format!("{}{state}", "0".repeat(id.into()));
            let id = u8::try_from(player).unwrap();
            let inventions = Text::try_from(inventions.as_str()).unwrap();
            let research = ResearchInfo { id, inventions, ..Default::default() };
            world.apply(&Packet::ResearchInfo(&research));
            clauses(&world).contains(&given)
        };
        let states = [(OTHER, "2", false), (number, "1", true), (number, "2", false), (number, "0", false)];
        for (player, state, expected) in states {
            assert_eq!(learn(player, state), expected, "{version} {player} {state}");
        }
    }
}

#[test]
fn only_pacts_are_cancelled() {
    for (state, cancels) in [
        (DiplomaticState::WAR, false),
        (DiplomaticState::NO_CONTACT, false),
        (DiplomaticState::CEASEFIRE, true),
        (DiplomaticState::PEACE, true),
        (DiplomaticState::ALLIANCE, true),
    ] {
        for (version, mut world) in worlds() {
            relate(&mut world, |relation| relation.r#type = state.0);
            assert_eq!(offers(&world, LegalKind::CancelPact), cancels, "{version} {state:?}");
        }
    }
}

#[test]
fn the_pact_of_a_team_is_not_cancelled() {
    for (version, mut world) in worlds() {
        relate(&mut world, |relation| relation.r#type = DiplomaticState::ALLIANCE.0);
        let team = world.me().unwrap().team;
        change_other(&mut world, |other| other.team = team);
        assert!(!offers(&world, LegalKind::CancelPact), "{version}");
    }
}
