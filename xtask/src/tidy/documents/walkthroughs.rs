//! Checks the sections of `ARCHITECTURE.md` that follow a packet from file to file: each file that a step names is in a
//! crate of the section, and each item is in a file that this step or an earlier one names.

use super::spans::{self, Kind};
use crate::tidy::finding::Finding;
use crate::tidy::source::{Source, has_word};

/// First words of the headings of these sections.
const HEADING: &str = "## The path of ";

/// Checks all of these sections.
pub(super) fn check(document: &Source, sources: &[Source]) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut walk = None;
    for (line, text) in document.lines() {
        if text.starts_with("## ") {
            walk =
                text.starts_with(HEADING).then(|| Walk { sources, packages: Vec::new(), files: Vec::new() });
        } else if let Some(walk) = &mut walk {
            let findings = walk.read(text).into_iter();
            found.extend(
                findings
                    .map(|what| Finding::new(&document.path, line, what, "name the file and an item in it")),
            );
        }
    }
    found
}

/// The position in a section.
struct Walk<'a> {
    sources: &'a [Source],
    /// Folders of the crates that the section has named.
    packages: Vec<String>,
    /// The files that the section has named.
    files: Vec<&'a Source>,
}

impl<'a> Walk<'a> {
    /// Reads a line, which may be a step. Returns its faults.
    fn read(&mut self, text: &str) -> Vec<String> {
        let is_step = text.starts_with(|c: char| c.is_ascii_digit());
        let codes: Vec<_> = spans::of(text).into_iter().filter(|span| span.kind == Kind::Code).collect();
        let is_file = |text: &str| text.ends_with(".rs") || text.ends_with(".js") || text.ends_with('/');
        let (files, names): (Vec<&str>, Vec<&str>) =
            codes.iter().map(|span| span.text.as_str()).partition(|text| is_file(text));
        let mut faults = Vec::new();
        for path in files {
            if let Some((package, _)) = path.split_once("/src/") {
                self.packages.push(format!("crates/{package}/"));
            }
            let named = self.named(path);
            if named.is_empty() {
                faults.push(format!("no file `{path}` in a crate of this section"));
            }
            self.files.extend(named);
        }
        for item in names.into_iter().filter(|name| is_step && is_item(name)) {
            let name = item.rsplit("::").next().unwrap_or(item);
            if !self.files.iter().any(|file| has_word(&file.text, name)) {
                faults.push(format!("no file of this section up to here has `{item}`"));
            }
        }
        faults
    }

    /// Returns the files that a path names; for a folder all files in it.
    fn named(&self, path: &str) -> Vec<&'a Source> {
        let end = format!("/{path}");
        let is_it = |source: &&Source| {
            let mut ends = source.path.match_indices(&end).map(|(at, _)| at.saturating_add(end.len()));
            let is_named = if path.ends_with('/') {
                ends.next().is_some()
            } else {
                ends.any(|end| end == source.path.len())
            };
            is_named && self.packages.iter().any(|package| source.path.starts_with(package))
        };
        self.sources.iter().filter(is_it).collect()
    }
}

/// Returns whether a code span is the name of an item.
fn is_item(text: &str) -> bool {
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    text.split("::").all(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let sources = [
            Source::new("crates/a/src/relay/relay.rs".into(), "fn serve() {}".into()),
            Source::new("crates/a/src/feed.rs".into(), "fn push() {}".into()),
            Source::new("crates/b/src/other.rs".into(), "fn other() {}".into()),
        ];
        let document = Source::new("ARCHITECTURE.md".into(), format!("## The path of a packet\n\n{text}\n"));
        check(&document, &sources).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn each_step_names_files_and_items_of_its_crate() {
        let step = "1. `a/src/relay/relay.rs`: `Relay::serve`.";
        assert!(found(&format!("{step}\n2. `feed.rs` has `push` after `serve`.")).is_empty());
        assert_eq!(found("1. `a/src/relay/`: `serve` and `push`.").len(), 1);
        assert_eq!(found("1. `a/src/feed.rs`.\n2. `other.rs`.").len(), 1);
        assert_eq!(found("1. `a/src/feed.rs`.\n2. `b/src/other.rs` and `relay.rs`.\n3. `nothing`.").len(), 1);
        assert!(found("## Other\n`none.rs`").is_empty());
    }
}
