use std::collections::HashSet;
use std::fmt::Write as _;

/// Names in the codec that generated structs use.
pub(super) const CODEC: &[&str] = &[
    "ActionProbability",
    "BitString",
    "Bitvector",
    "Bool32",
    "CmParameter",
    "EndedList",
    "Memory",
    "Packet",
    "Requirement",
    "Sfloat",
    "ShortList",
    "Text",
    "Texts",
    "Ufloat",
    "UnitOrder",
    "Vector",
    "Worklist",
];

/// Maximum characters of a line in a list.
const MAX_WIDTH: usize = 100;

/// Rust code, written line by line.
#[derive(Debug, Default)]
pub(super) struct Code {
    pub(super) text: String,
    depth: usize,
}

impl Code {
    /// Adds a line, indented by the number of open brackets.
    pub(super) fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        if line.starts_with(['}', ']', ')']) {
            self.depth = self.depth.saturating_sub(1);
        }
        if line.is_empty() {
            self.text.push('\n');
        } else {
            // Writing to a `String` cannot fail.
            let _ = writeln!(self.text, "{:1$}{line}", "", self.depth.saturating_mul(4));
        }
        if line.ends_with(['{', '[', '(']) && !line.starts_with("//") {
            self.depth = self.depth.saturating_add(1);
        }
    }

    /// Adds the documentation of a struct or a field.
    pub(super) fn doc(&mut self, text: &str) {
        escaped(text).lines().for_each(|line| self.line(format!("/// {line}").trim_end()));
    }

    /// Adds a named list, with several items per line.
    pub(super) fn list(&mut self, name: &str, items: impl Iterator<Item = String>) {
        self.line(format!("{name}: ["));
        let mut line = String::new();
        for item in items {
            if !line.is_empty() && line.len().saturating_add(item.len()) > MAX_WIDTH {
                self.line(std::mem::take(&mut line));
            }
            let blank = if line.is_empty() { "" } else { " " };
            line.push_str(&format!("{blank}{item},"));
        }
        if !line.is_empty() {
            self.line(line);
        }
        self.line("],");
    }

    /// Returns the code with its imports: types of the codec, and types in `own` from the parent module.
    pub(super) fn with_imports(&self, codec: &str, own: &[String]) -> String {
        let words: HashSet<&str> = self
            .text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            // Keep the parts outside of quotes, because the others are string literals.
            .flat_map(|line| line.split('"').step_by(2))
            .flat_map(|code| code.split(|c: char| !c.is_alphanumeric() && c != '_'))
            .collect();
        let used: Vec<&str> = CODEC.iter().copied().filter(|name| words.contains(name)).collect();
        let own: Vec<&str> = own.iter().map(String::as_str).filter(|name| words.contains(name)).collect();
        let import = |path: &str, names: &[&str]| match names {
            [] => String::new(),
            names => format!("use {path}::{{{}}};\n", names.join(", ")),
        };
        format!("{}{}{}", import(codec, &used), import("super", &own), self.text)
    }
}

/// Escapes text so that rustdoc finds no links, tags or emphasis in it. The derive macro removes the backslashes.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut in_code = false;
    for c in text.chars() {
        match c {
            '`' => {
                in_code = !in_code;
                escaped.push(c);
            }
            '[' | ']' | '<' | '>' | '*' | '_' | '\\' if !in_code => escaped.extend(['\\', c]),
            c if c.is_control() && c != '\n' => {}
            c => escaped.push(c),
        }
    }
    escaped
}
