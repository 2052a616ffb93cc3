//! Mutations of the fuzz corpus, the same in every run. `support/targets.rs` checks them.

use crate::targets;
use std::fs;
use std::path::PathBuf;

use gamewire_sim::random::{Random, mutate, rounds};

/// Returns the number of mutations.
fn count() -> usize {
    rounds(20_000, 200_000)
}

/// Returns the inputs of the fuzz target, shortest first.
fn corpus() -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/packets_def");
    let files = fs::read_dir(folder).unwrap().map(|entry| fs::read(entry.unwrap().path()).unwrap());
    let mut inputs: Vec<Vec<u8>> = files.collect();
    inputs.sort_by_key(|bytes| (bytes.len(), bytes.clone()));
    let bytes: usize = inputs.iter().map(Vec::len).sum();
    println!("packets_def: {} inputs, {bytes} bytes", inputs.len());
    assert!(inputs.len() >= 20 && bytes < 80_000, "{} inputs, {bytes} bytes", inputs.len());
    inputs
}

#[test]
fn no_input_of_the_packets_def_corpus_panics() {
    let inputs = corpus();
    let valid = inputs.iter().filter(|bytes| targets::compiled(bytes, true)).count();
    assert!(valid > inputs.len() / 2, "{valid} of {}", inputs.len());
}

#[test]
fn mutated_definitions_compile_or_have_located_errors() {
    let seeds: Vec<Vec<u8>> = corpus().into_iter().filter(|bytes| bytes.len() < 1500).collect();
    let mut random = Random::new(0x7061_636b_6574_7321);
    let mutants = count();
    let valid = (0..mutants).filter(|_| {
        let mut bytes = seeds[random.below(seeds.len())].clone();
        mutate(&mut bytes, &mut random, 3000);
        targets::packets_def(&bytes)
    });
    let valid = valid.count();
    println!("{mutants} mutated definitions, {valid} of them valid");
    assert!((mutants / 20..mutants / 2).contains(&valid), "{valid}");
}
