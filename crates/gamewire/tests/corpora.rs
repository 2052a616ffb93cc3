//! Runs each input of the fuzz corpora once on the stable compiler.

use crate::targets;
use std::fs;
use std::path::PathBuf;

/// Returns the corpus of a target.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let files = fs::read_dir(folder).unwrap().map(|entry| fs::read(entry.unwrap().path()).unwrap());
    let inputs: Vec<_> = files.collect();
    println!("{target}: {} inputs", inputs.len());
    assert!(inputs.len() >= 20, "only {} inputs", inputs.len());
    inputs
}

#[test]
fn no_packet_of_the_corpus_panics() {
    corpus("packet").iter().for_each(|bytes| targets::packet(bytes));
}

#[test]
fn most_messages_of_the_corpus_can_be_read() {
    let inputs = corpus("message");
    let read = inputs.iter().filter(|bytes| targets::message(bytes)).count();
    assert!(read > inputs.len() / 2, "{read} of {}", inputs.len());
}

#[test]
fn most_deltas_of_the_corpus_can_be_applied() {
    let inputs = corpus("snapshot_delta");
    let made = inputs.iter().filter(|bytes| targets::snapshot_delta(bytes)).count();
    assert!(made > inputs.len() / 2, "{made} of {}", inputs.len());
}

#[test]
fn every_capture_file_of_the_corpus_is_read_to_its_end() {
    corpus("capture_file").iter().for_each(|bytes| targets::capture_file(bytes));
}
