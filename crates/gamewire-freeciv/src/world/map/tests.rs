use super::{Direction8, MapGeometry, Topology};

/// The map of the recorded games: 28 columns, 56 rows, both edges wrap, isometric and hexagonal.
fn recorded() -> MapGeometry {
    MapGeometry::new(28, 56, Topology::from_bits(15)).unwrap()
}

#[test]
fn steps_of_an_explorer_match_the_real_server() {
    let map = recorded();
    assert_eq!(map.step(480, Direction8::Northwest), Some(424));
    assert_eq!(map.step(424, Direction8::North), Some(397));
    assert_eq!(map.step(397, Direction8::Northeast), None);
    assert_eq!(map.step(397, Direction8::West), Some(368));
    assert_eq!(map.step(452, Direction8::South), Some(479));
    assert_eq!(map.step(480, Direction8::South), Some(508));
}

#[test]
fn the_tiles_of_a_city_match_the_real_server() {
    // A squared radius of 5 on a hexagonal map covers the tile and two rings of neighbors.
    let tiles: Vec<i32> = recorded().within(480, 5).collect();
    assert_eq!(tiles.len(), 19);
    assert!(tiles.contains(&509) && tiles.contains(&480) && tiles.contains(&424));
}

#[test]
fn each_step_has_a_step_back() {
    for bits in 0..16 {
        let map = MapGeometry::new(6, 8, Topology::from_bits(bits)).unwrap();
        for tile in 0..map.tiles() {
            assert_eq!(map.map_position(tile).and_then(|(x, y)| map.at_map_position(x, y)), Some(tile));
            for (direction, neighbor) in map.neighbors(tile) {
                assert_eq!(
                    map.step(neighbor, direction.opposite()),
                    Some(tile),
                    "{bits} {tile} {direction:?}"
                );
            }
        }
    }
}

#[test]
fn on_a_map_that_wraps_all_tiles_have_the_same_number_of_neighbors() {
    for (bits, count) in [(3, 8), (7, 8), (11, 6), (15, 6)] {
        let map = MapGeometry::new(6, 8, Topology::from_bits(bits)).unwrap();
        for tile in 0..map.tiles() {
            assert_eq!(map.neighbors(tile).count(), count, "{bits}");
        }
    }
    let flat = MapGeometry::new(6, 8, Topology::from_bits(0)).unwrap();
    assert_eq!(flat.neighbors(0).count(), 3);
}

#[test]
fn the_distance_is_the_length_of_the_shortest_path() {
    // An isometric map without wrapping edges has corners that a straight line crosses.
    for bits in [0, 1, 2, 3, 8, 9, 11, 7, 15] {
        let map = MapGeometry::new(8, 10, Topology::from_bits(bits)).unwrap();
        for to in 0..map.tiles() {
            for from in [0, 9, 35, 79] {
                let path = map.path(from, to, |_| true).unwrap();
                assert_eq!(
                    Some(path.len()),
                    map.distance(from, to).map(|d| usize::try_from(d).unwrap()),
                    "{bits}"
                );
                let end = path.iter().try_fold(from, |tile, direction| map.step(tile, *direction));
                assert_eq!(end, Some(to));
            }
        }
    }
}

#[test]
fn diagonal_steps_are_longer_only_where_tiles_have_eight_neighbors() {
    let square = MapGeometry::new(10, 10, Topology::default()).unwrap();
    let (from, to) = (square.tile(2, 2).unwrap(), square.tile(4, 3).unwrap());
    assert_eq!(square.distance(from, to), Some(2));
    assert_eq!(square.square_distance(from, to), Some(5));
    let hex = MapGeometry::new(10, 10, Topology::from_bits(8)).unwrap();
    assert_eq!(hex.distance(from, to), Some(3));
    assert_eq!(hex.square_distance(from, to), Some(9));
}

#[test]
fn a_path_avoids_closed_tiles_and_may_end_on_one() {
    let map = MapGeometry::new(5, 3, Topology::default()).unwrap();
    let wall = |tile: i32| tile % 5 != 2 || tile / 5 == 2;
    assert_eq!(map.path(5, 9, wall).unwrap().len(), 4);
    assert_eq!(map.path(5, 9, |tile| tile % 5 != 2), None);
    assert_eq!(map.path(5, 7, wall).unwrap().len(), 2);
    assert_eq!(map.path(5, 5, wall), Some(Vec::new()));
    assert_eq!(map.path(5, 99, wall), None);
}

#[test]
fn invalid_tile_numbers_never_overflow() {
    let map = MapGeometry::new(2048, 1000, Topology::from_bits(15)).unwrap();
    for tile in [i32::MIN, -1, map.tiles(), i32::MAX] {
        assert_eq!(map.step(tile, Direction8::North), None);
        assert_eq!(map.distance(0, tile), None);
        assert_eq!(map.within(tile, 5).count(), 0);
        assert_eq!(map.neighbors(tile).count(), 0);
        assert_eq!(map.at_map_position(tile, tile), map.at_map_position(tile, tile));
    }
    assert!(MapGeometry::new(0, 5, Topology::default()).is_err());
    assert!(MapGeometry::new(u16::MAX, u16::MAX, Topology::default()).is_err());
}
