//! Checks that the repository does not mention the machine on which it was written.

use super::finding::Finding;
use super::source::Source;

/// Top-level folders of a developer's machine, without slashes so that this file passes the check.
const TOP_FOLDERS: &[&str] = &["work", "root", "home", "Users"];
/// Settings that point a package manager at a mirror, split in halves so that this file passes the check.
const MIRRORS: &[(&str, &str)] =
    &[("index", "-url"), ("find", "-links"), ("replace", "-with"), ("artif", "actory"), ("trusted", "-host")];
/// Origin of every crate in the lock file.
const CRATES_IO: &str = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";

/// Checks one text file.
pub(super) fn check(source: &Source) -> Vec<Finding> {
    let mut found = Vec::new();
    for (number, line) in source.lines() {
        for folder in TOP_FOLDERS.iter().filter(|folder| has_top_folder(line, folder)) {
            let what = format!("absolute path under /{folder}");
            found.push(Finding::new(
                &source.path,
                number,
                what,
                "write the path from the top of the repository",
            ));
        }
        for (one, other) in MIRRORS {
            let mirror = format!("{one}{other}");
            if line.contains(&mirror) {
                let advice = "remove the mirror setting";
                found.push(Finding::new(&source.path, number, format!("`{mirror}`"), advice));
            }
        }
        if source.path.ends_with("Cargo.lock") && line.starts_with("source = ") && line != CRATES_IO {
            let advice = "take crates from crates.io";
            found.push(Finding::new(&source.path, number, format!("a crate with {line}"), advice));
        }
    }
    found
}

/// Returns whether a line has an absolute path under a top folder.
fn has_top_folder(line: &str, folder: &str) -> bool {
    let path = format!("/{folder}/");
    line.match_indices(&path).any(|(at, _)| {
        let before = line.get(..at).and_then(|before| before.chars().next_back());
        // The match is part of a longer path or a URL.
        !before.is_some_and(|c| c.is_alphanumeric() || "_-.~/})".contains(c))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> usize {
        check(&Source::new(path.into(), text.into())).len()
    }

    #[test]
    fn absolute_paths_are_found() {
        for folder in TOP_FOLDERS {
            assert_eq!(found("README.md", &format!("see `/{folder}/me/notes.md`")), 1, "{folder}");
            assert_eq!(found("README.md", &format!("see https://host/{folder}/me")), 0, "{folder}");
            assert_eq!(found("README.md", &format!("see docs/{folder}/me")), 0, "{folder}");
        }
    }

    #[test]
    fn mirrors_are_found() {
        for (one, other) in MIRRORS {
            assert_eq!(found("pip.conf", &format!("{one}{other} = x")), 1);
        }
    }

    #[test]
    fn crates_come_from_crates_io() {
        assert_eq!(found("Cargo.lock", CRATES_IO), 0);
        assert_eq!(found("Cargo.lock", "source = \"registry+https://example.com/index\""), 1);
        assert_eq!(found("fuzz/Cargo.lock", "source = \"git+https://example.com/a\""), 1);
    }
}
