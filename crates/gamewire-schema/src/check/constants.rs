use std::collections::BTreeMap;
use std::ops::Range;

use serde::de::Error;
use serde::{Deserialize, Deserializer};

use super::own_types::{self, OwnType};
use super::types::Aliases;
use crate::diagnostic::{Diagnostic, Errors, SourceLocation, quoted};
use crate::ir::{ArrayDiff, Version};

/// Maximum number of names in one error.
const MAX_LISTED: usize = 100;

/// The constants and bitvector sizes of a definition, which Freeciv keeps in C headers.
///
/// ```
/// let constants = gamewire_schema::Constants::from_toml(r#"
///     name = "freeciv-3.0"
///     array-diff = "end-255"
///     [constants]
///     MAX_LEN_NAME = 48
///     [bitvectors]
///     bv_extras = 16
/// "#).unwrap();
/// assert_eq!(constants.bitvectors["bv_extras"], 16);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Constants {
    /// Name of the version.
    pub name: String,
    /// The version, which selects lines in a definition of several versions.
    pub version: Option<Version>,
    /// The capability string of clients of this version.
    pub capabilities: String,
    /// Encoding of array-diff in this version.
    pub array_diff: ArrayDiff,
    /// Constants in sizes.
    pub constants: BTreeMap<String, i64>,
    /// Sizes of bitvectors in bytes, by their C type.
    pub bitvectors: BTreeMap<String, u32>,
    /// Types of the application, by name.
    pub types: BTreeMap<String, OwnType>,
}

/// The constants file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[derive(Default)]
struct File {
    name: String,
    #[serde(deserialize_with = "version")]
    version: Option<Version>,
    capabilities: String,
    array_diff: ArrayDiff,
    constants: BTreeMap<String, i64>,
    bitvectors: BTreeMap<String, u32>,
    types: own_types::Sources,
}

fn version<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Version>, D::Error> {
    let text = String::deserialize(from)?;
    let wrong = |()| Error::custom(format!("`{text}` is not a version; write it as \"3.1.4\""));
    text.parse().map(Some).map_err(wrong)
}

/// The error for an invalid constants file, with its location.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConstantsError(String);

impl Constants {
    /// Parses a constants file.
    ///
    /// # Errors
    /// [`ConstantsError`] if the text is not TOML, has unknown or invalid keys, or a type that cannot be resolved.
    pub fn from_toml(text: &str) -> Result<Self, ConstantsError> {
        let invalid = |error: toml::de::Error| ConstantsError(error.to_string().trim_end().to_owned());
        let File { name, version, capabilities, array_diff, constants, bitvectors, types } =
            toml::from_str(text).map_err(invalid)?;
        let types = own_types::resolve(&types, &constants, text)?;
        Ok(Self { name, version, capabilities, array_diff, constants, bitvectors, types })
    }
}

impl ConstantsError {
    /// Creates an error about a part of the constants file.
    pub(super) fn at(text: &str, span: &Range<usize>, message: &str) -> Self {
        let SourceLocation { line, column, text, span } = SourceLocation::new(text, span);
        let (number, blanks) = (line.to_string(), column.saturating_sub(1));
        let (margin, width) = (number.len(), span.len().max(1));
        Self(format!(
            "error at line {number}, column {column}\n{:margin$} |\n{number} | {text}\n{:margin$} | {:blanks$}{:^<width$}\n{message}",
            "", "", "", "^"
        ))
    }
}

/// Shared state of the checks of all packets.
pub(super) struct Context<'c, 'a> {
    pub(super) aliases: Aliases<'a>,
    pub(super) constants: &'c Constants,
    pub(super) missing: Missing<'a>,
    pub(super) errors: Errors,
}

/// Names that the definition uses and the constants do not define, each with its first use. They are collected into one
/// error for each kind.
#[derive(Default)]
pub(super) struct Missing<'a> {
    pub(super) constants: BTreeMap<&'a str, Range<usize>>,
    pub(super) bitvectors: BTreeMap<&'a str, Range<usize>>,
}

impl Missing<'_> {
    pub(super) fn report(&self, errors: &mut Errors) {
        let hint = "add them under [constants] of the constants file, such as `NAME = 48`";
        report("constant", &self.constants, hint, errors);
        let hint =
            "add their sizes in bytes under [bitvectors] of the constants file, such as `bv_name = 16`";
        report("bitvector", &self.bitvectors, hint, errors);
    }
}

fn report(kind: &str, names: &BTreeMap<&str, Range<usize>>, hint: &str, errors: &mut Errors) {
    let Some(first) = names.values().min_by_key(|span| span.start) else { return };
    let count = names.len();
    let listed: Vec<String> = names.keys().take(MAX_LISTED).map(|name| quoted(name)).collect();
    let listed = listed.join(", ");
    let more = match count.saturating_sub(MAX_LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let what = if count == 1 { format!("1 {kind} is") } else { format!("{count} {kind}s are") };
    let error = Diagnostic::new(format!("{what} not defined: {listed}{more}"), first.clone());
    errors.push(error.label("first used here").hint(hint));
}
