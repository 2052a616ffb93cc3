//! Violations of the rules.

use std::fmt;

/// A violation of a rule: the location, the fault, and advice.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Finding {
    file: String,
    line: usize,
    what: String,
    advice: &'static str,
}

impl Finding {
    /// Creates a finding at a line, counted from 1. Line 0 means the whole file or folder.
    pub(super) fn new(file: &str, line: usize, what: impl Into<String>, advice: &'static str) -> Self {
        Self { file: file.to_owned(), line, what: what.into(), advice }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, what, advice } = self;
        match line {
            0 => write!(f, "{file}: {what}; {advice}"),
            _ => write!(f, "{file}:{line}: {what}; {advice}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_has_its_location_the_fault_and_the_advice() {
        let finding = Finding::new("a.rs", 3, "`dbg!` is left over", "take it out");
        assert_eq!(finding.to_string(), "a.rs:3: `dbg!` is left over; take it out");
        assert_eq!(Finding::new("a", 0, "is odd", "mend it").to_string(), "a: is odd; mend it");
    }
}
