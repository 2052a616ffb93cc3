//! Maps and teehistorian files of the corpus, also with changed bytes.

use std::fs;
use std::path::PathBuf;

use gamewire_tee::map::PhysicsMap;
use gamewire_tee::tile::{MapTile, SpeedupTile, SwitchTile, TeleTile};

use crate::support::{Random, room, targets};

/// Returns the maps of the corpus. With `GAMEWIRE_WRITE_CORPORA=1`, it writes them first.
fn corpus() -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/map");
    if std::env::var_os("GAMEWIRE_WRITE_CORPORA").is_some() {
        fs::create_dir_all(&folder).unwrap();
        for (name, bytes) in samples() {
            fs::write(folder.join(name), bytes).unwrap();
        }
    }
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    files.into_iter().map(|file| fs::read(file).unwrap()).collect()
}

/// Returns a map in both formats.
fn samples() -> [(&'static str, Vec<u8>); 2] {
    let mut layers = room(8, 6);
    layers.front[20] = MapTile { index: 9, flags: 8 };
    layers.tele[21] = TeleTile { number: 1, id: 26 };
    layers.tele[30] = TeleTile { number: 1, id: 27 };
    layers.speedup[22] = SpeedupTile { force: 4, max_speed: 40, id: 28, angle: 90 };
    layers.switch[26] = SwitchTile { number: 1, id: 24, flags: 0, delay: 3 };
    layers.tune[27] = 1;
    let map = PhysicsMap { layers, settings: vec!["tune_zone 1 gravity 0.25".into()] };
    let old = map.to_file().unwrap();
    let new = gamewire_tee::map::to_07(&old).unwrap().unwrap();
    [("room-06", old.to_bytes().unwrap()), ("room-07", new.to_bytes().unwrap())]
}

#[test]
fn every_map_of_the_corpus_is_read_and_written() {
    let corpus = corpus();
    assert!(corpus.len() >= 2, "{}", corpus.len());
    assert!(corpus.iter().filter(|bytes| targets::map(bytes)).count() >= 2);
}

#[test]
fn p1_changed_maps_are_rejected_or_read() {
    let rounds = if std::env::var_os("GAMEWIRE_LONG").is_some() { 40_000 } else { 4_000 };
    let accepted = accepted_mutants(&corpus(), rounds, targets::map);
    assert!(accepted > rounds / 50, "{accepted} of {rounds}");
}

#[test]
fn p1_changed_teehistorian_files_are_rejected_or_read() {
    let rounds = if std::env::var_os("GAMEWIRE_LONG").is_some() { 40_000 } else { 4_000 };
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/teehistorian/room");
    let file = fs::read(file).unwrap();
    assert!(targets::teehistorian(&file));
    let accepted = accepted_mutants(&[file], rounds, targets::teehistorian);
    assert!(accepted > rounds / 50 && accepted < rounds, "{accepted} of {rounds}");
}

/// Changes files again and again. Returns how many of the results `read` accepts.
fn accepted_mutants(files: &[Vec<u8>], rounds: usize, read: impl Fn(&[u8]) -> bool) -> usize {
    let mut random = Random(3);
    let mut accepted = 0;
    for _ in 0..rounds {
        let mut bytes = files[random.below(files.len())].clone();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] = random.below(256) as u8,
                1 => bytes[at] ^= 1 << random.below(8),
                2 => bytes.truncate(at.max(1)),
                _ => bytes.insert(at, random.below(256) as u8),
            }
        }
        accepted += usize::from(read(&bytes));
    }
    accepted
}
