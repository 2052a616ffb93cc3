//! Diplomacy: meetings, clauses of treaties, and pacts.

use super::entry::{Entries, LegalEntry};
use super::key::{LegalTarget, Part};
use super::kind::LegalKind;
use crate::codec::ProtocolVersion;
use crate::number::{Clause, DiplomaticState, EffectType};
use crate::packets::{GameInfo, PlayerInfo};
use crate::rules::{Answer, Context, Evaluator};
use crate::world::{Meeting, Relation, World};

/// The values of the setting `diplomacy` (Freeciv's `diplomacy_mode`).
const ALL: u8 = 0;
const HUMANS: u8 = 1;
const COMPUTERS: u8 = 2;
const NO_COMPUTERS: u8 = 3;
const NOT_MIXED: u8 = 4;
const TEAM: u8 = 5;
/// Shares of the own gold that clauses offer, in percent.
const GOLD_SHARES: [u32; 4] = [10, 25, 50, 100];

/// Collects the diplomatic actions with all other players.
pub(super) fn collect(world: &World, entries: &mut Entries) {
    let (Some(me), Some(game)) = (world.me(), world.game()) else { return };
    for other in world.players() {
        let is_other = other.playerno != me.playerno && other.is_alive && !is_barbarian(other);
        if !is_other {
            continue;
        }
        let pair = Pair { world, game, me, other, target: LegalTarget::Player(other.playerno) };
        match world.diplomacy().meeting(other.playerno) {
            Some(meeting) => pair.meeting(meeting, entries),
            None => entries.add(pair.can_meet(), LegalKind::Meet, pair.target, Part::None),
        }
        entries.add(pair.can_cancel_pact(), LegalKind::CancelPact, pair.target, Part::None);
        let gives_vision = me.gives_shared_vision.get(other.playerno.into()) && me.team != other.team;
        entries.add(gives_vision, LegalKind::EndSharedVision, pair.target, Part::None);
    }
}

const fn is_barbarian(player: &PlayerInfo) -> bool {
    player.barbarian_type != 0
}

/// The own player and another one.
struct Pair<'w> {
    world: &'w World,
    game: &'w GameInfo,
    me: &'w PlayerInfo,
    other: &'w PlayerInfo,
    target: LegalTarget,
}

