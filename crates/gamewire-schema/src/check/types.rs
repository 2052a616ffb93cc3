use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::own_types::OwnType;
use crate::diagnostic::{Diagnostic, Errors, did_you_mean, quoted};
use crate::ir::{Structure, WORDS, WireType};
use crate::parse::{AliasLine, TypeName};

/// Maximum number of names that are listed for a cycle.
const MAX_LISTED: usize = 8;

/// The basic type and the C type of a name.
#[derive(Clone, Debug)]
pub(super) struct ResolvedType<'a> {
    /// The keyword of the type.
    pub(super) word: &'a str,
    pub(super) basic: WireType,
    /// The parts, if the basic type is a structure.
    pub(super) structure: Option<Arc<Structure>>,
    pub(super) public: &'a str,
}

/// The resolved type of every alias.
pub(super) struct Aliases<'a> {
    /// Types of the application.
    own: &'a BTreeMap<String, OwnType>,
    /// The resolved type, or `None` for a name that is already reported as wrong.
    resolved: HashMap<&'a str, Option<ResolvedType<'a>>>,
}

impl<'a> Aliases<'a> {
    /// Resolves all aliases, each of them once.
    pub(super) fn new(
        lines: &[AliasLine<'a>],
        own: &'a BTreeMap<String, OwnType>,
        errors: &mut Errors,
    ) -> Self {
        let mut by_name = HashMap::new();
        for line in lines {
            let first: &AliasLine<'_> = by_name.entry(line.name.text).or_insert(line);
            if first.name.span != line.name.span {
                let error = line.name.error(format!("there are two aliases {}", quoted(line.name.text)));
                errors.push(error.repeats(&first.name.span));
            }
        }
        let mut aliases = Self { own, resolved: HashMap::new() };
        for line in lines {
            if errors.is_full() {
                break;
            }
            aliases.resolve_alias(line, &by_name, errors);
        }
        aliases
    }

    /// Resolves one alias, and all aliases between it and its basic type.
    fn resolve_alias(
        &mut self,
        start: &AliasLine<'a>,
        by_name: &HashMap<&'a str, &AliasLine<'a>>,
        errors: &mut Errors,
    ) {
        let mut path = Vec::new();
        let mut line = start;
        let outcome = loop {
            if let Some(known) = self.resolved.get(line.name.text) {
                break known.clone();
            }
            if let Some(from) = path.iter().position(|name| *name == line.name.text) {
                errors.push(cycle(line, path.get(from..).unwrap_or_default()));
                break None;
            }
            path.push(line.name.text);
            match by_name.get(line.source.word.text) {
                Some(next) if line.source.public.is_none() => line = next,
                _ => break basic(&line.source, self.own, by_name.keys().copied(), errors),
            }
        };
        for name in path {
            self.resolved.insert(name, outcome.clone());
        }
    }

    /// Returns the type of a field line, or `None` if an error was reported for it.
    pub(super) fn resolve(&mut self, name: &TypeName<'a>, errors: &mut Errors) -> Option<ResolvedType<'a>> {
        if name.public.is_some() {
            return basic(name, self.own, std::iter::empty(), errors);
        }
        if let Some(known) = self.resolved.get(name.word.text) {
            return known.clone();
        }
        let known = self.resolved.iter().filter(|(_, resolved)| resolved.is_some()).map(|(name, _)| *name);
        let resolved = basic(name, self.own, known, errors);
        // Store the result, so that a name in many fields is only reported once.
        self.resolved.insert(name.word.text, resolved.clone());
        resolved
    }
}

/// Returns the basic type of a name that has a C type. Reports any other name. The hint contains the most similar
/// alias.
fn basic<'a, 'n>(
    name: &TypeName<'a>,
    own: &BTreeMap<String, OwnType>,
    aliases: impl Iterator<Item = &'n str>,
    errors: &mut Errors,
) -> Option<ResolvedType<'a>> {
    let word = name.word.text;
    let known = match own.get(word) {
        Some(OwnType::Basic(basic)) => Some((*basic, None)),
        Some(OwnType::Structure(parts)) => Some((WireType::Structure, Some(Arc::clone(parts)))),
        None => basic_type(word).map(|basic| (basic, None)),
    };
    let hint = match (&name.public, known) {
        (Some(public), Some((basic, structure))) => {
            return Some(ResolvedType { word, basic, structure, public: public.text });
        }
        (Some(_), None) => {
            let otherwise = format!(
                "basic types are uint8, sint16, bool8, string, ufloat100 and so on; for another one add the type \
                 that is the same on the wire under [types] of the constants file, such as `{word} = \"uint8\"`, or \
                 its parts, such as `{word} = [\"uint8 kind\", \"sint16 value\"]`"
            );
            did_you_mean(word, type_words(), &otherwise)
        }
        (None, _) if type_words().any(|known| known == word) => {
            format!("a basic type is written with its public type, such as `{word}(int)`")
        }
        (None, _) => did_you_mean(word, aliases, "define it with `type NAME = ...`"),
    };
    let error = name.word.error(format!("there is no type {}", quoted(word)));
    errors.push(error.label("not known").hint(hint));
    None
}

fn cycle(line: &AliasLine<'_>, names: &[&str]) -> Diagnostic {
    let mut listed: Vec<String> = names.iter().take(MAX_LISTED).map(|name| quoted(name)).collect();
    if names.len() > MAX_LISTED {
        listed.push("...".to_owned());
    }
    listed.push(quoted(line.name.text));
    let error = line.name.error("an alias refers to itself");
    error.label(format!("through {}", listed.join(" -> "))).hint("define one of them as a basic type")
}

/// Returns the names of all basic types, for hints.
pub(super) fn type_words<'a>() -> impl Iterator<Item = &'a str> {
    WORDS.iter().map(|(word, _)| *word)
}

/// Returns the basic type of a name, in the spelling of Freeciv or Freeciv21.
pub(super) fn basic_type(word: &str) -> Option<WireType> {
    if let Some(cpp) = word.strip_prefix("std::") {
        let (integer, factor) =
            cpp.split_once('/').map_or((cpp, None), |(integer, factor)| (integer, Some(factor)));
        let freeciv = match (integer, factor) {
            ("int32_t", Some(factor)) => format!("sfloat{factor}"),
            ("uint32_t", Some(factor)) => format!("ufloat{factor}"),
            (integer, None) => {
                let (sign, bits) = integer.strip_suffix("_t")?.split_once("int")?;
                format!("{}int{bits}", if sign.is_empty() { "s" } else { sign })
            }
            _ => return None,
        };
        return basic_type(&freeciv);
    }
    if word == "bool" {
        return Some(WireType::Bool8);
    }
    let digits_at = word.find("float").map_or(word.len(), |at| at.saturating_add("float".len()));
    let (name, digits) = word.split_at_checked(digits_at)?;
    // Freeciv 2 has one type of scaled numbers, which are uint32 on the wire.
    let name = if name == "float" { "ufloat" } else { name };
    let (_, basic) = WORDS.iter().find(|(known, _)| *known == name)?;
    let factor = || digits.parse().ok().filter(|_| !digits.starts_with('0'));
    match basic {
        WireType::Ufloat { .. } => factor().map(|factor| WireType::Ufloat { factor }),
        WireType::Sfloat { .. } => factor().map(|factor| WireType::Sfloat { factor }),
        basic => Some(*basic),
    }
}
