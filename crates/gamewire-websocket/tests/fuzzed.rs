//! The corpus of the fuzz target `websocket`, and mutants of it.

#![allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::unwrap_used, reason = "tests")]

#[path = "support/targets.rs"]
mod targets;

use std::fs;
use std::path::Path;

fn corpus() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/websocket");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| fs::read(file).unwrap()).collect()
}

#[test]
fn w1_mutants_of_the_corpus_have_one_outcome_however_they_are_cut() {
    let corpus = corpus();
    assert!(corpus.len() >= 3);
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % u64::try_from(below).unwrap()).unwrap()
    };
    for bytes in &corpus {
        targets::websocket(bytes);
    }
    for _ in 0..20_000 {
        let mut bytes = corpus[random(corpus.len())].clone();
        for _ in 0..=random(3) {
            let at = random(bytes.len());
            match random(4) {
                0 => bytes.truncate(at.max(3)),
                1 => bytes.insert(at, u8::try_from(random(256)).unwrap()),
                2 => drop(bytes.remove(at)),
                _ => bytes[at] = u8::try_from(random(256)).unwrap(),
            }
        }
        targets::websocket(&bytes);
    }
}
