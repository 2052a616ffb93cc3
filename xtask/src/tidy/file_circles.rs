//! Checks that at most three files of a crate import each other in a circle.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::Finding;
use super::imports::{Files, crates, imports, reachable};
use super::source::Source;

/// Maximum number of files that may import each other.
const MAX_FILES: usize = 3;

/// Checks the sources of all crates.
pub(super) fn check(sources: &[Source]) -> Vec<Finding> {
    crates(sources).iter().flat_map(circles).collect()
}

/// Returns a finding for each set of too many files that import each other.
fn circles(files: &Files<'_>) -> Vec<Finding> {
    let imports: BTreeMap<&Vec<String>, BTreeSet<&Vec<String>>> =
        files.iter().map(|(module, file)| (module, imports(files, file))).collect();
    let imported = |module: &Vec<String>| imports.get(module).into_iter().flatten().copied();
    let reached: BTreeMap<_, _> = files.keys().map(|module| (module, reachable(module, imported))).collect();
    let reaches =
        |from: &Vec<String>, to: &Vec<String>| reached.get(from).is_some_and(|known| known.contains(to));
    let mut found = Vec::new();
    for module in files.keys() {
        let circle: Vec<_> =
            files.keys().filter(|other| reaches(module, other) && reaches(other, module)).collect();
        if circle.len() > MAX_FILES && circle.first() == Some(&module) {
            let paths: Vec<_> = circle
                .iter()
                .filter_map(|module| files.get(*module))
                .map(|file| &*file.source.path)
                .collect();
            let what = format!("{} files import each other in a circle: {}", paths.len(), paths.join(", "));
            let advice = "move what they share into a file that imports none of them";
            found.extend(paths.first().map(|path| Finding::new(path, 0, what, advice)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let sources: Vec<_> = files
            .iter()
            .map(|(path, text)| Source::new(format!("crates/x/src/{path}"), (*text).into()))
            .collect();
        check(&sources).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn four_files_in_a_circle_are_found_and_three_are_not() {
        let mut files = vec![
            ("a/b.rs", "use super::c::C;"),
            ("a/c.rs", "use crate::a::d::{D, E};"),
            ("a/d.rs", "fn f() -> super::b::B {}"),
        ];
        assert!(found(&files).is_empty());
        files[2] = ("a/d.rs", "use super::{e::E as F};");
        files.push(("a/e.rs", "use super::b;"));
        let found = found(&files);
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with(
            "crates/x/src/a/b.rs: 4 files import each other in a circle: crates/x/src/a/b.rs, crates/x/src/a/c.rs, "
        ));
    }

    #[test]
    fn an_exported_item_belongs_to_its_file() {
        let files = [
            ("a/mod.rs", "mod b;\nmod c;\nmod d;\nmod e;\npub use b::B;\npub use e::E;"),
            ("a/b.rs", "use super::c::C;"),
            ("a/c.rs", "use super::d::D;"),
            ("a/d.rs", "use super::E;"),
            ("a/e.rs", "use crate::a::B;"),
        ];
        assert_eq!(found(&files).len(), 1);
        let files = [files[0], files[1], files[2], files[3], ("a/e.rs", "use std::fmt;")];
        assert!(found(&files).is_empty());
    }

    #[test]
    fn imports_of_tests_do_not_count() {
        let test = "#[cfg(test)]\n#[allow(dead_code)]\nmod tests { use super::super::b::B; }";
        let files = [
            ("a/b.rs", "use super::c::C;"),
            ("a/c.rs", "use super::d::D;"),
            ("a/d.rs", "use super::e::E;"),
            ("a/e.rs", test),
        ];
        assert!(found(&files).is_empty());
    }
}
