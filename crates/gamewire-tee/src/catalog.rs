//! The rules of the games, and whether this crate has them.

/// A rule of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleEntry {
    /// Part of the game.
    pub part: &'static str,
    /// The rule.
    pub rule: &'static str,
    /// True if [`World`](crate::world::World) follows the rule.
    pub is_here: bool,
}

const fn yes(part: &'static str, rule: &'static str) -> RuleEntry {
    RuleEntry { part, rule, is_here: true }
}

const fn no(part: &'static str, rule: &'static str) -> RuleEntry {
    RuleEntry { part, rule, is_here: false }
}

/// All rules. `docs/tee.md` has the same list and the comparisons.
pub const RULES: &[RuleEntry] = &[
    yes("core", "gravity, control, friction"),
    yes("core", "jumps on the ground and in the air"),
    yes("core", "hook on tiles and tees"),
    yes("core", "tees push and stop each other"),
    yes("core", "velocity ramp"),
    yes("core", "rounding after each tick"),
    yes("core", "order of ticks by the time of spawning"),
    yes("core", "tunings"),
    yes("core", "dead reckoning"),
    yes("character", "choice of weapons"),
    yes("character", "hammer"),
    yes("character", "gun, shotgun, grenade launcher, laser"),
    yes("character", "ninja"),
    yes("character", "ammo and reloading"),
    yes("character", "pickups"),
    yes("character", "health, armor and damage"),
    yes("character", "death by tiles, outside of the map, and by damage"),
    no("character", "spawn points"),
    no("character", "friendly fire of team games"),
    no("character", "flags"),
    yes("DDNet", "freeze, unfreeze, deep freeze, live freeze"),
    yes("DDNet", "unhookable and hook-through tiles"),
    yes("DDNet", "stoppers"),
    yes("DDNet", "solo"),
    yes("DDNet", "teleporters with one exit"),
    no("DDNet", "the random choice of one of several exits"),
    yes("DDNet", "teleporters of hooks"),
    yes("DDNet", "checkpoint teleporters with an exit"),
    no("DDNet", "teleporters of weapons"),
    no("DDNet", "teleport weapons"),
    yes("DDNet", "speedups of both kinds"),
    yes("DDNet", "switches of team 0"),
    yes("DDNet", "doors"),
    yes("DDNet", "jetpack"),
    yes("DDNet", "endless hook, endless jumps, number of jumps, refilled jumps, wall jumps"),
    yes("DDNet", "collision, hooking and hits off"),
    yes("DDNet", "tune zones"),
    yes("DDNet", "shotgun that pulls, laser that unfreezes"),
    yes("DDNet", "projectiles of dead tees disappear"),
    no("DDNet", "teams, super, invincibility, practice"),
    no("DDNet", "draggers, plasma, bullets and lasers of the map, moving entities"),
    no("DDNet", "tiles for the whole map"),
    no("DDNet", "sv_no_weak_hook, sv_old_laser, sv_old_teleport_hook"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_is_listed_once() {
        let mut names: Vec<_> = RULES.iter().map(|entry| (entry.part, entry.rule)).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), RULES.len());
        assert!(RULES.iter().any(|entry| !entry.is_here));
    }
}
