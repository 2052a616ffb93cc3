use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::basic_type::{BasicType, basic_type, type_words};
use super::names::did_you_mean;
use crate::diagnostic::{Diagnostic, Errors, quoted};
use crate::parse::{AliasLine, TypeName};

/// The basic type and the C type of a name.
#[derive(Clone, Debug)]
pub(super) struct ResolvedType<'a> {
    pub(super) basic: BasicType<'a>,
    pub(super) public: &'a str,
}

/// The resolved type of every alias.
pub(super) struct Aliases<'a> {
    /// `None` for a name that is reported as wrong.
    resolved: HashMap<&'a str, Option<ResolvedType<'a>>>,
}

/// Maximum number of listed names of a cycle.
const MAX_LISTED: usize = 8;

impl<'a> Aliases<'a> {
    /// Resolves all aliases, each of them once.
    pub(super) fn new(lines: &[AliasLine<'a>], errors: &mut Errors) -> Self {
        let mut by_name = HashMap::new();
        for line in lines {
            match by_name.entry(line.name.text) {
                Entry::Vacant(entry) => {
                    entry.insert(line);
                }
                Entry::Occupied(first) => {
                    let message = format!("there are two aliases {}", quoted(line.name.text));
                    let error = Diagnostic::new(message, line.name.span.clone()).label("again here");
                    errors.push(error.secondary_label(first.get().name.span.clone(), "the first one"));
                }
            }
        }
        let mut aliases = Self { resolved: HashMap::new() };
        for line in lines {
            if errors.is_full() {
                break;
            }
            aliases.resolve_alias(line, &by_name, errors);
        }
        aliases
    }

    /// Resolves one alias, and all aliases on the way to its basic type.
    fn resolve_alias(
        &mut self,
        start: &AliasLine<'a>,
        by_name: &HashMap<&'a str, &AliasLine<'a>>,
        errors: &mut Errors,
    ) {
        let mut path: HashMap<&str, usize> = HashMap::new();
        let mut order = Vec::new();
        let mut line = start;
        let outcome = loop {
            if let Some(known) = self.resolved.get(line.name.text) {
                break known.clone();
            }
            if let Some(&from) = path.get(line.name.text) {
                errors.push(cycle(line, order.get(from..).unwrap_or_default()));
                break None;
            }
            path.insert(line.name.text, order.len());
            order.push(line.name.text);
            match by_name.get(line.source.word.text) {
                Some(next) if line.source.public.is_none() => line = next,
                _ => break self.basic(&line.source, by_name.keys().copied(), errors),
            }
        };
        for name in order {
            self.resolved.insert(name, outcome.clone());
        }
    }

    /// Returns the type of a field line, or `None` if it is reported as wrong.
    pub(super) fn resolve(&mut self, name: &TypeName<'a>, errors: &mut Errors) -> Option<ResolvedType<'a>> {
        if name.public.is_some() {
            return self.basic(name, std::iter::empty(), errors);
        }
        if let Some(known) = self.resolved.get(name.word.text) {
            return known.clone();
        }
        let known = self.resolved.iter().filter(|(_, basic)| basic.is_some()).map(|(name, _)| *name);
        let basic = self.basic(name, known, errors);
        // Report a name that many fields use once.
        self.resolved.insert(name.word.text, basic.clone());
        basic
    }

    fn basic<'n>(
        &self,
        name: &TypeName<'a>,
        aliases: impl Iterator<Item = &'n str>,
        errors: &mut Errors,
    ) -> Option<ResolvedType<'a>> {
        if let (Some(basic), Some(public)) = (basic_type(name), &name.public) {
            return Some(ResolvedType { basic, public: public.text });
        }
        let word = name.word.text;
        let error = Diagnostic::new(format!("there is no type {}", quoted(word)), name.word.span.clone());
        let hint = if name.public.is_none() && type_words().any(|known| known == word) {
            format!("a basic type is written with its public type, such as `{word}(int)`")
        } else if name.public.is_some() {
            did_you_mean(
                word,
                type_words(),
                "basic types are uint8, sint16, bool8, string, ufloat100 and so on",
            )
        } else {
            did_you_mean(word, aliases, "define it with `type NAME = ...`")
        };
        errors.push(error.label("not known").hint(hint));
        None
    }
}

fn cycle(line: &AliasLine<'_>, names: &[&str]) -> Diagnostic {
    let mut listed: Vec<String> = names.iter().take(MAX_LISTED).map(|name| quoted(name)).collect();
    if names.len() > MAX_LISTED {
        listed.push("...".to_owned());
    }
    listed.push(quoted(line.name.text));
    let error = Diagnostic::new("an alias refers to itself", line.name.span.clone());
    let error = error.label(format!("through {}", listed.join(" -> ")));
    error.hint("define one of them as a basic type")
}
