#![allow(missing_docs)]
#[path = "../world/replay.rs"]
mod replay;
#[test]
fn dump() {
    for (v, world) in replay::replay_each_version() {
        println!("{v:?}");
        let r = world.rulesets();
        for e in r.extras.iter() {
            print!("{}:{}{:?} ", e.id, e.rule_name.to_str_lossy(), e.causes);
        }
        println!();
        println!("res {:?}", r.resources.iter().map(|x| x.id).collect::<Vec<_>>());
        println!("base {:?}", r.bases.iter().map(|x| x.id).collect::<Vec<_>>());
        println!(
            "road {:?}",
            r.roads.iter().map(|x| (x.id, x.integrates.iter_ones().collect::<Vec<_>>())).collect::<Vec<_>>()
        );
        println!("terr {:?}", r.terrains.iter().map(|x| (x.id, x.resources.clone())).collect::<Vec<_>>());
    }
}
