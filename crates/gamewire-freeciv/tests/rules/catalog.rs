//! The rules one by one: what advances, buildings, governments and unit types cost, need and permit.

use std::collections::BTreeSet;

use gamewire_freeciv::codec::{ProtocolVersion, Requirement};
use gamewire_freeciv::number::EffectType;
use gamewire_freeciv::rules::{
    AdvanceRule, Answer, BuildingRule, Domain, GovernmentRule, NamedRequirement, RequirementKind,
    UnitTypeRule, advances, buildings, bulbs_required, effects, governments, unit_types,
};
use gamewire_freeciv::world::World;

use super::support::{learn, worlds};

fn requirements(of: impl Iterator<Item = NamedRequirement>) -> Vec<String> {
    of.map(|requirement| requirement.to_string()).collect()
}

#[test]
fn an_advance_has_a_cost_and_the_advances_that_it_needs_and_permits() {
    for (version, world) in worlds() {
        let currency = AdvanceRule::named(&world, "Currency").unwrap();
        let needs: Vec<String> = currency.needs().map(|it| it.rule_name()).collect();
        assert_eq!(needs, ["Bronze Working"], "{version}");
        assert_eq!(requirements(currency.requirements()), [r#"Tech "Bronze Working" (Player)"#]);
        let permits: BTreeSet<(&str, String)> =
            currency.permits().map(|it| (it.kind(), it.rule_name())).collect();
        for (kind, name) in [("advance", "Trade"), ("building", "Marketplace")] {
            let is_in = permits.contains(&(kind, name.to_owned()));
            assert!(
                is_in || (version == ProtocolVersion::V3_0 && name == "Marketplace"),
                "{version} {permits:?}"
            );
        }
        assert_eq!(currency.cost(), bulbs_required(&world, currency.rule().id), "{version}");
        assert!(currency.base_cost() > 0.0 && currency.cost().is_some());
        assert_eq!((currency.is_known(), currency.can_research()), (false, Answer::No), "{version}");
        let bronze = AdvanceRule::named(&world, "Bronze Working").unwrap();
        assert!(
            bronze.permits().any(|it| it.rule_name() == "Phalanx" && it.kind() == "unit type"),
            "{version}"
        );
        assert_eq!(bronze.can_research(), Answer::Yes);
        assert_eq!(advances(&world).len(), world.rulesets().advances.len());
        let has_cycle = advances(&world).any(|it| it.needs().any(|needed| needed.rule().id == it.rule().id));
        assert!(!has_cycle);
    }
}

#[test]
fn every_advance_is_permitted_by_each_advance_that_it_needs() {
    for (version, world) in worlds() {
        let mut pairs = 0;
        for advance in advances(&world) {
            for needed in advance.needs() {
                let is_permitted = needed
                    .permits()
                    .any(|it| it.rule_name() == advance.rule_name() && it.kind() == "advance");
                assert!(is_permitted, "{version} {} by {}", advance.rule_name(), needed.rule_name());
                pairs += 1;
            }
        }
        assert!(pairs > 100, "{version}: {pairs}");
    }
}

#[test]
fn a_building_has_requirements_and_effects() {
    for (version, world) in worlds() {
        let bank = BuildingRule::named(&world, "Bank").unwrap();
        let needs = requirements(bank.requirements());
        assert!(needs.contains(&r#"Building "Marketplace" (City)"#.to_owned()), "{version} {needs:?}");
        assert!(needs.contains(&r#"Tech "Banking" (Player)"#.to_owned()), "{version} {needs:?}");
        assert!(!bank.is_great_wonder() && !bank.is_small_wonder() && bank.owner().is_none());
        let permits: Vec<String> =
            BuildingRule::named(&world, "Marketplace").unwrap().permits().map(|it| it.rule_name()).collect();
        assert!(permits.contains(&"Bank".to_owned()), "{version} {permits:?}");
        let temple = BuildingRule::named(&world, "Temple").unwrap();
        assert!(temple.effects().any(|it| it.name() == Some("Make_Content")), "{version}");
        let walls = BuildingRule::named(&world, "City Walls").unwrap();
        assert!(walls.effects().any(|it| it.name() == Some("Defend_Bonus") && it.value() > 0), "{version}");
        let wonder = BuildingRule::named(&world, "Pyramids").unwrap();
        assert!(wonder.is_great_wonder() && wonder.owner().is_none(), "{version}");
        assert_eq!(wonder.is_obsolete(), Answer::No);
        assert!(buildings(&world).filter(|it| it.obsolete_by().count() > 0).count() > 5, "{version}");
        assert_eq!(wonder.cost(), Some(u32::from(wonder.rule().build_cost)), "shieldbox is 100");
    }
}

#[test]
fn a_wonder_is_obsolete_by_an_advance() {
    for (version, mut world) in worlds() {
        let old = buildings(&world).find_map(|it| {
            let by = it.obsolete_by().find(|it| it.kind == RequirementKind::Advance)?;
            Some((it.rule_name(), by.name?))
        });
        let (wonder, advance) = old.unwrap();
        let obsolete = |world: &World| BuildingRule::named(world, &wonder).unwrap().is_obsolete();
        assert_eq!(obsolete(&world), Answer::No, "{version} {wonder}");
        assert!(
            AdvanceRule::named(&world, &advance).unwrap().makes_obsolete().any(|it| it.rule_name() == wonder)
        );
        learn(&mut world, &[&advance]);
        assert_eq!(obsolete(&world), Answer::Yes, "{version} {wonder} by {advance}");
    }
}

#[test]
fn governments_have_maximal_rates_and_requirements() {
    for (version, mut world) in worlds() {
        let rate = |name: &str| GovernmentRule::named(&world, name).unwrap().max_rate();
        let rates = ["Despotism", "Monarchy", "Communism", "Republic", "Democracy"].map(rate);
        // The game of 3.0 has the ruleset civ2civ3, the others classic.
        let democracy = if version == ProtocolVersion::V3_0 { 90 } else { 100 };
        assert_eq!(rates, [60, 70, 80, 80, democracy].map(Some), "{version}");
        assert_eq!(
            requirements(GovernmentRule::named(&world, "Monarchy").unwrap().requirements()),
            [r#"Tech "Monarchy" (Player)"#]
        );
        let can = |world: &World, name: &str| GovernmentRule::named(world, name).unwrap().can_choose();
        assert_eq!((can(&world, "Anarchy"), can(&world, "Monarchy")), (Answer::No, Answer::No), "{version}");
        learn(&mut world, &["Monarchy"]);
        assert_eq!(can(&world, "Monarchy"), Answer::Yes, "{version}");
        assert_eq!(governments(&world).len(), world.rulesets().governments.len());
    }
}

#[test]
fn unit_types_have_classes_domains_cargo_and_levels() {
    for (version, world) in worlds() {
        let of = |name: &str| UnitTypeRule::named(&world, name).unwrap();
        let domains = ["Settlers", "Trireme", "Bomber", "Transport"].map(|name| of(name).domain());
        assert_eq!(domains, [Domain::Land, Domain::Sea, Domain::Both, Domain::Sea], "{version}");
        let class = of("Settlers").class().unwrap().rule_name.to_str_lossy().into_owned();
        let cargo: Vec<_> =
            of("Transport").cargo().map(|it| it.rule_name.to_str_lossy().into_owned()).collect();
        assert!(cargo.contains(&class), "{version} {class} {cargo:?}");
        assert_eq!(
            (of("Bomber").rule().fuel, of("Transport").rule().transport_capacity),
            (if version == ProtocolVersion::V3_0 { 3 } else { 2 }, 8)
        );
        assert_eq!(of("Phalanx").obsoleted_by().unwrap().rule_name(), "Pikemen", "{version}");
        assert!(
            requirements(of("Phalanx").requirements())
                .contains(&r#"Tech "Bronze Working" (Player)"#.to_owned())
        );
        assert_eq!(requirements(of("Settlers").requirements()).len(), 0, "{version}");
        let flags = |name: &str| of(name).flags().collect::<Vec<_>>();
        assert!(flags("Settlers").contains(&"Settlers".to_owned()), "{version} {:?}", flags("Settlers"));
        assert!(flags("Diplomat").contains(&"Diplomat".to_owned()), "{version} {:?}", flags("Diplomat"));
        assert!(of("Workers").roles().any(|role| role == "WorkerStartUnit"), "{version}");
        assert!(of("Bomber").class_flags().any(|flag| flag == "Unreachable"), "{version}");
        let levels = of("Phalanx").veteran_levels();
        assert_eq!((levels[0].power_percent, levels[1].power_percent), (100, 150), "{version} {levels:?}");
        assert_eq!(unit_types(&world).len(), world.rulesets().unit_types.len());
    }
}

#[test]
fn every_effect_of_the_rulesets_has_a_name() {
    for (version, world) in worlds() {
        for effect in effects(&world) {
            assert!(effect.name().is_some(), "{version} {:?}", effect.effect());
        }
        let max_rates = effects(&world).filter(|it| it.effect() == Some(EffectType::MaxRates));
        assert!(max_rates.count() > 4, "{version}");
    }
}

#[test]
fn every_requirement_of_a_named_thing_has_its_name() {
    use RequirementKind as Kind;
    for (version, world) in worlds() {
        let rules = world.rulesets();
        let lists: Vec<&[Requirement]> = rules
            .buildings
            .iter()
            .map(|it| it.reqs.as_slice())
            .chain(rules.effects.iter().map(|it| it.reqs.as_slice()))
            .chain(rules.extras.iter().map(|it| it.reqs.as_slice()))
            .chain(rules.governments.iter().map(|it| it.reqs.as_slice()))
            .collect();
        let mut kinds = BTreeSet::new();
        for requirement in lists.into_iter().flatten() {
            let named = NamedRequirement::new(&world, requirement);
            assert!(named.kind.name().is_some() && named.range.is_some(), "{version} {named}");
            let is_amount = matches!(
                named.kind,
                Kind::MinSize
                    | Kind::MinYear
                    | Kind::MinTechs
                    | Kind::MinCulture
                    | Kind::MinVeteran
                    | Kind::MinHitPoints
                    | Kind::MinMoves
                    | Kind::MinCalendarFragment
                    | Kind::Age
                    | Kind::MaxTileUnits
                    | Kind::AiLevel
                    | Kind::MinForeignPct
                    | Kind::MinLatitude
                    | Kind::MaxLatitude
                    | Kind::CityTile
                    | Kind::TerrainAlter
                    | Kind::UnitState
                    | Kind::RoadFlag
                    | Kind::BaseFlag
                    | Kind::Topology
            );
            assert!(is_amount || named.name.is_some(), "{version} {named} has no name");
            kinds.insert(named.kind.name());
        }
        assert!(kinds.len() > 15, "{version} {kinds:?}");
    }
}
