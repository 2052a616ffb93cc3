//! Runs the corpus of the fuzz target `filter`, and mutations of it.

use crate::corpus::{corpus, run_mutants};
use crate::support::filters::filter;

#[test]
fn filters_of_the_corpus_are_valid_or_errors_at_a_place() {
    let corpus = corpus("filter", Vec::new());
    let valid = corpus.iter().filter(|text| filter(text)).count();
    assert!(valid > corpus.len() * 2 / 3, "{valid} of {}", corpus.len());
    run_mutants(&corpus, 2_000, 256, |text| _ = filter(text));
}
