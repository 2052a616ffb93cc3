//! The command lines in the documents: their verbs and options exist.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a failing test panics")]

use std::fs;
use std::path::{Path, PathBuf};

use clap::CommandFactory as _;

use crate::Cli;

/// The folders with documents. Others may be there, such as the files of other programs, which change while tests run.
const FOLDERS: [&str; 8] = ["crates", "definitions", "docs", "fuzz", "interop", "python", "unity", "vectors"];

/// Returns the documents of the repository, except the changelog, which names removed items.
fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        let is_root = folder == root;
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let is_wanted = if is_root {
                FOLDERS.contains(&&*name)
            } else {
                !name.starts_with('.') && !["target", "node_modules", "src"].contains(&&*name)
            };
            if is_wanted && path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".md") && name != "CHANGELOG.md" {
                found.push(path);
            }
        }
    }
    assert!(found.len() > 50, "{}", found.len());
    found
}

/// Returns the command lines of a document.
fn command_lines(text: &str) -> Vec<String> {
    let (mut found, mut is_block) = (Vec::new(), false);
    for line in text.replace("\\\n", " ").lines() {
        if line.trim_start().starts_with("```") {
            is_block = !is_block;
        } else if is_block {
            let line = line.trim().trim_start_matches("$ ");
            found.extend(line.starts_with("gamewire ").then(|| line.to_owned()));
        } else {
            let spans = line.split('`').skip(1).step_by(2).filter(|span| span.starts_with("gamewire "));
            found.extend(spans.map(str::to_owned));
        }
    }
    found
}

/// Splits a line into words as a shell does, up to a comment, a pipe or a redirection.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match quote {
            Some(end) if c == end => quote = None,
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c == ' ' => words.extend(word.take()),
            None if matches!(c, '#' | '|' | '>' | '&' | ';') && word.is_none() => return words,
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Checks that the verb of a line exists, and has each option.
fn check_names(command: &clap::Command, words: &[String]) -> Result<(), String> {
    let mut verb = command;
    for word in words.iter().skip(1) {
        match verb.find_subcommand(word) {
            Some(found) => verb = found,
            None if std::ptr::eq(verb, command) => return Err(format!("no verb {word:?}")),
            None => break,
        }
    }
    let arguments = || verb.get_arguments().chain(command.get_arguments());
    for option in words.iter().filter_map(|word| word.strip_prefix("--")) {
        let name = option.split('=').next().unwrap_or(option);
        let is_it = |known: &clap::Arg| {
            let longs = known.get_long().into_iter().chain(known.get_all_aliases().into_iter().flatten());
            longs.into_iter().any(|long| long == name)
        };
        if !arguments().any(is_it) && name != "help" && name != "version" && !name.is_empty() {
            return Err(format!("no option --{name}"));
        }
    }
    Ok(())
}

#[test]
fn the_command_lines_of_the_documents_name_what_exists() {
    let (mut count, mut faults) = (0, Vec::new());
    let mut command = Cli::command();
    command.build();
    for path in documents() {
        for line in command_lines(&fs::read_to_string(&path).unwrap()) {
            let words = words(&line);
            let is_plain = words.get(1).is_some_and(|verb| verb.chars().all(|c| c.is_ascii_lowercase()));
            if !is_plain {
                continue;
            }
            count += 1;
            let checked = check_names(&command, &words);
            faults.extend(checked.err().map(|what| format!("{}: {line}: {what}", path.display())));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(count > 100, "{count}");
}
