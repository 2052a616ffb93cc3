//! The exact diagnostics for invalid definitions.
#![cfg(feature = "compiler")]

use std::fs;
use std::path::Path;

use gamewire_schema::{Constants, compile};

/// Compares the diagnostics of `bad/NAME.def` with `bad/NAME.txt`.
fn check(name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad");
    let text = fs::read_to_string(folder.join(format!("{name}.def"))).unwrap();
    let expected = fs::read_to_string(folder.join(format!("{name}.txt"))).unwrap_or_default();
    let errors = compile(&text, &Constants::default()).unwrap_err();
    let rendered = errors.render(&format!("{name}.def"), &text, false);
    assert!(rendered == expected, "bad/{name}.txt should be:\n{rendered}");
}

#[test]
fn unknown_names() {
    check("names");
}

#[test]
fn duplicate_names_and_numbers() {
    check("twice");
}

#[test]
fn alias_cycles() {
    check("cycle");
}

#[test]
fn invalid_sizes() {
    check("sizes");
}

#[test]
fn invalid_lines() {
    check("lines");
}
