//! Compiles many versions of a `packets.def`, such as all versions of a repository, and counts which of them compile.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use gamewire_schema::{Constants, Errors, Sources, constants_file};

use super::load::constants;
use crate::Error;

/// Size of a constant that the constants file does not define. C headers define it, and they differ from version to
/// version; that the file compiles does not depend on it.
const SIZE: i64 = 16;
/// Bytes of a bitvector that the constants file does not define.
const BITVECTOR_BYTES: u32 = 4;

/// The outcome of the files of one group.
#[derive(Debug, Default, PartialEq, Eq)]
struct Count {
    files: usize,
    compiled: usize,
}

/// The files that do not compile for one reason.
#[derive(Debug, PartialEq, Eq)]
struct Reason {
    files: usize,
    first: String,
    last: String,
}

/// Compiles all `*.def` files of a folder, each as a definition of its own. Prints the number that compile by the first
/// four letters of their names, which are the year if names begin with a date, and the reasons of the others. Returns
/// whether all compile.
pub(crate) fn check_history(arguments: &[&str]) -> Result<bool, Error> {
    let (folder, named) = match *arguments {
        [folder] => (Path::new(folder), None),
        [folder, "--constants", file] => (Path::new(folder), Some(PathBuf::from(file))),
        _ => return Err("usage: cargo xtask check-history FOLDER [--constants FILE]".into()),
    };
    let default = constants_file(folder);
    let named = named.or_else(|| default.exists().then_some(default));
    let known = named.as_deref().map(constants).transpose()?.unwrap_or_default();
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "def"));
    files.sort();
    let mut history = History::default();
    for file in &files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = String::from_utf8_lossy(&std::fs::read(file)?).into_owned();
        history.add(&name, &text, &known);
    }
    print!("{history}");
    Ok(history.reasons.is_empty())
}

/// The counts of a folder.
#[derive(Debug, Default)]
struct History {
    groups: BTreeMap<String, Count>,
    reasons: BTreeMap<String, Reason>,
    /// Errors of the last file, with their lines, by reason.
    examples: BTreeMap<String, String>,
}

impl History {
    fn add(&mut self, name: &str, text: &str, known: &Constants) {
        let sources = Sources::only(name, text);
        let outcome = sources.compile(&with_sizes(text, known));
        let group = self.groups.entry(name.chars().take(4).collect()).or_default();
        group.files = group.files.saturating_add(1);
        let Err(errors) = outcome else {
            group.compiled = group.compiled.saturating_add(1);
            return;
        };
        for message in messages(&errors) {
            let reason = self.reasons.entry(message).or_insert_with(|| Reason {
                files: 0,
                first: name.to_owned(),
                last: String::new(),
            });
            reason.files = reason.files.saturating_add(1);
            name.clone_into(&mut reason.last);
        }
        self.examples.insert(name.to_owned(), errors.render_in(&sources, false));
    }
}

impl std::fmt::Display for History {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "| files | compile | of |\n|-------|---------|----|")?;
        let mut all = Count::default();
        for (group, count) in &self.groups {
            writeln!(f, "| {group} | {} | {} |", count.compiled, count.files)?;
            all.files = all.files.saturating_add(count.files);
            all.compiled = all.compiled.saturating_add(count.compiled);
        }
        writeln!(f, "| all | {} | {} |", all.compiled, all.files)?;
        if self.reasons.is_empty() {
            return Ok(());
        }
        writeln!(f, "\n| reason | files | first | last |\n|--------|-------|-------|------|")?;
        for (message, Reason { files, first, last }) in &self.reasons {
            writeln!(f, "| {message} | {files} | {first} | {last} |")?;
        }
        for (name, text) in self.examples.iter().rev().take(20) {
            writeln!(f, "\n{name}:\n{text}")?;
        }
        Ok(())
    }
}

/// Returns the messages of the errors, each once.
fn messages(errors: &Errors) -> BTreeSet<String> {
    errors.list().iter().map(|error| error.message.replace('|', "\\|")).collect()
}

/// Returns the constants with a size for each constant and bitvector in a text that they do not define.
fn with_sizes(text: &str, known: &Constants) -> Constants {
    let mut constants = known.clone();
    for size in text.split('[').skip(1) {
        let size = size.split([']', ':']).next().unwrap_or_default();
        let words = size.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        for word in words.filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')) {
            constants.constants.entry(word.to_owned()).or_insert(SIZE);
        }
    }
    for bitvector in text.split("bitvector(").skip(1) {
        let name = bitvector.split(')').next().unwrap_or_default().trim();
        constants.bitvectors.entry(name.to_owned()).or_insert(BITVECTOR_BYTES);
    }
    constants
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_counted_by_year_and_reason() {
        let mut history = History::default();
        let known = Constants::default();
        for (name, text) in [
            ("2004-01-01-a", "PACKET_A = 1; sc\nuint8(int) a[MAX + 1];\nbitvector(bv_b) b;\nend"),
            ("2004-01-02-b", "PACKET_A = 1; sc\nuint61(int) a;\nend"),
            ("2005-01-01-c", "PACKET_A = 1; sc\nuint61(int) a;\nend"),
        ] {
            history.add(name, text, &known);
        }
        let count = |files, compiled| Count { files, compiled };
        let expected = [("2004".to_owned(), count(2, 1)), ("2005".to_owned(), count(1, 0))];
        assert_eq!(history.groups, BTreeMap::from(expected));
        let reason = Reason { files: 2, first: "2004-01-02-b".into(), last: "2005-01-01-c".into() };
        assert_eq!(history.reasons, BTreeMap::from([("there is no type `uint61`".to_owned(), reason)]));
        let shown = history.to_string();
        assert!(shown.contains("| all | 1 | 3 |"), "{shown}");
        assert!(shown.contains("2005-01-01-c:\nerror: there is no type `uint61`"), "{shown}");
    }
}
