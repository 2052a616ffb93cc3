//! The corpora of fuzz targets: their inputs, and mutations of them, the same ones in every run.

use std::fs;
use std::path::PathBuf;

use gamewire_sim::random::{Random, mutate, rounds};

/// A name and an input.
pub type Input = (String, Vec<u8>);

/// Returns the corpus of a target. With `GAMEWIRE_WRITE_CORPORA=1`, it writes `inputs` to `fuzz/corpus` first.
pub fn corpus(target: &str, inputs: Vec<Input>) -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    if std::env::var_os("GAMEWIRE_WRITE_CORPORA").is_some() {
        fs::create_dir_all(&folder).unwrap();
        for (name, bytes) in inputs {
            fs::write(folder.join(name), bytes).unwrap();
        }
    }
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 20, "only {} inputs", files.len());
    files.into_iter().map(|file| fs::read(file).unwrap()).collect()
}

/// Runs a target on `count` mutations of its corpus, or twenty times as many with `GAMEWIRE_LONG=1`.
pub fn run_mutants(corpus: &[Vec<u8>], count: usize, limit: usize, target: impl Fn(&[u8])) {
    let mut random = Random::new(0x636f_7270_7573);
    for _ in 0..rounds(count, 20 * count) {
        let mut bytes = corpus[random.below(corpus.len())].clone();
        mutate(&mut bytes, &mut random, limit);
        target(&bytes);
    }
}
