//! Runs the corpora of the targets and mutations of them.

use super::corpus::{corpus, run_mutants};
use super::inputs;
use super::replay::{Played, replay};
use super::rules::rules;
use super::session::proxy;

#[test]
fn a_bridge_survives_every_session_of_the_corpus() {
    let corpus = corpus("proxy", inputs::sessions());
    let passed = corpus.iter().filter(|bytes| proxy(bytes).into_iter().all(|arrived| arrived > 40)).count();
    assert!(passed > corpus.len() / 3, "{passed} of {}", corpus.len());
    run_mutants(&corpus, 1_000, 4_000, |bytes| _ = proxy(bytes));
}

#[test]
fn every_conversation_of_the_corpus_is_replayed_or_refused() {
    let corpus = corpus("replay", inputs::replays());
    let sent = |bytes: &Vec<u8>| matches!(replay(bytes), Played::Sent(count) if count > 100);
    let played = corpus.iter().filter(|bytes| sent(bytes)).count();
    assert!(played > corpus.len() / 3, "{played} of {}", corpus.len());
    run_mutants(&corpus, 1_000, 4_000, |bytes| _ = replay(bytes));
}

#[test]
fn every_rule_of_the_corpus_keeps_messages_valid() {
    let corpus = corpus("rules", inputs::rules());
    let valid = corpus.iter().filter(|bytes| rules(bytes)).count();
    assert!(valid > corpus.len() / 2, "{valid} of {}", corpus.len());
    run_mutants(&corpus, 1_000, 4_000, |bytes| _ = rules(bytes));
}
