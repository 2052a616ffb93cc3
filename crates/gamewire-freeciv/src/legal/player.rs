//! Actions of the own player: research, rates, government, and the end of the turn.

use super::entry::Entries;
use super::key::{LegalTarget, Part};
use super::kind::LegalKind;
use crate::packets::PlayerInfo;
use crate::rules;
use crate::world::World;

/// The step of tax rates in percent.
const RATE_STEP: u8 = 10;

/// Collects the actions of the own player, apart from diplomacy.
pub(super) fn collect(world: &World, entries: &mut Entries) {
    let Some(me) = world.me() else { return };
    research(world, entries);
    rates(world, me, entries);
    governments(world, me, entries);
    entries.add_own(!me.phase_done, LegalKind::EndTurn);
}

fn research(world: &World, entries: &mut Entries) {
    let Some(research) = world.my_research() else { return };
    for advance in rules::researchable(world).filter(|advance| advance.id != research.researching) {
        entries.add(true, LegalKind::Research, LegalTarget::Itself, Part::Advance(advance.id));
    }
    for advance in world.rulesets().advances.iter().filter(|advance| advance.id != research.tech_goal) {
        let is_open = rules::goal_steps(world, advance.id).is_some_and(|steps| steps > 0);
        let is_goal = is_open && rules::is_reachable(world, advance.id).is_yes();
        entries.add(is_goal, LegalKind::ResearchGoal, LegalTarget::Itself, Part::Advance(advance.id));
    }
}

/// Adds all rates in steps of ten percent. The server accepts any rates up to the maximum.
fn rates(world: &World, me: &PlayerInfo, entries: &mut Entries) {
    let government = rules::governments(world).find(|government| government.rule().id == me.government);
    let Some(max) = government.and_then(|government| government.max_rate()) else { return };
    if !world.game().is_some_and(|game| game.changable_tax) {
        return;
    }
    let steps = || (0..=100_u8).step_by(RATE_STEP.into()).take_while(|rate| *rate <= max);
    for tax in steps() {
        for luxury in steps() {
            let science = 100_u8.checked_sub(tax).and_then(|rest| rest.checked_sub(luxury));
            let Some(science) = science.filter(|science| *science <= max) else { continue };
            let is_new = (tax, luxury, science) != (me.tax, me.luxury, me.science);
            let part = Part::Rates { tax, luxury, science };
            entries.add(is_new, LegalKind::TaxRates, LegalTarget::Itself, part);
        }
    }
}

fn governments(world: &World, me: &PlayerInfo, entries: &mut Entries) {
    for government in rules::governments(world) {
        let id = government.rule().id;
        let Ok(part) = u8::try_from(id) else { continue };
        let is_other = id != me.government && id != me.target_government;
        if is_other {
            let answer = government.can_choose();
            entries.add(answer, LegalKind::Government, LegalTarget::Itself, Part::Government(part));
        }
    }
}
