//! Checks that the top folders of a crate do not import each other in a circle. `file_circles.rs` checks
//! the files of a folder.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::Finding;
use super::imports::{Files, crates, owner, paths, reachable};
use super::source::Source;

/// Imports of one crate. For each module, the imported modules, each with the path of a file that imports it.
type Imports = BTreeMap<String, BTreeMap<String, String>>;

/// Checks the sources of all crates.
pub(super) fn check(sources: &[Source]) -> Vec<Finding> {
    crates(sources).iter().flat_map(|files| circles(&top_imports(files), &folders(files))).collect()
}

/// Returns the modules that are folders.
fn folders(files: &Files<'_>) -> BTreeSet<String> {
    files.keys().filter(|module| module.len() > 1).filter_map(|module| module.first().cloned()).collect()
}

/// Returns the imports between the top modules. An export of an item is an import, too.
fn top_imports(files: &Files<'_>) -> Imports {
    let root = files.get([].as_slice()).map(|file| file.source.code()).unwrap_or_default();
    let is_for_tests = |module: &str| {
        let declared = root.find(&format!("\nmod {module};")).and_then(|at| root.get(..at));
        let attributes = declared.into_iter().flat_map(|before| before.lines().rev());
        attributes.take_while(|line| line.starts_with("#[")).any(|line| line == "#[cfg(test)]")
    };
    let mut imports = Imports::new();
    for (module, file) in files {
        let Some(own) = module.first() else { continue };
        for target in paths(file).filter_map(|path| top(files, path)) {
            if target != own && !is_for_tests(target) {
                let targets = imports.entry(own.clone()).or_default();
                targets.entry(target.clone()).or_insert_with(|| file.source.path.clone());
            }
        }
    }
    imports
}

/// Returns the top module of a path. Follows the exports of the root.
fn top<'a>(files: &'a Files<'_>, path: &'a [String]) -> Option<&'a String> {
    let is_module = |name: &&String| files.keys().any(|module| module.first() == Some(*name));
    path.first().filter(is_module).or_else(|| owner(files, path)?.first())
}

/// Returns a finding for each pair of modules that reach each other. The finding names the file with the import from
/// the module whose name comes first.
fn circles(imports: &Imports, folders: &BTreeSet<String>) -> Vec<Finding> {
    let mut found = Vec::new();
    for (from, targets) in imports {
        let imported = |module| imports.get(module).into_iter().flat_map(BTreeMap::keys);
        for (to, file) in targets.iter().filter(|(to, _)| from < *to) {
            let has_folder = folders.contains(from) || folders.contains(to);
            if !has_folder || !reachable(to, imported).contains(from) {
                continue;
            }
            let back = imports.get(to).and_then(|targets| targets.get(from));
            let what = match back {
                Some(back) => format!("`{from}` imports `{to}` here, which imports `{from}` in {back}"),
                None => format!("`{from}` imports `{to}` here, which imports `{from}` through other modules"),
            };
            found.push(Finding::new(file, 0, what, "let only one of them import the other"));
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
    fn two_modules_that_import_each_other_are_found() {
        let found = found(&[("a/x.rs", "use crate::b::B;"), ("b.rs", "use super::a::A;")]);
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with(
            "crates/x/src/a/x.rs: `a` imports `b` here, which imports `a` in crates/x/src/b.rs"
        ));
    }

    #[test]
    fn a_circle_through_a_third_module_or_the_root_is_found() {
        let files = [
            ("lib.rs", "pub use a::Item;\nmod a;"),
            ("a.rs", "mod x;"),
            ("a/x.rs", "use crate::{b::{One, Two}, c};"),
            ("b/deep.rs", "use crate::c::C;"),
            ("c/y.rs", "fn f(item: crate::Item) {}"),
        ];
        assert_eq!(found(&files).len(), 3, "a and b, a and c, b and c");
    }

    #[test]
    fn two_files_of_one_folder_may_import_each_other() {
        assert!(found(&[("a.rs", "use crate::b::B;"), ("b.rs", "use crate::a::A;")]).is_empty());
    }

    #[test]
    fn one_direction_and_tests_are_fine() {
        let test = "use crate::b::B;\n#[cfg(test)]\nmod tests { use crate::c::C; }";
        let files = [
            ("a/x.rs", test),
            ("a/y.rs", "use super::x;"),
            ("b.rs", "// crate::a"),
            ("c.rs", "use crate::a::A;"),
        ];
        assert!(found(&files).is_empty(), "{:?}", found(&files));
        assert!(
            found(&[("a.rs", ""), ("a/tests/t.rs", "use crate::b;"), ("b.rs", "use crate::a;")]).is_empty()
        );
    }
}
