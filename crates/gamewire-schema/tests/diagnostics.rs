//! What is said about definitions that are wrong, word for word.
#![cfg(feature = "compiler")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that panics fails")]

use std::fs;
use std::path::Path;

use gamewire_schema::{Constants, compile};

/// Compares the diagnostics of `bad/NAME.def` with `bad/NAME.txt`.
fn check(name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad");
    let text = fs::read_to_string(folder.join(format!("{name}.def"))).unwrap();
    let expected = fs::read_to_string(folder.join(format!("{name}.txt"))).unwrap_or_default();
    let errors = compile(&text, &Constants::default()).unwrap_err();
    let told = errors.render(&format!("{name}.def"), &text, false);
    assert!(told == expected, "bad/{name}.txt should be:\n{told}");
}

#[test]
fn names_that_nobody_knows() {
    check("names");
}

#[test]
fn what_is_there_twice() {
    check("twice");
}

#[test]
fn an_alias_that_stands_for_itself() {
    check("cycle");
}

#[test]
fn sizes_that_are_none() {
    check("sizes");
}

#[test]
fn lines_that_cannot_be_read() {
    check("lines");
}
