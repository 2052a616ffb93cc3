//! Files that are made to do harm end in an error, quickly, or compile.
#![cfg(feature = "compiler")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that panics fails")]
#![allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]

use std::fmt::Write as _;

use gamewire_schema::emit::{Json, Markdown, compare};
use gamewire_schema::{Constants, MAX_BYTES, SourceLocation, Sources, compile};
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
fn f10_a_line_of_10_mb() {
    let text = format!("PACKET_A = 1; sc\nuint8(int) {};\nend", "a".repeat(10_000_000));
    assert_eq!(first_error(&text), "the line is longer than 16384 bytes");
}

#[test]
fn f10_a_name_of_many_bytes() {
    let text = format!("PACKET_A = 1; sc\nuint8(int) {};\nend", "a".repeat(10_000));
    assert_eq!(first_error(&text), "a name of more than 128 bytes");
}

#[test]
fn f10_a_file_that_is_too_long() {
    assert!(first_error(&" ".repeat(MAX_BYTES + 1)).starts_with("the file is too long"));
}

#[test]
fn f10_aliases_that_go_deep_and_cycles() {
    let deep = |last: &str| repeated(4_999, |number| format!("type A{number} = A{}", number + 1)) + last;
    assert_eq!(first_error(&deep("type A4999 = A0")), "an alias stands for itself");
    let sound = deep("type A4999 = uint8(int)\nPACKET_A = 1; sc\nA0 x;\nend");
    assert!(compile(&sound, &Constants::default()).is_ok());
    let many = repeated(500_000, |number| format!("type A{number} = A{}", number + 1));
    assert_eq!(first_error(&many), "more than 5000 aliases");
}

/// The first error with its line and the text that is underlined.
fn first_place(text: &str) -> (String, usize, String) {
    let errors = compile(text, &Constants::default()).unwrap_err();
    let error = errors.list().first().unwrap();
    let place = SourceLocation::of(text, &error.span);
    (error.message.clone(), place.line, place.text[place.span.clone()].to_owned())
}

#[test]
fn f10_short_cycles_by_the_thousand() {
    let pairs = repeated(2_500, |number| format!("type A{number} = B{number}\ntype B{number} = A{number}"));
    let errors = compile(&pairs, &Constants::default()).unwrap_err();
    assert_eq!((errors.list().len(), errors.has_more()), (50, true));
    assert_eq!(first_place(&pairs), ("an alias stands for itself".into(), 1, "A0".into()));
}

#[test]
fn f10_an_unknown_type_is_pointed_at_and_told_once() {
    let many = repeated(15_000, |number| format!("  Thing x{number};"));
    let packets = many.replace("  Thing x4000;", "end\nPACKET_B = 2; sc\n  Thing x4000;");
    let packets = packets.replace("  Thing x8000;", "end\nPACKET_C = 3; sc\n  Thing x8000;");
    let packets = packets.replace("  Thing x12000;", "end\nPACKET_D = 4; sc\n  Thing x12000;");
    let text = format!("PACKET_A = 1; sc\n{packets}end");
    assert_eq!(first_place(&text), ("there is no type `Thing`".into(), 2, "Thing".into()));
    assert_eq!(compile(&text, &Constants::default()).unwrap_err().list().len(), 1);
}

#[test]
fn f10_a_duplicate_number_is_pointed_at() {
    let text = repeated(5_000, |number| format!("PACKET_{number} = 7; sc\nend"));
    assert_eq!(first_place(&text), ("there are two packets with number 7".into(), 3, "7".into()));
}

#[test]
fn f10_a_missing_end_is_pointed_at() {
    let text = repeated(5_000, |number| format!("PACKET_{number} = {number}; sc"));
    let told = ("the packet before this one has no `end`".into(), 2, "PACKET_1".into());
    assert_eq!(first_place(&text), told);
    let last = "PACKET_A = 1; sc\n  uint8(int) x;\n";
    assert_eq!(first_place(last), ("this packet has no `end`".into(), 1, "PACKET_A".into()));
}

#[test]
fn f10_more_files_than_a_definition_has_bytes_for() {
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
fn f10_a_million_errors_are_counted_and_fifty_told() {
    let text = "x\n".repeat(1_000_000);
    let errors = compile(&text, &Constants::default()).unwrap_err();
    assert_eq!((errors.list().len(), errors.has_more()), (50, true));
}

#[test]
fn f10_comments_without_end() {
    assert_eq!(first_error(&"/* ".repeat(5_000_000)), "this comment is never closed");
    assert!(compile(&"/**/".repeat(4_000_000), &Constants::default()).is_ok());
}

#[test]
fn f10_parentheses_without_end() {
    let text = format!("PACKET_A = 1; sc\nuint8(int) x[{}];\nend", "(".repeat(16_000));
    assert_eq!(first_error(&text), "parentheses in more than 32 levels");
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
fn f10_capabilities_without_number() {
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
    fn f10_no_mutation_of_a_sound_file_panics(mutations in mutations()) {
        try_everything(&mutated(&mutations));
    }

    #[test]
    fn f10_no_text_panics(text in "(\\PC|\n|/\\*|\\*/|end\n|type |PACKET_A = 1; sc\n|uint8\\(int\\) ){0,60}") {
        try_everything(&text);
    }

    #[test]
    fn f10_no_file_of_constants_panics(text in "(\\PC|\n|= |\\[constants\\]\n|A = 1\n){0,20}") {
        let _ = Constants::from_toml(&text);
    }
}
