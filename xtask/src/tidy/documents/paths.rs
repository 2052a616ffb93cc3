use std::collections::BTreeSet;

/// First components of paths that the repository does not contain: build output, and files of other programs.
const OUTSIDE: [&str; 2] = ["target", "data"];

/// The files and folders of the repository.
pub(super) struct Known<'a>(BTreeSet<&'a str>);

impl<'a> Known<'a> {
    pub(super) fn new(paths: &'a [String]) -> Self {
        let folders = |path: &'a str| path.match_indices('/').filter_map(move |(at, _)| path.get(..at));
        Self(paths.iter().flat_map(|path| folders(path).chain([path.as_str()])).collect())
    }

    /// Checks a code span, if it is a path. It may leave out the folders that its document is about.
    pub(super) fn code(&self, text: &str) -> Result<(), String> {
        let path = text.trim_end_matches('/');
        if !is_path(text) || self.has_end(path) { Ok(()) } else { Err(format!("no file or folder `{text}`")) }
    }

    /// Checks the target of a link in a document.
    pub(super) fn link(&self, document: &str, target: &str) -> Result<(), String> {
        let target = target.split('#').next().unwrap_or_default();
        if target.is_empty() || target.contains("://") || target.starts_with("mailto:") {
            return Ok(());
        }
        let mut folders: Vec<&str> = document.split('/').collect();
        folders.pop();
        for part in target.split('/').filter(|part| !part.is_empty()) {
            match part {
                "." => {}
                ".." => drop(folders.pop()),
                part => folders.push(part),
            }
        }
        let path = folders.join("/");
        if path.is_empty() || self.0.contains(path.as_str()) {
            Ok(())
        } else {
            Err(format!("no file {path}"))
        }
    }

    fn has_end(&self, path: &str) -> bool {
        self.0.iter().any(|known| {
            known.strip_suffix(path).is_some_and(|before| before.is_empty() || before.ends_with('/'))
        })
    }
}

/// Returns whether a code span is the path of a file or folder, without placeholders such as `NAME`.
fn is_path(text: &str) -> bool {
    let parts: Vec<&str> = text.trim_end_matches('/').split('/').collect();
    let is_plain = |part: &&str| part.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
    let is_placeholder = |part: &&str| {
        let name = part.split('.').next().unwrap_or_default();
        name.chars().any(char::is_alphabetic) && !name.contains(char::is_lowercase) && name != "README"
    };
    let starts_with_letter = text.starts_with(|c: char| c.is_ascii_alphabetic());
    starts_with_letter
        && (text.contains('/') || text.ends_with(".rs"))
        && parts.iter().all(is_plain)
        && !parts.iter().any(is_placeholder)
        && !parts.first().is_some_and(|first| OUTSIDE.contains(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_may_be_the_end_of_one_that_exists() {
        let paths = ["crates/a/src/client/mod.rs".to_owned(), "docs/b.md".to_owned()];
        let known = Known::new(&paths);
        for path in ["client/mod.rs", "client/", "crates/a", "mod.rs", "docs/b.md"] {
            assert_eq!(known.code(path), Ok(()), "{path}");
        }
        for path in ["server/mod.rs", "ient/mod.rs", "src/client.rs", "other.rs", "docs/"] {
            assert_eq!(known.code(path).is_err(), path != "docs/", "{path}");
        }
    }

    #[test]
    fn other_spans_are_not_paths() {
        for text in ["/detach", "10.0.0.0/8", "docs/NAME.json", "target/x", "a/b c", "<T>/x", "game.toml"] {
            assert!(!is_path(text), "{text}");
        }
    }

    #[test]
    fn a_link_is_relative_to_its_document() {
        let paths = ["docs/b.md".to_owned(), "fuzz/README.md".to_owned()];
        let known = Known::new(&paths);
        for (target, is_right) in [
            ("b.md#part", true),
            ("../fuzz/README.md", true),
            ("../fuzz", true),
            ("#part", true),
            ("https://example.com/x", true),
            ("c.md", false),
            ("fuzz/README.md", false),
        ] {
            assert_eq!(known.link("docs/a.md", target).is_ok(), is_right, "{target}");
        }
    }
}
