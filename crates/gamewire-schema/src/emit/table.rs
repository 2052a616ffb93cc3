use std::fmt;

/// A table in Markdown, with columns aligned in the source.
pub(super) struct Table<const N: usize> {
    rows: Vec<[String; N]>,
}

/// Maximum characters to which the cells of a column are padded.
const MAX_PADDED: usize = 40;

impl<const N: usize> Table<N> {
    pub(super) fn new(head: [&str; N]) -> Self {
        Self { rows: vec![head.map(str::to_owned)] }
    }

    pub(super) fn row(&mut self, cells: [String; N]) {
        self.rows.push(cells);
    }
}

impl<const N: usize> fmt::Display for Table<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut widths = [3_usize; N];
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.chars().count()).min(MAX_PADDED);
            }
        }
        for (number, row) in self.rows.iter().enumerate() {
            for (width, cell) in widths.iter().zip(row) {
                write!(f, "| {cell:width$} ")?;
            }
            writeln!(f, "|")?;
            if number == 0 {
                widths.iter().try_for_each(|width| write!(f, "|{:-<1$}", "", width.saturating_add(2)))?;
                writeln!(f, "|")?;
            }
        }
        Ok(())
    }
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
