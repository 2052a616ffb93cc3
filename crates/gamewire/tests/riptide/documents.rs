//! Checks the documents: every member of the C# library has a row with an existing counterpart, and the documents show
//! the examples unchanged.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Every public member of the C# library: a signature that starts with the type, and the releases that have it.
const MEMBERS: &str = include_str!("csharp_members.txt");

/// Types with a separate table. The others have a row under "Others".
const TABLES: [&str; 6] =
    ["Server", "Client", "Connection", "ConnectionMetrics", "Message", "MessageRelayFilter"];

/// Types that messages have methods for: one value, an array, and an array without its length.
const TYPES: &str = "Byte SByte Bool Short UShort Int UInt Long ULong Float Double String Serializable";

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page() -> String {
    fs::read_to_string(repository().join("docs/from-csharp-to-rust.md")).unwrap()
}

/// Returns the rows of the tables under a heading.
fn rows(page: &str, heading: &str) -> Vec<Vec<String>> {
    let section = page.split("\n## ").find(|section| heading[3..] == *section.lines().next().unwrap_or(""));
    let lines =
        section.unwrap_or_else(|| panic!("no {heading}")).lines().filter(|line| line.starts_with("| `"));
    lines.map(|line| line.split('|').skip(1).map(|cell| cell.trim().to_owned()).collect()).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// Returns the text in backticks.
fn code(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

fn words_of_sources(folder: &Path, into: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            words_of_sources(&path, into);
        } else {
            let text = fs::read_to_string(&path).unwrap_or_default();
            let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            lines.for_each(|line| into.extend(words(line).map(str::to_owned)));
        }
    }
}

/// A public member of the C# library.
struct Member {
    /// The type that declares it, without its namespace.
    owner: &'static str,
    /// The name; for a constructor, the name of the type.
    name: &'static str,
}

fn members() -> impl Iterator<Item = Member> {
    MEMBERS.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let path = line.split(['(', ' ']).next().unwrap();
        let (owner, name) = path.rsplit_once('.').unwrap();
        let owner = owner.rsplit('.').next().unwrap();
        Member { owner, name: if name == "new" { owner } else { name } }
    })
}

/// Returns the words in the first column of a table.
fn named(page: &str, table: &str) -> BTreeSet<String> {
    let rows = rows(page, &format!("## {table}"));
    let mut named: BTreeSet<String> =
        rows.iter().flat_map(|row| code(&row[0])).flat_map(words).map(str::to_owned).collect();
    if table == "Message" {
        // The page describes the methods of arrays in general terms: `AddTs`, `GetTs`.
        let general = ["Add", "Get"].map(|verb| words(TYPES).map(move |name| format!("{verb}{name}s")));
        let arrays: Vec<_> = general.into_iter().flatten().collect();
        assert!(arrays.iter().all(|array| named.contains(array)), "{named:?}");
        named.extend(arrays);
    }
    named
}

#[test]
fn every_member_of_the_csharp_library_has_a_row() {
    let page = page();
    let tables: BTreeMap<&str, BTreeSet<String>> =
        TABLES.into_iter().chain(["Others"]).map(|table| (table, named(&page, table))).collect();
    let has = |table: &str, name: &str| tables[table].contains(name);
    let mut missing = BTreeSet::new();
    let mut count = 0;
    for Member { owner, name } in members() {
        count += 1;
        let is_there = match owner {
            // `Peer` is the base class of both roles.
            "Peer" => has("Others", owner) && (name == owner || (has("Server", name) && has("Client", name))),
            table if TABLES.contains(&table) => has(table, name) || name == table,
            owner => has("Others", owner),
        };
        if !is_there {
            missing.insert(format!("{owner}.{name}"));
        }
    }
    println!("{count} members of the C# library, {} missing", missing.len());
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(count > 500, "{count}");
}

#[test]
fn every_row_names_a_member_of_the_csharp_library() {
    let page = page();
    let known: BTreeSet<&str> = words(MEMBERS).collect();
    for table in TABLES.into_iter().chain(["Others"]) {
        // Names of parameters, and the general terms of arrays, are not in the list.
        let is_parameter =
            |word: &str| word.starts_with(char::is_lowercase) || ["AddTs", "GetTs"].contains(&word);
        let is_name = |word: &String| !is_parameter(word) && !known.contains(word.as_str());
        let unknown: Vec<_> = named(&page, table).into_iter().filter(is_name).collect();
        assert!(unknown.is_empty(), "{table}: {unknown:?}");
    }
}

#[test]
fn every_reason_and_mode_has_its_name() {
    let sources = sources();
    for Member { owner, name } in members() {
        let is_enum = matches!(owner, "RejectReason" | "DisconnectReason" | "MessageSendMode");
        assert!(!is_enum || sources.contains(name), "{owner}.{name}");
    }
}

/// Returns the words of the library's sources.
fn sources() -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for part in ["crates/gamewire-riptide/src", "crates/gamewire/src"] {
        words_of_sources(&repository().join(part), &mut words);
    }
    words
}

#[test]
fn every_member_has_a_counterpart_or_a_reason() {
    let known = sources();
    let page = page();
    let mut wrong = Vec::new();
    for table in TABLES.into_iter().chain(["Others"]) {
        for row in rows(&page, &format!("## {table}")) {
            let is_explained = code(&row[1]).next().is_some() || !row[2].is_empty();
            let is_general = row[1].contains("_ts");
            let mut unknown = code(&row[1]).flat_map(words).filter(|word| !known.contains(*word));
            if !is_explained || (!is_general && unknown.next().is_some()) {
                wrong.push(row.join(" | "));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_echo_server_has_at_most_30_lines() {
    let example = repository().join("crates/gamewire/examples/riptide_echo.rs");
    let lines = fs::read_to_string(example).unwrap().lines().count();
    assert!(lines <= 30, "{lines}");
}

/// Documents with an example: the document, a word that only the block of the example has, and the example.
const SHOWN: [(&str, &str, &str); 6] = [
    ("README.md", "riptide_echo", "riptide_echo.rs"),
    ("README.md", "teeworlds::{Player,", "greeter.rs"),
    ("README.md", "freeciv::{Player,", "freeciv_cities.rs"),
    ("docs/quick-start-teeworlds.md", "tokio::Player", "greeter_async.rs"),
    ("docs/quick-start-teeworlds.md", "HookState", "ddnet_watcher.rs"),
    ("docs/quick-start-freeciv.md", "Settlers", "freeciv_settler.rs"),
];

#[test]
fn the_documents_show_the_examples_as_they_are() {
    let read = |path: &str| fs::read_to_string(repository().join(path)).unwrap();
    for (path, word, example) in SHOWN {
        let document = read(path);
        let is_whole = path == "README.md";
        let (block, example) = (shown(&document, word), read(&format!("crates/gamewire/examples/{example}")));
        assert!(if is_whole { example.ends_with(block) } else { example.contains(block) }, "{path}: {block}");
    }
}

/// Returns the block of code that contains a word.
fn shown<'r>(document: &'r str, word: &str) -> &'r str {
    let mut blocks = document.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.find(|block| block.contains(word)).unwrap()
}
