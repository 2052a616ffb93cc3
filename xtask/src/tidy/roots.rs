//! Checks that `lib.rs` and `mod.rs` contain only declarations.

use super::finding::Finding;
use super::source::{Source, is_word};

/// Beginnings of the allowed items, in addition to attributes and comments.
const ALLOWED: &[&str] = &["mod", "use", "const", "type"];

/// Functions of a procedural macro must be in the root of their crate.
const MACROS: &str = "crates/gamewire-derive/src/lib.rs";

/// Checks a root under `src` for logic. Test folders are exempt, because cargo requires a `mod.rs` for shared test
/// code.
pub(super) fn check(source: &Source) -> Vec<Finding> {
    let is_root = source.path.ends_with("/lib.rs") || source.path.ends_with("/mod.rs");
    if !is_root || !source.path.contains("/src/") || source.path == MACROS {
        return Vec::new();
    }
    items(&source.code())
        .into_iter()
        .map(|(line, keyword)| {
            let what = format!("`{keyword}` in a file that only says what is in its folder");
            Finding::new(&source.path, line, what, "move it into a file of its own")
        })
        .collect()
}

/// Returns the first item that is more than a declaration, with its line.
fn items(code: &str) -> Option<(usize, String)> {
    let mut rest = code;
    loop {
        rest = rest.trim_start();
        let line = line_of(code, rest);
        if let Some(attribute) = rest.strip_prefix('#') {
            rest = after_brackets(attribute.trim_start_matches('!'));
            continue;
        }
        rest =
            rest.strip_prefix("pub").filter(|after| !after.starts_with(is_word)).unwrap_or(rest).trim_start();
        if rest.starts_with('(') {
            rest = after_brackets(rest).trim_start();
        }
        let keyword: String = rest.chars().take_while(|c| is_word(*c)).collect();
        let end = rest.find(';').unwrap_or(rest.len());
        let (item, after) = rest.split_at(end);
        let is_plain = keyword == "use" || !item.contains('{');
        if let Some(after) = re_exports(rest) {
            rest = after;
            continue;
        }
        match keyword.as_str() {
            "" if rest.is_empty() => return None,
            "extern" if item.starts_with("extern crate") => rest = after.trim_start_matches(';'),
            known if ALLOWED.contains(&known) && is_plain => rest = after.trim_start_matches(';'),
            _ => return Some((line, keyword)),
        }
    }
}

/// Returns the text after an inline module that only re-exports.
fn re_exports(text: &str) -> Option<&str> {
    let (name, _) = text.strip_prefix("mod ")?.split_once([';', '{'])?;
    let body = text.get("mod ".len().saturating_add(name.len())..)?;
    let after = body.starts_with('{').then(|| after_brackets(body))?;
    let inside = body.get(1..body.len().saturating_sub(after.len()).saturating_sub(1))?;
    let mut statements = inside.split(';').map(str::trim).filter(|statement| !statement.is_empty());
    let is_re_export = |statement: &str| statement.starts_with("pub use ");
    (statements.next().is_some_and(is_re_export) && statements.all(is_re_export)).then_some(after)
}

/// Returns the line number at which `rest`, an end of `code`, begins.
fn line_of(code: &str, rest: &str) -> usize {
    let before = code.len().saturating_sub(rest.len());
    code.get(..before).map_or(0, |before| before.matches('\n').count()).saturating_add(1)
}

/// Returns the text after the brackets that `text` begins with.
fn after_brackets(text: &str) -> &str {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth = depth.saturating_add(1),
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return text.get(at.saturating_add(1)..).unwrap_or_default();
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<String> {
        check(&Source::new(path.into(), text.into())).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn an_inline_module_may_only_re_export() {
        let found = |text: &str| check(&Source::new("a/src/lib.rs".into(), text.into())).len();
        assert_eq!(
            found("pub mod derive { pub use a::{B, C}; pub use d::E; }\nextern crate self as x;\nmod f;"),
            0
        );
        assert_eq!(found("pub mod derive { pub use a::B; fn f() {} }"), 1);
    }

    #[test]
    fn declarations_are_fine() {
        let text = "//! What this is.\n#![allow(dead_code, reason = \"fn\")]\n\nmod a;\npub(crate) mod b;\n\
            #[cfg(test)]\nmod tests;\npub use a::{One, two::{Three, fn_four}};\n\
            /// So many.\npub const MOST: usize = 64 * 1024;\npub type Message<'a> = b::Message<'a, One>;\n";
        assert_eq!(found("crates/x/src/lib.rs", text), [""; 0]);
    }

    #[test]
    fn logic_is_found_with_its_line() {
        let found_in = |text| found("crates/x/src/y/mod.rs", text);
        assert!(
            found_in("mod a;\n\nfn logic() {}\n")[0].starts_with("crates/x/src/y/mod.rs:3: `fn` in a file")
        );
        assert_eq!(found_in("pub struct A;").len(), 1);
        assert_eq!(found_in("mod tests { }").len(), 1);
        assert_eq!(found_in("const fn f() -> u8 { 1 }").len(), 1);
        assert_eq!(found_in("macro_rules! m { () => {}; }").len(), 1);
        assert_eq!(found_in("pub(crate) enum A { B }").len(), 1);
    }

    #[test]
    fn other_files_may_contain_any_item() {
        assert_eq!(found("crates/x/src/a.rs", "fn logic() {}"), [""; 0]);
        assert_eq!(found(MACROS, "pub fn message(item: TokenStream) -> TokenStream {}"), [""; 0]);
        assert_eq!(found("crates/x/tests/support/mod.rs", "fn logic() {}"), [""; 0]);
    }
}
