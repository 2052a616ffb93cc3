//! The corpora of the fuzz targets `client` and `server`, each input run once on the stable
//! compiler.

use std::fs;
use std::path::PathBuf;

use crate::support::recorded::{self, Recorded};
use crate::support::sequence::{self, Report};
use crate::support::step::Sequence;

fn folder(target: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target)
}

fn survive(target: &str, run: impl Fn(&[u8]) -> Report) {
    let files = fs::read_dir(folder(target)).unwrap().map(|entry| fs::read(entry.unwrap().path()).unwrap());
    let reports: Vec<Report> = files.map(|bytes| run(&bytes)).collect();
    println!("{target}: {} inputs", reports.len());
    assert!(reports.len() >= 15, "only {} inputs", reports.len());
    // The inputs must lead deep into a session, so that a fuzzer starts there.
    let played = reports.iter().filter(|report| report.played).count();
    assert!(played > reports.len() / 3, "{played} of {}", reports.len());
}

#[test]
fn a_client_survives_every_sequence_of_the_corpus() {
    survive("client", sequence::client);
}

#[test]
fn a_server_survives_every_sequence_of_the_corpus() {
    survive("server", sequence::server);
}

/// With `GAMEWIRE_WRITE_CORPORA=1`, it writes the recordings to `fuzz/corpus`.
#[test]
fn recorded_sequences_of_the_corpus_are_read_back_and_survived() {
    let Recorded { for_client, for_server } = recorded::all();
    for (name, sequence) in for_client {
        sequence::client(&kept("client", &name, &sequence));
    }
    for (name, sequence) in for_server {
        sequence::server(&kept("server", &name, &sequence));
    }
}

/// Returns the bytes of a sequence, and writes them to a file on request.
fn kept(target: &str, name: &str, sequence: &Sequence) -> Vec<u8> {
    let bytes = sequence.write();
    assert_eq!(Sequence::read(&bytes), *sequence);
    if std::env::var_os("GAMEWIRE_WRITE_CORPORA").is_some() {
        fs::create_dir_all(folder(target)).unwrap();
        fs::write(folder(target).join(name), &bytes).unwrap();
    }
    bytes
}
