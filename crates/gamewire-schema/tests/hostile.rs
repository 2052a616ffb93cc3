//! Hostile files must compile or end in an error quickly.
#![cfg(feature = "compiler")]
#![allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]

use std::fmt::Write as _;

use gamewire_schema::emit::{Json, Markdown, compare};
use gamewire_schema::{Constants, MAX_BYTES, SourceLocation, Sources, compile};
use proptest::prelude::*;

const LAMPS: &str = include_str!("good/lamps.def");
const CONSTANTS: &str = include_str!("good/lamps.toml");

/// Returns the first error, and checks that all errors render to a short text.
fn first_error(text: &str) -> String {
    let errors = compile(text, &Constants::default()).unwrap_err();
    let rendered = errors.render("hostile.def", text, false);
    assert!(rendered.len() < 100_000, "{} bytes", rendered.len());
    errors.list().first().unwrap().message.clone()
}

fn repeated(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, number| {
        writeln!(text, "{}", line(number)).unwrap();
        text
    })
}

#[test]
fn f10_a_line_of_10_mb() {
    let text = format!("PACKET_A = 1; sc\nuint8(int) {};\nend", "a".repeat(10_000_000));
    assert_eq!(first_error(&text), "the line is longer than 16384 bytes");
}

#[test]
fn f10_a_long_name() {
    let text = format!("PACKET_A = 1; sc\nuint8(int) {};\nend", "a".repeat(10_000));
    assert_eq!(first_error(&text), "a name of more than 128 bytes");
}

#[test]
fn f10_a_file_above_the_size_limit() {
    assert!(first_error(&" ".repeat(MAX_BYTES + 1)).starts_with("the file is too long"));
}

#[test]
fn f10_deep_aliases_and_cycles() {
    let deep = |last: &str| repeated(4_999, |number| format!("type A{number} = A{}", number + 1)) + last;
    assert_eq!(first_error(&deep("type A4999 = A0")), "an alias refers to itself");
    let valid = deep("type A4999 = uint8(int)\nPACKET_A = 1; sc\nA0 x;\nend");
    assert!(compile(&valid, &Constants::default()).is_ok());
    let many = repeated(500_000, |number| format!("type A{number} = A{}", number + 1));
    assert_eq!(first_error(&many), "more than 5000 aliases");
}

/// Returns the first error with its line and the underlined text.
fn first_location(text: &str) -> (String, usize, String) {
    let errors = compile(text, &Constants::default()).unwrap_err();
    let error = errors.list().first().unwrap();
    let location = SourceLocation::new(text, &error.span);
    (error.message.clone(), location.line, location.text[location.span.clone()].to_owned())
}

#[test]
fn f10_thousands_of_short_cycles() {
    let pairs = repeated(2_500, |number| format!("type A{number} = B{number}\ntype B{number} = A{number}"));
    let errors = compile(&pairs, &Constants::default()).unwrap_err();
    assert_eq!((errors.list().len(), errors.has_more()), (50, true));
    assert_eq!(first_location(&pairs), ("an alias refers to itself".into(), 1, "A0".into()));
}

#[test]
fn f10_an_unknown_type_is_located_and_reported_once() {
    let many = repeated(15_000, |number| format!("  Thing x{number};"));
    let packets = many.replace("  Thing x4000;", "end\nPACKET_B = 2; sc\n  Thing x4000;");
    let packets = packets.replace("  Thing x8000;", "end\nPACKET_C = 3; sc\n  Thing x8000;");
    let packets = packets.replace("  Thing x12000;", "end\nPACKET_D = 4; sc\n  Thing x12000;");
    let text = format!("PACKET_A = 1; sc\n{packets}end");
    assert_eq!(first_location(&text), ("there is no type `Thing`".into(), 2, "Thing".into()));
    assert_eq!(compile(&text, &Constants::default()).unwrap_err().list().len(), 1);
}

#[test]
fn f10_a_duplicate_number_is_located() {
    let text = repeated(5_000, |number| format!("PACKET_{number} = 7; sc\nend"));
    assert_eq!(first_location(&text), ("there are two packets with number 7".into(), 3, "7".into()));
}

