//! Checks that identifiers use the terms of the field, and none of the words that these terms have replaced.

use super::finding::Finding;
use super::source::{Source, is_word};

/// Parts of an identifier that are not terms of the field, with the terms to use instead.
const PARTS: &[(&str, &str)] = &[
    ("hear", "receive, handle"),
    ("heard", "received"),
    ("told", "traced, emitted"),
    ("tell", "emit, trace, report"),
    ("said", "sent, printed"),
    ("soil", "mark_dirty"),
    ("nudge", "retry"),
    ("settle", "reschedule, resolve"),
    ("realm", "server"),
    ("ruler", "client"),
    ("island", "map"),
    ("desk", "shared, registry"),
    ("lane", "queue"),
    ("gate", "acceptor"),
    ("stage", "state"),
    ("whom", "peer"),
    ("anew", "again"),
    ("oddity", "warning"),
    ("oddities", "warnings"),
];
/// Beginnings of constants that mean min or max in other words.
const BOUNDS: &[&str] = &["MOST_", "LONGEST_", "LEAST_"];
/// Type names that are too general without the name of their owner.
const BARE_TYPES: &[&str] = &["State", "Stage", "Place", "Line", "Seen", "Outcome", "Kind", "Reason"];

/// Identifiers that may contain such a word, each with the reason.
const EXCEPTIONS: &[(&str, &str)] =
    &[("RulesetGovernmentRulerTitle", "a packet of Freeciv"), ("ruler_titles", "what that packet has")];

/// Checks a Rust file without its tests.
pub(super) fn check(source: &Source) -> Vec<Finding> {
    if !source.is_rust() || source.is_generated() || source.path.contains("test") {
        return Vec::new();
    }
    let mut found = Vec::new();
    let code = source.code();
    let code = code.split("#[cfg(test)]\n").next().unwrap_or_default();
    for (number, line) in (1..).zip(code.lines()) {
        for name in identifiers(line).filter(|name| EXCEPTIONS.iter().all(|(kept, _)| kept != name)) {
            if let Some((part, advice)) = PARTS.iter().find(|(part, _)| has_part(name, part)) {
                let what = format!("`{name}` says `{part}` ({advice})");
                found.push(Finding::new(&source.path, number, what, ADVICE));
            } else if BOUNDS.iter().any(|bound| name.starts_with(bound)) {
                let what = format!("`{name}` is a bound without MIN or MAX");
                found.push(Finding::new(&source.path, number, what, ADVICE));
            }
        }
        if let Some(name) = bare_type(line) {
            let what = format!("the public type `{name}` does not name its owner");
            found.push(Finding::new(&source.path, number, what, ADVICE));
        }
    }
    found
}

const ADVICE: &str = "use the field's term: see CONTRIBUTING.md, Words";

/// Returns the identifiers of a line of code.
fn identifiers(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split(|c| !is_word(c));
    words.filter(|word| word.chars().next().is_some_and(|first| first.is_alphabetic() || first == '_'))
}

/// Returns whether `part` is one of the words of a snake case or camel case identifier.
fn has_part(name: &str, part: &str) -> bool {
    let mut word = String::new();
    let mut is_lower = false;
    for c in name.chars() {
        if c == '_' || (c.is_uppercase() && is_lower) {
            if word == part {
                return true;
            }
            word.clear();
        }
        is_lower = c.is_lowercase() || c.is_ascii_digit();
        if c != '_' {
            word.extend(c.to_lowercase());
        }
    }
    word == part
}

/// Returns the name of a public type that a line declares, if the name is one of [`BARE_TYPES`].
fn bare_type(line: &str) -> Option<&'static str> {
    let declared = ["pub struct ", "pub enum ", "pub type "].iter().find_map(|start| {
        let rest = line.trim_start().strip_prefix(start)?;
        rest.split(|c| !is_word(c)).next()
    })?;
    BARE_TYPES.iter().copied().find(|bare| *bare == declared)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        check(&Source::new("a.rs".into(), text.into())).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_replaced_word_is_found_as_a_part_of_an_identifier() {
        assert_eq!(found("fn hear_any() {}").len(), 1);
        assert_eq!(found("struct LastHeard;").len(), 1);
        assert_eq!(found("const HEARD_LAST: u8 = 1;").len(), 1);
        assert!(found("fn shear(heartbeat: u8, gateway: u8) {}").is_empty());
        assert!(found("// hear, hear\nlet x = \"told\";").is_empty());
    }

    #[test]
    fn a_bound_has_min_or_max_in_its_name() {
        assert_eq!(found("const MOST_BYTES: usize = 1;").len(), 1);
        assert!(found("const MAX_BYTES: usize = 1;").is_empty());
    }

    #[test]
    fn a_public_type_names_its_owner() {
        assert_eq!(found("pub enum Kind {").len(), 1);
        assert!(found("enum Kind {\npub enum FieldKind {").is_empty());
    }
}
