//! Types of the application, in the constants file: names of known types, and structures of several parts.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::constants::ConstantsError;
use super::types::{basic_type, type_words};
use crate::diagnostic::{did_you_mean, quoted};
use crate::ir::{Part, PartType, Structure, WireType};
use crate::limits::MAX_NAME;

/// A type of the application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OwnType {
    /// Another name for a known type.
    Basic(WireType),
    /// A structure of several parts.
    Structure(Arc<Structure>),
}

/// The text of a type: one name, or a list of parts.
#[derive(Clone, Debug)]
pub(super) enum Source {
    Name(String),
    Parts(Vec<Spanned<String>>),
}

/// The texts of all types, by name.
pub(super) type Sources = BTreeMap<String, Spanned<Source>>;

impl<'de> Deserialize<'de> for Source {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct SourceVisitor;

        impl<'de> Visitor<'de> for SourceVisitor {
            type Value = Source;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a type such as \"uint8\", or the parts of a structure such as [\"uint8 kind\", \"sint16\"]")
            }

            fn visit_str<E>(self, name: &str) -> Result<Source, E> {
                Ok(Source::Name(name.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Source, A::Error> {
                let mut parts = Vec::new();
                while let Some(part) = from.next_element()? {
                    parts.push(part);
                }
                Ok(Source::Parts(parts))
            }
        }

        from.deserialize_any(SourceVisitor)
    }
}

/// Resolves all types. `constants` are the constants in the sizes of parts, and `text` is the constants file, for errors.
pub(super) fn resolve(
    sources: &Sources,
    constants: &BTreeMap<String, i64>,
    text: &str,
) -> Result<BTreeMap<String, OwnType>, ConstantsError> {
    let mut resolver = Resolver { sources, constants, text, types: BTreeMap::new(), open: Vec::new() };
    for (name, source) in sources {
        resolver.type_named(name, source)?;
    }
    Ok(resolver.types)
}

struct Resolver<'s> {
    sources: &'s Sources,
    constants: &'s BTreeMap<String, i64>,
    text: &'s str,
    types: BTreeMap<String, OwnType>,
    /// The structures that are being resolved, outermost first.
    open: Vec<&'s str>,
}

impl<'s> Resolver<'s> {
    fn type_named(&mut self, name: &'s str, source: &'s Spanned<Source>) -> Result<OwnType, ConstantsError> {
        if let Some(known) = self.types.get(name) {
            return Ok(known.clone());
        }
        let resolved = match source.get_ref() {
            Source::Name(known) => OwnType::Basic(basic_type(known).ok_or_else(|| {
                let hint = did_you_mean(known, type_words(), "use a type such as uint8, or a list of parts");
                self.error(source, format!("unknown type {}; {hint}", quoted(known)))
            })?),
            Source::Parts(parts) => OwnType::Structure(self.structure(name, source, parts)?),
        };
        self.types.insert(name.to_owned(), resolved.clone());
        Ok(resolved)
    }

    fn structure(
        &mut self,
        name: &'s str,
        source: &Spanned<Source>,
        parts: &'s [Spanned<String>],
    ) -> Result<Arc<Structure>, ConstantsError> {
        if self.open.contains(&name) {
            return Err(self.error(source, format!("the structure {} contains itself", quoted(name))));
        }
        if self.open.len() >= Structure::MAX_DEPTH {
            let message = format!("structures nested more than {} deep", Structure::MAX_DEPTH);
            return Err(self.error(source, message));
        }
        if parts.is_empty() || name.len() > MAX_NAME {
            let message = format!("a structure needs parts, and a name of at most {MAX_NAME} bytes");
            return Err(self.error(source, message));
        }
        self.open.push(name);
        let mut structure = Structure::new(name.to_owned(), Vec::new());
        for (index, part) in parts.iter().enumerate() {
            let part = self.part(index, part)?;
            structure.parts.to_mut().push(part);
            if structure.number_count() > Structure::MAX_NUMBERS {
                let message = format!("a structure of more than {} numbers", Structure::MAX_NUMBERS);
                return Err(self.error(source, message));
            }
        }
        self.open.pop();
        let mut names: Vec<String> = structure.numbers().into_iter().map(|number| number.name).collect();
        names.sort_unstable();
        if let Some([twice, _]) = names.windows(2).find(|pair| pair.first() == pair.last()) {
            return Err(self.error(source, format!("two parts of the structure are named {}", quoted(twice))));
        }
        Ok(Arc::new(structure))
    }

    /// Parses a part: `TYPE`, `TYPE NAME` or `TYPE NAME[SIZE]`.
    fn part(&mut self, index: usize, part: &'s Spanned<String>) -> Result<Part, ConstantsError> {
        let (head, count) = match part.get_ref().trim().split_once('[') {
            Some((head, size)) => (head, Some(self.size(part, size)?)),
            None => (part.get_ref().as_str(), None),
        };
        let mut words = head.split_whitespace();
        let (word, name) = (words.next().unwrap_or_default(), words.next());
        let is_name = |name: &str| {
            name.len() <= MAX_NAME
                && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        if words.next().is_some() || !name.is_none_or(is_name) {
            return Err(
                self.error(part, "expected a part such as \"uint8\", \"uint8 kind\" or \"uint8 kinds[4]\"")
            );
        }
        let name = name.map_or_else(|| format!("part_{index}"), str::to_owned).into();
        let part_type = self.part_type(word, part)?;
        Ok(Part { name, part_type, count })
    }

    fn part_type(&mut self, word: &str, part: &Spanned<String>) -> Result<PartType, ConstantsError> {
        // A structure can have the name of a known type, and a part of it can be of the known type.
        let own = self
            .sources
            .get_key_value(word)
            .filter(|(name, _)| !(self.open.contains(&name.as_str()) && basic_type(word).is_some()));
        let known = match own {
            Some((name, source)) => match self.type_named(name, source)? {
                OwnType::Structure(structure) => {
                    return Ok(PartType::Structure(Cow::Owned(Arc::unwrap_or_clone(structure))));
                }
                OwnType::Basic(wire) => Some(wire),
            },
            None => basic_type(word),
        };
        let wire = known.ok_or_else(|| {
            let names = type_words().chain(self.sources.keys().map(String::as_str));
            let hint = did_you_mean(word, names, "use uint8, sint16 and so on, or another structure");
            self.error(part, format!("unknown type {} of a part; {hint}", quoted(word)))
        })?;
        if wire.is_integer() || matches!(wire, WireType::Bool8 | WireType::Bool32) {
            return Ok(PartType::Number(wire));
        }
        let message = format!(
            "a part cannot be of the type {}; parts are integers, booleans and other structures",
            quoted(word)
        );
        Err(self.error(part, message))
    }

    /// Parses the size of an array, after its `[`.
    fn size(&self, part: &Spanned<String>, text: &str) -> Result<u32, ConstantsError> {
        let size = text.strip_suffix(']').map(str::trim).unwrap_or_default();
        let value = size.parse().ok().or_else(|| self.constants.get(size).copied());
        let max = i64::from(Structure::MAX_NUMBERS);
        let value = value.filter(|value| (1..=max).contains(value));
        value.and_then(|value| u32::try_from(value).ok()).ok_or_else(|| {
            let message =
                format!("expected one size from 1 to {max}, or the name of such a constant, in brackets");
            self.error(part, message)
        })
    }

    fn error<T>(&self, at: &Spanned<T>, message: impl Into<String>) -> ConstantsError {
        ConstantsError::at(self.text, &at.span(), &message.into())
    }
}
