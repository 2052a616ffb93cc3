//! Growth of cities.

use gamewire_freeciv::rules::{Growth, granary_size, growth};

use super::support::{change_city, city, worlds};

#[test]
fn a_city_grows_when_its_granary_is_full() {
    for (version, mut world) in worlds() {
        let granary = granary_size(&world, 3).unwrap();
        change_city(&mut world, |city| (city.food_stock, city.surplus[0]) = (1, 2));
        assert_eq!(
            growth(&world, city(&world)),
            Some(Growth::Grows { turns: (granary - 1).div_ceil(2) }),
            "{version}"
        );
        change_city(&mut world, |city| city.food_stock = i16::MAX);
        assert_eq!(growth(&world, city(&world)), Some(Growth::Grows { turns: 1 }), "{version}");
        change_city(&mut world, |city| city.surplus[0] = 0);
        assert_eq!(growth(&world, city(&world)), Some(Growth::Stays), "{version}");
        change_city(&mut world, |city| (city.food_stock, city.surplus[0]) = (5, -2));
        assert_eq!(growth(&world, city(&world)), Some(Growth::Shrinks { turns: 3 }), "{version}");
    }
}

#[test]
fn a_large_city_needs_a_building_to_grow() {
    for (version, mut world) in worlds() {
        change_city(&mut world, |city| (city.size, city.surplus[0]) = (40, 2));
        assert_eq!(growth(&world, city(&world)), Some(Growth::Full), "{version}");
    }
}

#[test]
fn granaries_grow_with_the_size() {
    for (version, world) in worlds() {
        let sizes: Vec<_> = [0, 1, 8, 16, 30, 255].map(|size| granary_size(&world, size).unwrap()).into();
        assert!(sizes.is_sorted() && sizes[0] == 0 && sizes[1] > 0, "{version}: {sizes:?}");
    }
}
