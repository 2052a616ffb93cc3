#![allow(missing_docs)]
#[path = "../world/replay.rs"]
mod replay;
use std::collections::BTreeMap;
#[test]
fn dump() {
    let world = replay::replay("game", &replay::ALL, |_, _| {});
    let mut m: BTreeMap<(String, u8, u8, bool, bool), u32> = BTreeMap::new();
    let mut add = |w: &str, r: &[gamewire_freeciv::codec::Requirement]| {
        for q in r {
            *m.entry((w.into(), q.kind, q.range, q.present, q.survives)).or_default() += 1;
        }
    };
    let r = world.rulesets();
    for b in r.buildings.iter() {
        add("impr", &b.reqs);
        add("obs", &b.obs_reqs);
    }
    for b in r.unit_types.iter() {
        add("unit", &b.build_reqs);
    }
    for b in r.advances.iter() {
        add("tech", &b.research_reqs);
    }
    for b in r.governments.iter() {
        add("gov", &b.reqs);
    }
    for b in r.extras.iter() {
        add("extra", &b.reqs);
    }
    for e in r.effects.iter() {
        add(&format!("eff{}", e.effect_type), &e.reqs);
    }
    for (k, n) in m {
        println!("{k:?} {n}");
    }
    for u in r.unit_types.iter() {
        println!(
            "{} tech{} impr{} gov{} obs{} conv{}",
            u.rule_name.to_str_lossy(),
            u.tech_requirement,
            u.impr_requirement,
            u.gov_requirement,
            u.obsoleted_by,
            u.converted_to
        );
    }
    println!("{:?}", world.game());
    println!("{:?}", world.me());
    println!("{:?}", world.my_research());
    for b in r.roads.iter() {
        println!("{b:?}");
    }
    println!("{:?}", r.terrain_control);
}
