//! Checks that the name of an integer constant says that it is a bound, if its doc does.

use super::finding::Finding;
use super::source::{Source, is_word};

/// First words of a doc, and the beginning of the names with such a doc.
const BOUNDS: &[(&str, &str)] = &[("Maximum ", "MAX_"), ("Minimum ", "MIN_")];
/// Integer types.
const INTEGERS: &[&str] =
    &["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];

/// Checks one Rust file.
pub(super) fn check(source: &Source) -> Vec<Finding> {
    if !source.is_rust() || source.is_generated() {
        return Vec::new();
    }
    let mut found = Vec::new();
    // First line of the doc before the current line.
    let mut doc = "";
    for (number, line) in source.lines() {
        let line = line.trim();
        if let Some(text) = line.strip_prefix("/// ") {
            doc = if doc.is_empty() { text } else { doc };
        } else if !line.starts_with("///") && !line.starts_with("#[") {
            let prefix = BOUNDS.iter().find(|(start, _)| doc.starts_with(start)).map(|(_, prefix)| prefix);
            if let (Some(prefix), Some(name)) = (prefix, integer_constant(line))
                && !name.starts_with(prefix)
            {
                let what = format!("the bound `{name}` does not begin with {prefix}");
                found.push(Finding::new(&source.path, number, what, "rename it"));
            }
            doc = "";
        }
    }
    found
}

/// Returns the name of the integer constant that a line declares.
fn integer_constant(line: &str) -> Option<&str> {
    let (before, declared) = line.split_once("const ")?;
    let (name, of) = declared.split_once(": ")?;
    let of = of.split(|c| !is_word(c)).next()?;
    let is_item = before.is_empty() || before.starts_with("pub");
    (is_item && INTEGERS.contains(&of)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> usize {
        check(&Source::new("a.rs".into(), text.into())).len()
    }

    #[test]
    fn a_bound_without_max_or_min_is_found() {
        assert_eq!(found("/// Maximum number of rows.\nconst ROWS: usize = 1;"), 1);
        assert_eq!(
            found(
                "    /// Minimum age.\n    ///\n    /// In ticks.\n    #[rustfmt::skip]\n    pub(super) const AGE: i32 = 1;"
            ),
            1
        );
        assert_eq!(found("/// Minimum age.\npub const MAX_AGE: i32 = 1;"), 1);
    }

    #[test]
    fn other_constants_are_not_found() {
        assert_eq!(found("/// Maximum number of rows.\nconst MAX_ROWS: usize = 1;"), 0);
        assert_eq!(found("/// Maximum time.\nconst TIMEOUT: Duration = Duration::ZERO;"), 0);
        assert_eq!(found("/// Number of rows. Maximum is not its first word.\nconst ROWS: usize = 1;"), 0);
        assert_eq!(found("/// Maximum number.\nfn max() {}\nconst ROWS: usize = 1;"), 0);
    }
}
