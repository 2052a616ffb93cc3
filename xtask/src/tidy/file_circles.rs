//! Checks that at most three files of a crate import each other in a circle.

use std::collections::{BTreeMap, BTreeSet};

use super::circles::{module, reachable};
use super::finding::Finding;
use super::source::{Source, is_word};

/// Maximum number of files that may import each other.
const MAX_FILES: usize = 3;
/// Maximum number of exports that are followed to the file of an item.
const MAX_EXPORTS: usize = 8;

/// The files of a crate by the paths of their modules.
type Files<'a> = BTreeMap<Vec<String>, File<'a>>;

struct File<'a> {
    source: &'a Source,
    uses: Vec<Use>,
    /// Paths outside of `use` statements, from the root of the crate.
    paths: Vec<Vec<String>>,
}

/// An imported item.
struct Use {
    /// The path from the root of the crate.
    path: Vec<String>,
    /// The name in the importing module.
    name: String,
    is_export: bool,
}

/// Checks the sources of all crates.
pub(super) fn check(sources: &[Source]) -> Vec<Finding> {
    let mut crates: BTreeMap<&str, Vec<(Vec<String>, &Source)>> = BTreeMap::new();
    for source in sources.iter().filter(|source| source.is_rust() && !source.path.contains("/tests")) {
        if let Some((name, path)) = source.path.split_once("/src/") {
            let module = module(path).into_iter().map(str::to_owned).collect();
            crates.entry(name).or_default().push((module, source));
        }
    }
    crates.into_values().flat_map(|modules| circles(&files(&modules))).collect()
}

fn files<'a>(modules: &[(Vec<String>, &'a Source)]) -> Files<'a> {
    let known: BTreeSet<&Vec<String>> = modules.iter().map(|(module, _)| module).collect();
    let file = |(module, source): &(Vec<String>, &'a Source)| {
        let code = source.code_without_tests();
        let (uses, rest) = uses(&code);
        let absolute = |path: &[String]| absolute(module, path, &known);
        let uses = uses.into_iter().filter_map(|found| Some(Use { path: absolute(&found.path)?, ..found }));
        let paths = inline_paths(&rest).iter().filter_map(|path| absolute(path)).collect();
        (module.clone(), File { source, uses: uses.collect(), paths })
    };
    modules.iter().map(file).collect()
}

/// Returns a path from the root of the crate, or `None` if it leads to another crate.
fn absolute(module: &[String], path: &[String], known: &BTreeSet<&Vec<String>>) -> Option<Vec<String>> {
    let join = |start: &[String], rest: &[String]| [start, rest].concat();
    let (first, rest) = path.split_first()?;
    match first.as_str() {
        "crate" => Some(rest.to_vec()),
        "self" => Some(join(module, rest)),
        "super" => {
            let ups = path.iter().take_while(|name| *name == "super").count();
            Some(join(module.get(..module.len().checked_sub(ups)?)?, path.get(ups..)?))
        }
        _ => {
            let child = join(module, core::slice::from_ref(first));
            known.contains(&child).then(|| join(module, path))
        }
    }
}

/// Returns the imports of a file with paths as they are written, and the code without its `use` statements.
fn uses(code: &str) -> (Vec<Use>, String) {
    let (mut found, mut rest) = (Vec::new(), String::new());
    for statement in code.split_inclusive(';') {
        let is_path = |c: char| is_word(c) || c.is_whitespace() || ":{},*;".contains(c);
        let start = statement.rfind("use ").filter(|start| {
            let (before, tree) = statement.split_at(*start);
            !before.ends_with(is_word) && tree.chars().all(is_path)
        });
        let (before, tree) = statement.split_at(start.unwrap_or(statement.len()));
        rest.push_str(before);
        let line = before.rsplit('\n').next().unwrap_or_default();
        let tree = tree.trim_start_matches("use ").trim_end_matches(';');
        for (path, name) in expand(tree) {
            found.push(Use { path, name, is_export: line.trim_start().starts_with("pub") });
        }
    }
    (found, rest)
}

/// Returns the paths of a `use` tree, each with the name that it gets.
fn expand(tree: &str) -> Vec<(Vec<String>, String)> {
    let tree = tree.trim();
    if let Some((start, list)) = tree.split_once('{') {
        let start: Vec<String> = names(start);
        let list = list.strip_suffix('}').unwrap_or(list);
        let within = |(path, name): (Vec<String>, String)| ([start.clone(), path].concat(), name);
        return split_list(list).into_iter().flat_map(expand).map(within).collect();
    }
    let (path, alias) = tree.split_once(" as ").map_or((tree, None), |(path, alias)| (path, Some(alias)));
    let mut path = names(path);
    if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
        path.pop();
    }
    let name = alias.map(|alias| alias.trim().to_owned()).or_else(|| path.last().cloned());
    name.map(|name| (path, name)).into_iter().collect()
}

fn names(path: &str) -> Vec<String> {
    path.split("::").map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Splits a list at the commas outside of its braces.
fn split_list(list: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let is_separator = |c: char| {
        depth = match c {
            '{' => depth.saturating_add(1),
            '}' => depth.saturating_sub(1),
            _ => depth,
        };
        c == ',' && depth == 0
    };
    list.split(is_separator).collect()
}

/// Returns the paths that begin with `crate::`, `super::` or `self::`.
fn inline_paths(code: &str) -> Vec<Vec<String>> {
    let starts = ["crate::", "super::", "self::"].into_iter().flat_map(|start| code.match_indices(start));
    let is_import = |(at, _): &(usize, &str)| {
        let before = code.get(..*at).unwrap_or_default();
        // `pub(in crate::a)` only names a module.
        !before.ends_with(|c| is_word(c) || c == ':') && !before.ends_with("(in ")
    };
    let path = |(at, _)| {
        let path = code.get(at..).unwrap_or_default();
        names(path.split(|c: char| !is_word(c) && c != ':').next().unwrap_or_default())
    };
    starts.filter(is_import).map(path).collect()
}

/// Returns the module of the file that has the item of a path. Follows exports.
fn owner<'f>(files: &'f Files<'_>, path: &[String], exports: usize) -> Option<&'f Vec<String>> {
    let length = (0..=path.len())
        .rev()
        .find(|length| path.get(..*length).is_some_and(|start| files.contains_key(start)))?;
    let (module, rest) = path.split_at(length);
    let (module, file) = files.get_key_value(module)?;
    let exported = rest.split_first().filter(|_| exports > 0).and_then(|(name, rest)| {
        let same = file.uses.iter().filter(|found| found.name == *name);
        same.filter_map(|found| {
            owner(files, &[found.path.as_slice(), rest].concat(), exports.saturating_sub(1))
        })
        .next()
    });
    exported.or(Some(module))
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

/// Returns the modules that a file imports. Exporting an item is not importing it.
fn imports<'f>(files: &'f Files<'_>, file: &File<'_>) -> BTreeSet<&'f Vec<String>> {
    let used = file.uses.iter().filter(|found| !found.is_export).map(|found| &found.path);
    used.chain(&file.paths).filter_map(|path| owner(files, path, MAX_EXPORTS)).collect()
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
