//! Checks that the top folders of a crate do not import each other in a circle. `file_circles.rs` checks
//! the files of a folder.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::Finding;
use super::source::{Source, is_word};

/// Imports of one crate. For each module, the imported modules, each with the path of a file that imports it.
type Imports = BTreeMap<String, BTreeMap<String, String>>;

/// Checks the sources of all crates.
pub(super) fn check(sources: &[Source]) -> Vec<Finding> {
    let mut crates: BTreeMap<&str, Vec<(Vec<&str>, &Source)>> = BTreeMap::new();
    for source in sources.iter().filter(|source| source.is_rust() && !source.path.contains("/tests")) {
        if let Some((name, path)) = source.path.split_once("/src/") {
            crates.entry(name).or_default().push((module(path), source));
        }
    }
    crates.values().flat_map(|files| circles(&imports(files), &folders(files))).collect()
}

/// Returns the path of a file's module: both `a/b.rs` and `a/b/mod.rs` are `[a, b]`.
pub(super) fn module(path: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = path.trim_end_matches(".rs").split('/').collect();
    if parts.last().is_some_and(|last| ["mod", "lib", "main"].contains(last)) {
        parts.pop();
    }
    parts
}

/// Returns the modules that are folders.
fn folders(files: &[(Vec<&str>, &Source)]) -> BTreeSet<String> {
    let inner = files.iter().filter(|(module, _)| module.len() > 1);
    inner.filter_map(|(module, _)| module.first()).map(|top| (*top).to_owned()).collect()
}

fn imports(files: &[(Vec<&str>, &Source)]) -> Imports {
    let root = files
        .iter()
        .find(|(module, _)| module.is_empty())
        .map(|(_, source)| source.code())
        .unwrap_or_default();
    let declared =
        |module: &str| root.find(&format!("\nmod {module};")).map(|at| root.get(..at).unwrap_or_default());
    let is_for_tests = |module: &&str| {
        let attributes = declared(module).into_iter().flat_map(|before| before.lines().rev());
        attributes.take_while(|line| line.starts_with("#[")).any(|line| line == "#[cfg(test)]")
    };
    let tops = files.iter().filter_map(|(module, _)| module.first().copied());
    let tops: BTreeSet<&str> = tops.filter(|module| !is_for_tests(module)).collect();
    let exports = exports(&root);
    let mut imports = Imports::new();
    for (module, source) in files {
        let Some(own) = module.first() else { continue };
        for path in paths(&source.code_without_tests(), module) {
            let target = exports.get(&path).map_or(path.as_str(), String::as_str);
            if target != *own && tops.contains(target) {
                let targets = imports.entry((*own).to_owned()).or_default();
                targets.entry(target.to_owned()).or_insert_with(|| source.path.clone());
            }
        }
    }
    imports
}

/// Returns the items that the root of a crate exports, with the module of each.
fn exports(root: &str) -> BTreeMap<String, String> {
    let mut exports = BTreeMap::new();
    for statement in root.split(';').filter_map(|statement| statement.split("use ").nth(1)) {
        let names: Vec<&str> = statement.split(|c| !is_word(c)).filter(|name| !name.is_empty()).collect();
        let Some((module, items)) = names.split_first() else { continue };
        let module =
            if *module == "crate" || *module == "self" { items.first().unwrap_or(module) } else { module };
        exports.extend(items.iter().map(|item| ((*item).to_owned(), (*module).to_owned())));
    }
    exports
}

/// Returns the first names of the paths in a file that begin with `crate::` or `super::`, counted from the root of the
/// crate.
fn paths(code: &str, module: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for start in ["crate::", "super::"] {
        for (at, _) in code.match_indices(start) {
            let before = code.get(..at).and_then(|before| before.chars().next_back());
            if before.is_some_and(|c| is_word(c) || c == ':') {
                continue;
            }
            let rest = code.get(at..).unwrap_or_default();
            let ups = rest.split("::").take_while(|part| *part == "super").count();
            let after = rest.get(start.len().saturating_mul(ups.max(1))..).unwrap_or_default();
            let depth = module.len().saturating_sub(ups);
            match module.get(..depth).and_then(|parents| parents.first()) {
                Some(top) if start == "super::" => found.push((*top).to_owned()),
                _ => found.extend(first_names(after)),
            }
        }
    }
    found
}

/// Returns the first name of a path, or the first names in `{a::b, c}`.
fn first_names(path: &str) -> Vec<String> {
    let first = |path: &str| path.trim_start().split(|c| !is_word(c)).next().unwrap_or_default().to_owned();
    let Some(list) = path.strip_prefix('{') else { return vec![first(path)] };
    let (mut depth, mut names, mut start) = (0_usize, Vec::new(), 0);
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth = depth.saturating_add(1),
            '}' if depth == 0 => {
                names.push(first(list.get(start..at).unwrap_or_default()));
                break;
            }
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                names.push(first(list.get(start..at).unwrap_or_default()));
                start = at.saturating_add(1);
            }
            _ => {}
        }
    }
    names
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

/// Returns what is reached from `from` by one import or more.
pub(super) fn reachable<'a, T: Ord, I: IntoIterator<Item = &'a T>>(
    from: &'a T,
    imports: impl Fn(&'a T) -> I,
) -> BTreeSet<&'a T> {
    let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(module) = open.pop() {
        for next in imports(module) {
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    seen
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
