//! The corpus of the fuzz target `records`, and mutants of it.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "tests"
)]

#[path = "support/targets.rs"]
mod targets;

use std::fs;
use std::path::{Path, PathBuf};

use gamewire_sim::random::{Random, mutate};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/records")
}

/// Returns an operation of the target.
fn operation(kind: u8, argument: u8, data: &[u8]) -> Vec<u8> {
    let length = u8::try_from(data.len()).unwrap();
    [&[kind, argument, length], data].concat()
}

/// Returns the inputs of the corpus with their names: conversations, and packets of the golden vectors.
fn inputs() -> Vec<(&'static str, Vec<u8>)> {
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/records/session.json");
    let vectors: serde_json::Value = serde_json::from_str(&fs::read_to_string(vectors).unwrap()).unwrap();
    let packet = |name: &str| -> Vec<u8> {
        let text = vectors["session"][name].as_str().unwrap();
        (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
    };
    let (mut attack, mut replies) = (operation(5, 50, b""), operation(5, 50, b""));
    for name in ["request", "initiation", "client_record_0", "client_record_1", "answer"] {
        attack.extend(operation(0, 1, &packet(name)));
    }
    for name in ["retry", "response", "server_record_0", "challenge", "moved"] {
        replies.extend(operation(1, 0, &packet(name)));
    }
    let moving = [
        operation(2, 0, b"hello"),
        operation(4, 1, b""),
        operation(2, 0, b"a packet that is long enough"),
        operation(5, 20, b""),
        operation(3, 9, b"changed"),
        operation(4, 2, b""),
        operation(2, 0, b"short"),
        operation(2, 0, b"short"),
        operation(5, 255, b""),
    ];
    vec![("attack", attack), ("replies", replies), ("moving", moving.concat())]
}

#[test]
fn the_corpus_is_that_of_the_vectors() {
    for (name, input) in inputs() {
        let path = folder().join(name);
        if std::env::var_os("GAMEWIRE_WRITE_CORPORA").is_some() {
            fs::write(&path, &input).unwrap();
        }
        assert!(fs::read(path).unwrap() == input, "{name} differs: run with GAMEWIRE_WRITE_CORPORA=1");
    }
}

#[test]
fn e1_mutants_of_the_corpus_forge_and_replay_nothing() {
    let corpus: Vec<Vec<u8>> = inputs().into_iter().map(|(_, input)| input).collect();
    for bytes in &corpus {
        targets::records(bytes);
    }
    let mut random = Random::new(1);
    for _ in 0..1500 {
        let mut bytes = corpus[random.below(corpus.len())].clone();
        mutate(&mut bytes, &mut random, usize::MAX);
        targets::records(&bytes);
    }
}
