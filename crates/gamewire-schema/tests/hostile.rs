//! Files that are made to do harm end in an error, quickly, or compile.
#![cfg(feature = "compiler")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that panics fails")]
#![allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]

use std::fmt::Write as _;

use gamewire_schema::emit::{Json, Markdown, compare};
use gamewire_schema::{Constants, MAX_BYTES, compile};
use proptest::prelude::*;

const LAMPS: &str = include_str!("good/lamps.def");
const CONSTANTS: &str = include_str!("good/lamps.toml");

/// The first error; what is told of all of them is short.
fn first_error(text: &str) -> String {
    let errors = compile(text, &Constants::default()).unwrap_err();
    let told = errors.render("hostile.def", text, false);
    assert!(told.len() < 100_000, "{} bytes told", told.len());
    errors.list().first().unwrap().message.clone()
}

fn repeated(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, number| {
        writeln!(text, "{}", line(number)).unwrap();
        text
    })
}

#[test]
fn f_a_line_of_10_mb() {
    let text = format!("PACKET_A = 1; sc\nuint8(int) {};\nend", "a".repeat(10_000_000));
    assert_eq!(first_error(&text), "the line is longer than 16384 bytes");
}

#[test]
fn f_a_name_of_many_bytes() {
    let text = format!("PACKET_A = 1; sc\nuint8(int) {};\nend", "a".repeat(10_000));
    assert_eq!(first_error(&text), "a name of more than 128 bytes");
}

#[test]
fn f_a_file_that_is_too_long() {
    assert!(first_error(&" ".repeat(MAX_BYTES + 1)).starts_with("the file is too long"));
}

#[test]
fn f_aliases_that_go_deep() {
    let deep = |last: &str| repeated(4_999, |number| format!("type A{number} = A{}", number + 1)) + last;
    assert_eq!(first_error(&deep("type A4999 = A0")), "an alias stands for itself");
    let sound = deep("type A4999 = uint8(int)\nPACKET_A = 1; sc\nA0 x;\nend");
    assert!(compile(&sound, &Constants::default()).is_ok());
    let many = repeated(500_000, |number| format!("type A{number} = A{}", number + 1));
    assert_eq!(first_error(&many), "more than 5000 aliases");
}

#[test]
fn f_a_million_fields() {
    let fields = repeated(1_000_000, |number| format!("C x{number};"));
    let text = format!("type C = uint8(int)\nPACKET_A = 1; sc\n{fields}end");
    assert_eq!(first_error(&text), "more than 20000 fields");
}

#[test]
fn f_a_million_errors_are_counted_and_fifty_told() {
    let text = "x\n".repeat(1_000_000);
    let errors = compile(&text, &Constants::default()).unwrap_err();
    assert_eq!((errors.list().len(), errors.has_more()), (50, true));
}

#[test]
fn f_comments_without_end() {
    assert_eq!(first_error(&"/* ".repeat(5_000_000)), "this comment is never closed");
    assert!(compile(&"/**/".repeat(4_000_000), &Constants::default()).is_ok());
}

#[test]
fn f_parentheses_without_end() {
    let text = format!("PACKET_A = 1; sc\nuint8(int) x[{}];\nend", "(".repeat(16_000));
    assert_eq!(first_error(&text), "parentheses in more than 32 levels");
}

#[test]
fn f_arrays_of_arrays_of_arrays() {
    let sizes = |count: usize| format!("PACKET_A = 1; sc\nuint8(int) x{};\nend", "[2]".repeat(count));
    assert!(compile(&sizes(4), &Constants::default()).is_ok());
    assert_eq!(first_error(&sizes(5)), "more than 4 dimensions");
    assert_eq!(first_error(&sizes(5_000)), "more than 4 dimensions");
    let wide = "PACKET_A = 1; sc\nuint8(int) x[65536][65536];\nend";
    assert_eq!(first_error(wide), "more than 16777216 elements");
}

#[test]
fn f_capabilities_without_number() {
    let line = |number| format!("uint8(int) x{number}; add-cap(c{number})");
    let text = |count| format!("PACKET_A = 1; sc\n{}end", repeated(count, line));
    assert!(compile(&text(16), &Constants::default()).is_ok());
    assert_eq!(first_error(&text(17)), "this packet has more than 16 capabilities");
}

/// What a mutation puts in.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~\n]{0,6}",
        "\\PC{0,3}",
        prop::sample::select(vec![
            "end\n",
            "[",
            "]",
            "(",
            ")",
            ";",
            ",",
            "=",
            ":",
            "*",
            "/*",
            "*/",
            "///",
            "#",
            "\n",
            "\r\n",
            "type ",
            "PACKET_X = 9; sc\n",
            "key",
            "diff",
            "add-cap(",
            "uint8(int) ",
            "0",
            "65536",
            "-",
            "STRVEC x;",
        ])
        .prop_map(str::to_owned),
    ]
}

/// A cut, as parts of the whole, and what is put in its place.
fn mutations() -> impl Strategy<Value = Vec<(prop::sample::Index, usize, String)>> {
    prop::collection::vec((any::<prop::sample::Index>(), 0..12_usize, piece()), 1..6)
}

fn mutated(mutations: &[(prop::sample::Index, usize, String)]) -> String {
    mutations.iter().fold(LAMPS.to_owned(), |mut text, (place, length, piece)| {
        let start = text.floor_char_boundary(place.index(text.len() + 1));
        let end = text.ceil_char_boundary((start + length).min(text.len()));
        text.replace_range(start..end, piece);
        text
    })
}

/// Compiles it and makes everything of it that can be made.
fn try_everything(text: &str) {
    let constants = Constants::from_toml(CONSTANTS).unwrap();
    match compile(text, &constants) {
        Ok(protocol) => {
            assert!(!Json(&protocol).to_string().is_empty());
            assert!(!Markdown(&protocol).to_string().is_empty());
            assert_eq!(compare(&protocol, &protocol).list, []);
            protocol.packets.iter().flat_map(|packet| packet.variants()).for_each(|variant| {
                assert!(
                    variant.bits().count() <= variant.bitvector_bytes() * 8 || !variant.packet().is_delta()
                );
            });
        }
        Err(errors) => {
            assert!(!errors.list().is_empty());
            assert!(errors.render("mutated.def", text, true).contains("error"));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn f_no_mutation_of_a_sound_file_panics(mutations in mutations()) {
        try_everything(&mutated(&mutations));
    }

    #[test]
    fn f_no_text_panics(text in "(\\PC|\n|/\\*|\\*/|end\n|type |PACKET_A = 1; sc\n|uint8\\(int\\) ){0,60}") {
        try_everything(&text);
    }

    #[test]
    fn f_no_file_of_constants_panics(text in "(\\PC|\n|= |\\[constants\\]\n|A = 1\n){0,20}") {
        let _ = Constants::from_toml(&text);
    }
}
