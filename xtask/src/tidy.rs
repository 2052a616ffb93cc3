//! `cargo xtask tidy`: the rules of the project that compilers do not check.

mod bounds;
mod circles;
mod documents;
mod edges;
mod file_circles;
mod file_lengths;
mod finding;
mod folders;
mod imports;
mod lints;
mod markers;
mod portability;
mod purity;
mod roots;
mod source;
mod test_modules;
mod vocabulary;

use self::finding::Finding;
use self::source::Source;
use crate::Error;
use crate::project::Project;

/// Checks everything and prints the findings. Returns whether there are none.
pub(crate) fn run(project: &Project) -> Result<bool, Error> {
    let paths = project.files()?;
    let mut findings = edges::check(&project.metadata);
    findings.extend(folders::check(&paths));
    let mut sources = Vec::new();
    for path in &paths {
        // Captures and other binary files have no words to check.
        let Ok(text) = String::from_utf8(std::fs::read(project.root.join(path))?) else { continue };
        sources.push(Source::new(path.clone(), text));
    }
    findings.extend(lints::check(&sources));
    findings.extend(circles::check(&sources));
    findings.extend(file_circles::check(&sources));
    findings.extend(test_modules::check(&sources));
    findings.extend(file_lengths::check(&sources));
    findings.extend(documents::check(&sources, &paths, &project.metadata));
    for source in &sources {
        findings.extend(each(source));
    }
    findings.sort();
    findings.iter().for_each(|finding| println!("{finding}"));
    let slivers = file_lengths::slivers(&sources);
    slivers.iter().for_each(|sliver| println!("warning: {sliver}"));
    println!("tidy: {} files, {} findings, {} warnings", paths.len(), findings.len(), slivers.len());
    Ok(findings.is_empty())
}

/// Applies the rules that check one file at a time.
fn each(source: &Source) -> impl Iterator<Item = Finding> {
    [
        roots::check(source),
        purity::check(source),
        portability::check(source),
        vocabulary::check(source),
        bounds::check(source),
        markers::check(source),
    ]
    .into_iter()
    .flatten()
}