impl Pair<'_> {
    fn relation(&self) -> Option<Relation> {
        self.world.diplomacy().relation(self.me.playerno, self.other.playerno)
    }

    fn state(&self) -> DiplomaticState {
        self.relation().map_or(DiplomaticState::NO_CONTACT, |relation| relation.state)
    }

    fn may_talk(&self) -> bool {
        let is_ai = |player: &PlayerInfo| self.world.is_ai(player.playerno);
        let (mine, theirs) = (is_ai(self.me), is_ai(self.other));
        match self.game.diplomacy {
            ALL => true,
            HUMANS => !mine && !theirs,
            COMPUTERS => mine && theirs,
            NO_COMPUTERS => !(mine && theirs),
            NOT_MIXED => mine == theirs,
            TEAM => self.me.team == self.other.team,
            _ => false,
        }
    }

    /// Returns whether the players can meet (Freeciv's `could_meet_with_player`).
    fn can_meet(&self) -> Answer {
        let embassy = |one: &PlayerInfo, other: &PlayerInfo| one.real_embassy.get(other.playerno.into());
        let has_contact = embassy(self.me, self.other)
            || embassy(self.other, self.me)
            || self.relation().is_some_and(|relation| relation.contact_turns_left > 0);
        Answer::from(self.may_talk() && has_contact)
            .and(|| self.has_no_effect(self.me, EffectType::NoDiplomacy))
            .and(|| self.has_no_effect(self.other, EffectType::NoDiplomacy))
    }

    fn has_no_effect(&self, player: &PlayerInfo, effect: EffectType) -> Answer {
        let Some(player) = self.world.player(player.playerno) else { return Answer::Unknown };
        let value = Evaluator::new(self.world).value(effect, &Context::of_player(player));
        value.map(|value| value <= 0).into()
    }

    /// Returns whether the own player can cancel the pact (Freeciv's `pplayer_can_cancel_treaty`).
    fn can_cancel_pact(&self) -> Answer {
        let has_pact = matches!(
            self.state(),
            DiplomaticState::ARMISTICE
                | DiplomaticState::CEASEFIRE
                | DiplomaticState::PEACE
                | DiplomaticState::ALLIANCE
        );
        let has_reason = self.relation().is_some_and(|relation| relation.reason_to_cancel > 0);
        // A war with an ally of an ally would end an alliance first.
        let is_ally = |player: &PlayerInfo, with: u16| {
            let relation = self.world.diplomacy().relation(player.playerno, with);
            relation.is_some_and(|relation| relation.state == DiplomaticState::ALLIANCE)
        };
        let has_common_ally = self.world.players().any(|third| {
            third.playerno != self.me.playerno
                && third.playerno != self.other.playerno
                && is_ally(self.me, third.playerno)
                && is_ally(self.other, third.playerno)
        });
        let is_same_team = self.me.team == self.other.team;
        Answer::from(has_pact && !is_same_team && !has_common_ally)
            .and(|| Answer::from(has_reason).or(|| self.has_no_effect(self.me, EffectType::HasSenate)))
    }

    fn meeting(&self, meeting: &Meeting, entries: &mut Entries) {
        entries.add(true, LegalKind::CancelMeeting, self.target, Part::None);
        for clause in &meeting.clauses {
            let part = Part::clause(clause.giver, clause.clause, clause.value);
            entries.add(true, LegalKind::RemoveClause, self.target, part);
        }
        if !meeting.clauses.is_empty() {
            let entry = entries.entry(LegalKind::AcceptTreaty, self.target, Part::None);
            // The server checks all clauses again, with the things of the other player.
            entries.push(LegalEntry { is_certain: false, ..entry });
        }
        let mut clauses = Vec::new();
        self.pacts(&mut clauses);
        self.gifts(self.me, self.other, &mut clauses);
        self.gifts(self.other, self.me, &mut clauses);
        for (giver, clause, value) in clauses {
            let is_allowed = self.allows(clause, giver)
                && !meeting.clauses.iter().any(|old| {
                    (old.giver, old.clause) == (giver, clause) || is_pact(clause) && is_pact(old.clause)
                });
            let part = Part::clause(giver, clause, value);
            entries.add(is_allowed, LegalKind::AddClause, self.target, part);
        }
    }

    /// Returns whether the ruleset allows a kind of clause. Rulesets of 3.0 allow all kinds.
    fn allows(&self, clause: Clause, giver: u16) -> bool {
        if self.world.version() == ProtocolVersion::V3_0 {
            return true;
        }
        let Some(rule) = self.world.rulesets().clauses.get(clause.0).filter(|rule| rule.enabled) else {
            return false;
        };
        let Some(giver) = self.world.player(giver) else { return false };
        let (Some(me), Some(other)) =
            (self.world.player(self.me.playerno), self.world.player(self.other.playerno))
        else {
            return false;
        };
        let receiver = if giver.playerno == me.playerno { other } else { me };
        let rules = Evaluator::new(self.world);
        let meets = |player, other, requirements: &[crate::codec::Requirement]| {
            rules
                .are_active(&Context { other: Some(other), ..Context::of_player(player) }, requirements)
                .is_yes()
        };
        meets(giver, receiver, &rule.giver_reqs) && meets(receiver, giver, &rule.receiver_reqs)
    }

    fn pacts(&self, clauses: &mut Vec<(u16, Clause, u32)>) {
        let me = self.me.playerno;
        let possible: &[Clause] = match self.state() {
            DiplomaticState::WAR => &[Clause::CEASEFIRE, Clause::PEACE],
            DiplomaticState::CEASEFIRE => &[Clause::PEACE],
            _ => &[],
        };
        clauses.extend(possible.iter().map(|clause| (me, *clause, 0)));
    }

    /// Lists what one player can give the other.
    fn gifts(&self, giver: &PlayerInfo, to: &PlayerInfo, clauses: &mut Vec<(u16, Clause, u32)>) {
        let number = giver.playerno;
        let mut add = |clause, value| clauses.push((number, clause, value));
        add(Clause::SEA_MAP, 0);
        add(Clause::WORLD_MAP, 0);
        if !giver.gives_shared_vision.get(to.playerno.into()) && giver.team != to.team {
            add(Clause::SHARED_VISION, 0);
        }
        if !to.real_embassy.get(number.into()) {
            add(Clause::EMBASSY, 0);
        }
        if number == self.me.playerno && self.game.trading_gold {
            let amount = |share: u32| u32::try_from(u64::from(giver.gold).saturating_mul(share.into()) / 100);
            let mut amounts: Vec<u32> = GOLD_SHARES
                .into_iter()
                .filter_map(|share| amount(share).ok())
                .filter(|gold| *gold > 0)
                .collect();
            amounts.dedup();
            amounts.into_iter().for_each(|gold| add(Clause::GOLD, gold));
        }
        if self.game.trading_tech && self.world.research(to.playerno).is_some() {
            let advances = self.world.rulesets().advances.iter();
            for advance in advances.filter(|advance| self.world.has_advance(number, advance.id)) {
                if self.can_receive(to, advance.id) {
                    add(Clause::ADVANCE, advance.id.into());
                }
            }
        }
    }

    fn can_receive(&self, to: &PlayerInfo, advance: u16) -> bool {
        /// State of an advance that can be researched now, as a character in the text of a research.
        const PREREQUISITES_KNOWN: u8 = b'1';
        let research = self.world.research(to.playerno);
        research.and_then(|research| research.inventions.get(usize::from(advance)))
            == Some(&PREREQUISITES_KNOWN)
    }
}

const fn is_pact(clause: Clause) -> bool {
    matches!(clause, Clause::CEASEFIRE | Clause::PEACE | Clause::ALLIANCE)
}
