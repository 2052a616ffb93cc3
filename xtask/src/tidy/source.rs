//! A file as the rules read it.

/// A text file of the repository.
pub(super) struct Source {
    /// Its path from the top folder.
    pub(super) path: String,
    /// All of it.
    pub(super) text: String,
}

impl Source {
    pub(super) const fn new(path: String, text: String) -> Self {
        Self { path, text }
    }

    pub(super) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// The lines, numbered from 1.
    pub(super) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.lines())
    }

    /// The Rust code with comments and what literals hold blanked out; lines stay where they are.
    pub(super) fn code(&self) -> String {
        let mut code = String::with_capacity(self.text.len());
        let mut rest = self.text.as_str();
        let mut before = ' ';
        while let Some(next) = rest.chars().next() {
            let length = match next {
                '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
                '/' if rest.starts_with("/*") => block_comment(rest),
                '"' => quoted(rest),
                '\'' => character(rest),
                'r' if !is_word(before) => raw_string(rest),
                _ => 0,
            };
            let (piece, after) = rest.split_at(length.max(next.len_utf8()));
            if length == 0 {
                code.push_str(piece);
            } else {
                code.extend(piece.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
            }
            // `br"..."` is as raw as `r"..."`.
            before = if next == 'b' && !is_word(before) { ' ' } else { next };
            rest = after;
        }
        code
    }
}

/// Whether a character can stand in a name.
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Where a whole word stands in a line.
pub(super) fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line.get(..at).and_then(|before| before.chars().next_back());
        let after = line.get(at.saturating_add(word.len())..).and_then(|after| after.chars().next());
        let ends_in_word = word.chars().next_back().is_some_and(is_word);
        !before.is_some_and(is_word) && (!ends_in_word || !after.is_some_and(is_word))
    })
}

/// The length of the block comment that `text` begins with.
fn block_comment(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut last = ' ';
    for (at, c) in text.char_indices() {
        match (last, c) {
            ('/', '*') => depth = depth.saturating_add(1),
            ('*', '/') => depth = depth.saturating_sub(1),
            _ => {
                last = c;
                continue;
            }
        }
        // Neither half of a mark is half of another.
        last = ' ';
        if depth == 0 {
            return at.saturating_add(1);
        }
    }
    text.len()
}

/// The length of the string that `text` begins with.
fn quoted(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return at.saturating_add(1),
            _ => {}
        }
    }
    text.len()
}

/// The length of the character that `text` begins with; 0 if that is a lifetime.
fn character(text: &str) -> usize {
    let mut inside = text.chars().skip(1);
    let is_escape = match inside.next() {
        Some('\\') => true,
        Some(_) if inside.next() == Some('\'') => false,
        _ => return 0,
    };
    let mut ends = text.match_indices('\'').map(|(at, _)| at).skip(1);
    let mut end = ends.next().unwrap_or(0);
    // `'\''`: the quote behind the backslash is not the end.
    if is_escape && end == 2 {
        end = ends.next().unwrap_or(end);
    }
    end.saturating_add(1)
}

/// The length of the raw string that `text` begins with; 0 if there is none.
fn raw_string(text: &str) -> usize {
    let Some(after) = text.strip_prefix('r') else { return 0 };
    let quote = after.trim_start_matches('#');
    let hashes = after.len().saturating_sub(quote.len());
    let Some(content) = quote.strip_prefix('"') else { return 0 };
    let end = format!("\"{}", "#".repeat(hashes));
    let head = hashes.saturating_add(2);
    content.find(&end).map_or(text.len(), |at| head.saturating_add(at).saturating_add(end.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> String {
        Source::new("a.rs".into(), text.into()).code()
    }

    #[test]
    fn comments_are_blank_and_lines_stay() {
        assert_eq!(code("a // b\nc"), "a     \nc");
        assert_eq!(code("a /* b /* c */\n */ d"), "a             \n    d");
        assert_eq!(code("/* open"), "       ");
    }

    #[test]
    fn what_literals_hold_is_blank() {
        assert_eq!(code(r#"x("a\"b", c)"#), "x(      , c)");
        assert_eq!(code(r##"x(r#"a"b"#, c)"##), "x(        , c)");
        assert_eq!(code(r#"x(br"a\", c)"#), "x(b     , c)");
        assert_eq!(code(r"x('\'', 'a', '\u{7f}')"), "x(    ,    ,         )");
    }

    #[test]
    fn lifetimes_and_names_are_code() {
        assert_eq!(code("fn f<'a>(r: &'a str, var: r)"), "fn f<'a>(r: &'a str, var: r)");
    }

    #[test]
    fn a_word_is_whole() {
        assert!(has_word("use rand::Rng;", "rand"));
        assert!(!has_word("let operand = brand;", "rand"));
        assert!(has_word("dbg!(x)", "dbg!"));
    }
}
