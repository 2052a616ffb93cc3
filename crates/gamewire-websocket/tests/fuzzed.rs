//! The corpus of the fuzz target `websocket`, and mutants of it.

#![allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::unwrap_used, reason = "tests")]

#[path = "support/targets.rs"]
mod targets;

use std::fs;
use std::path::Path;

use gamewire_sim::random::{Random, mutate};

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
    let mut random = Random::new(1);
    for bytes in &corpus {
        targets::websocket(bytes);
    }
    for _ in 0..20_000 {
        let mut bytes = corpus[random.below(corpus.len())].clone();
        mutate(&mut bytes, &mut random, usize::MAX);
        targets::websocket(&bytes);
    }
}
