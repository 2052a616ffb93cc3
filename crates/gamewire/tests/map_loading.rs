//! Players that load the map of their server, over loopback.
#![cfg(all(feature = "map", feature = "net"))]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use gamewire::maps::MapCache;
use gamewire::teeworlds::prediction::Basis;
use gamewire::teeworlds::server::{Map, ServerConfig, WalkingGame};
use gamewire::teeworlds::tee::grid::GridLayers;
use gamewire::teeworlds::tee::map::PhysicsMap;
use gamewire::teeworlds::tee::tile::MapTile;
use gamewire::teeworlds::tee::vector::Vec2;
use gamewire::teeworlds::{Dialect, Player, PlayerOptions, Server};

/// Maximum time of a step. It only ends a test that hangs.
const PATIENCE: Duration = Duration::from_secs(120);

fn folder(test: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("gamewire-loading-{}-{test}", std::process::id()));
    std::fs::remove_dir_all(&folder).ok();
    folder
}

/// Returns a map of 4 x 1 tiles with a wall in the third.
fn small_map() -> Vec<u8> {
    let game = [0, 0, 1, 0].map(|index| MapTile { index, flags: 0 }).to_vec();
    let layers = GridLayers { width: 4, height: 1, game, ..GridLayers::default() };
    PhysicsMap { layers, settings: Vec::new() }.to_file().unwrap().to_bytes().unwrap()
}

/// Lets a player with a folder of maps join a server with a map.
fn join(dialect: Dialect, map: Vec<u8>, cache: &MapCache) -> Player {
    let local = ([127, 0, 0, 1], 0).into();
    let config = ServerConfig::new([3; 32], "test", Map::new("small", map));
    let mut server = Server::start_with(local, config, WalkingGame::default()).unwrap();
    let mut options = PlayerOptions::new("anna").with_map_cache(cache.clone());
    options.offer = Some(dialect.into());
    let mut player = Player::connect_with(&format!("127.0.0.1:{}", server.port()), options).unwrap();
    let begin = Instant::now();
    while !player.has_entered() {
        player.update().unwrap();
        drop(server.update().unwrap());
        assert!(begin.elapsed() < PATIENCE);
        server.wait(Duration::from_millis(1)).unwrap();
    }
    player
}

#[test]
fn a_map_is_downloaded_once() {
    let folder = folder("once");
    let cache = MapCache::new(&folder);
    for dialect in [Dialect::V07, Dialect::Tken] {
        std::fs::remove_dir_all(&folder).ok();
        for attempt in 0..2 {
            let player = join(dialect, small_map(), &cache);
            assert_eq!(player.map_error(), None);
            let map = player.map().expect("a map");
            assert!(map.ray(Vec2::new(16.0, 16.0), Vec2::new(100.0, 16.0)).is_some());
            assert_ne!(player.predicted().basis, Basis::NoMap);
            let file = std::fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
            let changed = std::fs::metadata(&file).unwrap().modified().unwrap();
            if attempt == 0 {
                let old = changed - Duration::from_secs(100);
                std::fs::File::options().write(true).open(&file).unwrap().set_modified(old).unwrap();
            } else {
                assert!(changed.elapsed().unwrap() > Duration::from_secs(90), "it was not written again");
            }
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_map_that_cannot_be_read_is_an_error_and_no_obstacle() {
    let folder = folder("unreadable");
    let player = join(Dialect::V07, vec![0; 3000], &MapCache::new(&folder));
    assert!(player.map_error().unwrap().starts_with("cannot read the map"), "{:?}", player.map_error());
    assert!(player.map().is_none());
    assert_eq!(player.predicted().basis, Basis::NoMap);
    std::fs::remove_dir_all(folder).unwrap();
}
