use serde_json::Value;

use crate::project::list;
use crate::tidy::source::{Source, has_word};

/// File with the names of the tasks.
const TASKS: &str = "xtask/src/main.rs";

/// The packages of the workspace, with their targets, features and sources.
pub(super) struct Packages<'a> {
    packages: Vec<&'a Value>,
    sources: &'a [Source],
}

impl<'a> Packages<'a> {
    pub(super) fn new(metadata: &'a Value, sources: &'a [Source]) -> Self {
        Self { packages: list(metadata, "packages").collect(), sources }
    }

    /// Checks a command of cargo: the task, the package, its targets, its features, the files, and the test.
    pub(super) fn check(&self, command: &str) -> Result<(), String> {
        let command = command.split(" #").next().unwrap_or(command);
        let mut words = command.split_whitespace().skip_while(|word| word.contains('='));
        if words.next() != Some("cargo") {
            return Ok(());
        }
        let words: Vec<&str> = words.take_while(|word| *word != "--" && *word != "|").collect();
        let Some((&verb, rest)) = words.split_first() else { return Ok(()) };
        if verb == "xtask" {
            let task = rest.first().copied().unwrap_or_default();
            let tasks = self.sources.iter().find(|source| source.path == TASKS);
            let is_task = tasks.is_none_or(|tasks| tasks.text.contains(&format!("[\"{task}\"")));
            return if is_task { Ok(()) } else { Err(format!("no task {task:?}")) };
        }
        let package = option(rest, "-p").or_else(|| option(rest, "--package"));
        let packages: Vec<&Value> = self
            .packages
            .iter()
            .copied()
            .filter(|known| package.is_none_or(|name| known["name"] == name))
            .collect();
        if packages.is_empty() {
            return Err(format!("no package {:?}", package.unwrap_or_default()));
        }
        for kind in ["bench", "example", "bin", "test"] {
            for name in options(rest, &format!("--{kind}")) {
                let is_it = |target: &Value| {
                    target["name"] == name && list(target, "kind").any(|known| known == kind)
                };
                if !packages.iter().any(|package| list(package, "targets").any(is_it)) {
                    return Err(format!("no {kind} {name:?}"));
                }
            }
        }
        for name in options(rest, "--features").flat_map(|names| names.split(',')) {
            if !packages.iter().any(|package| package["features"].get(name).is_some()) {
                return Err(format!("no feature {name:?}"));
            }
        }
        for path in options(rest, "--manifest-path").chain(options(rest, "--path")) {
            if !self.sources.iter().any(|source| source.path.starts_with(path)) {
                return Err(format!("no file or folder {path:?}"));
            }
        }
        match (verb, package, rest.last()) {
            ("test", Some(package), Some(filter)) if *filter != package && !filter.starts_with('-') => {
                self.test(package, filter)
            }
            _ => Ok(()),
        }
    }

    /// Checks the filter of `cargo test`: a module or a word of the package.
    fn test(&self, package: &str, filter: &str) -> Result<(), String> {
        let last = filter.rsplit("::").next().unwrap_or(filter);
        let folder = format!("crates/{package}/");
        let mut sources = self.sources.iter().filter(|source| source.path.starts_with(&folder));
        let has = |source: &Source| {
            source.path.contains(last) || has_word(&source.text, last) || source.text.contains(last)
        };
        if sources.any(has) { Ok(()) } else { Err(format!("{package} has no test {filter:?}")) }
    }
}

/// Returns the values of an option.
fn options<'w>(words: &'w [&'w str], name: &'w str) -> impl Iterator<Item = &'w str> {
    words.windows(2).filter(move |pair| pair.first() == Some(&name)).filter_map(|pair| pair.get(1).copied())
}

fn option<'w>(words: &'w [&'w str], name: &'w str) -> Option<&'w str> {
    options(words, name).next()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_command_names_what_exists() {
        let metadata = json!({"packages": [{
            "name": "a",
            "features": {"f": []},
            "targets": [{"name": "speed", "kind": ["bench"]}],
        }]});
        let sources = [
            Source::new("crates/a/tests/sessions.rs".into(), "fn it_works() {}".into()),
            Source::new(TASKS.into(), "[\"tidy\"] => tidy(),".into()),
        ];
        let packages = Packages::new(&metadata, &sources);
        for (command, is_right) in [
            ("cargo test -p a sessions", true),
            ("X=1 cargo test -p a it_works", true),
            ("cargo test -p a it_fails", false),
            ("cargo test -p b", false),
            ("cargo bench -p a --bench speed -- 10", true),
            ("cargo bench -p a --bench size", false),
            ("cargo build -p a --features f", true),
            ("cargo build --features f,g", false),
            ("cargo install --path crates/a", true),
            ("cargo install --path crates/b", false),
            ("cargo xtask tidy   # the rules", true),
            ("cargo xtask tidied", false),
            ("cargo", true),
            ("the cargo test -p b", true),
        ] {
            assert_eq!(packages.check(command).is_ok(), is_right, "{command}");
        }
    }
}
