//! The imports of the files of a crate.

use std::collections::{BTreeMap, BTreeSet};

use super::source::{Source, is_word};

/// Maximum number of exports that are followed to the file of an item.
const MAX_EXPORTS: usize = 8;

/// The files of a crate by the paths of their modules.
pub(super) type Files<'a> = BTreeMap<Vec<String>, File<'a>>;

pub(super) struct File<'a> {
    pub(super) source: &'a Source,
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

/// Returns the files of all crates, without those of tests.
pub(super) fn crates(sources: &[Source]) -> Vec<Files<'_>> {
    let mut crates: BTreeMap<&str, Vec<(Vec<String>, &Source)>> = BTreeMap::new();
    for source in sources.iter().filter(|source| source.is_rust() && !source.path.contains("/tests")) {
        if let Some((name, path)) = source.path.split_once("/src/") {
            crates.entry(name).or_default().push((module(path), source));
        }
    }
    crates.into_values().map(|modules| files(&modules)).collect()
}

/// Returns the path of a file's module: both `a/b.rs` and `a/b/mod.rs` are `[a, b]`.
fn module(path: &str) -> Vec<String> {
    let mut parts: Vec<&str> = path.trim_end_matches(".rs").split('/').collect();
    if parts.last().is_some_and(|last| ["mod", "lib", "main"].contains(last)) {
        parts.pop();
    }
    parts.into_iter().map(str::to_owned).collect()
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
pub(super) fn owner<'f>(files: &'f Files<'_>, path: &[String]) -> Option<&'f Vec<String>> {
    owner_within(files, path, MAX_EXPORTS)
}

fn owner_within<'f>(files: &'f Files<'_>, path: &[String], exports: usize) -> Option<&'f Vec<String>> {
    let length = (0..=path.len())
        .rev()
        .find(|length| path.get(..*length).is_some_and(|start| files.contains_key(start)))?;
    let (module, rest) = path.split_at(length);
    let (module, file) = files.get_key_value(module)?;
    let exported = rest.split_first().filter(|_| exports > 0).and_then(|(name, rest)| {
        let same = file.uses.iter().filter(|found| found.name == *name);
        same.filter_map(|found| {
            owner_within(files, &[found.path.as_slice(), rest].concat(), exports.saturating_sub(1))
        })
        .next()
    });
    exported.or(Some(module))
}

/// Returns the modules that a file imports. Exporting an item is not importing it.
pub(super) fn imports<'f>(files: &'f Files<'_>, file: &File<'_>) -> BTreeSet<&'f Vec<String>> {
    let used = file.uses.iter().filter(|found| !found.is_export).map(|found| &found.path);
    used.chain(&file.paths).filter_map(|path| owner(files, path)).collect()
}

/// Returns the paths in a file, with those of the items that it exports.
pub(super) fn paths<'a>(file: &'a File<'_>) -> impl Iterator<Item = &'a Vec<String>> {
    file.uses.iter().map(|found| &found.path).chain(&file.paths)
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
