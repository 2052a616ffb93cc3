//! Checks that versions of one protocol have files with the same names, so that a diff of their folders shows the
//! differences of the versions.

use std::collections::BTreeSet;

use super::finding::Finding;

/// Pairs of folders that must contain the same file names.
const TWINS: &[[&str; 2]] = &[["crates/gamewire-teeworlds/src/v06/", "crates/gamewire-teeworlds/src/v07/"]];

/// Checks for files that are missing in the other folder of a pair.
pub(super) fn check(paths: &[String]) -> Vec<Finding> {
    TWINS
        .iter()
        .flat_map(|[one, other]| [lacking(paths, one, other), lacking(paths, other, one)])
        .flatten()
        .collect()
}

/// Returns the files of `from` that `to` does not have.
fn lacking(paths: &[String], from: &str, to: &str) -> Vec<Finding> {
    let files = |folder: &str| -> BTreeSet<&str> {
        paths.iter().filter_map(|path| path.strip_prefix(folder)).collect()
    };
    let what = |file: &&str| {
        let advice = "twin folders hold the same file names: add it, or put this into shared";
        Finding::new(&format!("{from}{file}"), 0, format!("{to} has no such file"), advice)
    };
    files(from).difference(&files(to)).map(what).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_one_twin_lacks_is_found() {
        let paths = |names: &[&str]| -> Vec<String> {
            names.iter().map(|name| format!("crates/gamewire-teeworlds/src/{name}")).collect()
        };
        assert!(check(&paths(&["v06/a.rs", "v07/a.rs", "shared/b.rs"])).is_empty());
        let found = check(&paths(&["v06/a.rs", "v07/a.rs", "v07/wire/b.rs"]));
        assert_eq!(found.len(), 1);
        assert!(found[0].to_string().starts_with("crates/gamewire-teeworlds/src/v07/wire/b.rs: "));
        assert_eq!(check(&paths(&["v06/a.rs"])).len(), 1);
    }
}
