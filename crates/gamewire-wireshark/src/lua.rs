use core::fmt;

/// A Lua value, which can be written as Lua source.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Lua {
    /// An integer.
    Int(i64),
    /// A boolean.
    Bool(bool),
    /// A string.
    Text(String),
    /// Values with the keys 1, 2 and so on.
    List(Vec<Self>),
    /// A table with names as keys.
    Table(Vec<(String, Self)>),
    /// A table with numbers as keys.
    Numbered(Vec<(i64, Self)>),
}

impl Lua {
    /// Creates a table from names and values.
    pub(crate) fn table<N: Into<String>>(entries: impl IntoIterator<Item = (N, Self)>) -> Self {
        Self::Table(entries.into_iter().map(|(name, value)| (name.into(), value)).collect())
    }

    /// Creates a table from numbers and values.
    pub(crate) fn numbered<N: Into<i64>>(entries: impl IntoIterator<Item = (N, Self)>) -> Self {
        Self::Numbered(entries.into_iter().map(|(number, value)| (number.into(), value)).collect())
    }

    /// Creates a list.
    pub(crate) fn list<V: Into<Self>>(values: impl IntoIterator<Item = V>) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }

    /// Creates an integer from a count.
    pub(crate) fn count(count: usize) -> Self {
        Self::Int(i64::try_from(count).unwrap_or(i64::MAX))
    }

    /// Returns whether the value can be on one line with other values.
    const fn is_simple(&self) -> bool {
        matches!(self, Self::Int(_) | Self::Bool(_) | Self::Text(_))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, indent: usize) -> fmt::Result {
        match self {
            Self::Int(value) => write!(f, "{value}"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Text(text) => write_text(f, text),
            Self::List(values) => {
                write_entries(f, indent, values.iter().map(|value| (String::new(), value)).collect())
            }
            Self::Table(entries) => {
                let key = |name: &String| {
                    if is_name(name) {
                        format!("{name} = ")
                    } else {
                        format!("[{}] = ", Self::Text(name.clone()))
                    }
                };
                write_entries(f, indent, entries.iter().map(|(name, value)| (key(name), value)).collect())
            }
            Self::Numbered(entries) => {
                let entries = entries.iter().map(|(number, value)| (format!("[{number}] = "), value));
                write_entries(f, indent, entries.collect())
            }
        }
    }
}

fn write_entries(f: &mut fmt::Formatter<'_>, indent: usize, entries: Vec<(String, &Lua)>) -> fmt::Result {
    if entries.is_empty() {
        return f.write_str("{}");
    }
    let is_line = entries.iter().all(|(_, value)| value.is_simple());
    f.write_str(if is_line { "{ " } else { "{\n" })?;
    let inner = indent.saturating_add(2);
    for (index, (key, value)) in entries.iter().enumerate() {
        if is_line {
            if index > 0 {
                f.write_str(", ")?;
            }
        } else {
            write!(f, "{:inner$}", "")?;
        }
        f.write_str(key)?;
        value.write(f, inner)?;
        if !is_line {
            f.write_str(",\n")?;
        }
    }
    if is_line { f.write_str(" }") } else { write!(f, "{:indent$}}}", "") }
}

fn write_text(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_str("\"")?;
    for character in text.chars() {
        match character {
            '"' | '\\' => write!(f, "\\{character}")?,
            '\n' => f.write_str("\\n")?,
            control if control.is_control() => write!(f, "\\{:03}", u32::from(control) % 256)?,
            other => write!(f, "{other}")?,
        }
    }
    f.write_str("\"")
}

/// Returns whether a text can be a table key without brackets.
fn is_name(text: &str) -> bool {
    const KEYWORDS: &[&str] = &[
        "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
        "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
    ];
    text.chars().next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        && !KEYWORDS.contains(&text)
}

impl fmt::Display for Lua {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0)
    }
}

impl From<&str> for Lua {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Lua {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<bool> for Lua {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for Lua {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simple_values_share_a_line_and_keywords_are_quoted() {
        let value = Lua::table([
            ("one", Lua::list(["a\"\\", "b\n"])),
            ("end", Lua::Numbered(vec![(-1, Lua::Bool(true))])),
        ]);
        let expected = "{\n  one = { \"a\\\"\\\\\", \"b\\n\" },\n  [\"end\"] = { [-1] = true },\n}";
        assert_eq!(value.to_string(), expected);
    }
}
