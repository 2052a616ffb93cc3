use std::fmt::Display;
use std::iter;

use crate::ir::Topic;

/// Maximum characters to which the cells of a column are padded.
const MAX_PADDED: usize = 40;

/// Returns a table. The columns are aligned in the Markdown source.
pub(super) fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let head = head.iter().map(|title| (*title).to_owned()).collect();
    let rows: Vec<Vec<String>> = iter::once(head).chain(rows).collect();
    let mut widths = vec![3_usize; rows.first().map_or(0, Vec::len)];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count()).min(MAX_PADDED);
        }
    }
    let line = |row: &Vec<String>| -> String {
        let cells = widths.iter().zip(row).map(|(width, cell)| format!("| {cell:width$} "));
        cells.chain(iter::once("|\n".to_owned())).collect()
    };
    let mut lines: Vec<String> = rows.iter().map(line).collect();
    let rule = widths.iter().map(|width| format!("|{:-<1$}", "", width.saturating_add(2)));
    lines.insert(1, rule.chain(iter::once("|\n".to_owned())).collect());
    lines.concat()
}

/// Escapes text for Markdown.
pub(super) fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' | '|' | '<' | '>' | '`' | '*' | '[' | ']' | '#' => shown.extend(['\\', character]),
            '\n' => shown.push(' '),
            character if character.is_control() => shown.extend(character.escape_default()),
            character => shown.push(character),
        }
    }
    shown
}

/// Returns the heading of a topic, such as `Ruleset: city` for `ruleset_city`.
pub(super) fn title_of(topic: &Topic) -> String {
    let name = topic.name.replacen('_', ": ", 1).replace('_', " ");
    let mut letters = name.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    escaped(&first.into_iter().chain(letters).collect::<String>())
}

/// Returns the anchor of a heading.
pub(super) fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Returns the name of a packet as a link to its section.
pub(super) fn link(name: &str) -> String {
    format!("[{name}](#{})", anchor(name))
}

/// Returns a list of words as code.
pub(super) fn code_list(words: &[impl Display]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    words.join(", ")
}
