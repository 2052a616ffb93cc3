//! Checks that every file of integration tests runs. Cargo finds no test programs where `tests/main.rs` is the only one, and
//! the compiler does not report a file that no `mod` names.

use super::finding::Finding;
use super::source::Source;

/// Checks the folder of each `tests/main.rs`.
pub(super) fn check(sources: &[Source]) -> Vec<Finding> {
    let programs = sources.iter().filter(|source| source.path.ends_with("/tests/main.rs"));
    programs.flat_map(|program| left_out(program, sources)).collect()
}

/// Returns the modules next to a program that it does not name and that the manifest does not list as programs.
fn left_out(program: &Source, sources: &[Source]) -> Vec<Finding> {
    let folder = program.path.trim_end_matches("main.rs");
    let manifest = format!("{}Cargo.toml", folder.trim_end_matches("tests/"));
    let manifest = sources.iter().find(|source| source.path == manifest).map_or("", |source| &source.text);
    let runs = |name: &str| {
        let module = format!("mod {name};");
        let program_name = format!("name = \"{name}\"");
        program.text.lines().any(|line| line == module) || manifest.lines().any(|line| line == program_name)
    };
    let is_left_out = |source: &&Source| {
        source.path.strip_prefix(folder).and_then(module_name).is_some_and(|name| !runs(name))
    };
    let advice = "name it with `mod` in tests/main.rs";
    let found = sources.iter().filter(is_left_out);
    found.map(|source| Finding::new(&source.path, 0, "no test program has this file", advice)).collect()
}

/// Returns the name of the module that a file in the folder of tests is; `None` for parts of modules.
fn module_name(file: &str) -> Option<&str> {
    let name = file.strip_suffix(".rs")?;
    let name = name.strip_suffix("/mod").unwrap_or(name);
    (name != "main" && !name.contains('/')).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_no_program_names_is_found() {
        let source = |path: &str, text: &str| Source::new(path.into(), text.into());
        let sources = [
            source("a/Cargo.toml", "[[test]]\nname = \"log\"\n"),
            source("a/tests/main.rs", "mod one;\n#[cfg(unix)]\nmod two;\n"),
            source("a/tests/one.rs", ""),
            source("a/tests/two/mod.rs", ""),
            source("a/tests/two/part.rs", ""),
            source("a/tests/log.rs", ""),
            source("a/tests/three.rs", ""),
            source("b/tests/four.rs", ""),
        ];
        let found = check(&sources);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].to_string().starts_with("a/tests/three.rs: "), "{found:?}");
    }
}
