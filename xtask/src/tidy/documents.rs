//! Checks that the documents name only what exists: files, public items, packages, benches, examples and tasks.

mod commands;
mod names;
mod paths;
mod quotes;
mod spans;
mod walkthroughs;

use serde_json::Value;

use crate::tidy::finding::Finding;
use crate::tidy::source::Source;

/// Checks all documents. `sources` are all text files, `paths` all files of the repository.
pub(crate) fn check(sources: &[Source], paths: &[String], metadata: &Value) -> Vec<Finding> {
    let known = paths::Known::new(paths);
    let (items, packages) = (names::Items::new(sources), commands::Packages::new(metadata, sources));
    let mut found = Vec::new();
    for source in sources.iter().filter(|source| is_document(source)) {
        let spans = spans::of(&source.text);
        let report = |line, what: String, advice| Finding::new(&source.path, line, what, advice);
        for span in &spans {
            let text = span.text.as_str();
            let finding = match span.kind {
                spans::Kind::Link => known.link(&source.path, text).err(),
                spans::Kind::Code => known.code(text).err().or_else(|| items.check(&source.path, text).err()),
                spans::Kind::Command => None,
            };
            found.extend(finding.map(|what| report(span.line, what, "name one that exists")));
            let command = packages.check(text).err().filter(|_| span.kind != spans::Kind::Link);
            found.extend(command.map(|what| report(span.line, what, "write a command that works")));
        }
    }
    let named = |path| sources.iter().filter(move |source: &&Source| source.path == path);
    found.extend(named("ARCHITECTURE.md").flat_map(|document| walkthroughs::check(document, sources)));
    found.extend(named("CONTRIBUTING.md").flat_map(|document| quotes::check(document, sources)));
    found
}

/// Returns whether a file is a document. The changelog also names what is gone.
fn is_document(source: &Source) -> bool {
    source.path.ends_with(".md") && source.path != "CHANGELOG.md"
}
