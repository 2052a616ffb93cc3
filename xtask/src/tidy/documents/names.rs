use std::collections::{BTreeSet, HashSet};

use crate::tidy::source::{Source, is_word};

/// Documents whose paths begin in a module, and the module.
const MODULES: [(&str, &str); 1] = [("docs/from-csharp-to-rust.md", "gamewire::riptide")];
/// Modules of generated code and of macro tables, which the lists of public items leave out.
const UNLISTED: [&str; 1] = ["gamewire_freeciv::packets"];

/// The public items of all crates, from the lists in `docs/api`.
pub(super) struct Items<'a> {
    listed: BTreeSet<&'a str>,
    /// The words of all Rust files.
    words: HashSet<&'a str>,
    /// The text of `Cargo.lock`, which has the names of all other crates.
    crates: &'a str,
}

impl<'a> Items<'a> {
    pub(super) fn new(sources: &'a [Source]) -> Self {
        let lists = sources.iter().filter(|source| source.path.starts_with("docs/api/"));
        let rust = sources.iter().filter(|source| source.is_rust());
        let crates = sources.iter().find(|source| source.path == "Cargo.lock");
        Self {
            listed: lists.flat_map(|list| list.text.lines()).filter_map(item).collect(),
            words: rust.flat_map(|file| file.text.split(|c| !is_word(c))).collect(),
            crates: crates.map_or("", |lock| &lock.text),
        }
    }

    /// Checks a code span, if it begins with the path of an item of this project.
    pub(super) fn check(&self, document: &str, text: &str) -> Result<(), String> {
        let path = path(text);
        let is_whole = path == "gamewire" || path.starts_with("gamewire::") || path.starts_with("gamewire_");
        let module = MODULES.iter().find(|(known, _)| *known == document).map(|(_, module)| module);
        let mut names = path.split("::");
        let first = names.next().filter(|first| first.starts_with(char::is_uppercase));
        // The path of a member begins with its type, which may be an alias.
        if let Some(name) = names.find(|name| first.is_some() && !self.words.contains(name)) {
            return Err(format!("no Rust file has `{name}`"));
        }
        let full = match (module, first) {
            _ if is_whole => path.to_owned(),
            (Some(module), Some(of)) if path.contains("::") => format!("{module}::{of}"),
            (Some(module), None) if path.contains("::") && !self.is_in_other_crate(path) => {
                format!("{module}::{path}")
            }
            _ => return Ok(()),
        };
        if !full.contains("::") || self.has(&full) { Ok(()) } else { Err(format!("no public item `{full}`")) }
    }

    /// Returns whether an item is listed, or is in a listed module or type of another crate that is exported again.
    fn has(&self, path: &str) -> bool {
        let is_unlisted = UNLISTED.iter().any(|module| path.starts_with(module));
        is_unlisted
            || self.listed.contains(path)
            || path.match_indices("::").any(|(at, _)| {
                let (start, rest) = (path.get(..at).unwrap_or(path), path.get(at..).unwrap_or_default());
                let last = start.rsplit("::").next().unwrap_or(start);
                let ends = |item: &&str| item.ends_with(rest) && item.contains(last) && *item != path;
                self.listed.contains(start) && self.listed.iter().any(ends)
            })
    }

    fn is_in_other_crate(&self, path: &str) -> bool {
        let name = path.split("::").next().unwrap_or(path).replace('_', "-");
        self.crates.contains(&format!("name = \"{name}\""))
    }
}

/// Returns the path of the item in a line of a list.
fn item(line: &str) -> Option<&str> {
    let (_, words) = line.split_once("pub ")?;
    let start = words.find("gamewire")?;
    Some(path(words.get(start..)?))
}

/// Returns the path that a text begins with.
fn path(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').unwrap_or(text.len());
    text.get(..end).unwrap_or(text).trim_end_matches(':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_listed_or_exported_again() {
        let files = [
            ("docs/api/gamewire.txt", "pub mod gamewire::riptide\npub use gamewire::riptide::raw\n"),
            ("docs/api/gamewire-riptide.txt", "pub struct gamewire_riptide::raw::Packet<'a>\n"),
            ("crates/a.rs", "impl Reader { fn next() {} }"),
            ("Cargo.lock", "name = \"other-crate\"\n"),
        ];
        let sources = files.map(|(path, text)| Source::new(path.into(), text.into()));
        let items = Items::new(&sources);
        let check = |document, text| items.check(document, text).is_ok();
        for (text, is_right) in [
            ("gamewire::riptide", true),
            ("gamewire::riptide::raw::Packet", true),
            ("gamewire_riptide::raw::Packet<'a>", true),
            ("gamewire::riptide::raw::Reader", false),
            ("gamewire::freeciv", false),
            ("gamewire", true),
            ("gamewire inspect", true),
            ("raw::Reader", true),
            ("Reader::next", true),
            ("Reader::last", false),
        ] {
            assert_eq!(check("docs/a.md", text), is_right, "{text}");
        }
        assert!(check("docs/from-csharp-to-rust.md", "raw::Packet"));
        assert!(!check("docs/from-csharp-to-rust.md", "link::Packet"));
        assert!(!check("docs/from-csharp-to-rust.md", "Reader::next"));
        assert!(check("docs/from-csharp-to-rust.md", "other_crate::init()"));
    }
}