#[test]
fn f10_a_missing_end_is_located() {
    let text = repeated(5_000, |number| format!("PACKET_{number} = {number}; sc"));
    let expected = ("the packet before this one has no `end`".into(), 2, "PACKET_1".into());
    assert_eq!(first_location(&text), expected);
    let last = "PACKET_A = 1; sc\n  uint8(int) x;\n";
    assert_eq!(first_location(last), ("this packet has no `end`".into(), 1, "PACKET_A".into()));
}

#[test]
fn f10_files_above_the_size_limit() {
    let mut sources = Sources::default();
    for number in 0..17 {
        sources.add(format!("{number}.def"), " ".repeat(1 << 20));
    }
    let errors = sources.compile(&Constants::default()).unwrap_err();
    assert_eq!(errors.to_string(), "the files are too long: more than 16777216 bytes");
    assert_eq!(sources.at(&errors.list().first().unwrap().span).unwrap().0.name, "16.def");
}

#[test]
fn f10_a_million_fields() {
    let fields = repeated(1_000_000, |number| format!("C x{number};"));
    let text = format!("type C = uint8(int)\nPACKET_A = 1; sc\n{fields}end");
    assert_eq!(first_error(&text), "more than 20000 fields");
}

#[test]
fn f10_of_a_million_errors_fifty_are_reported() {
    let text = "x\n".repeat(1_000_000);
    let errors = compile(&text, &Constants::default()).unwrap_err();
    assert_eq!((errors.list().len(), errors.has_more()), (50, true));
}

#[test]
fn f10_unclosed_comments() {
    assert_eq!(first_error(&"/* ".repeat(5_000_000)), "this comment is never closed");
    assert!(compile(&"/**/".repeat(4_000_000), &Constants::default()).is_ok());
}

#[test]
fn f10_unclosed_parentheses() {
    let text = format!("PACKET_A = 1; sc\nuint8(int) x[{}];\nend", "(".repeat(16_000));
    assert_eq!(first_error(&text), "parentheses nested more than 32 deep");
}

#[test]
fn f10_arrays_of_arrays_of_arrays() {
    let sizes = |count: usize| format!("PACKET_A = 1; sc\nuint8(int) x{};\nend", "[2]".repeat(count));
    assert!(compile(&sizes(4), &Constants::default()).is_ok());
    assert_eq!(first_error(&sizes(5)), "more than 4 dimensions");
    assert_eq!(first_error(&sizes(5_000)), "more than 4 dimensions");
    let wide = "PACKET_A = 1; sc\nuint8(int) x[65536][65536];\nend";
    assert_eq!(first_error(wide), "more than 16777216 elements");
}

#[test]
fn f10_unlimited_capabilities() {
    let line = |number| format!("uint8(int) x{number}; add-cap(c{number})");
    let text = |count| format!("PACKET_A = 1; sc\n{}end", repeated(count, line));
    assert!(compile(&text(48), &Constants::default()).is_ok());
    assert_eq!(first_error(&text(49)), "this packet has more than 48 capabilities");
}

/// Text that a mutation inserts.
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

/// Returns mutations: the position and length of a cut, and the text that replaces it.
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

/// Compiles a text, and writes the result in all formats.
fn try_everything(text: &str) {
    let constants = Constants::from_toml(CONSTANTS).unwrap();
    match compile(text, &constants) {
        Ok(protocol) => {
            assert!(!Json(&protocol).to_string().is_empty());
            assert!(!Markdown::new(&protocol).to_string().is_empty());
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
    fn f10_no_mutation_of_a_valid_file_panics(mutations in mutations()) {
        try_everything(&mutated(&mutations));
    }

    #[test]
    fn f10_no_text_panics(text in "(\\PC|\n|/\\*|\\*/|end\n|type |PACKET_A = 1; sc\n|uint8\\(int\\) ){0,60}") {
        try_everything(&text);
    }

    #[test]
    fn f10_no_constants_file_panics(text in "(\\PC|\n|= |\\[constants\\]\n|A = 1\n){0,20}") {
        let _ = Constants::from_toml(&text);
    }
}
